"""Checks of typed results: bounds, units, changes, dilutions, repeats, and shared tests."""

import pytest

from app.contract import messages
from app.contract.enumerations import ResultType
from app.contract.limits import RESULT_DIGITS_MAX
from tests.server.critical_results.test_notices import (
    SUCCESSFUL_CALL,
    list_notices,
    post_act,
)
from tests.server.exports.desk import Desk
from tests.server.order_search.records import build_condition, join_conditions
from tests.server.results.clinical.bench import (
    Bench,
    add_lab_test,
    add_panel,
    receive_another_order,
    receive_order,
)
from tests.server.results.cumulative.test_cumulative import (
    list_results as list_cumulative_results,
)
from tests.server.world import World


def add_limited_tests(world: World) -> None:
    """Add tests with limits, and a range of one of them, to the catalog."""
    limits = {
        "unit": "mmol/L",
        "decimals": 1,
        "possible_low": 0.5,
        "possible_high": 20,
        "plausible_low": 2,
        "plausible_high": 9,
        "delta_percent": 30,
        "delta_days": 14,
    }
    add_lab_test(world, "XK", **limits)
    add_lab_test(world, "XNA", unit="mmol/L", decimals=0)
    for code, *ends in (("XK", 3.5, 5.1, 2.8, 6.2), ("XNA", 136, 144, None, None)):
        world.fetch_rows(
            "INSERT INTO reference_ranges (test_id, age_from_days, age_to_days, low, high,"
            " critical_low, critical_high, unit)"
            " SELECT id, 0, 60000, %s, %s, %s, %s, unit FROM lab_tests t"
            " WHERE code = %s AND NOT EXISTS (SELECT 1 FROM reference_ranges r"
            " WHERE r.test_id = t.id) RETURNING id",
            (*ends, code),
        )


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for two tests with limits and a test with choices."""
    add_limited_tests(world)
    return await receive_order(world, "XNA", "XK", "COVID")


class TestBounds:
    """Impossible values are rejected, absurd ones must be confirmed."""

    @pytest.mark.parametrize("value", ["9" * 21, "1" + "0" * 400, f"<0.{'0' * 20}1"])
    async def test_rejects_numbers_that_nothing_can_compare(
        self, bench: Bench, parse_problem, value: str
    ) -> None:
        answer = await bench.enter(XNA=value)
        text = messages.RESULT_TOO_LONG.format(test="TEST XNA", max=RESULT_DIGITS_MAX)
        assert parse_problem(answer)["errors"] == [{"field": "results.0.result", "message": text}]
        assert (await bench.enter(XNA="9" * 20)).status_code == 200

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ("20.1", messages.RESULT_TOO_HIGH.format(test="TEST XK", limit="20")),
            (">20.1", messages.RESULT_TOO_HIGH.format(test="TEST XK", limit="20")),
            (">20", messages.RESULT_TOO_HIGH.format(test="TEST XK", limit="20")),
            ("<0.5", messages.RESULT_TOO_LOW.format(test="TEST XK", limit="0.5")),
            ("0.4", messages.RESULT_TOO_LOW.format(test="TEST XK", limit="0.5")),
            ("-4", messages.RESULT_TOO_LOW.format(test="TEST XK", limit="0.5")),
        ],
    )
    async def test_rejects_impossible_values(
        self, bench: Bench, parse_problem, value: str, message: str
    ) -> None:
        answer = await bench.enter(XK=value, write={"isConfirmed": True})
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "results.0.result", "message": message}
        ]

    async def test_tells_the_screen_all_limits(self, bench: Bench) -> None:
        row = await bench.get_row("XK")
        names = ("possibleLow", "possibleHigh", "plausibleLow", "plausibleHigh")
        assert [row[name] for name in names] == [0.5, 20, 2, 9]
        assert (row["deltaPercentMax"], row["deltaDaysMax"]) == (30, 14)

    async def test_asks_about_absurd_values_and_stores_the_answer(
        self, bench: Bench, parse_problem
    ) -> None:
        unconfirmed_answer = await bench.enter(XNA="140", XK="9.5")
        problem = parse_problem(unconfirmed_answer)
        assert (unconfirmed_answer.status_code, problem["code"]) == (409, "absurd_result")
        question = messages.RESULT_ABSURDLY_HIGH.format(test="TEST XK", value="9.5", limit="9")
        assert problem["errors"] == [{"field": "results.1.result", "message": question}]
        assert (await bench.get_row("XNA"))["result"] is None
        assert (await bench.enter(XK="9.5", write={"isConfirmed": True})).status_code == 200
        row = await bench.get_row("XK")
        assert (row["result"], row["isConfirmed"]) == ("9.5", True)

    async def test_asks_about_a_signed_value_at_an_absurd_bound(
        self, bench: Bench, parse_problem
    ) -> None:
        answer = await bench.enter(XK=">9")
        question = messages.RESULT_ABSURDLY_HIGH.format(test="TEST XK", value=">9", limit="9")
        assert answer.status_code == 409
        assert parse_problem(answer)["errors"] == [
            {"field": "results.0.result", "message": question}
        ]

    async def test_accepts_values_on_the_bounds(self, bench: Bench) -> None:
        assert (await bench.enter(XK="9")).status_code == 200
        assert (await bench.enter(XK="20", write={"isConfirmed": True})).status_code == 200


class TestUnits:
    """A unit that is not the test's."""

    @pytest.mark.parametrize(("value", "write"), [("4.1 mg/dL", {}), ("4.1", {"unit": "mg/dL"})])
    async def test_rejects_another_unit(
        self, bench: Bench, parse_problem, value: str, write: dict
    ) -> None:
        answer = await bench.enter(XK=value, write=write)
        text = messages.RESULT_OTHER_UNIT.format(test="TEST XK", unit="mmol/L", other="mg/dL")
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["message"] == text

    @pytest.mark.parametrize(
        ("value", "write"), [("4.1 mmol/L", {}), ("4.1mmol/l", {}), ("4.1", {"unit": "mmol/L"})]
    )
    async def test_accepts_the_unit_of_the_test(
        self, bench: Bench, value: str, write: dict
    ) -> None:
        assert (await bench.enter(XK=value, write=write)).status_code == 200
        assert (await bench.get_row("XK"))["result"] == "4.1"

    async def test_rejects_a_unit_for_a_test_without_one(self, world: World, parse_problem) -> None:
        add_lab_test(world, "XSG")
        bench = await receive_order(world, "XSG")
        answer = await bench.enter(XSG="1.020 mg/dL")
        text = messages.RESULT_WITHOUT_UNIT.format(test="TEST XSG", other="mg/dL")
        assert parse_problem(answer)["errors"][0]["message"] == text

    async def test_reads_the_unit_of_an_open_result(self, world: World, parse_problem) -> None:
        add_lab_test(world, "XOPEN", unit="mg/dL", result_type=ResultType.OPEN_RESULT_WITH_UNIT)
        bench = await receive_order(world, "XOPEN")
        answer = await bench.enter(XOPEN="9 mmol/L")
        text = messages.RESULT_OTHER_UNIT.format(test="TEST XOPEN", unit="mg/dL", other="mmol/L")
        assert parse_problem(answer)["errors"][0]["message"] == text
        for value, stored_value in (("9 mg/dL", "9"), ("2 cysts seen", "2 cysts seen")):
            assert (await bench.enter(XOPEN=value)).status_code == 200
            assert (await bench.get_row("XOPEN"))["result"] == stored_value


class TestVersions:
    """The judgment that a version stores."""

    async def test_stores_number_sign_unit_limits_and_lab(self, bench: Bench) -> None:
        await bench.enter(XK="<3.5")
        [row] = bench.world.fetch_rows(
            "SELECT r.value, sign, number::text, unit, reference_range, low::text,"
            " critical_high::text, performing_lab = (SELECT value ->> 'name' FROM lab_settings"
            " WHERE name = 'report') FROM results r WHERE order_id = %s",
            (bench.order_id,),
        )
        assert row == ("<3.5", "<", "3.5", "mmol/L", "3.5 - 5.1", "3.5", "6.2", True)

    async def test_compares_with_the_last_value(self, bench: Bench) -> None:
        await bench.enter(XK="4.0")
        await bench.release("XK")
        later = await receive_another_order(bench, "XK")
        await later.enter(XK="5.0")
        row = await later.get_row("XK")
        assert (row["previousResult"], row["previousDays"], row["isDeltaExceeded"]) == (
            "4.0",
            0,
            False,
        )
        await later.enter(XK="5.3")
        assert (await later.get_row("XK"))["isDeltaExceeded"] is True
        assert bench.world.fetch_rows(
            "SELECT previous_value, is_delta_exceeded FROM results WHERE order_id = %s",
            (later.order_id,),
        ) == [("4.0", True)]

    async def test_the_newest_of_simultaneous_orders_is_the_last(self, bench: Bench) -> None:
        await bench.enter(XK="5.9")
        await bench.release("XK")
        second = await receive_another_order(bench, "XK")
        await second.enter(XK="3.6")
        await second.release("XK")
        third = await receive_another_order(bench, "XK")
        await third.enter(XK="5.8")
        row = await third.get_row("XK")
        assert (row["previousResult"], row["isDeltaExceeded"]) == ("3.6", True)

    @pytest.mark.parametrize(("first", "second"), [("<3.0", "5.3"), ("4.0", ">5.3")])
    async def test_signed_values_have_no_change(
        self, bench: Bench, first: str, second: str
    ) -> None:
        await bench.enter(XK=first)
        await bench.release("XK")
        later = await receive_another_order(bench, "XK")
        await later.enter(XK=second)
        assert (await later.get_row("XK"))["isDeltaExceeded"] is False

    async def test_a_dilution_multiplies_the_value(self, bench: Bench) -> None:
        await bench.enter(XNA=">14.5", write={"dilution": 10})
        row = await bench.get_row("XNA")
        assert (row["result"], row["measured"], row["dilution"]) == (">145", ">14.5", 10)
        assert row["flag"] == "H"

    async def test_only_numbers_can_be_diluted(self, bench: Bench, parse_problem) -> None:
        answer = await bench.enter(COVID="DETECTED", write={"dilution": 10})
        text = messages.RESULT_NOT_DILUTED.format(test="SARS-COV-2 RNA")
        assert parse_problem(answer)["errors"][0]["message"] == text

    async def test_a_repeat_keeps_the_first_value(self, bench: Bench, parse_problem) -> None:
        rejected_answer = await bench.enter(XK="4.4", write={"isRepeat": True})
        text = messages.RESULT_NOTHING_TO_REPEAT.format(test="TEST XK")
        assert parse_problem(rejected_answer)["errors"][0]["message"] == text
        await bench.enter(XK="6.0")
        for value in ("4.4", "4.5"):
            await bench.enter(XK=value, write={"isRepeat": True})
        row = await bench.get_row("XK")
        assert (row["result"], row["firstResult"]) == ("4.5", "6.0")

    async def test_a_repeat_may_confirm_the_first_value(self, bench: Bench) -> None:
        await bench.enter(XK="6.0")
        await bench.enter(XK="6.0", write={"isRepeat": True})
        row = await bench.get_row("XK")
        assert (row["result"], row["firstResult"]) == ("6.0", "6.0")

    async def test_a_repeat_without_a_result_loses_nothing(
        self, bench: Bench, parse_problem
    ) -> None:
        await bench.enter(XK="6.0")
        rejected_answer = await bench.enter(XK="", write={"isRepeat": True})
        text = messages.RESULT_REPEAT_EMPTY.format(test="TEST XK")
        [error] = parse_problem(rejected_answer)["errors"]
        assert (error["field"], error["message"]) == ("results.0.result", text)
        assert (await bench.get_row("XK"))["result"] == "6.0"


class TestTwoPanels:
    """A test that two panels contain has one result."""

    @pytest.fixture
    async def bench(self, world: World) -> Bench:
        """A received order for two panels with glucose."""
        add_panel(world, "XBMP", "GLU", "K")
        add_panel(world, "XCMP", "HGB", "GLU")
        return await receive_order(world, "XBMP", "XCMP")

    async def test_is_typed_once_and_shown_in_both(self, bench: Bench) -> None:
        rows = [r for r in (await bench.read_entry())["rows"] if r["code"] == "GLU"]
        home, other = sorted(rows, key=lambda row: row["sameAs"] is not None)
        assert other["sameAs"] == home["orderTestId"]
        await bench.enter(GLU="90")
        rows = [r for r in (await bench.read_entry())["rows"] if r["code"] == "GLU"]
        assert [row["result"] for row in rows] == ["90", "90"]
        assert (
            bench.world.run_sql(
                "SELECT count(*) FROM results WHERE order_id = %s", (bench.order_id,)
            )
            == 1
        )

    async def test_is_released_once_for_both(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release("GLU")
        answer = await bench.world.http.get(
            f"{bench.path}/clinical-results", headers=bench.nurse.headers
        )
        rows = [row for row in answer.json() if row["name"] == "GLUCOSE"]
        assert [(row["result"], row["status"]) for row in rows] == [("90", 16), ("90", 16)]
        assert bench.world.fetch_rows(
            "SELECT DISTINCT t.status FROM order_tests t JOIN lab_tests l ON l.id = t.test_id"
            " WHERE t.order_id = %s AND l.code = 'GLU'",
            (bench.order_id,),
        ) == [(16,)]

    async def test_rejects_two_different_values(self, bench: Bench, parse_problem) -> None:
        rows = [r for r in (await bench.read_entry())["rows"] if r["code"] == "GLU"]
        answer = await bench.world.http.put(
            f"{bench.path}/result-entry",
            headers=bench.lab.headers,
            json={
                "results": [
                    {"orderTestId": row["orderTestId"], "result": value}
                    for row, value in zip(rows, ("90", "91"), strict=True)
                ]
            },
        )
        text = messages.RESULT_TYPED_TWICE.format(test="GLUCOSE")
        assert parse_problem(answer)["errors"] == [{"field": "results.1.result", "message": text}]


class TestCanceledPanel:
    """The shared result belongs to an open row, while the row that it was typed in is canceled."""

    @pytest.fixture
    async def bench(self, world: World) -> Bench:
        """A received order for two panels with glucose."""
        add_panel(world, "XBMP", "GLU", "K")
        add_panel(world, "XCMP", "HGB", "GLU")
        return await receive_order(world, "XBMP", "XCMP")

    @staticmethod
    async def list_glucose_ids(bench: Bench) -> list[int]:
        """List the ids of the rows with glucose, that of the result's owner first."""
        rows = [row for row in (await bench.read_entry())["rows"] if row["code"] == "GLU"]
        rows.sort(key=lambda row: row["sameAs"] is not None)
        return [row["orderTestId"] for row in rows]

    @staticmethod
    async def post(bench: Bench, act: str, *ids: int, **body: str) -> None:
        """Send an act of the lab on these rows."""
        answer = await bench.world.http.post(
            f"{bench.path}/{act}",
            headers=bench.lab.headers,
            json={"orderTestIds": list(ids), **body},
        )
        assert answer.status_code == 200, answer.text

    async def cancel(self, bench: Bench, *ids: int) -> None:
        """Cancel these rows."""
        await self.post(bench, "cancel", *ids, reason="SPECIMEN")

    async def test_a_critical_result_is_reported_everywhere(self, bench: Bench) -> None:
        await bench.enter(GLU="500")
        owner, other = await self.list_glucose_ids(bench)
        await self.cancel(bench, owner)
        assert (await self.list_glucose_ids(bench))[0] == other
        assert (await bench.release()).status_code == 200
        [notice] = await list_notices(bench)
        assert [r["result"] for r in notice["results"]] == ["500 mg/dL"]
        assert [r["result"] for r in await list_cumulative_results(bench)] == ["500"]
        [exported_row] = await Desk(bench.world).export(bench.nurse)
        assert (exported_row["Test"], exported_row["Result"]) == ("GLUCOSE", "500")
        glucose = bench.world.get_test_id("GLU")
        rule = build_condition("resultNumber", "=", 500, test=glucose)
        search_answer = await bench.world.http.post(
            "/api/v2/orders/advanced-search",
            headers=bench.nurse.headers,
            json={"query": join_conditions(rule)},
        )
        assert [row["id"] for row in search_answer.json()["data"]] == [bench.order_id]

    async def test_a_canceled_panel_is_followed_too(self, bench: Bench) -> None:
        await bench.enter(GLU="500")
        rows = (await bench.read_entry())["rows"]
        owner = (await self.list_glucose_ids(bench))[0]
        panel = next(r["parentId"] for r in rows if r["orderTestId"] == owner)
        await self.cancel(bench, panel)
        await bench.release()
        assert len(await list_notices(bench)) == 1

    async def test_a_correction_of_a_moved_result_is_reported(self, bench: Bench) -> None:
        await bench.enter(GLU="500")
        await bench.release("GLU")
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        await self.cancel(bench, (await self.list_glucose_ids(bench))[0])
        await bench.correct(GLU="90")
        assert (await bench.release("GLU")).status_code == 200
        [notice] = await list_notices(bench)
        assert [(r["result"], r["corrects"]) for r in notice["results"]] == [
            ("500 mg/dL", None),
            ("90 mg/dL", "500 mg/dL"),
        ]

    async def test_a_reinstated_row_takes_over_from_a_canceled_one(self, bench: Bench) -> None:
        await bench.enter(GLU="500")
        await self.cancel(bench, *await self.list_glucose_ids(bench))
        other = (await self.list_glucose_ids(bench))[1]
        await self.post(bench, "reinstate", other)
        assert (await self.list_glucose_ids(bench))[0] == other
        await bench.release("GLU")
        assert len(await list_notices(bench)) == 1

    async def test_the_owner_stays_when_the_other_row_is_canceled_or_reinstated(
        self, bench: Bench
    ) -> None:
        await bench.enter(GLU="90")
        owner, other = await self.list_glucose_ids(bench)
        await self.cancel(bench, other)
        assert (await self.list_glucose_ids(bench))[0] == owner
        await self.post(bench, "reinstate", other)
        assert (await self.list_glucose_ids(bench))[0] == owner


class TestLastValues:
    """GET last-values."""

    async def test_lists_earlier_released_values_oldest_first(self, bench: Bench) -> None:
        await bench.enter(XK="4.0", XNA="140")
        await bench.release("XK")
        second = await receive_another_order(bench, "XK")
        await second.enter(XK="4.4")
        await second.release()
        third = await receive_another_order(bench, "XK", "XNA")
        key = (await third.get_row("XK"))["orderTestId"]
        answer = await bench.world.http.get(
            f"{third.path}/last-values", headers=bench.nurse.headers
        )
        [series] = answer.json()
        assert series["key"] == key
        assert [(v["result"], v["number"]) for v in series["values"]] == [
            ("4.0", 4.0),
            ("4.4", 4.4),
        ]

    async def test_leaves_out_values_by_another_method(self, bench: Bench) -> None:
        await bench.enter(XK="4.0")
        await bench.release("XK")
        bench.world.fetch_rows(
            "UPDATE results SET method = 'AN EARLIER ONE' WHERE order_id = %s RETURNING id",
            (bench.order_id,),
        )
        later = await receive_another_order(bench, "XK")
        answer = await bench.world.http.get(f"{later.path}/last-values", headers=bench.lab.headers)
        assert answer.json() == []

    async def test_leaves_out_a_later_order_of_the_same_time(self, bench: Bench) -> None:
        later = await receive_another_order(bench, "XK")
        await later.enter(XK="4.4")
        await later.release("XK")
        bench.world.fetch_rows(
            "UPDATE orders SET collection_date = (SELECT collection_date FROM orders WHERE id = %s)"
            " WHERE id = %s RETURNING id",
            (bench.order_id, later.order_id),
        )
        answer = await bench.world.http.get(f"{bench.path}/last-values", headers=bench.lab.headers)
        assert answer.json() == []
        assert (await bench.get_row("XK"))["previousResult"] is None
        await bench.enter(XK="4.0")
        await bench.release("XK")
        assert (await later.get_row("XK"))["previousResult"] == "4.0"

    async def test_compares_with_the_unit_and_the_method_of_the_order(self, bench: Bench) -> None:
        later = await receive_another_order(bench, "XK")
        for order, value in ((bench, "4.0"), (later, "4.4")):
            await order.enter(XK=value)
            await order.release("XK")
        # As if the lab had changed the unit and the method of the test since then.
        bench.world.fetch_rows(
            "UPDATE results SET method = 'AN EARLIER ONE', unit = 'mEq/L'"
            " WHERE order_id = ANY(%s) RETURNING id",
            ([bench.order_id, later.order_id],),
        )
        answer = await bench.world.http.get(f"{later.path}/last-values", headers=bench.lab.headers)
        [series] = answer.json()
        assert [value["result"] for value in series["values"]] == ["4.0"]
        # A result that is entered now has nothing to be compared with.
        latest = await receive_another_order(later, "XK")
        row = await latest.get_row("XK")
        difference = messages.RESULT_LAST_UNIT.format(unit="mEq/L")
        assert (row["previousResult"], row["previousDifference"]) == ("4.4", difference)
        assert (await later.get_row("XK"))["previousDifference"] == difference

    async def test_leaves_out_withheld_values(self, bench: Bench) -> None:
        await bench.enter(XK="4.0")
        await bench.release("XK")
        await bench.post("withhold", "XK", kind="review", reason="REPEAT")
        later = await receive_another_order(bench, "XK")
        answer = await bench.world.http.get(f"{later.path}/last-values", headers=bench.lab.headers)
        assert answer.json() == []
        assert (await later.get_row("XK"))["previousResult"] is None
