"""Checks of typed drug tests: bounds, digits, dilutions, and repeats (ADR 108)."""

import pytest

from app.contract import messages
from app.contract.limits import RESULT_DIGITS_MAX
from tests.server.results.toxicology.bench import CODES, Bench, receive_order
from tests.server.results.toxicology.test_units import change_unit, get_row
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order with a test of the specimen's pH."""
    world.fetch_rows(
        "WITH added AS (INSERT INTO lab_tests (code, name, search_text, kind, result_type,"
        " container, specimen, decimals, possible_low, possible_high, plausible_low,"
        " plausible_high) VALUES ('XPH', 'ACIDITY', 'XPH', 'toxicology', 1, 'Urine Cup', 'URINE',"
        " 1, 0, 14, 3, 11) ON CONFLICT DO NOTHING RETURNING id)"
        " INSERT INTO toxicology_tests (test_id, method, low, high)"
        " SELECT id, 'validity', 4.5, 8.9 FROM added RETURNING test_id"
    )
    return await receive_order(world, codes=(*CODES, "XPH"))


async def require_fault(bench: Bench, code: str, write: dict, message: str, **parts: object):
    """Enter a result; require that its field gets this message and that nothing is stored."""
    row = await get_row(bench, code)
    answer = await bench.enter(**{code: write})
    assert answer.status_code == 400, answer.text
    text = message.format(test=row["name"], **parts)
    assert answer.json()["errors"] == [{"field": "results.0.result", "message": text}]
    assert await get_row(bench, code) == row


class TestBounds:
    """Impossible values are rejected, and unusual ones are stored after a confirmation."""

    @pytest.mark.parametrize("value", ["75", ">75", "14.1"])
    async def test_rejects_impossible_values(self, bench: Bench, value: str) -> None:
        write = {"result": value, "isConfirmed": True}
        await require_fault(bench, "XPH", write, messages.RESULT_TOO_HIGH, limit="14")

    @pytest.mark.parametrize("value", ["9" * 21, f"<0.{'0' * 20}1"])
    async def test_rejects_numbers_that_nothing_can_compare(self, bench: Bench, value: str) -> None:
        write = {"result": value}
        await require_fault(bench, "VCRE", write, messages.RESULT_TOO_LONG, max=RESULT_DIGITS_MAX)

    async def test_tells_the_screen_all_bounds(self, bench: Bench) -> None:
        row = await get_row(bench, "XPH")
        names = ("possibleLow", "possibleHigh", "plausibleLow", "plausibleHigh", "decimals")
        assert [row[name] for name in names] == [0, 14, 3, 11, 1]

    async def test_asks_about_unusual_values_and_stores_the_answer(
        self, bench: Bench, parse_problem
    ) -> None:
        name = (await get_row(bench, "XPH"))["name"]
        answer = await bench.enter(QFEN="9", XPH="11.5")
        problem = parse_problem(answer)
        assert (answer.status_code, problem["code"]) == (409, "absurd_result")
        question = messages.RESULT_ABSURDLY_HIGH.format(test=name, value="11.5", limit="11")
        assert problem["errors"] == [{"field": "results.1.result", "message": question}]
        assert (await get_row(bench, "QFEN"))["result"] is None
        await bench.publish(XPH={"result": "11.5", "isConfirmed": True})
        row = await get_row(bench, "XPH")
        assert (row["result"], row["isConfirmed"]) == ("11.5", True)

    async def test_a_signed_value_at_a_bound_is_beyond_it(
        self, bench: Bench, parse_problem
    ) -> None:
        await require_fault(bench, "XPH", {"result": ">14"}, messages.RESULT_TOO_HIGH, limit="14")
        answer = await bench.enter(XPH=">11")
        assert parse_problem(answer)["code"] == "absurd_result"

    async def test_accepts_values_on_the_bounds_and_words(self, bench: Bench) -> None:
        assert (await bench.enter(XPH="11", QFEN="NEGATIVE")).status_code == 200
        assert (await bench.enter(XPH="3")).status_code == 200

    async def test_another_reason_leaves_the_answer(self, bench: Bench) -> None:
        await bench.publish(XPH="7")
        correction = {"result": "11.5", "reasonCode": "REPEAT"}
        await bench.enter(XPH={**correction, "isConfirmed": True})
        answer = await bench.enter(XPH={**correction, "reasonCode": "SPECIMEN"})
        assert answer.status_code == 200, answer.text
        row = await get_row(bench, "XPH")
        assert (row["reasonCode"], row["isConfirmed"]) == ("SPECIMEN", True)

    async def test_do_not_judge_a_value_from_before_the_change_of_its_unit(
        self, world: World, bench: Bench
    ) -> None:
        await bench.enter(VCRE="100")
        world.run_sql("UPDATE lab_tests SET possible_high = 90 WHERE code = 'VCRE'")
        try:
            with change_unit(world, "VCRE", "mmol/L", low=1.8, high=35):
                answer = await bench.enter(VCRE={"result": "100", "comment": "By another method"})
                assert answer.status_code == 200, answer.text
                await require_fault(
                    bench, "VCRE", {"result": "101"}, messages.RESULT_TOO_HIGH, limit="90"
                )
        finally:
            world.run_sql("UPDATE lab_tests SET possible_high = NULL WHERE code = 'VCRE'")

    async def test_a_release_of_many_orders_leaves_unusual_values(self, bench: Bench) -> None:
        await bench.enter(XPH={"result": "11.5", "isConfirmed": True})
        answer = await bench.world.http.post(
            "/api/v2/orders/release-results",
            headers=bench.lab.headers,
            json={"ids": [bench.order_id]},
        )
        row = await get_row(bench, "XPH")
        reason = messages.RELEASE_IMPLAUSIBLE.format(test=row["name"])
        assert reason in answer.text
        assert row["released"] is None


class TestDilutions:
    """A measured value is multiplied by its dilution."""

    async def test_multiplies_the_value_and_judges_the_product(self, bench: Bench) -> None:
        answer = await bench.enter(QFEN={"result": ">1.5 ng/mL", "dilution": 10})
        assert answer.status_code == 200, answer.text
        row = await get_row(bench, "QFEN")
        assert (row["result"], row["measured"], row["dilution"]) == (">15.0", ">1.5", 10)
        assert row["isDetected"] is True

    async def test_the_product_must_say_whether_it_was_detected(self, bench: Bench) -> None:
        write = {"result": "<5", "dilution": 10}
        await require_fault(
            bench, "QDIA", write, messages.TOXICOLOGY_UNCLEAR, value="<50", cut_off="20 ng/mL"
        )

    async def test_the_product_must_be_possible(self, bench: Bench) -> None:
        write = {"result": "7.1", "dilution": 10}
        await require_fault(bench, "XPH", write, messages.RESULT_TOO_HIGH, limit="14")

    async def test_only_numbers_can_be_diluted(self, bench: Bench) -> None:
        write = {"result": "NEGATIVE", "dilution": 10}
        await require_fault(bench, "QFEN", write, messages.RESULT_NOT_DILUTED)

    @pytest.mark.parametrize("factor", [1, 1_000_001])
    async def test_rejects_a_factor_beyond_its_limits(self, bench: Bench, factor: int) -> None:
        answer = await bench.enter(QFEN={"result": "5", "dilution": factor})
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == ["results.0.dilution"]

    async def test_an_undiluted_value_replaces_a_diluted_one(self, bench: Bench) -> None:
        await bench.enter(QFEN={"result": "5", "dilution": 10})
        await bench.enter(QFEN="50")
        row = await get_row(bench, "QFEN")
        assert (row["result"], row["measured"], row["dilution"]) == ("50", None, None)

    async def test_readers_see_the_product(self, bench: Bench) -> None:
        await bench.publish(QFEN={"result": "5", "dilution": 10})
        [row] = [row for row in await bench.read("alpha-results") if row["result"] is not None]
        assert row["result"] == "50"


class TestRepeats:
    """A repeat keeps the first value."""

    async def test_keeps_the_first_value(self, bench: Bench) -> None:
        await require_fault(
            bench,
            "QFEN",
            {"result": "6", "isRepeat": True},
            messages.RESULT_NOTHING_TO_REPEAT,
        )
        await bench.enter(QFEN="60")
        for value in ("44", "45"):
            answer = await bench.enter(QFEN={"result": value, "isRepeat": True})
            assert answer.status_code == 200, answer.text
        row = await get_row(bench, "QFEN")
        assert (row["result"], row["firstResult"]) == ("45", "60")

    async def test_may_confirm_the_first_value(self, bench: Bench) -> None:
        await bench.enter(QFEN="60")
        await bench.enter(QFEN={"result": "60", "isRepeat": True})
        row = await get_row(bench, "QFEN")
        assert (row["result"], row["firstResult"]) == ("60", "60")

    async def test_without_a_result_loses_nothing(self, bench: Bench) -> None:
        await bench.enter(QFEN="60")
        write = {"result": "", "isRepeat": True}
        await require_fault(bench, "QFEN", write, messages.RESULT_REPEAT_EMPTY)

    async def test_a_released_result_is_corrected_instead(self, bench: Bench) -> None:
        await bench.publish(QFEN="60")
        write = {"result": "45", "isRepeat": True, "reasonCode": "REPEAT"}
        await require_fault(bench, "QFEN", write, messages.RESULT_NOTHING_TO_REPEAT)
