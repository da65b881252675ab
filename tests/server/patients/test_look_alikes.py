"""POST /v2/patients/look-alikes: a warning before a second record of one person is made."""

import uuid
from datetime import date
from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.world import Person, World

PATH = "/api/v2/patients/look-alikes"
TYPED = {"lastName": "o'neil-garcia", "firstName": "maría", "birthDate": "03/04/1961"}


@pytest.fixture
def client(world: World) -> int:
    """A client."""
    return world.client()


@pytest.fixture
async def nurse(world: World, client: int) -> Person:
    """Somebody at the client."""
    return await world.person(Role.CLIENT_BASIC, client_ids=[client])


async def ask(world: World, person: Person, **body: Any) -> Any:
    """The look-alikes of what was typed."""
    answer = await world.http.post(PATH, headers=person.headers, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def known(world: World, client: int, last: str, first: str, **values: Any) -> int:
    """A patient born on the typed day."""
    return world.patient(
        client, **{"last_name": last, "first_name": first, "birth_date": date(1961, 3, 4), **values}
    )


async def number_of(world: World, person: Person, patient: int) -> str:
    """Give the patient a social security number."""
    number = f"666{uuid.uuid4().int % 10**6:06d}"
    answer = await world.http.put(
        f"/api/v2/patients/{patient}",
        headers=person.headers,
        json={
            "socialSecurityNumber": number,
            "address": "1 MAIN ST",
            "zipCodeName": "60601",
            "zipCodePlus4": "1234",
        },
    )
    assert answer.status_code == 200, answer.text
    return number


class TestReasons:
    """Who is found, and why."""

    @pytest.mark.parametrize(
        ("last", "first", "why"),
        [
            ("O'NEIL-GARCIA", "MARIA", "sameName"),
            ("ONEIL GARCIA", "MARÍA", "sameName"),
            ("O'NEILL GARCIA", "MARIA", "similarName"),
            ("O'NEIL", "MARIA", "similarName"),
            ("MARIA", "O'NEIL GARCIA", "namesSwapped"),
        ],
    )
    async def test_one_birth_date_and_a_like_name(
        self, world: World, client: int, nurse: Person, last: str, first: str, why: str
    ) -> None:
        patient = known(world, client, last, first)
        (found,) = await ask(world, nurse, **TYPED)
        assert found["id"] == patient
        assert found["reasons"] == ["sameBirthDate", why]
        assert set(found) == {
            *("id", "code", "lastName", "firstName", "middleName", "birthDate", "gender"),
            *("clientName", "ssn", "reasons"),
        }

    async def test_one_ssn_whatever_the_name(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = world.patient(client)
        number = await number_of(world, nurse, patient)
        masked = f"{number[:3]}-{number[3:5]}-{number[5:]}"
        (found,) = await ask(world, nurse, socialSecurityNumber=masked)
        assert (found["id"], found["reasons"]) == (patient, ["sameSsn"])
        assert found["ssn"] == f"***-**-{number[-4:]}"

    async def test_nobody_else(self, world: World, client: int, nurse: Person) -> None:
        known(world, client, "MILLER", "ROBERT")
        known(world, client, "O'NEIL-GARCIA", "MARIA", birth_date=date(1962, 3, 4))
        assert await ask(world, nurse, **TYPED) == []

    async def test_not_the_one_being_edited(self, world: World, client: int, nurse: Person) -> None:
        patient = known(world, client, "O'NEIL-GARCIA", "MARIA")
        assert await ask(world, nurse, **TYPED, patientId=patient) == []

    async def test_five_at_most_and_the_likeliest_first(
        self, world: World, client: int, nurse: Person
    ) -> None:
        for _ in range(6):
            known(world, client, "O'NEILL GARCIA", "MARIA")
        same = known(world, client, "O'NEIL-GARCIA", "MARIA")
        twin = known(world, client, "OTHER", "NAME")
        number = await number_of(world, nurse, twin)
        found = await ask(world, nurse, **TYPED, socialSecurityNumber=number)
        assert len(found) == 5
        assert [row["id"] for row in found[:2]] == [twin, same]
        assert found[0]["reasons"] == ["sameSsn", "sameBirthDate"]


class TestScope:
    """Only what the actor may see."""

    async def test_nothing_is_said_of_another_clients_patients(
        self, world: World, nurse: Person
    ) -> None:
        other = world.client()
        lab = await world.person(Role.LABORATORY)
        foreign = known(world, other, "O'NEIL-GARCIA", "MARIA")
        number = await number_of(world, lab, foreign)
        assert await ask(world, nurse, **TYPED, socialSecurityNumber=number) == []
        answer = await world.http.get(
            "/api/v2/patients/validate-ssn", headers=nurse.headers, params={"ssn": number}
        )
        assert answer.json() is True
        # The lab works with every client's patients; five of this name may be there already.
        found = await ask(world, lab, socialSecurityNumber=number)
        assert [row["id"] for row in found] == [foreign]

    async def test_physicians_and_patients_register_nobody(self, world: World, client: int) -> None:
        for person in (
            await world.person(Role.PHYSICIAN, physician_ids=[world.physician(client)]),
            await world.person(Role.PATIENT, patient_ids=[world.patient(client)]),
        ):
            answer = await world.http.post(PATH, headers=person.headers, json=TYPED)
            assert answer.status_code == 403


class TestARead:
    """It is a read, although it is a POST."""

    async def test_keeps_no_idempotency_key(self, world: World, client: int, nurse: Person) -> None:
        key = uuid.uuid4().hex
        headers = {**nurse.headers, "Idempotency-Key": key}
        first = await world.http.post(PATH, headers=headers, json=TYPED)
        known(world, client, "O'NEIL-GARCIA", "MARIA")
        second = await world.http.post(PATH, headers=headers, json=TYPED)
        assert (len(first.json()), len(second.json())) == (0, 1)
        assert world.sql("SELECT count(*) FROM idempotency_keys WHERE key = %s", (key,)) == 0

    async def test_is_audited_with_those_who_were_shown(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = known(world, client, "O'NEIL-GARCIA", "MARIA")
        known(world, client, "MILLER", "ROBERT")
        await ask(world, nurse, **TYPED)
        assert world.rows(
            "SELECT kind, record_ids, detail FROM audit_events"
            " WHERE user_id = %s AND action = 'look-alikes'",
            (nurse.user_id,),
        ) == [("patient", [patient], None)]


class TestBadInput:
    """What people and programs send."""

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"lastName": "LEE"},
            {"lastName": "LEE", "firstName": "ANN"},
            {"birthDate": "1961-03-04"},
            {"lastName": "--", "firstName": "''", "birthDate": "1961-03-04"},
            {"socialSecurityNumber": "66612345"},
            {"socialSecurityNumber": "6661234567"},
            {"socialSecurityNumber": "\x00"},
            {"lastName": None, "firstName": None, "birthDate": "", "socialSecurityNumber": None},
        ],
    )
    async def test_too_little_finds_nobody(
        self, world: World, client: int, nurse: Person, body: dict[str, Any]
    ) -> None:
        known(world, client, "LEE", "ANN")
        assert await ask(world, nurse, **body) == []

    @pytest.mark.parametrize(
        "text", ["x" * 10_000, "\x00LEE\x00", "%_\\", "'; DROP", "\U0001f600A", "\u202eabc", "𝔏𝔢𝔢"]
    )
    async def test_strange_names_are_no_fault_of_ours(
        self, world: World, nurse: Person, text: str
    ) -> None:
        await ask(world, nurse, lastName=text, firstName=text, birthDate="1961-03-04")

    @pytest.mark.parametrize(
        "body",
        [
            {"birthDate": "31.12.1961"},
            {"birthDate": "1961-13-01"},
            {"birthDate": "\x00"},
            {"patientId": 2**60},
            {"lastName": "x" * 20_001},
            {"lastName": 5},
            [],
        ],
    )
    async def test_what_can_not_be_read_is_a_400(
        self, world: World, nurse: Person, body: Any
    ) -> None:
        answer = await world.http.post(PATH, headers=nurse.headers, json=body)
        assert answer.status_code == 400
