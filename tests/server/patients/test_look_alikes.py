"""POST /v2/patients/look-alikes: a warning against duplicate records of a person."""

import uuid
from datetime import date
from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.patients.desk import mint_ssn
from tests.server.world import World

PATH = "/api/v2/patients/look-alikes"
TYPED_VALUES = {"lastName": "o'neil-garcia", "firstName": "maría", "birthDate": "03/04/1961"}


@pytest.fixture
def client(world: World) -> int:
    """A client."""
    return world.create_client()


@pytest.fixture
async def nurse(world: World, client: int) -> Person:
    """A nurse of the client."""
    return await world.create_person(Role.CLIENT_BASIC, client_ids=[client])


async def find_look_alikes(world: World, person: Person, **body: Any) -> Any:
    """Find the look-alikes of the typed values."""
    answer = await world.http.post(PATH, headers=person.headers, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def add_patient(world: World, client: int, last: str, first: str, **values: Any) -> int:
    """Add a patient who was born on the typed day."""
    return world.create_patient(
        client, **{"last_name": last, "first_name": first, "birth_date": date(1961, 3, 4), **values}
    )


async def give_ssn(world: World, person: Person, patient: int) -> str:
    """Give the patient a social security number, and return it."""
    number = mint_ssn(world)
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


class TestWithoutBirthDate:
    """A patient whose birth date is unknown."""

    async def test_is_found_by_the_social_security_number_only(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = add_patient(world, client, "O'NEIL-GARCIA", "MARÍA")
        number = await give_ssn(world, nurse, patient)
        world.run_sql("UPDATE patients SET birth_date = NULL WHERE id = %s", (patient,))
        assert await find_look_alikes(world, nurse, **TYPED_VALUES) == []
        [match] = await find_look_alikes(world, nurse, **TYPED_VALUES, socialSecurityNumber=number)
        assert (match["id"], match["birthDate"]) == (patient, None)
        assert match["reasons"] == ["sameSsn", "sameName"]


class TestReasons:
    """Matches and their reasons."""

    @pytest.mark.parametrize(
        ("last", "first", "reason"),
        [
            ("O'NEIL-GARCIA", "MARIA", "sameName"),
            ("ONEIL GARCIA", "MARÍA", "sameName"),
            ("O'NEILL GARCIA", "MARIA", "similarName"),
            ("O'NEIL", "MARIA", "similarName"),
            ("MARIA", "O'NEIL GARCIA", "namesSwapped"),
        ],
    )
    async def test_finds_the_same_birth_date_with_a_similar_name(
        self, world: World, client: int, nurse: Person, last: str, first: str, reason: str
    ) -> None:
        patient = add_patient(world, client, last, first)
        (match,) = await find_look_alikes(world, nurse, **TYPED_VALUES)
        assert match["id"] == patient
        assert match["reasons"] == ["sameBirthDate", reason]
        assert set(match) == {
            "id",
            "code",
            "lastName",
            "firstName",
            "middleName",
            "birthDate",
            "gender",
            "clientName",
            "ssn",
            "reasons",
        }

    async def test_finds_the_same_ssn_whatever_the_name(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = world.create_patient(client)
        number = await give_ssn(world, nurse, patient)
        masked_number = f"{number[:3]}-{number[3:5]}-{number[5:]}"
        (match,) = await find_look_alikes(world, nurse, socialSecurityNumber=masked_number)
        assert (match["id"], match["reasons"]) == (patient, ["sameSsn"])
        assert match["ssn"] == f"***-**-{number[-4:]}"

    async def test_finds_no_dissimilar_patients(
        self, world: World, client: int, nurse: Person
    ) -> None:
        add_patient(world, client, "MILLER", "ROBERT")
        add_patient(world, client, "O'NEIL-GARCIA", "MARIA", birth_date=date(1962, 3, 4))
        assert await find_look_alikes(world, nurse, **TYPED_VALUES) == []

    async def test_leaves_out_the_patient_being_edited(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = add_patient(world, client, "O'NEIL-GARCIA", "MARIA")
        assert await find_look_alikes(world, nurse, **TYPED_VALUES, patientId=patient) == []

    async def test_finds_at_most_five_patients_likeliest_first(
        self, world: World, client: int, nurse: Person
    ) -> None:
        for _ in range(6):
            add_patient(world, client, "O'NEILL GARCIA", "MARIA")
        same = add_patient(world, client, "O'NEIL-GARCIA", "MARIA")
        twin = add_patient(world, client, "OTHER", "NAME")
        number = await give_ssn(world, nurse, twin)
        matches = await find_look_alikes(world, nurse, **TYPED_VALUES, socialSecurityNumber=number)
        assert len(matches) == 5
        assert [row["id"] for row in matches[:2]] == [twin, same]
        assert matches[0]["reasons"] == ["sameSsn", "sameBirthDate"]


class TestScope:
    """Scope of the actor."""

    async def test_hides_patients_of_other_clients(self, world: World, nurse: Person) -> None:
        other = world.create_client()
        lab = await world.create_person(Role.LABORATORY)
        foreign = add_patient(world, other, "O'NEIL-GARCIA", "MARIA")
        number = await give_ssn(world, lab, foreign)
        assert (
            await find_look_alikes(world, nurse, **TYPED_VALUES, socialSecurityNumber=number) == []
        )
        answer = await world.http.get(
            "/api/v2/patients/validate-ssn", headers=nurse.headers, params={"ssn": number}
        )
        assert answer.json() is True
        # Search by number only: staff see all clients, which may have five patients of this name.
        matches = await find_look_alikes(world, lab, socialSecurityNumber=number)
        assert [row["id"] for row in matches] == [foreign]

    async def test_forbids_physicians_and_patients(self, world: World, client: int) -> None:
        for person in (
            await world.create_person(
                Role.PHYSICIAN, physician_ids=[world.create_physician(client)]
            ),
            await world.create_person(Role.PATIENT, patient_ids=[world.create_patient(client)]),
        ):
            answer = await world.http.post(PATH, headers=person.headers, json=TYPED_VALUES)
            assert answer.status_code == 403


class TestReadOnly:
    """A POST that only reads."""

    async def test_stores_no_idempotency_key(
        self, world: World, client: int, nurse: Person
    ) -> None:
        key = uuid.uuid4().hex
        headers = {**nurse.headers, "Idempotency-Key": key}
        first_answer = await world.http.post(PATH, headers=headers, json=TYPED_VALUES)
        add_patient(world, client, "O'NEIL-GARCIA", "MARIA")
        second_answer = await world.http.post(PATH, headers=headers, json=TYPED_VALUES)
        assert (len(first_answer.json()), len(second_answer.json())) == (0, 1)
        assert world.run_sql("SELECT count(*) FROM idempotency_keys WHERE key = %s", (key,)) == 0

    async def test_audits_the_patients_shown(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = add_patient(world, client, "O'NEIL-GARCIA", "MARIA")
        add_patient(world, client, "MILLER", "ROBERT")
        await find_look_alikes(world, nurse, **TYPED_VALUES)
        assert world.fetch_rows(
            "SELECT kind, record_ids, detail FROM audit_events"
            " WHERE user_id = %s AND action = 'look-alikes'",
            (nurse.user_id,),
        ) == [("patient", [patient], None)]


class TestBadInput:
    """Incomplete and invalid input."""

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
    async def test_incomplete_input_finds_nobody(
        self, world: World, client: int, nurse: Person, body: dict[str, Any]
    ) -> None:
        add_patient(world, client, "LEE", "ANN")
        assert await find_look_alikes(world, nurse, **body) == []

    @pytest.mark.parametrize(
        "text", ["x" * 10_000, "\x00LEE\x00", "%_\\", "'; DROP", "\U0001f600A", "\u202eabc", "𝔏𝔢𝔢"]
    )
    async def test_accepts_strange_names(self, world: World, nurse: Person, text: str) -> None:
        await find_look_alikes(world, nurse, lastName=text, firstName=text, birthDate="1961-03-04")

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
    async def test_rejects_invalid_values(self, world: World, nurse: Person, body: Any) -> None:
        answer = await world.http.post(PATH, headers=nurse.headers, json=body)
        assert answer.status_code == 400
