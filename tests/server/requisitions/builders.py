"""Builds requisitions, and saves them over HTTP."""

import uuid
from typing import Any

import httpx

from tests.server.accounts.builders import Person
from tests.server.catalog.builders import CatalogBuilders

# A 2 by 1 pixel PNG.
SIGNATURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEklEQVR4nGNgYGD4DwQMDAwMDAAe"
    "8AP9c1mQ3wAAAABJRU5ErkJggg=="
)


class RequisitionBuilders(CatalogBuilders):
    """Saves requisitions."""

    http: httpx.AsyncClient

    def build_requisition_body(self, patient_id: int, *codes: str, **values: Any) -> dict[str, Any]:
        """Build the body of a valid requisition; the default test is glucose."""
        return {
            "patientId": patient_id,
            "collectionDate": "2026-03-04T00:00:00",
            "fasting": 0,
            "priority": "ROUTINE",
            "tests": [{"test": {"id": self.get_test_id(code)}} for code in codes or ("GLU",)],
            **values,
        }

    async def save_requisition(
        self, person: Person, patient_id: int, *codes: str, **values: Any
    ) -> dict:
        """Save a requisition over HTTP, and return it."""
        response = await self.http.post(
            "/api/v2/requisitions",
            headers={**person.headers, "Idempotency-Key": uuid.uuid4().hex},
            json=self.build_requisition_body(patient_id, *codes, **values),
        )
        assert response.status_code == 201, response.text
        return response.json()
