"""Moving a patient to another client, unit, room or physician."""

import uuid
from typing import Any

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.samples import NONEXISTENT_ID
from tests.server.world import World

PATIENTS = "/api/v2/patients"


class TestClientPhysician:
    """PUT /v2/patients/client-physician."""

    async def move(
        self, world: World, person: Person, version: int | None = None, **body: Any
    ) -> Any:
        headers = {**person.headers, "Idempotency-Key": uuid.uuid4().hex}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await world.http.put(f"{PATIENTS}/client-physician", headers=headers, json=body)

    def get_unit_and_room(self, world: World, client: int) -> tuple[int, int]:
        unit = world.run_sql("SELECT id FROM units WHERE client_id = %s", (client,))
        return unit, world.run_sql("SELECT id FROM rooms WHERE client_id = %s", (client,))

    async def test_changes_only_place_and_physician(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient, physician_id = (
            world.create_patient(client, phone="312-555-0100"),
            world.create_physician(client),
        )
        _, room = self.get_unit_and_room(world, client)
        answer = await self.move(
            world,
            nurse,
            id=patient,
            clientId=client,
            roomId=room,
            physicianId=physician_id,
            bed="b 2",
        )
        assert answer.status_code == 200, answer.text
        saved_patient = answer.json()
        assert (saved_patient["room"]["name"], saved_patient["unit"]["name"]) == ("101", "EAST")
        assert (saved_patient["bed"], saved_patient["primaryPhysicianId"]) == ("B 2", physician_id)
        assert (saved_patient["phone"], saved_patient["version"]) == ("312-555-0100", 2)
        assert answer.headers["etag"] == '"2"'
        detail = world.run_sql(
            "SELECT detail FROM audit_events WHERE kind = 'patient' AND action = 'change'"
            " AND record_ids = ARRAY[%s::bigint]",
            (patient,),
        )
        assert detail == {"fields": ["bed", "primary_physician_id", "room_id", "unit_id"]}

    async def test_changing_the_client_clears_unit_room_and_bed(
        self, world: World, client: int
    ) -> None:
        other = world.create_client()
        nurse = await world.create_person(Role.CLIENT_ADMIN, client_ids=[client, other])
        unit, room = self.get_unit_and_room(world, client)
        patient = world.create_patient(
            client, unit_id=unit, room_id=room, bed="2", same_as_client_address=True
        )
        saved_patient = (await self.move(world, nurse, id=patient, clientId=other)).json()
        assert (
            saved_patient["clientId"],
            saved_patient["unitId"],
            saved_patient["roomId"],
            saved_patient["bed"],
        ) == (
            other,
            None,
            None,
            None,
        )
        assert saved_patient["sameAsClientAddress"] is False

    async def test_absent_fields_stay(self, world: World, client: int, nurse: Person) -> None:
        unit, room = self.get_unit_and_room(world, client)
        physician_id = world.create_physician(client)
        patient = world.create_patient(
            client, unit_id=unit, room_id=room, bed="2", physician=physician_id
        )
        saved_patient = (await self.move(world, nurse, id=patient, bed="3")).json()
        assert (saved_patient["unitId"], saved_patient["roomId"], saved_patient["bed"]) == (
            unit,
            room,
            "3",
        )
        assert saved_patient["primaryPhysicianId"] == physician_id
        saved_patient = (await self.move(world, nurse, id=patient, physicianId=None)).json()
        assert saved_patient["primaryPhysician"] is None

    async def test_validates_the_place(self, world: World, client: int, nurse: Person) -> None:
        elsewhere = world.create_client(with_unit=True)
        unit, room = self.get_unit_and_room(world, elsewhere)
        patient = world.create_patient(client)
        for body, field, message in (
            ({"clientId": None}, "clientId", messages.CLIENT_REQUIRED),
            ({"clientId": elsewhere}, "clientId", messages.NOT_FOUND),
            ({"clientId": NONEXISTENT_ID}, "clientId", messages.NOT_FOUND),
            ({}, "unitId", messages.UNIT_REQUIRED),
            ({"unitId": unit}, "unitId", messages.UNIT_NOT_OF_CLIENT),
            ({"roomId": room}, "roomId", messages.ROOM_NOT_OF_CLIENT),
            ({"physicianId": NONEXISTENT_ID}, "physicianId", messages.NOT_FOUND),
            ({"bed": "x" * 10_000}, "bed", messages.VALUE_TOO_LONG.format(max=20)),
        ):
            answer = await self.move(world, nurse, id=patient, **body)
            assert answer.status_code == 400, body
            errors = {e["field"]: e["message"] for e in answer.json()["errors"]}
            assert errors[field] == message, body
        assert world.run_sql("SELECT version FROM patients WHERE id = %s", (patient,)) == 1

    async def test_foreign_patients_answer_like_nonexistent_ones(
        self, world: World, nurse: Person
    ) -> None:
        foreign = await self.move(
            world, nurse, id=world.create_patient(world.create_client()), bed="1"
        )
        nonexistent = await self.move(world, nurse, id=NONEXISTENT_ID, bed="1")
        assert foreign.status_code == 404
        assert foreign.content == nonexistent.content

    async def test_a_stale_version_changes_nothing(self, world: World, lab: Person) -> None:
        patient = world.create_patient(world.create_client())
        assert (await self.move(world, lab, 1, id=patient, bed="1")).status_code == 200
        assert (await self.move(world, lab, 1, id=patient, bed="2")).status_code == 412
        assert world.run_sql("SELECT bed FROM patients WHERE id = %s", (patient,)) == "1"

    async def test_forbids_physicians_and_patients(self, world: World, client: int) -> None:
        physician_id = world.create_physician(client)
        patient = world.create_patient(client, physician=physician_id)
        for person in (
            await world.create_person(Role.PHYSICIAN, physician_ids=[physician_id]),
            await world.create_person(Role.PATIENT, patient_ids=[patient]),
        ):
            assert (await self.move(world, person, id=patient, bed="1")).status_code == 403
