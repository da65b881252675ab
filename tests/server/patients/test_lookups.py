"""Lookups about patients, and rows by id."""

from datetime import date
from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.patients.desk import mint_ssn
from tests.server.samples import NONEXISTENT_ID
from tests.server.world import World

PATIENTS = "/api/v2/patients"


async def fetch_json(world: World, person: Person, path: str, **query: Any) -> Any:
    """Return the JSON of a successful GET."""
    answer = await world.http.get(path, headers=person.headers, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def assert_rejected(world: World, person: Person, path: str, **query: Any) -> None:
    """Assert that a GET is rejected with status 400 and names its errors."""
    answer = await world.http.get(path, headers=person.headers, params=query)
    assert answer.status_code == 400, (path, query, answer.text)
    assert answer.json()["errors"], answer.text


class TestCheckClients:
    """GET /v2/patients/check-clients."""

    async def test_returns_true_for_a_patient_of_the_clients(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = world.create_patient(client)
        path = f"{PATIENTS}/check-clients"
        assert await fetch_json(world, nurse, path, patientId=patient) is True
        assert (
            await fetch_json(world, nurse, path, patientId=patient, clientIds=[1, client]) is True
        )
        assert (
            await fetch_json(
                world, nurse, path, patientId=patient, clientIds=[world.create_client()]
            )
            is False
        )

    async def test_returns_false_without_a_patient_in_scope(
        self, world: World, nurse: Person
    ) -> None:
        other = world.create_client()
        foreign = world.create_patient(other)
        for query in (
            {"patientId": foreign},
            {"patientId": foreign, "clientIds": other},
            {"patientId": NONEXISTENT_ID},
            {},
        ):
            assert await fetch_json(world, nurse, f"{PATIENTS}/check-clients", **query) is False

    async def test_rejects_invalid_and_unknown_parameters(
        self, world: World, nurse: Person
    ) -> None:
        for query in (
            {"patientId": "x"},
            {"clientIds": "1,x"},
            {"patient": 1},
            {"patientId": 2**60},
        ):
            await assert_rejected(world, nurse, f"{PATIENTS}/check-clients", **query)


class TestIds:
    """GET /v2/patients/ids."""

    async def test_returns_rows_within_the_scope(
        self, world: World, client: int, nurse: Person
    ) -> None:
        own, foreign = (
            world.create_patient(client, ssn_last4="1234"),
            world.create_patient(world.create_client()),
        )
        rows = await fetch_json(world, nurse, f"{PATIENTS}/ids", ids=[own, foreign, NONEXISTENT_ID])
        assert [row["id"] for row in rows] == [own]
        assert rows[0]["ssn"] == "***-**-1234"
        search = await fetch_json(world, nurse, f"{PATIENTS}/remote-operations", ids=own)
        assert search["data"] == rows

    async def test_without_ids_returns_no_rows(
        self, world: World, client: int, nurse: Person
    ) -> None:
        world.create_patient(client)
        for query in ({}, {"ids": ""}, {"ids": ["", " "]}):
            assert await fetch_json(world, nurse, f"{PATIENTS}/ids", **query) == []

    async def test_accepts_up_to_a_hundred_ids(self, world: World, nurse: Person) -> None:
        assert await fetch_json(world, nurse, f"{PATIENTS}/ids", ids=list(range(1, 101))) == []
        for ids in (
            list(range(1, 102)),
            ",".join(map(str, range(1, 102))),
            "x",
            "1,,2",
            "-1",
            "9" * 5000,
        ):
            await assert_rejected(world, nurse, f"{PATIENTS}/ids", ids=ids)
        await assert_rejected(world, nurse, f"{PATIENTS}/ids", ids=1, take=5)

    async def test_is_audited(self, world: World, client: int, nurse: Person) -> None:
        patient = world.create_patient(client)
        await fetch_json(world, nurse, f"{PATIENTS}/ids", ids=patient)
        assert world.run_sql(
            "SELECT record_ids FROM audit_events WHERE user_id = %s AND kind = 'patients'",
            (nurse.user_id,),
        ) == [patient]


class TestAllEntries:
    """GET /v2/patients/remote-operations-all-entries."""

    async def test_returns_all_rows_and_narrows_by_client(self, world: World, lab: Person) -> None:
        client, second_client = world.create_client(), world.create_client()
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client, second_client])
        patient, second_patient = world.create_patient(client), world.create_patient(second_client)
        foreign = world.create_client()
        world.create_patient(foreign)
        path = f"{PATIENTS}/remote-operations-all-entries"
        assert {row["id"] for row in await fetch_json(world, nurse, path)} == {
            patient,
            second_patient,
        }
        assert [r["id"] for r in await fetch_json(world, nurse, path, clientIds=second_client)] == [
            second_patient
        ]
        assert await fetch_json(world, nurse, path, clientIds=foreign) == []
        assert await fetch_json(world, nurse, path, clientIds=NONEXISTENT_ID) == []
        assert [r["id"] for r in await fetch_json(world, lab, path, clientIds=[second_client])] == [
            second_patient
        ]
        await assert_rejected(world, nurse, path, take=5)

    async def test_marks_a_capped_answer(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = world.create_client()
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        for _ in range(2):
            world.create_patient(client)
        path = f"{PATIENTS}/remote-operations-all-entries"
        complete_answer = await world.http.get(path, headers=nurse.headers)
        assert "x-total-is-capped" not in complete_answer.headers
        monkeypatch.setattr("app.server.patients.lookup_endpoints.ALL_ENTRIES_MAX", 1)
        capped_answer = await world.http.get(path, headers=nurse.headers)
        assert len(capped_answer.json()) == 1
        assert capped_answer.headers["x-total-is-capped"] == "true"


class TestChoices:
    """GET /v2/patients/sexual-orientations and /gender-identities."""

    async def test_choices_keep_the_order_of_the_lab(self, world: World, nurse: Person) -> None:
        page = await fetch_json(world, nurse, f"{PATIENTS}/sexual-orientations")
        assert page["data"][0] == {"id": "38628009", "name": "Lesbian, gay or homosexual"}
        assert page["data"][4] == {"id": "UNK", "name": "Don't know"}
        assert (page["totalCount"], page["next"]) == (6, None)
        page = await fetch_json(world, nurse, f"{PATIENTS}/gender-identities", search="female")
        assert [row["id"] for row in page["data"]] == ["446141000124107", "407376001"]

    async def test_choices_have_pages_like_other_lists(self, world: World, nurse: Person) -> None:
        path = f"{PATIENTS}/gender-identities"
        first = await fetch_json(world, nurse, path, take=5)
        rest = await fetch_json(world, nurse, path, take=5, after=first["next"])
        assert [r["id"] for r in rest["data"]] == ["OTH", "ASKU"]
        await assert_rejected(world, nurse, path, color="red")


class TestAdvancedSearchValues:
    """GET /v2/patients/advanced-search-patient-last-name, -first-name, -dob."""

    LAST, FIRST, DOB = (
        f"{PATIENTS}/advanced-search-patient-{name}" for name in ("last-name", "first-name", "dob")
    )

    def _create_people(
        self, world: World, client: int, physician_id: int | None = None
    ) -> list[int]:
        return [
            world.create_patient(
                client, last_name=last, first_name=first, birth_date=day, physician=physician_id
            )
            for last, first, day in (
                ("MARSH", "ZOE", date(1980, 5, 6)),
                ("MARSH", "ADA", date(1980, 5, 6)),
                ("ABEL", "ADA", date(1979, 1, 31)),
                ("DELAMARE", "IDA", date(1980, 12, 31)),
            )
        ]

    async def test_the_cursor_pages_through_all_values(
        self, world: World, client: int, nurse: Person
    ) -> None:
        self._create_people(world, client)
        for path, expected in (
            (self.LAST, ["ABEL", "DELAMARE", "MARSH"]),
            (self.DOB, ["01/31/1979", "05/06/1980", "12/31/1980"]),
        ):
            first = await fetch_json(world, nurse, path, take=2)
            assert first["totalIsCapped"] is True
            rest = await fetch_json(world, nurse, path, take=2, after=first["next"])
            assert [row["name"] for row in first["data"] + rest["data"]] == expected
            assert rest["next"] is None
        narrowed_page = await fetch_json(world, nurse, self.LAST, take=1, search="MARS")
        assert narrowed_page["next"] is None

    @pytest.mark.parametrize("cursor", ["!", "bm8tZGF0ZQ", "/w=="])
    async def test_rejects_an_invalid_cursor(
        self, world: World, nurse: Person, cursor: str
    ) -> None:
        answer = await world.http.get(f"{self.DOB}?after={cursor}", headers=nurse.headers)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "after"

    async def test_returns_each_value_once_and_sorted(
        self, world: World, client: int, nurse: Person
    ) -> None:
        self._create_people(world, client)
        page = await fetch_json(world, nurse, self.LAST)
        assert [row["name"] for row in page["data"]] == ["ABEL", "DELAMARE", "MARSH"]
        assert page["data"][0]["id"] == "ABEL"
        assert (page["totalCount"], page["totalIsCapped"], page["next"]) == (3, False, None)
        page = await fetch_json(world, nurse, self.FIRST)
        assert [row["id"] for row in page["data"]] == ["ADA", "IDA", "ZOE"]
        page = await fetch_json(world, nurse, self.DOB)
        assert page["data"][0] == {"id": "1979-01-31", "name": "01/31/1979"}
        assert len(page["data"]) == 3

    async def test_short_searches_match_prefixes_and_longer_ones_any_part(
        self, world: World, client: int, nurse: Person
    ) -> None:
        self._create_people(world, client)
        for search, names in (
            ("ma", ["MARSH"]),
            ("mar", ["DELAMARE", "MARSH"]),
            ("%", []),
            ("q", []),
            ("_ars", []),
        ):
            page = await fetch_json(world, nurse, self.LAST, search=search)
            assert [row["name"] for row in page["data"]] == names, search

    async def test_searches_birth_dates_by_day_or_year(
        self, world: World, client: int, nurse: Person
    ) -> None:
        self._create_people(world, client)
        for search, days in (
            ("1980", ["1980-05-06", "1980-12-31"]),
            ("05/06/1980", ["1980-05-06"]),
            ("1979-01-31", ["1979-01-31"]),
            ("2001", []),
        ):
            page = await fetch_json(world, nurse, self.DOB, search=search)
            assert [row["id"] for row in page["data"]] == days, search
        for search in ("05/", "31.01.1979", "99/99/1999", "x" * 10_000):
            await assert_rejected(world, nurse, self.DOB, search=search)

    async def test_returns_the_page_that_skip_and_take_select(
        self, world: World, client: int, nurse: Person
    ) -> None:
        self._create_people(world, client)
        page = await fetch_json(world, nurse, self.LAST, take=1, skip=1)
        assert [row["name"] for row in page["data"]] == ["DELAMARE"]
        assert (page["totalCount"], page["totalIsCapped"]) == (3, True)
        for query in ({"take": 0}, {"take": 101}, {"skip": -1}, {"skip": 10_001}, {"color": 1}):
            await assert_rejected(world, nurse, self.LAST, **query)

    async def test_offers_values_within_the_scope_only(
        self, world: World, client: int, nurse: Person
    ) -> None:
        physician_id = world.create_physician(client)
        patient_ids = self._create_people(world, client, physician_id)
        other = world.create_client()
        world.create_patient(
            other, last_name="AAFOREIGN", first_name="AA", birth_date=date(1901, 1, 1)
        )
        admin = await world.create_person(Role.CLIENT_ADMIN, client_ids=[client, other])
        for person, names in (
            (nurse, ["ABEL", "DELAMARE", "MARSH"]),
            (admin, ["AAFOREIGN", "ABEL", "DELAMARE", "MARSH"]),
            (
                await world.create_person(Role.PHYSICIAN, physician_ids=[physician_id]),
                ["ABEL", "DELAMARE", "MARSH"],
            ),
            (await world.create_person(Role.PATIENT, patient_ids=patient_ids[:1]), ["MARSH"]),
            (await world.create_person(Role.CLIENT_BASIC, client_ids=[]), []),
        ):
            page = await fetch_json(world, person, self.LAST)
            assert [row["name"] for row in page["data"]] == names
        lab = await world.create_person(Role.LABORATORY)
        page = await fetch_json(world, lab, self.LAST, search="AAFOREIG")
        assert [row["name"] for row in page["data"]] == ["AAFOREIGN"]


class TestSocialSecurityNumberInUse:
    """GET /records/patients/validate-ssn."""

    async def test_reports_use_across_clients(
        self, world: World, nurse: Person, lab: Person
    ) -> None:
        number = mint_ssn(world)
        path = "/api/records/patients/validate-ssn"
        assert await fetch_json(world, nurse, path, ssn=number) is False
        patient = world.create_patient(world.create_client())
        answer = await world.http.put(
            f"{PATIENTS}/{patient}",
            headers=lab.headers,
            json={
                "socialSecurityNumber": number,
                "address": "1 MAIN ST",
                "zipCodeName": "60601",
                "zipCodePlus4": "1234",
            },
        )
        assert answer.status_code == 200, answer.text
        formatted_number = f"{number[:3]}-{number[3:5]}-{number[5:]}"
        assert await fetch_json(world, nurse, path, ssn=formatted_number) is True

    async def test_a_number_without_nine_digits_is_not_in_use(
        self, world: World, nurse: Person
    ) -> None:
        path = "/api/records/patients/validate-ssn"
        for ssn in ("", "66612345", "6661234567", "abc", "\x00", "9" * 10_000):
            assert await fetch_json(world, nurse, path, ssn=ssn) is False
        await assert_rejected(world, nurse, path, ssn="", patientId=1)


class TestFilterByPatient:
    """GET /v2/diagnoses/filter-by-patient-id and /v2/medications/filter-by-patient-id."""

    async def test_returns_the_rows_of_a_patient_in_scope(
        self, world: World, client: int, nurse: Person
    ) -> None:
        patient = world.create_patient(client)
        world.add_patient_lists(patient)
        (diagnosis,) = await fetch_json(
            world, nurse, "/api/v2/diagnoses/filter-by-patient-id", patientId=patient
        )
        assert set(diagnosis) == {"id", "code", "description"}
        (medication,) = await fetch_json(
            world, nurse, "/api/v2/medications/filter-by-patient-id", patientId=patient
        )
        assert medication["name"] == "METFORMIN"

    @pytest.mark.parametrize("kind", ["diagnoses", "medications"])
    async def test_returns_nothing_for_a_foreign_or_unknown_patient(
        self, world: World, nurse: Person, kind: str
    ) -> None:
        foreign = world.create_patient(world.create_client())
        world.add_patient_lists(foreign)
        path = f"/api/v2/{kind}/filter-by-patient-id"
        for query in ({"patientId": foreign}, {"patientId": NONEXISTENT_ID}, {}):
            assert await fetch_json(world, nurse, path, **query) == []
        for query in ({"patientId": "x"}, {"id": 1}):
            await assert_rejected(world, nurse, path, **query)
