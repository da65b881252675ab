"""Registering and changing patients: what is refused, with which words, and nothing lost."""

import asyncio
from typing import Any

import pytest

from app.contract import messages
from tests.server.patients.desk import VALID
from tests.server.world import World


async def register(world: World, nurse, client: int, **changes):
    """POST a patient."""
    return await world.http.post(
        "/api/v2/patients", headers=nurse.headers, json={**VALID, "clientId": client, **changes}
    )


@pytest.fixture
async def nurse_and_client(world: World):
    """A nurse and her client."""
    client = world.client()
    return await world.person("Client Basic", client_ids=[client]), client


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
    async def test_says_what_is_wrong_with_a_field(
        self, world: World, problem_of, nurse_and_client, field: str, value, message: str
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register(world, nurse, client, **{field: value})
        assert answer.status_code == 400
        assert {"field": field, "message": message} in problem_of(answer)["errors"]

    async def test_names_everything_that_is_wrong_at_once(
        self, world: World, problem_of, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register(world, nurse, client, lastName="", gender="", phone="1")
        fields = {error["field"] for error in problem_of(answer)["errors"]}
        assert fields == {"lastName", "gender", "phone"}

    async def test_a_day_that_does_not_exist_is_refused(
        self, world: World, problem_of, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register(world, nurse, client, birthDate="02/30/1980")
        assert answer.status_code == 400
        assert problem_of(answer)["errors"][0]["field"] == "birthDate"

    @pytest.mark.parametrize(
        ("name", "kept"),
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
    async def test_keeps_any_name_as_text(
        self, world: World, nurse_and_client, name: str, kept: str
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register(world, nurse, client, lastName=name)
        assert answer.status_code == 201
        assert answer.json()["lastName"] == kept
        found = await world.http.get(
            "/api/v2/patients/remote-operations",
            headers=nurse.headers,
            params={"lastName": kept[:4]},
        )
        assert [row["lastName"] for row in found.json()["data"]] == [kept]

    async def test_a_client_with_units_needs_one_of_its_own(self, world: World, problem_of) -> None:
        client, other = world.client(with_unit=True), world.client(with_unit=True)
        nurse = await world.person("Client Admin", client_ids=[client, other])
        units = {
            c: world.sql("SELECT id FROM units WHERE client_id = %s", (c,)) for c in (client, other)
        }
        rooms = {
            c: world.sql("SELECT id FROM rooms WHERE client_id = %s", (c,)) for c in (client, other)
        }
        without = await register(world, nurse, client)
        assert problem_of(without)["errors"] == [
            {"field": "unitId", "message": messages.UNIT_REQUIRED}
        ]
        foreign = await register(world, nurse, client, unitId=units[other], roomId=rooms[other])
        assert {e["message"] for e in problem_of(foreign)["errors"]} == {
            messages.UNIT_NOT_OF_CLIENT,
            messages.ROOM_NOT_OF_CLIENT,
        }
        own = await register(world, nurse, client, unitId=units[client], roomId=rooms[client])
        assert own.status_code == 201
        assert own.json()["unit"]["name"] == "EAST"

    @pytest.mark.parametrize(
        ("sent", "kept"),
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
        self, world: World, nurse_and_client, sent, kept: int | None
    ) -> None:
        answer = await register(world, *nurse_and_client, ethnicity=sent)
        assert answer.status_code == 201, answer.text
        assert answer.json()["ethnicity"] == kept

    async def test_a_room_sent_alone_brings_its_unit(self, world: World, problem_of) -> None:
        client = world.client(with_unit=True)
        nurse = await world.person("Client Admin", client_ids=[client])
        east = world.sql("SELECT id FROM units WHERE client_id = %s", (client,))
        loose, west, room = (
            world.sql(f"INSERT INTO {table} VALUES (%s, %s) RETURNING id", (client, name))
            for table, name in (
                ("rooms (client_id, name)", "LOBBY"),
                ("units (client_id, name)", "WEST"),
                ("rooms (client_id, name)", "201"),
            )
        )
        world.sql("UPDATE rooms SET unit_id = %s WHERE id = %s", (west, room))
        for path in ("client-physician", "{id}"):
            saved = (await register(world, nurse, client, unitId=east)).json()
            for sent, found in (
                ({"roomId": room}, (west, room)),
                # A room of no unit says nothing about the unit.
                ({"roomId": loose}, (west, loose)),
                ({"roomId": None}, (west, None)),
                ({"roomId": room, "unitId": east}, messages.ROOM_NOT_OF_CLIENT),
            ):
                answer = await world.http.put(
                    f"/api/v2/patients/{path.format(id=saved['id'])}",
                    headers=nurse.headers,
                    json={"id": saved["id"], **sent},
                )
                if isinstance(found, str):
                    assert problem_of(answer)["errors"] == [{"field": "roomId", "message": found}]
                else:
                    body = answer.json()
                    assert (body["unitId"], body["roomId"]) == found, (path, sent)


class TestSocialSecurityNumber:
    """In use, masked, encrypted."""

    async def test_in_use_is_said_across_clients_and_nothing_else(
        self, world: World, problem_of
    ) -> None:
        first, second = world.client(), world.client()
        ann = await world.person("Client Basic", client_ids=[first])
        bob = await world.person("Client Basic", client_ids=[second])
        number = f"666{world.sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
        saved = await register(world, ann, first, socialSecurityNumber=number)
        assert saved.status_code == 201
        again = await register(world, bob, second, socialSecurityNumber=number)
        assert again.status_code == 409
        assert problem_of(again)["errors"] == [
            {"field": "socialSecurityNumber", "message": messages.SSN_IN_USE}
        ]
        asked = await world.http.get(
            "/api/v2/patients/validate-ssn", headers=bob.headers, params={"ssn": number}
        )
        assert asked.json() is True
        own = await world.http.get(
            "/api/v2/patients/validate-ssn",
            headers=ann.headers,
            params={"ssn": number, "patientId": saved.json()["id"]},
        )
        assert own.json() is False
        foreign = await world.http.get(
            "/api/v2/patients/validate-ssn",
            headers=bob.headers,
            params={"ssn": number, "patientId": saved.json()["id"]},
        )
        assert foreign.json() is True

    async def test_is_not_readable_in_the_database(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        number = f"666{world.sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
        saved = await register(world, nurse, client, socialSecurityNumber=number)
        row = world.rows("SELECT * FROM patients WHERE id = %s", (saved.json()["id"],))[0]
        assert number.encode() not in b"|".join(
            bytes(v) if isinstance(v, bytes | memoryview) else str(v).encode() for v in row
        )

    async def test_is_masked_for_roles_that_do_not_edit(self, world: World) -> None:
        client = world.client()
        doctor = world.physician(client)
        nurse = await world.person("Client Basic", client_ids=[client])
        physician = await world.person("Physician", physician_ids=[doctor])
        number = f"666{world.sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
        saved = await register(
            world, nurse, client, socialSecurityNumber=number, primaryPhysicianId=doctor
        )
        seen = await world.http.get(
            f"/api/v2/patients/{saved.json()['id']}", headers=physician.headers
        )
        assert seen.json()["socialSecurityNumber"] == f"***-**-{number[-4:]}"

    async def test_of_two_who_register_it_at_once_one_is_told(
        self, world: World, problem_of, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        number = f"666{world.sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
        answers = await asyncio.gather(
            *(register(world, nurse, client, socialSecurityNumber=number) for _ in range(4))
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
        told = [problem_of(answer) for answer in answers if answer.status_code == 409]
        assert {(t["code"], t["detail"]) for t in told} == {("ssn_in_use", messages.SSN_IN_USE)}

    async def test_in_use_by_a_stranger_says_no_more_than_in_use_by_a_neighbor(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        answers = []
        for owner in (client, world.client()):
            number = f"666{world.sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
            there = await world.person("Client Basic", client_ids=[owner])
            assert (
                await register(world, there, owner, socialSecurityNumber=number)
            ).status_code == 201
            answers.append(await register(world, nurse, client, socialSecurityNumber=number))
        assert answers[0].status_code == 409
        assert answers[0].content == answers[1].content

    async def test_of_oneself_may_be_saved_again(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        number = f"666{world.sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
        saved = (await register(world, nurse, client, socialSecurityNumber=number)).json()
        again = await world.http.put(
            f"/api/v2/patients/{saved['id']}",
            headers=nurse.headers,
            json={"socialSecurityNumber": saved["socialSecurityNumber"], "bed": "1"},
        )
        assert again.status_code == 200
        assert again.json()["socialSecurityNumber"] == saved["socialSecurityNumber"]


class TestAddress:
    """Address, 'Same as Client' and the place within the client (O 4, O 5)."""

    async def test_same_as_client_takes_the_clients_address(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        world.sql(
            "UPDATE clients SET address = '500 LAKE ST', zip_code_id ="
            " (SELECT id FROM zip_codes WHERE code = '60435') WHERE id = %s",
            (client,),
        )
        saved = (await register(world, nurse, client, sameAsClientAddress=True)).json()
        assert (saved["address"], saved["zipCodeName"]) == ("500 LAKE ST", "60435")
        assert saved["zipCodePlus4"] == VALID["zipCodePlus4"]
        path = f"/api/v2/patients/{saved['id']}"
        own = {"sameAsClientAddress": False, "address": "9 Elm St", "zipCodeName": "60601"}
        moved = (await world.http.put(path, headers=nurse.headers, json=own)).json()
        assert (moved["address"], moved["zipCodeName"]) == ("9 ELM ST", "60601")
        back = {"sameAsClientAddress": True}
        again = (await world.http.put(path, headers=nurse.headers, json=back)).json()
        assert (again["address"], again["zipCodeName"]) == ("500 LAKE ST", "60435")

    async def test_of_a_client_without_an_address_is_ones_own(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        saved = (await register(world, nurse, client, sameAsClientAddress=True)).json()
        assert saved["address"] == "1 MAIN ST"

    async def test_a_room_brings_its_unit(self, world: World) -> None:
        client = world.client(with_unit=True)
        nurse = await world.person("Client Basic", client_ids=[client])
        room = world.sql("SELECT id FROM rooms WHERE client_id = %s", (client,))
        saved = (await register(world, nurse, client, roomId=room)).json()
        assert saved["unit"]["name"] == "EAST"


class TestNeverAFaultOfOurs:
    """Input that no form sends."""

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
    async def test_is_refused_by_field(
        self, world: World, problem_of, nurse_and_client, field: str, value: Any
    ) -> None:
        nurse, client = nurse_and_client
        answer = await register(world, nurse, client, **{field: value})
        assert answer.status_code == 400, answer.text
        assert {e["field"].split(".")[0] for e in problem_of(answer)["errors"]} == {field}

    async def test_an_id_that_can_not_be_is_no_record(
        self, world: World, problem_of, nurse_and_client
    ) -> None:
        nurse, _ = nurse_and_client
        for path in ("{}", "{}/billing-info", "validate-ssn?ssn=666001234&patientId={}"):
            answer = await world.http.get(
                f"/api/v2/patients/{path.format(10**30)}", headers=nurse.headers
            )
            assert answer.status_code == 400
            problem_of(answer)


class TestChanging:
    """PUT /v2/patients/{id}."""

    async def test_what_is_left_out_stays(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        saved = (await register(world, nurse, client, email="ann@lee.test")).json()
        answer = await world.http.put(
            f"/api/v2/patients/{saved['id']}", headers=nurse.headers, json={"bed": "b2"}
        )
        changed = answer.json()
        assert changed["bed"] == "B2"
        assert {k: changed[k] for k in VALID if k != "birthDate"} == {
            k: saved[k] for k in VALID if k != "birthDate"
        }
        assert changed["email"] == "ann@lee.test"
        assert changed["version"] == saved["version"] + 1

    async def test_null_clears(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        saved = (await register(world, nurse, client, email="ann@lee.test")).json()
        answer = await world.http.put(
            f"/api/v2/patients/{saved['id']}", headers=nurse.headers, json={"email": None}
        )
        assert answer.json()["email"] is None

    async def test_of_two_editors_the_second_is_told(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        saved = (await register(world, nurse, client)).json()
        headers = {**nurse.headers, "If-Match": f'"{saved["version"]}"'}
        path = f"/api/v2/patients/{saved['id']}"
        first = await world.http.put(path, headers=headers, json={"bed": "1"})
        second = await world.http.put(path, headers=headers, json={"bed": "2"})
        assert (first.status_code, second.status_code) == (200, 412)

    async def test_can_not_be_moved_to_a_foreign_client(
        self, world: World, problem_of, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        saved = (await register(world, nurse, client)).json()
        answer = await world.http.put(
            f"/api/v2/patients/{saved['id']}",
            headers=nurse.headers,
            json={"clientId": world.client()},
        )
        assert answer.status_code == 400
        assert problem_of(answer)["errors"][0]["field"] == "clientId"


class TestSearching:
    """GET /v2/patients/remote-operations."""

    async def test_both_names_are_needed_outside_a_search_screen(
        self, world: World, problem_of, nurse_and_client
    ) -> None:
        nurse, _ = nurse_and_client
        answer = await world.http.get(
            "/api/v2/patients/remote-operations",
            headers=nurse.headers,
            params={"fromSearch": "false", "lastName": "LEE"},
        )
        assert answer.status_code == 400
        assert problem_of(answer)["errors"] == [
            {"field": "firstName", "message": messages.SEARCH_FIRST_NAME_REQUIRED}
        ]
        answer = await world.http.get(
            "/api/v2/patients/remote-operations?fromSearch=false", headers=nurse.headers
        )
        assert problem_of(answer)["errors"] == [
            {"field": "lastName", "message": messages.SEARCH_LAST_NAME_REQUIRED}
        ]

    async def test_finds_by_the_whole_number_only(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        number = f"666{world.sql('SELECT nextval(%s)', ('patient_codes',)):06d}"
        saved = (await register(world, nurse, client, socialSecurityNumber=number)).json()
        path = "/api/v2/patients/remote-operations"
        found = await world.http.get(path, headers=nurse.headers, params={"ssn": number})
        assert [row["id"] for row in found.json()["data"]] == [saved["id"]]
        part = await world.http.get(path, headers=nurse.headers, params={"ssn": number[:4]})
        assert part.status_code == 400

    async def test_every_search_is_audited_with_what_was_seen(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        saved = (await register(world, nurse, client)).json()
        await world.http.get("/api/v2/patients/remote-operations", headers=nurse.headers)
        seen = world.rows(
            "SELECT action, kind, record_ids FROM audit_events WHERE user_id = %s ORDER BY id DESC",
            (nurse.user_id,),
        )
        assert ("list", "patients", [saved["id"]]) in seen
