"""The billing form of an order, for tests of its missing information (R 2.4)."""

from dataclasses import dataclass
from typing import Any

import httpx

from tests.server.accounts.builders import Person
from tests.server.world import World

ROW = {
    "billTypeId": None,
    "payerId": None,
    "insuranceId": "ab-1",
    "relationship": "SPOUSE",
    "lastName": "Lopez",
    "firstName": "Ana",
    "birthDate": "1971-02-03",
    "gender": "FEMALE",
    "address": "1 Main St",
    "differentThanPatient": True,
}


@dataclass
class BillingForm:
    """The billing form of an order that lacks physician, diagnosis, and insurance."""

    world: World
    nurse: Person
    lab: Person
    physician: int
    patient: int
    requisition: int
    order: int

    @property
    def path(self) -> str:
        """The address of the form."""
        return f"/api/v2/orders/{self.order}/billing-information"

    async def read(self, person: Person | None = None) -> dict[str, Any]:
        """Read the form."""
        person = person or self.nurse
        answer = await self.world.http.get(self.path, headers=person.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def save(
        self, person: Person | None = None, version: int | None = None, **body: Any
    ) -> httpx.Response:
        """Save the form with these fields."""
        headers = dict((person or self.nurse).headers)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.world.http.put(self.path, headers=headers, json=body)

    async def read_row(self, person: Person | None = None) -> dict[str, Any]:
        """Read the order's row of the search."""
        answer = await self.world.http.get(
            f"/api/v2/orders/ids?ids={self.order}", headers=(person or self.nurse).headers
        )
        return answer.json()[0]

    def list_birth_dates(self) -> list[str | None]:
        """Return the birth dates of the patient, the requisition, and the order."""
        [row] = self.world.fetch_rows(
            "SELECT p.birth_date::text, q.patient_birth_date::text, o.patient_birth_date::text"
            " FROM orders o JOIN patients p ON p.id = o.patient_id"
            " JOIN requisitions q ON q.id = o.requisition_id WHERE o.id = %s",
            (self.order,),
        )
        return list(row)

    def read_audit_rows(self) -> list[tuple[Any, ...]]:
        """Return the audit rows of the nurse's changes."""
        return self.world.fetch_rows(
            "SELECT action, kind, record_ids, detail FROM audit_events WHERE user_id = %s"
            " AND action IN ('change', 'complete') ORDER BY id",
            (self.nurse.user_id,),
        )

    def build_insurance(self, **values: Any) -> dict[str, Any]:
        """Build an insurance row that has all that a claim needs."""
        [(payer_id, bill_type_id)] = self.world.fetch_rows(
            "SELECT id, bill_type_id FROM payers ORDER BY id LIMIT 1"
        )
        code = self.world.run_sql("SELECT min(code) FROM zip_codes")
        bill_type_id = bill_type_id or self.world.run_sql("SELECT min(id) FROM bill_types")
        chosen_values = {"payerId": payer_id, "billTypeId": bill_type_id, "zipCode": {"code": code}}
        return {**ROW, **chosen_values, **values}

    def build_diagnosis(self) -> dict[str, Any]:
        """Build a diagnosis."""
        return {"id": self.world.run_sql("SELECT min(id) FROM diagnoses")}


async def open_billing_form(world: World) -> BillingForm:
    """Open the form of an order that is billed to insurance and lacks everything."""
    client = world.create_client()
    physician = world.create_physician(client)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    patient = world.create_patient(client)
    world.add_patient_lists(patient)
    requisition = await world.save_requisition(nurse, patient, billTo="INSURANCE")
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    order = receive_answer.json()[0]["orderId"]
    return BillingForm(world, nurse, lab, physician, patient, requisition["id"], order)
