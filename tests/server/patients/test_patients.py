"""Registering and changing patients: what is refused, with which words, and nothing lost."""

import pytest

from app.contract import messages
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
        assert problem_of(answer)["errors"][0]["field"] == "firstName"

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
