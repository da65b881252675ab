"""Checks of typed results: bounds, units, changes, dilutions, repeats, and last values."""

import pytest

from app.contract import messages
from app.contract.enumerations import ResultType
from app.contract.limits import RESULT_DIGITS_MAX
from tests.server.results.clinical.bench import (
    Bench,
    receive_another_order,
    receive_order,
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
    world.add_lab_test("XK", **limits)
    world.add_lab_test("XNA", unit="mmol/L", decimals=0)
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
        world.add_lab_test("XSG")
        bench = await receive_order(world, "XSG")
        answer = await bench.enter(XSG="1.020 mg/dL")
        text = messages.RESULT_WITHOUT_UNIT.format(test="TEST XSG", other="mg/dL")
        assert parse_problem(answer)["errors"][0]["message"] == text

    async def test_reads_the_unit_of_an_open_result(self, world: World, parse_problem) -> None:
        world.add_lab_test("XOPEN", unit="mg/dL", result_type=ResultType.OPEN_RESULT_WITH_UNIT)
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
