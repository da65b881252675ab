"""Registering patients."""

import asyncio
from typing import Any

import httpx
import pytest

from app.contract import messages
from tests.server.patients.desk import VALID, mint_ssn, register_patient
from tests.server.world import World


class TestRegistering:
    """POST /v2/patients."""

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("lastName", " ", messages.LAST_NAME_REQUIRED),
            ("firstName", None, messages.FIRST_NAME_REQUIRED),
            ("birthDate", None, messages.BIRTH_DATE_REQUIRED),
            ("birthDate", "2999-01-01", messages.BIRTH_DATE_OUT_OF_RANGE),
            ("birthDate", "12/31/1899", messages.BIRTH_DATE_OUT_OF_RANGE),
            ("gender", "", messages.GENDER_REQUIRED),
            ("gender", "OTHER", messages.VALUE_INVALID),
            ("address", None, messages.ADDRESS_REQUIRED),
            ("zipCodeName", None, messages.ZIP_CODE_REQUIRED),
            ("zipCodeName", "00000", messages.ZIP_CODE_UNKNOWN.format(code="00000")),
            ("zipCodePlus4", "12", messages.ZIP_CODE_PLUS4_INVALID),
            ("email", "ann@", messages.EMAIL_INVALID),
            ("email", "a@b.c, d@e.f", messages.EMAIL_INVALID),
            ("phone", "123", messages.PHONE_INVALID),
            ("socialSecurityNumber", "12-34", messages.SSN_INVALID),
            ("lastName", "X" * 10_000, messages.VALUE_TOO_LONG.format(max=100)),
            ("race", "MARTIAN", messages.VALUE_INVALID),
            ("ethnicity", 9, messages.VALUE_INVALID),
            ("ethnicity", "Martian", messages.VALUE_INVALID),
            ("ethnicity", True, messages.VALUE_INVALID),
            ("clientId", None, messages.CLIENT_REQUIRED),
        ],
    )
    async def test_names_the_invalid_field_and_its_error(
        self, world: World, parse_problem, nurse_and_client, field: str, value, message: str
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register_patient(world, nurse, client, **{field: value})
        assert answer.status_code == 400
        assert {"field": field, "message": message} in parse_problem(answer)["errors"]

    async def test_names_all_invalid_fields_at_once(
        self, world: World, parse_problem, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register_patient(world, nurse, client, lastName="", gender="", phone="1")
        fields = {error["field"] for error in parse_problem(answer)["errors"]}
        assert fields == {"lastName", "gender", "phone"}

    async def test_rejects_a_nonexistent_day(
        self, world: World, parse_problem, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register_patient(world, nurse, client, birthDate="02/30/1980")
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "birthDate"

    @pytest.mark.parametrize(
        ("name", "stored_name"),
        [
            ("o'brien-smith", "O'BRIEN-SMITH"),
            ("<script>alert(1)</script>", "<SCRIPT>ALERT(1)</SCRIPT>"),
            ("  josé   maría ", "JOSÉ MARÍA"),
            ("مريم", "مريم"),
            ("😀", "😀"),
            ("Robert'); DROP TABLE patients;--", "ROBERT'); DROP TABLE PATIENTS;--"),
            ("nul\x00byte", "NULBYTE"),
            ("\u202elee\u200b \ufeff", "LEE"),
            ("می\u200cخواهم", "می\u200cخواهم"),
        ],
    )
    async def test_stores_any_name_as_text(
        self, world: World, nurse_and_client, name: str, stored_name: str
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register_patient(world, nurse, client, lastName=name)
        assert answer.status_code == 201
        assert answer.json()["lastName"] == stored_name
        list_answer = await world.http.get(
            "/api/v2/patients/remote-operations",
            headers=nurse.headers,
            params={"lastName": stored_name[:4]},
        )
        assert [row["lastName"] for row in list_answer.json()["data"]] == [stored_name]

    async def test_a_client_with_units_requires_one_of_them(
        self, world: World, parse_problem
    ) -> None:
        client, other = world.create_client(with_unit=True), world.create_client(with_unit=True)
        nurse = await world.create_person("Client Admin", client_ids=[client, other])
        units = {
            c: world.run_sql("SELECT id FROM units WHERE client_id = %s", (c,))
            for c in (client, other)
        }
        rooms = {
            c: world.run_sql("SELECT id FROM rooms WHERE client_id = %s", (c,))
            for c in (client, other)
        }
        rejected_answer = await register_patient(world, nurse, client)
        assert parse_problem(rejected_answer)["errors"] == [
            {"field": "unitId", "message": messages.UNIT_REQUIRED}
        ]
        foreign_answer = await register_patient(
            world, nurse, client, unitId=units[other], roomId=rooms[other]
        )
        assert {e["message"] for e in parse_problem(foreign_answer)["errors"]} == {
            messages.UNIT_NOT_OF_CLIENT,
            messages.ROOM_NOT_OF_CLIENT,
        }
        own_answer = await register_patient(
            world, nurse, client, unitId=units[client], roomId=rooms[client]
        )
        assert own_answer.status_code == 201
        assert own_answer.json()["unit"]["name"] == "EAST"

    @pytest.mark.parametrize(
        ("value", "stored_value"),
        [
            (0, 0),
            ("1", 1),
            ("Hispanic Or Latino", 0),
            ("HISPANIC_OR_LATINO", 0),
            ("HispanicOrLatino", 0),
            ("non-hispanic or latino", 1),
            ("nonHispanicOrLatino", 1),
            ("Unknown", 2),
            (None, None),
        ],
    )
    async def test_ethnicity_is_a_number_or_a_word(
        self, world: World, nurse_and_client, value, stored_value: int | None
    ) -> None:
        answer = await register_patient(world, *nurse_and_client, ethnicity=value)
        assert answer.status_code == 201, answer.text
        assert answer.json()["ethnicity"] == stored_value

    async def test_a_room_sent_alone_sets_its_unit(self, world: World, parse_problem) -> None:
        client = world.create_client(with_unit=True)
        nurse = await world.create_person("Client Admin", client_ids=[client])
        east = world.run_sql("SELECT id FROM units WHERE client_id = %s", (client,))
        room_without_unit, west, room = (
            world.run_sql(f"INSERT INTO {table} VALUES (%s, %s) RETURNING id", (client, name))
            for table, name in (
                ("rooms (client_id, name)", "LOBBY"),
                ("units (client_id, name)", "WEST"),
                ("rooms (client_id, name)", "201"),
            )
        )
        world.run_sql("UPDATE rooms SET unit_id = %s WHERE id = %s", (west, room))
        for path in ("client-physician", "{id}"):
            patient = (await register_patient(world, nurse, client, unitId=east)).json()
            for place, expected in (
                ({"roomId": room}, (west, room)),
                # A room without a unit does not change the unit.
                ({"roomId": room_without_unit}, (west, room_without_unit)),
                ({"roomId": None}, (west, None)),
                ({"roomId": room, "unitId": east}, messages.ROOM_NOT_OF_CLIENT),
            ):
                answer = await world.http.put(
                    f"/api/v2/patients/{path.format(id=patient['id'])}",
                    headers=nurse.headers,
                    json={"id": patient["id"], **place},
                )
                if isinstance(expected, str):
                    error = {"field": "roomId", "message": expected}
                    assert parse_problem(answer)["errors"] == [error]
                else:
                    body = answer.json()
                    assert (body["unitId"], body["roomId"]) == expected, (path, place)


class TestSocialSecurityNumber:
    """Social security numbers: in use, masked, encrypted."""

    async def test_reports_a_number_in_use_at_another_client(
        self, world: World, parse_problem
    ) -> None:
        first, second = world.create_client(), world.create_client()
        ann = await world.create_person("Client Basic", client_ids=[first])
        bob = await world.create_person("Client Basic", client_ids=[second])
        number = mint_ssn(world)
        registration = await register_patient(world, ann, first, socialSecurityNumber=number)
        assert registration.status_code == 201
        duplicate = await register_patient(world, bob, second, socialSecurityNumber=number)
        assert duplicate.status_code == 409
        assert parse_problem(duplicate)["errors"] == [
            {"field": "socialSecurityNumber", "message": messages.SSN_IN_USE}
        ]
        answer_without_id = await world.http.get(
            "/api/v2/patients/validate-ssn", headers=bob.headers, params={"ssn": number}
        )
        assert answer_without_id.json() is True
        own_answer = await world.http.get(
            "/api/v2/patients/validate-ssn",
            headers=ann.headers,
            params={"ssn": number, "patientId": registration.json()["id"]},
        )
        assert own_answer.json() is False
        foreign_answer = await world.http.get(
            "/api/v2/patients/validate-ssn",
            headers=bob.headers,
            params={"ssn": number, "patientId": registration.json()["id"]},
        )
        assert foreign_answer.json() is True

    async def test_saving_cannot_be_used_to_search_for_numbers(
        self, world: World, parse_problem
    ) -> None:
        first, second = world.create_client(), world.create_client()
        ann = await world.create_person("Client Basic", client_ids=[first])
        bob = await world.create_person("Client Basic", client_ids=[second])
        number = mint_ssn(world)
        await register_patient(world, ann, first, socialSecurityNumber=number)
        patient = (await register_patient(world, bob, second)).json()["id"]
        path = f"/api/v2/patients/{patient}"

        async def save(text: str) -> httpx.Response:
            return await world.http.put(
                path, headers=bob.headers, json={"socialSecurityNumber": text}
            )

        statuses = [(await save(number)).status_code for _ in range(21)]
        assert statuses == [409] * 20 + [429]
        # A number that nobody has gets the same answer, so the rejection tells nothing.
        unused_number = mint_ssn(world)
        answer = await save(unused_number)
        assert answer.status_code == 429
        assert parse_problem(answer)["code"] == "quota_exceeded"
        rows = world.fetch_rows(
            "SELECT record_ids, detail->>'code', count(*) FROM audit_events"
            " WHERE user_id = %s AND action = 'refuse' GROUP BY 1, 2 ORDER BY 2",
            (bob.user_id,),
        )
        assert rows == [([patient], "quota_exceeded", 2), ([patient], "ssn_in_use", 20)]
        registration = await register_patient(
            world, bob, second, socialSecurityNumber=unused_number
        )
        assert registration.status_code == 429

    async def test_saving_unused_numbers_has_no_limit(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        registration = await register_patient(world, nurse, client)
        for _ in range(25):
            number = mint_ssn(world)
            answer = await world.http.put(
                f"/api/v2/patients/{registration.json()['id']}",
                headers=nurse.headers,
                json={"socialSecurityNumber": number},
            )
            assert answer.status_code == 200

    async def test_audits_its_check_by_post_without_the_number(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        number = mint_ssn(world)
        registration = await register_patient(world, nurse, client, socialSecurityNumber=number)
        patient_id = registration.json()["id"]
        for body, is_in_use in (
            ({"ssn": number}, True),
            ({"ssn": number, "patientId": patient_id}, False),
        ):
            answer = await world.http.post(
                "/api/v2/patients/validate-ssn", headers=nurse.headers, json=body
            )
            assert answer.json() is is_in_use
        rows = world.fetch_rows(
            "SELECT record_ids, detail FROM audit_events"
            " WHERE user_id = %s AND action = 'check-ssn' ORDER BY id",
            (nurse.user_id,),
        )
        assert rows == [([], {"isInUse": True}), ([patient_id], {"isInUse": False})]

    async def test_encrypts_the_number_in_the_database(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        number = mint_ssn(world)
        registration = await register_patient(world, nurse, client, socialSecurityNumber=number)
        row = world.fetch_rows(
            "SELECT * FROM patients WHERE id = %s", (registration.json()["id"],)
        )[0]
        assert number.encode() not in b"|".join(
            bytes(v) if isinstance(v, bytes | memoryview) else str(v).encode() for v in row
        )

    async def test_masks_the_number_for_roles_that_do_not_edit(self, world: World) -> None:
        client = world.create_client()
        physician_id = world.create_physician(client)
        nurse = await world.create_person("Client Basic", client_ids=[client])
        physician = await world.create_person("Physician", physician_ids=[physician_id])
        number = mint_ssn(world)
        registration = await register_patient(
            world, nurse, client, socialSecurityNumber=number, primaryPhysicianId=physician_id
        )
        read_answer = await world.http.get(
            f"/api/v2/patients/{registration.json()['id']}", headers=physician.headers
        )
        assert read_answer.json()["socialSecurityNumber"] == f"***-**-{number[-4:]}"

    async def test_concurrent_registrations_save_a_number_once(
        self, world: World, parse_problem, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        number = mint_ssn(world)
        answers = await asyncio.gather(
            *(register_patient(world, nurse, client, socialSecurityNumber=number) for _ in range(4))
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
        problems = [parse_problem(answer) for answer in answers if answer.status_code == 409]
        assert {(p["code"], p["detail"]) for p in problems} == {("ssn_in_use", messages.SSN_IN_USE)}

    async def test_does_not_reveal_the_client_that_uses_a_number(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        answers = []
        for owner in (client, world.create_client()):
            number = mint_ssn(world)
            owner_nurse = await world.create_person("Client Basic", client_ids=[owner])
            assert (
                await register_patient(world, owner_nurse, owner, socialSecurityNumber=number)
            ).status_code == 201
            answers.append(
                await register_patient(world, nurse, client, socialSecurityNumber=number)
            )
        assert answers[0].status_code == 409
        assert answers[0].content == answers[1].content

    async def test_a_patients_own_number_may_be_saved_again(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        number = mint_ssn(world)
        patient = (await register_patient(world, nurse, client, socialSecurityNumber=number)).json()
        answer = await world.http.put(
            f"/api/v2/patients/{patient['id']}",
            headers=nurse.headers,
            json={"socialSecurityNumber": patient["socialSecurityNumber"], "bed": "1"},
        )
        assert answer.status_code == 200
        assert answer.json()["socialSecurityNumber"] == patient["socialSecurityNumber"]


class TestAddress:
    """Address, 'Same as Client', unit and room (O 4, O 5)."""

    async def test_same_as_client_copies_the_address_of_the_client(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        world.run_sql(
            "UPDATE clients SET address = '500 LAKE ST', zip_code_id ="
            " (SELECT id FROM zip_codes WHERE code = '60435') WHERE id = %s",
            (client,),
        )
        patient = (await register_patient(world, nurse, client, sameAsClientAddress=True)).json()
        assert (patient["address"], patient["zipCodeName"]) == ("500 LAKE ST", "60435")
        assert patient["zipCodePlus4"] == VALID["zipCodePlus4"]
        path = f"/api/v2/patients/{patient['id']}"
        own_address = {"sameAsClientAddress": False, "address": "9 Elm St", "zipCodeName": "60601"}
        changed_patient = (
            await world.http.put(path, headers=nurse.headers, json=own_address)
        ).json()
        assert (changed_patient["address"], changed_patient["zipCodeName"]) == ("9 ELM ST", "60601")
        client_address = {"sameAsClientAddress": True}
        restored_patient = (
            await world.http.put(path, headers=nurse.headers, json=client_address)
        ).json()
        assert (restored_patient["address"], restored_patient["zipCodeName"]) == (
            "500 LAKE ST",
            "60435",
        )

    async def test_keeps_the_patients_address_if_the_client_has_none(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        patient = (await register_patient(world, nurse, client, sameAsClientAddress=True)).json()
        assert patient["address"] == "1 MAIN ST"

    async def test_a_room_sets_its_unit(self, world: World) -> None:
        client = world.create_client(with_unit=True)
        nurse = await world.create_person("Client Basic", client_ids=[client])
        room = world.run_sql("SELECT id FROM rooms WHERE client_id = %s", (client,))
        patient = (await register_patient(world, nurse, client, roomId=room)).json()
        assert patient["unit"]["name"] == "EAST"


class TestHostileInput:
    """Input that no form sends; it never makes the portal fail."""

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("clientId", 10**30),
            ("clientId", -1),
            ("unitId", 2**63),
            ("roomId", 10**30),
            ("primaryPhysicianId", 2**63 - 1),
            ("ethnicity", 10**30),
            ("birthDate", "99999-01-01"),
            ("birthDate", {"year": 1980}),
            ("birthDate", 86_400),
            ("birthDate", "1980-05-067"),
            ("lastName", ["LEE"]),
            ("sameAsClientAddress", "perhaps"),
            ("socialSecurityNumber", "٦٦٦١٢٣٤٥٦"),
            ("phone", "٣١٢٥٥٥٠١٠١"),
            ("insuranceInformation", "none"),
            ("diagnoses", [{"id": 10**30}]),
            ("responsibleParties", [None]),
            ("medications", [{"name": {"x": 1}}]),
        ],
    )
    async def test_names_the_field(
        self, world: World, parse_problem, nurse_and_client, field: str, value: Any
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register_patient(world, nurse, client, **{field: value})
        assert answer.status_code == 400, answer.text
        assert {e["field"].split(".")[0] for e in parse_problem(answer)["errors"]} == {field}

    async def test_rejects_an_impossible_id(
        self, world: World, parse_problem, nurse_and_client
    ) -> None:
        nurse, _ = nurse_and_client
        patients = "/api/v2/patients"
        for path in (f"{10**30}", f"{10**30}/billing-info"):
            answer = await world.http.get(f"{patients}/{path}", headers=nurse.headers)
            assert answer.status_code == 404
        query = {"ssn": "666001234", "patientId": str(10**30)}
        answer = await world.http.get(
            f"{patients}/validate-ssn", params=query, headers=nurse.headers
        )
        assert answer.status_code == 400
        parse_problem(answer)
