"""Calculated results follow their inputs through entry, correction, holds, and reviews."""

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus, Role
from tests.server.results.clinical.bench import (
    Bench,
    receive_difference,
    receive_order,
)
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a whole, its part, and the difference of both, which is calculated."""
    return await receive_difference(world)


async def read_rest(bench: Bench) -> str | None:
    """Read the calculated result as the nurse."""
    return (await bench.read_results(bench.nurse))["TEST XREST"]["result"]


class TestEntry:
    """A calculated result is entered with its inputs."""

    async def test_is_calculated_once_all_inputs_are_there(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2")
        assert (await bench.get_row("XREST"))["result"] is None
        await bench.enter(XPART="0.25")
        row = await bench.get_row("XREST")
        # Rounding is half up: 0.95 is 1.0.
        assert (row["result"], row["calculated"]) == ("1.0", "total - direct")
        assert row["status"] == ResultStatus.UNRELEASED
        await bench.enter(XPART="0.4")
        assert (await bench.get_row("XREST"))["result"] == "0.8"

    @pytest.mark.parametrize(
        ("part", "reason"),
        [
            ("<0.2", messages.RESULT_INPUT_NOT_EXACT.format(input="TEST XPART")),
            ("1.3", messages.RESULT_FORMULA_NOT_VALID),
        ],
    )
    async def test_says_why_the_inputs_allow_no_result(
        self, bench: Bench, part: str, reason: str
    ) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        assert (await bench.get_row("XREST"))["result"] == "1.0"
        await bench.enter(XPART=part)
        row = await bench.get_row("XREST")
        assert (row["result"], row["flag"]) == (messages.RESULT_NOT_CALCULATED, None)
        assert (row["comment"], row["status"]) == (reason, ResultStatus.UNRELEASED)
        await bench.enter(XPART="0.2")
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"]) == ("1.0", None)

    async def test_an_order_whose_inputs_allow_no_result_can_be_final(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="<0.2")
        assert (await bench.release()).status_code == 200
        result = (await bench.read_results(bench.nurse))["TEST XREST"]
        assert (result["result"], result["isAbnormal"]) == (messages.RESULT_NOT_CALCULATED, False)
        assert result["comment"] == messages.RESULT_INPUT_NOT_EXACT.format(input="TEST XPART")
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_a_typed_value_is_measured_and_stays(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="0.9")
        await bench.enter(XPART="0.3")
        row = await bench.get_row("XREST")
        assert (row["result"], row["calculated"]) == ("0.9", None)
        await bench.enter(XREST="")
        row = await bench.get_row("XREST")
        assert (row["result"], row["calculated"]) == ("0.9", "total - direct")

    async def test_a_typed_value_does_not_stop_other_calculations(self, world: World) -> None:
        inputs = {"formula_inputs": ["YWHOLE", "YPART"], "formula_source": "Definition"}
        for code, columns in {
            "YWHOLE": {},
            "YPART": {},
            "YFIRST": {"formula": "indirect-bilirubin", **inputs},
            "YSECOND": {"formula": "non-hdl", **inputs},
        }.items():
            world.add_lab_test(code, unit="mg/dL", decimals=1, **columns)
        bench = await receive_order(world, "YWHOLE", "YPART", "YFIRST", "YSECOND")
        await bench.enter(YWHOLE="1.2", YPART="0.2", YFIRST="0.9")
        assert (await bench.get_row("YSECOND"))["result"] == "1.0"

    async def test_is_withdrawn_while_its_input_is_on_hold(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        hold_answer = await bench.post("holds", "XPART", reason="CONTROL")
        assert (await bench.get_row("XREST"))["result"] is None
        [hold] = [h for row in hold_answer.json()["rows"] for h in row["holds"]]
        answer = await bench.world.http.post(
            f"{bench.path}/holds/{hold['id']}/lift", headers=bench.lab.headers, json={}
        )
        assert answer.status_code == 200, answer.text
        assert (await bench.get_row("XREST"))["result"] == "1.0"


class TestComments:
    """A comment on a calculated result leaves it calculated."""

    async def test_a_commented_result_still_follows_its_inputs(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        answer = await bench.enter(XREST="1.0", write={"comment": "SLIGHTLY ICTERIC"})
        assert answer.status_code == 200, answer.text
        row = await bench.get_row("XREST")
        assert (row["calculated"], row["comment"]) == ("total - direct", "SLIGHTLY ICTERIC")
        await bench.enter(XPART="0.4")
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"]) == ("0.8", "SLIGHTLY ICTERIC")

    async def test_a_commented_result_is_corrected_with_its_input(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"comment": "SLIGHTLY ICTERIC"})
        await bench.release()
        await bench.correct(XPART="0.5")
        assert (await bench.release("XPART")).status_code == 200
        assert await read_rest(bench) == "0.7"

    async def test_a_released_result_can_get_a_comment(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.release()
        reason = {"reason": "TRANSCRIPTION", "words": ""}
        write = {"comment": "SLIGHTLY ICTERIC", "correction": reason}
        answer = await bench.enter(XREST="1.0", write=write)
        assert answer.status_code == 200, answer.text
        row = await bench.get_row("XREST")
        assert (row["isCorrection"], row["calculated"]) == (True, "total - direct")
        assert (await bench.release("XREST")).status_code == 200
        result = (await bench.read_results(bench.nurse))["TEST XREST"]
        assert (result["result"], result["comment"]) == ("1.0", "SLIGHTLY ICTERIC")
        [correction] = result["corrections"]
        assert correction["reason"] == "Typing error"

    async def test_not_calculated_keeps_its_reason_before_the_comment(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="<0.2")
        value = messages.RESULT_NOT_CALCULATED
        reason = messages.RESULT_INPUT_NOT_EXACT.format(input="TEST XPART")
        answer = await bench.enter(XREST=value, write={"comment": "NEW SPECIMEN ASKED FOR"})
        assert answer.status_code == 200, answer.text
        row = await bench.get_row("XREST")
        assert (row["result"], row["flag"]) == (value, None)
        assert row["comment"] == f"{reason}. NEW SPECIMEN ASKED FOR"
        await bench.enter(XWHOLE="1.3")
        assert (await bench.get_row("XREST"))["comment"] == row["comment"]
        await bench.enter(XPART="0.3")
        row = await bench.get_row("XREST")
        # The reason is the portal's, the comment a person's.
        assert (row["result"], row["comment"]) == ("1.0", "NEW SPECIMEN ASKED FOR")

    async def test_another_value_or_a_repeat_is_measured(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"isRepeat": True})
        assert (await bench.get_row("XREST"))["calculated"] is None


class TestCanceledInputs:
    """Nobody waits for a result that is calculated from a canceled test (ADR 78)."""

    REASON = messages.RESULT_INPUT_CANCELED.format(input="TEST XPART")

    async def test_canceled_inputs_give_not_calculated_and_a_final_order(
        self, bench: Bench
    ) -> None:
        await bench.enter(XWHOLE="1.2")
        assert (await bench.release()).status_code == 200
        cancel_answer = await bench.post("cancel", "XPART", reason="SPECIMEN")
        assert cancel_answer.json()["status"] == OrderStatus.PARTIALLY_RELEASED
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"]) == (messages.RESULT_NOT_CALCULATED, self.REASON)
        assert await read_rest(bench) is None
        assert (await bench.release()).status_code == 200
        result = (await bench.read_results(bench.nurse))["TEST XREST"]
        assert (result["result"], result["comment"]) == (
            messages.RESULT_NOT_CALCULATED,
            self.REASON,
        )
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_canceled_inputs_replace_an_unreleased_number(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.post("cancel", "XPART", reason="SPECIMEN")
        assert (await bench.get_row("XREST"))["result"] == messages.RESULT_NOT_CALCULATED

    async def test_reinstated_inputs_are_required_again(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2")
        await bench.post("cancel", "XPART", reason="SPECIMEN")
        assert (await bench.post("reinstate", "XPART")).status_code == 200
        assert (await bench.get_row("XREST"))["result"] is None
        await bench.enter(XPART="0.2")
        assert (await bench.get_row("XREST"))["result"] == "1.0"

    async def test_canceled_inputs_leave_a_measured_value(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XREST="0.9")
        await bench.post("cancel", "XPART", reason="SPECIMEN")
        row = await bench.get_row("XREST")
        assert (row["result"], row["calculated"]) == ("0.9", None)


class TestRelease:
    """Clients see a calculated result only beside the inputs that it follows from."""

    async def test_needs_released_inputs(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        answer = await bench.release("XREST")
        text = messages.RESULT_INPUT_NOT_RELEASED.format(test="TEST XREST", input="TEST XWHOLE")
        assert (answer.status_code, answer.json()["detail"]) == (409, text)
        assert (await bench.release()).status_code == 200
        result = (await bench.read_results(bench.nurse))["TEST XREST"]
        assert (result["result"], result["calculated"]) == ("1.0", "total - direct")
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_entry_says_that_it_waits_for_an_unverified_input(self, bench: Bench) -> None:
        world = bench.world
        other = await world.create_person(Role.LABORATORY)
        flags = {"resultEntryEnabled": True, "resultVerificationRequired": True}
        with world.change_setting("result-entry", flags):
            await bench.enter(XWHOLE="1.2", XPART="0.2")
            await bench.post("verify", "XWHOLE", "XREST", person=other)
            reasons = {
                row["code"]: row["leftBecause"] for row in (await bench.read_entry())["rows"]
            }
            assert reasons["XWHOLE"] is None
            assert reasons["XPART"] == messages.RESULT_NOT_VERIFIED.format(test="TEST XPART")
            assert reasons["XREST"] == messages.RESULT_INPUT_NOT_RELEASED.format(
                test="TEST XREST", input="TEST XPART"
            )
            assert (await bench.release()).status_code == 200
            results = await bench.read_results(bench.nurse)
            assert [results[f"TEST {code}"]["result"] for code in reasons] == ["1.2", None, None]

    async def test_entry_has_no_obstacle_if_the_result_is_released_with_its_inputs(
        self, bench: Bench
    ) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        assert {row["leftBecause"] for row in (await bench.read_entry())["rows"]} == {None}

    async def test_follows_a_corrected_input_as_a_correction(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.release()
        await bench.correct(XPART="0.5")
        assert await read_rest(bench) == "1.0"
        # Releasing the input releases what is calculated from it.
        assert (await bench.release("XPART")).status_code == 200
        result = (await bench.read_results(bench.nurse))["TEST XREST"]
        assert (result["result"], result["isCorrected"]) == ("0.7", True)
        [correction] = result["corrections"]
        words = messages.RESULT_CALCULATED_FROM.format(tests="TEST XWHOLE, TEST XPART")
        assert (correction["result"], correction["words"]) == ("1.0", words)
        # The reason is that of the corrected input.
        assert correction["reason"] == "Typing error"

    async def test_is_not_corrected_when_the_input_returns_to_its_value(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.release()
        await bench.correct(XPART="0.5")
        assert (await bench.get_row("XREST"))["isCorrection"] is True
        await bench.enter(XPART="0.2")
        assert (await bench.get_row("XREST"))["isCorrection"] is False

    async def test_is_corrected_when_a_corrected_input_allows_no_result(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.release()
        await bench.correct(XPART="<0.5")
        assert await read_rest(bench) == "1.0"
        assert (await bench.release("XPART")).status_code == 200
        result = (await bench.read_results(bench.nurse))["TEST XREST"]
        assert (result["result"], result["withheld"]) == (messages.RESULT_NOT_CALCULATED, None)
        assert [correction["result"] for correction in result["corrections"]] == ["1.0"]
        assert (await bench.read_results(bench.nurse))["TEST XPART"]["result"] == "<0.5"

    async def test_is_under_review_when_its_correction_waits(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.release()
        await bench.correct(XPART="<0.5")
        await bench.post("holds", "XREST", reason="CONTROL")
        assert (await bench.release("XPART")).status_code == 200
        result = (await bench.read_results(bench.nurse))["TEST XREST"]
        assert (result["result"], result["withheld"]) == (None, "review")

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_is_under_review_with_its_input(self, bench: Bench, kind: str) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.release()
        await bench.post("withhold", "XPART", kind=kind, reason="REPEAT")
        results = await bench.read_results(bench.nurse)
        result = results["TEST XREST"]
        assert (result["result"], result["withheld"]) == (None, "review")
        assert result["withheldAt"] == results["TEST XPART"]["withheldAt"] is not None
