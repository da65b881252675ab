"""Cumulative results: visibility, series and their marks, and the report."""

from typing import Any

import pytest

from app.contract import messages
from app.contract.limits import CUMULATIVE_RECORDS_MAX
from tests.server.paperwork.reading import extract_text
from tests.server.results.clinical.bench import (
    Bench,
    receive_another_order,
    receive_order,
)
from tests.server.results.cumulative.steps import EVER, list_results, read_results
from tests.server.results.microbiology.bench import build_organism, receive_cultures
from tests.server.results.toxicology.bench import NOTHING_DETECTED
from tests.server.results.toxicology.bench import receive_order as receive_drugs
from tests.server.world import World

REPORT = "/api/v2/reports/order/cumulative-results"


def set_collection_time(bench: Bench, moment: str) -> None:
    """Change the collection time of an order."""
    bench.world.fetch_rows(
        "UPDATE orders SET collection_date = %s WHERE id = %s RETURNING id",
        (moment, bench.order_id),
    )


async def release_values(bench: Bench, collection_date: str, **values: str) -> Bench:
    """Enter and release values of an order collected at this time."""
    set_collection_time(bench, collection_date)
    entry_answer = await bench.enter(**values)
    assert entry_answer.status_code == 200, entry_answer.text
    release_answer = await bench.release()
    assert release_answer.status_code == 200, release_answer.text
    return bench


def add_series_test(world: World) -> None:
    """Add a test with a range to the catalog."""
    world.add_lab_test("XCUM", unit="mmol/L", decimals=1, method="ISE")
    world.fetch_rows(
        "INSERT INTO reference_ranges (test_id, age_from_days, age_to_days, low, high,"
        " critical_low, critical_high, unit)"
        " SELECT id, 0, 60000, 3.5, 5.1, 2.8, 6.2, unit FROM lab_tests t"
        " WHERE code = 'XCUM' AND NOT EXISTS (SELECT 1 FROM reference_ranges r"
        " WHERE r.test_id = t.id) RETURNING id"
    )


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order with a released result of 4.0 from January 2026."""
    add_series_test(world)
    bench = await receive_order(world, "XCUM", "COVID")
    return await release_values(bench, "2026-01-05 07:30", XCUM="4.0")


@pytest.fixture
async def later_order(bench: Bench) -> Bench:
    """A later order of the same patient with a critical result."""
    return await release_values(
        await receive_another_order(bench, "XCUM"), "2026-02-06 08:00", XCUM="6.5"
    )


class TestReading:
    """GET clinical-cumulative-results."""

    async def test_groups_orders_by_day_newest_first(
        self, bench: Bench, later_order: Bench
    ) -> None:
        days = (await read_results(bench)).json()
        assert [day["collectionDate"] for day in days] == ["2026-02-06", "2026-01-05"]
        [order] = days[0]["orders"]
        assert (order["id"], order["date"]) == (later_order.order_id, "2026-02-06T08:00:00")
        [result] = order["results"]
        expected: dict[str, Any] = {
            "result": "6.5",
            "number": 6.5,
            "flag": "HH",
            "isAbnormal": True,
            "isCritical": True,
            "unit": "mmol/L",
            "method": "ISE",
            "low": 3.5,
            "high": 5.1,
            "organisms": [],
            "resultType": 1,
            "isRangeChanged": False,
        }
        assert {name: result[name] for name in expected} == expected

    async def test_shows_only_released_results_that_are_not_withheld(
        self, bench: Bench, later_order: Bench
    ) -> None:
        await bench.enter(COVID="NOT DETECTED")
        await later_order.post("withhold", "XCUM", kind="review", reason="REPEAT")
        for person in (bench.nurse, bench.lab):
            assert [r["result"] for r in await list_results(bench, person=person)] == ["4.0"]

    async def test_shows_and_marks_only_the_correction(self, bench: Bench) -> None:
        await bench.correct(XCUM="4.4")
        assert [r["result"] for r in await list_results(bench)] == ["4.0"]
        await bench.release()
        [result] = await list_results(bench)
        assert (result["result"], result["isCorrected"]) == ("4.4", True)

    async def test_leaves_out_orders_of_other_clients_and_patients(
        self, world: World, bench: Bench, later_order: Bench
    ) -> None:
        """Clients read 'Results ordered through your facility'."""
        elsewhere = world.create_client()
        world.fetch_rows(
            "UPDATE orders SET client_id = %s WHERE id = %s RETURNING id",
            (elsewhere, later_order.order_id),
        )
        stranger = await world.create_person("Client Basic", client_ids=[elsewhere])
        other = await receive_order(world, "XCUM")
        await release_values(other, "2026-01-05 07:30", XCUM="5.0")
        assert [r["result"] for r in await list_results(bench)] == ["4.0"]
        assert [r["result"] for r in await list_results(later_order, person=stranger)] == ["6.5"]
        assert (await read_results(bench, person=stranger)).status_code == 404
        patient_results = await list_results(bench, person=bench.lab)
        assert [r["result"] for r in patient_results] == ["4.0", "6.5"]
        narrowed_results = await list_results(bench, f"{EVER}&clientId={elsewhere}", bench.lab)
        assert [r["result"] for r in narrowed_results] == ["6.5"]
        assert await list_results(bench, f"{EVER}&clientId={elsewhere}") == []

    async def test_physician_filters_only_narrow(self, world: World, bench: Bench) -> None:
        client = world.run_sql("SELECT client_id FROM orders WHERE id = %s", (bench.order_id,))
        own, other = world.create_physician(client), world.create_physician(client)
        physician = await world.create_person("Physician", physician_ids=[own])
        assert (await read_results(bench, person=physician)).status_code == 404
        world.fetch_rows(
            "UPDATE orders SET physician_id = %s WHERE id = %s RETURNING id", (own, bench.order_id)
        )
        requested_query = f"{EVER}&physicianIds={own}&physicianIds={other}"
        assert len(await list_results(bench, requested_query, physician)) == 1
        assert await list_results(bench, f"{EVER}&physicianIds={other}", physician) == []

    async def test_counts_the_newest_orders(self, bench: Bench, later_order: Bench) -> None:
        assert [r["result"] for r in await list_results(bench, f"{EVER}&records=1")] == ["6.5"]
        for records in (0, CUMULATIVE_RECORDS_MAX + 1):
            assert len(await list_results(bench, f"{EVER}&records={records}")) == 2

    async def test_period_includes_both_days_and_is_today_by_default(
        self, bench: Bench, later_order: Bench
    ) -> None:
        one_day = "startDate=2026-01-05T00:00:00&endDate=01/05/2026"
        assert [r["result"] for r in await list_results(bench, one_day)] == ["4.0"]
        assert await list_results(bench, "") == []

    @pytest.mark.parametrize(
        ("query", "field", "message"),
        [
            (
                "startDate=2026-02-02&endDate=2026-02-01",
                "endDate",
                messages.END_DATE_BEFORE_START,
            ),
            ("records=-1", "records", None),
            ("startDate=soon", "startDate", None),
            ("type=FANCY", "type", None),
            ("clientId=x", "clientId", None),
        ],
    )
    async def test_rejects_bad_parameters(
        self, bench: Bench, parse_problem, query: str, field: str, message: str | None
    ) -> None:
        [error] = parse_problem(await read_results(bench, query))["errors"]
        assert error["field"] == field
        assert message in (None, error["message"])

    async def test_is_audited_with_the_orders_that_were_read(
        self, world: World, bench: Bench, later_order: Bench
    ) -> None:
        await read_results(bench)
        rows = world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE user_id = %s AND kind = 'order-results'"
            " ORDER BY id DESC LIMIT 1",
            (bench.nurse.user_id,),
        )
        assert rows == [([later_order.order_id, bench.order_id],)]


class TestSeries:
    """An analyte is one series only while unit and method are the same."""

    async def test_a_new_method_begins_a_series(self, bench: Bench, later_order: Bench) -> None:
        first, second = await list_results(bench)
        assert first["series"] == second["series"]
        self._change(later_order, method="POTENTIOMETRY")
        first, second = await list_results(bench)
        assert first["series"] != second["series"]
        assert (second["isMethodChanged"], second["isUnitChanged"]) == (True, False)
        assert not first["isMethodChanged"]

    async def test_a_new_method_leaves_the_earlier_series_its_name(
        self, bench: Bench, later_order: Bench
    ) -> None:
        [before, _] = await list_results(bench)
        # In the alphabet, the new method comes before the earlier one.
        self._change(later_order, method="AES")
        [after, _] = await list_results(bench)
        assert after["series"] == before["series"]

    async def test_a_new_unit_begins_a_series(self, bench: Bench, later_order: Bench) -> None:
        self._change(later_order, unit="mg/dL")
        first, second = await list_results(bench)
        assert first["series"] != second["series"]
        assert (second["isMethodChanged"], second["isUnitChanged"]) == (False, True)

    async def test_a_new_range_is_marked_in_the_series(
        self, bench: Bench, later_order: Bench
    ) -> None:
        self._change(later_order, reference_range="3.0 - 6.0")
        first, second = await list_results(bench)
        assert first["series"] == second["series"]
        assert (first["isRangeChanged"], second["isRangeChanged"]) == (False, True)

    async def test_without_a_range_nothing_is_flagged(self, world: World) -> None:
        world.add_lab_test("XNORANGE", unit="U/L", decimals=0)
        bench = await receive_order(world, "XNORANGE")
        await release_values(bench, "2026-01-05", XNORANGE="900")
        [result] = await list_results(bench)
        assert (result["flag"], result["referenceRange"], result["isAbnormal"]) == (
            None,
            None,
            False,
        )

    @staticmethod
    def _change(bench: Bench, **columns: str) -> None:
        [(name, value)] = columns.items()
        bench.world.fetch_rows(
            f"UPDATE results SET {name} = %s WHERE order_id = %s RETURNING id",
            (value, bench.order_id),
        )


class TestInfo:
    """GET cumulative-result-info, and the clients with results."""

    async def test_names_the_patient_and_the_kinds(self, bench: Bench) -> None:
        answer = await bench.world.http.get(
            f"{bench.path}/cumulative-result-info", headers=bench.nurse.headers
        )
        info, patient = answer.json(), (await bench.read_order())["patient"]
        assert info["patientLastName"] == patient["lastName"]
        assert info["patientBirthDate"] == patient["birthDate"]
        assert (info["patientId"], info["patientCode"]) == (patient["id"], patient["code"])
        kinds = ("hasClinicalResult", "hasMicrobiologyResult", "hasToxicologyResult")
        assert [info[kind] for kind in kinds] == [True, False, False]

    async def test_lists_clients_with_results_in_the_period(
        self, world: World, bench: Bench, later_order: Bench
    ) -> None:
        elsewhere = world.create_client()
        world.fetch_rows(
            "UPDATE orders SET client_id = %s WHERE id = %s RETURNING id",
            (elsewhere, later_order.order_id),
        )
        path = f"/api/v2/clients/by-order-tests-in-time-range?orderId={bench.order_id}"
        own_client = world.run_sql("SELECT client_id FROM orders WHERE id = %s", (bench.order_id,))
        for query, person, expected in (
            (EVER, bench.lab, {own_client, elsewhere}),
            (EVER, bench.nurse, {own_client}),
            ("startDate=2026-02-01&endDate=2026-02-28", bench.lab, {elsewhere}),
            ("", bench.lab, set()),
        ):
            answer = await world.http.get(f"{path}&{query}", headers=person.headers)
            assert {client["id"] for client in answer.json()} == expected, query
        answer = await world.http.get(f"{path}&{EVER}&limit=1", headers=bench.lab.headers)
        assert len(answer.json()) == 1

    async def test_the_list_of_clients_is_audited(self, bench: Bench) -> None:
        before = self._count_audit_rows(bench)
        path = f"/api/v2/clients/by-order-tests-in-time-range?orderId={bench.order_id}"
        answer = await bench.world.http.get(path, headers=bench.nurse.headers)
        assert answer.status_code == 200
        assert self._count_audit_rows(bench) == before + 1

    @staticmethod
    def _count_audit_rows(bench: Bench) -> int:
        return int(
            bench.world.run_sql(
                "SELECT count(*) FROM audit_events WHERE user_id = %s AND kind = 'order'"
                " AND record_ids = ARRAY[%s::bigint] AND detail ->> 'cumulative' = 'clients'",
                (bench.nurse.user_id, bench.order_id),
            )
        )


class TestReport:
    """GET and POST order/cumulative-results."""

    async def test_prints_selected_results_with_the_patient(
        self, bench: Bench, later_order: Bench
    ) -> None:
        ids = [result["id"] for result in await list_results(bench)]
        answer = await bench.world.http.post(REPORT, headers=bench.nurse.headers, json={"ids": ids})
        assert answer.headers["content-type"] == "application/pdf"
        words = extract_text(answer.content)
        patient = (await bench.read_order())["patient"]
        for phrase in (patient["code"], patient["lastName"], "TEST XCUM", "6.5 HH", "4.0"):
            assert phrase in words, phrase
        assert "Page 1 of 1" in words

    async def test_an_unreleased_result_does_not_exist(self, bench: Bench) -> None:
        """The lab reads such a result elsewhere, but a report may leave the lab."""
        await bench.enter(COVID="NOT DETECTED")
        row = await bench.get_row("COVID")
        ids = [(await list_results(bench))[0]["id"], row["orderTestId"]]
        answer = await bench.world.http.get(
            f"{REPORT}?ids={ids[0]}&ids={ids[1]}", headers=bench.lab.headers
        )
        assert answer.status_code == 404


class TestOtherKinds:
    """GET microbiology- and toxicology-cumulative-results."""

    async def test_shows_organisms_of_released_cultures(self, world: World) -> None:
        bench = await receive_cultures(world, "UCUL")
        await bench.enter(organisms=[build_organism(CIP="0.5")])
        path = f"{bench.path}/microbiology-cumulative-results?{EVER}"
        answer = await world.http.get(path, headers=bench.lab.headers)
        assert answer.json() == []
        await bench.publish("preliminary", organisms=[build_organism(CIP="0.5")])
        answer = await world.http.get(path, headers=bench.nurse.headers)
        [result] = answer.json()[0]["orders"][0]["results"]
        assert [organism["name"] for organism in result["organisms"]] == ["Escherichia coli"]
        assert result["isPreliminary"]

    async def test_shows_unexpected_toxicology_results(self, world: World) -> None:
        bench = await receive_drugs(world, "Diazepam")
        await bench.publish(**{**NOTHING_DETECTED, "QFEN": "55", "VCRE": "80"})
        path = f"{bench.path}/toxicology-cumulative-results?{EVER}"
        [day] = (await world.http.get(path, headers=bench.nurse.headers)).json()
        results = {result["name"]: result for result in day["orders"][0]["results"]}
        fentanyl = next(result for name, result in results.items() if "FENTANYL" in name)
        assert (fentanyl["result"], fentanyl["verdict"], fentanyl["isAbnormal"]) == (
            "55",
            "unexpectedPositive",
            True,
        )
        ids = "&".join(f"ids={result['id']}" for result in results.values())
        report_answer = await world.http.get(f"{REPORT}?{ids}", headers=bench.nurse.headers)
        assert "FENTANYL" in extract_text(report_answer.content)

    async def test_marks_critical_and_abnormal_toxicology_results(self, world: World) -> None:
        bench = await receive_drugs(world, "PERCOCET")
        await bench.publish(QFEN="9", UBENZ="POSITIVE", QOXY="300", VCRE="3")
        path = f"{bench.path}/toxicology-cumulative-results?{EVER}"
        [day] = (await world.http.get(path, headers=bench.nurse.headers)).json()
        marks = {
            result["testId"]: (result["isAbnormal"], result["isCritical"])
            for result in day["orders"][0]["results"]
        }
        assert marks == {
            world.get_test_id("QFEN"): (True, True),
            world.get_test_id("UBENZ"): (True, False),
            world.get_test_id("QOXY"): (False, False),
            world.get_test_id("VCRE"): (True, False),
        }
