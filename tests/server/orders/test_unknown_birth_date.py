"""Records of a patient with an unknown birth date, from the search to the report (ADR 89)."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.exports.desk import Desk
from tests.server.order_search.records import PATH as ADVANCED_SEARCH
from tests.server.order_search.records import build_condition, join_conditions
from tests.server.paperwork.reading import extract_text
from tests.server.requisitions.builders import SIGNATURE
from tests.server.results.automation.bench import set_rule
from tests.server.results.clinical.bench import Bench
from tests.server.world import World

ADULT_DAYS = 6_570
TESTS: dict[str, list[tuple[str | None, int]]] = {
    "UAGEALL": [(None, 0)],
    "UAGEOLD": [(None, ADULT_DAYS)],
    "UAGEBOTH": [(None, 0), ("FEMALE", ADULT_DAYS)],
    "UAGECREA": [(None, 0)],
}
"""The sex and the first day of life of each range, by test; all ranges are from 3.5 to 5.1."""


@dataclass
class Clinic:
    """A client whose patient has no birth date."""

    world: World
    nurse: Person
    lab: Person
    client: int
    patient: int

    async def get(self, path: str, person: Person | None = None, **query: Any) -> Any:
        """Get a resource as the nurse, or as another person."""
        answer = await self.world.http.get(
            path, headers=(person or self.nurse).headers, params=query or None
        )
        assert answer.status_code == 200, answer.text
        return answer

    async def receive_order(self, *codes: str, **values: Any) -> Bench:
        """Receive an order of the patient for these tests."""
        requisition = await self.world.save_requisition(self.nurse, self.patient, *codes, **values)
        answer = await self.world.http.post(
            "/api/v2/requisitions/receive",
            headers=self.lab.headers,
            json={"ids": [requisition["id"]]},
        )
        assert answer.status_code == 200, answer.text
        return Bench(self.world, self.lab, self.nurse, answer.json()[0]["orderId"])


@pytest.fixture
async def clinic(world: World) -> Clinic:
    """A clinic, with tests whose ranges depend on the age."""
    for code, ages in TESTS.items():
        world.add_lab_test(code, unit="mg/dL")
        if world.run_sql(
            "SELECT count(*) FROM reference_ranges WHERE test_id = %s", (world.get_test_id(code),)
        ):
            continue
        for gender, first_day in ages:
            world.run_sql(
                "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, low,"
                " high, critical_low, critical_high, unit)"
                " VALUES (%s, %s, %s, 60000, 3.5, 5.1, 2.8, 6.2, 'mg/dL')",
                (world.get_test_id(code), gender, first_day),
            )
    world.add_lab_test(
        "UAGEGFR",
        unit="mL/min/1.73 m2",
        formula="ckd-epi-2021",
        formula_inputs=["UAGECREA"],
        formula_source="CKD-EPI",
    )
    client = world.create_client()
    nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
    lab = await world.create_person(Role.LABORATORY)
    return Clinic(world, nurse, lab, client, world.create_patient(client, birth_date=None))


class TestLists:
    """Lists page, sort, and filter rows without a birth date."""

    @pytest.mark.parametrize("role", [Role.CLIENT_BASIC, Role.LABORATORY])
    @pytest.mark.parametrize("sort", ["birthDate", "-birthDate"])
    async def test_patients_without_a_birth_date_sort_before_the_others(
        self, clinic: Clinic, role: Role, sort: str
    ) -> None:
        world, client = clinic.world, clinic.client
        ids = [clinic.patient, world.create_patient(client, birth_date=None)]
        ids += [world.create_patient(client, birth_date=date(1950 + i, 1, 2)) for i in range(3)]
        person = clinic.nurse if role is Role.CLIENT_BASIC else clinic.lab
        found_ids: list[int] = []
        after: dict[str, str] = {}
        for _ in ids:
            page = (
                await clinic.get(
                    "/api/v2/patients/remote-operations",
                    person,
                    clientIds=client,
                    sort=sort,
                    take=2,
                    **after,
                )
            ).json()
            assert page["totalCount"] == len(ids)
            found_ids += [row["id"] for row in page["data"]]
            if page["next"] is None:
                break
            after = {"after": page["next"]}
        assert found_ids == (ids[::-1] if sort.startswith("-") else ids)

    @pytest.mark.parametrize(
        ("path", "column"), [("requisitions", "patientBirthDate"), ("orders", "patientDoB")]
    )
    async def test_records_without_a_birth_date_are_on_the_pages_of_every_sort(
        self, clinic: Clinic, path: str, column: str
    ) -> None:
        nameless, young = clinic.patient, clinic.world.create_patient(clinic.client)
        for clinic.patient in (nameless, young, nameless):
            await clinic.receive_order("UAGEALL")
        for sort in (column, f"-{column}"):
            dates: list[str | None] = []
            after: dict[str, str] = {}
            for _ in range(3):
                page = (
                    await clinic.get(
                        f"/api/v2/{path}/remote-operations", sort=sort, take=1, **after
                    )
                ).json()
                dates += [row[column] for row in page["data"]]
                after = {"after": page["next"] or ""}
            expected = [None, None, "1970-01-02"]
            assert dates == (expected[::-1] if sort.startswith("-") else expected)
        day = {f"column.{column}": "1970-01-02"}
        page = (await clinic.get(f"/api/v2/{path}/remote-operations", **day)).json()
        assert [row[column] for row in page["data"]] == ["1970-01-02"]

    async def test_the_advanced_search_finds_orders_by_an_empty_birth_date(
        self, clinic: Clinic
    ) -> None:
        bench = await clinic.receive_order("UAGEALL")
        for name in ("birthDate", "age"):
            for operator, ids in (("null", [bench.order_id]), ("notNull", [])):
                answer = await clinic.world.http.post(
                    ADVANCED_SEARCH,
                    headers=clinic.nurse.headers,
                    json={"query": join_conditions(build_condition(name, operator))},
                )
                assert answer.status_code == 200, answer.text
                assert [row["id"] for row in answer.json()["data"]] == ids

    async def test_birth_dates_are_offered_without_an_empty_one(self, clinic: Clinic) -> None:
        clinic.world.create_patient(clinic.client)
        path = "/api/v2/patients/advanced-search-patient-dob"
        assert (await clinic.get(path)).json()["data"] == [
            {"id": "1970-01-02", "name": "01/02/1970"}
        ]
        physician = clinic.world.create_physician(clinic.client)
        person = await clinic.world.create_person(Role.PHYSICIAN, physician_ids=[physician])
        clinic.world.run_sql(
            "UPDATE patients SET primary_physician_id = %s WHERE id = %s",
            (physician, clinic.patient),
        )
        assert (await clinic.get(path, person)).json()["data"] == []
        patient = (
            await clinic.get("/api/v2/patients/remote-operations", person, birthDate="01/02/1970")
        ).json()
        assert patient["data"] == []


class TestResults:
    """Without an age, only ranges for all ages judge a result."""

    async def test_no_range_by_age_judges_a_result(self, clinic: Clinic) -> None:
        bench = await clinic.receive_order("UAGEALL", "UAGEOLD")
        assert (await bench.read_entry())["patient"]["birthDate"] is None
        answer = await bench.enter(UAGEALL="4.1", UAGEOLD="1.0")
        assert answer.status_code == 200, answer.text
        assert (await bench.release()).status_code == 200
        results = await bench.read_results(clinic.nurse)
        all_ages, adults = results["TEST UAGEALL"], results["TEST UAGEOLD"]
        assert (all_ages["flag"], all_ages["referenceRange"]) == ("N", "3.5 - 5.1")
        assert (adults["result"], adults["flag"], adults["referenceRange"]) == ("1.0", None, None)

    async def test_a_filtration_rate_is_not_calculated_and_says_why(self, clinic: Clinic) -> None:
        bench = await clinic.receive_order("UAGECREA", "UAGEGFR")
        await bench.enter(UAGECREA="4.1")
        row = await bench.get_row("UAGEGFR")
        assert row["result"] == messages.RESULT_NOT_CALCULATED
        assert row["comment"] == messages.RESULT_AGE_UNKNOWN
        assert row["flag"] is None

    async def test_a_result_whose_range_depends_on_the_age_waits_for_a_person(
        self, clinic: Clinic
    ) -> None:
        set_rule(clinic.world, "UAGEBOTH", low=3, high=6)
        set_rule(clinic.world, "UAGEALL", low=3, high=6)
        with clinic.world.change_setting("autoverification", {"enabled": True}):
            bench = await clinic.receive_order("UAGEBOTH", "UAGEALL")
            await bench.enter(UAGEBOTH="4.1", UAGEALL="4.1")
            waiting_row = await bench.get_row("UAGEBOTH")
        assert messages.WAITS_AGE_UNKNOWN in waiting_row["waitsBecause"]
        results = await bench.read_results(clinic.nurse)
        assert results["TEST UAGEALL"]["result"] == "4.1"
        assert results["TEST UAGEBOTH"]["result"] is None

    async def test_later_entry_uses_a_birth_date_that_was_filled_in(self, clinic: Clinic) -> None:
        physician = clinic.world.create_physician(clinic.client)
        bench = await clinic.receive_order("UAGEOLD", physicianId=physician)
        await bench.enter(UAGEOLD="1.0")
        await bench.release()
        answer = await clinic.world.http.put(
            f"{bench.path}/billing-information",
            headers=clinic.nurse.headers,
            json={"birthDate": "1970-01-02"},
        )
        assert answer.status_code == 200, answer.text
        released_result = (await bench.read_results(clinic.nurse))["TEST UAGEOLD"]
        assert (released_result["flag"], released_result["referenceRange"]) == (None, None)
        await bench.correct(UAGEOLD="1.1")
        await bench.release()
        corrected_result = (await bench.read_results(clinic.nurse))["TEST UAGEOLD"]
        assert corrected_result["flag"] == "LL"
        assert corrected_result["referenceRange"] == "3.5 - 5.1"


class TestDocuments:
    """Every document leaves the birth date out."""

    async def test_no_document_shows_a_missing_birth_date(self, clinic: Clinic) -> None:
        bench = await clinic.receive_order("UAGEALL")
        await bench.enter(UAGEALL="6.5")
        await bench.release()
        order = (await clinic.get(bench.path)).json()
        assert order["patient"]["birthDate"] is None
        requisition, code = order["requisitionId"], order["patient"]["code"]
        await clinic.world.http.post(
            "/api/v2/requisitions/sign-multiple",
            headers=clinic.nurse.headers,
            json={"image": SIGNATURE, "requisitionsIds": [requisition]},
        )
        superuser = await clinic.world.create_person(Role.SUPERUSER)
        for path, phrase in (
            (f"/api/v2/reports/requisition?ids={requisition}", code),
            (f"/api/v2/reports/requisition/log?ids={requisition}", order["requisitionCode"]),
            (f"/api/v2/reports/order/results?ids={bench.order_id}", code),
            (f"/api/v2/reports/order/log?ids={bench.order_id}", order["codeValue"]),
            (f"/api/v2/reports/order/details?ids={bench.order_id}", code),
            (f"/api/v2/audit-events/access-report/{clinic.patient}", code),
        ):
            text = extract_text((await clinic.get(path, superuser)).content)
            assert phrase in text, path
            for word in ("None", "null", "DOB", "born", "01/01/1970"):
                assert word not in text, path
        labels = (await clinic.get(f"/api/v2/requisitions/labels?ids={requisition}")).json()
        for label in labels:
            for commands in (label["zpl"], label["epl"]):
                assert order["requisitionCode"] in commands
                assert "DOB" not in commands
        [row] = await Desk(clinic.world).export(clinic.nurse)
        assert "Birth Date" not in row and row["Test Code"] == "UAGEALL"

    async def test_other_screens_show_none(self, clinic: Clinic) -> None:
        bench = await clinic.receive_order("UAGEALL")
        await bench.enter(UAGEALL="6.5")
        await bench.release()
        order = (await clinic.get(bench.path)).json()
        info = (await clinic.get(f"{bench.path}/cumulative-result-info")).json()
        assert info["patientBirthDate"] is None
        requisition = (await clinic.get(f"/api/v2/requisitions/{order['requisitionId']}")).json()
        assert requisition["patient"]["birthDate"] is None
        assert (await clinic.get(f"/api/v2/patients/{clinic.patient}")).json()["birthDate"] is None


class TestEditing:
    """People who edit a patient have to enter the birth date."""

    async def test_a_changed_patient_needs_a_birth_date(self, clinic: Clinic) -> None:
        address = {"address": "1 MAIN ST", "zipCodeName": "60601", "zipCodePlus4": "1234"}
        path = f"/api/v2/patients/{clinic.patient}"
        answer = await clinic.world.http.put(path, headers=clinic.nurse.headers, json=address)
        assert answer.status_code == 400
        assert answer.json()["errors"] == [
            {"field": "birthDate", "message": messages.BIRTH_DATE_REQUIRED}
        ]
        answer = await clinic.world.http.put(
            path, headers=clinic.nurse.headers, json={**address, "birthDate": "1970-01-02"}
        )
        assert (answer.status_code, answer.json()["birthDate"]) == (200, "1970-01-02")

    async def test_a_pending_requisition_takes_the_birth_date_of_a_refreshed_patient(
        self, clinic: Clinic
    ) -> None:
        requisition = await clinic.world.save_requisition(clinic.nurse, clinic.patient)
        clinic.world.run_sql(
            "UPDATE patients SET birth_date = '2027-01-02' WHERE id = %s",
            (clinic.patient,),
        )
        path = f"/api/v2/requisitions/{requisition['id']}"
        body = {"refreshPatient": True, "patientId": clinic.patient}
        answer = await clinic.world.http.post(path, headers=clinic.nurse.headers, json=body)
        assert answer.status_code == 400
        clinic.world.run_sql(
            "UPDATE patients SET birth_date = '1970-01-02' WHERE id = %s",
            (clinic.patient,),
        )
        answer = await clinic.world.http.post(path, headers=clinic.nurse.headers, json=body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["patient"]["birthDate"] == "1970-01-02"
