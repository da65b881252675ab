"""A nurse at a client, with requests about patients."""

from dataclasses import dataclass
from typing import Any

from httpx import Response

from tests.server.accounts.builders import Person
from tests.server.world import World

VALID = {
    "firstName": "Ann",
    "lastName": "Lee",
    "birthDate": "1980-05-06",
    "gender": "FEMALE",
    "address": "1 Main St",
    "zipCodeName": "60601",
    "zipCodePlus4": "1234",
}
PARTY = {
    "firstName": "Rosa",
    "lastName": "Lee",
    "address": "9 Oak St",
    "country": "USA",
    "zipCode": "60435",
    "zipCodeExtra": "4321",
    "phone": "312-555-0101",
}
SAVES = {
    "save-billing-info": "insuranceInformation",
    "save-responsible-parties": "responsibleParties",
    "save-diagnoses": "diagnoses",
    "save-medications": "medications",
}


@dataclass
class Desk:
    """A nurse at a client, with her requests."""

    world: World
    nurse: Person
    client: int

    async def register(self, **values: Any):
        """Register a patient, and return the response."""
        return await self.world.http.post(
            "/api/v2/patients",
            headers=self.nurse.headers,
            json={**VALID, "clientId": self.client, **values},
        )

    async def create(self, **values: Any) -> dict[str, Any]:
        """Register a patient, and return the saved patient."""
        answer = await self.register(**values)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def change(self, patient: dict[str, Any], **values: Any):
        """Change some fields of a patient."""
        return await self.world.http.put(
            f"/api/v2/patients/{patient['id']}", headers=self.nurse.headers, json=values
        )

    async def save(self, patient: dict[str, Any], path: str, body: Any, **headers: str):
        """Save one list of a patient."""
        return await self.world.http.post(
            f"/api/v2/patients/{patient['id']}/{path}",
            headers={**self.nurse.headers, **headers},
            json=body,
        )

    async def read(self, patient: dict[str, Any]) -> dict[str, Any]:
        """Read the patient."""
        answer = await self.world.http.get(
            f"/api/v2/patients/{patient['id']}", headers=self.nurse.headers
        )
        assert answer.status_code == 200
        return answer.json()

    def build_insurance(self, **values: Any) -> dict[str, Any]:
        """Return a valid insurance row."""
        return {
            "insuranceId": "abc-1",
            "payerId": self.find_id("payers", "AETNA"),
            "billTypeId": self.find_id("bill_types", "COMMERCIAL"),
            "relationship": "SELF",
            **values,
        }

    def find_id(self, table: str, name: str, column: str = "name") -> int:
        """Return the id of a row of reference data."""
        return int(self.world.run_sql(f"SELECT id FROM {table} WHERE {column} = %s", (name,)))


async def register_patient(world: World, nurse: Person, client: int, **changes: Any) -> Response:
    """Register a patient, and return the response."""
    return await world.http.post(
        "/api/v2/patients", headers=nurse.headers, json={**VALID, "clientId": client, **changes}
    )


def mint_ssn(world: World) -> str:
    """Return a social security number that no patient has."""
    return f"666{world.run_sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
