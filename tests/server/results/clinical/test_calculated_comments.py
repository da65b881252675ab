"""Comments on calculated results outlive the calculation that they were typed for (ADR 91)."""

import pytest

from app.contract import messages
from tests.server.results.clinical.bench import Bench, receive_difference
from tests.server.world import World

COMMENT = "SLIGHTLY ICTERIC"
NOT_EXACT = messages.RESULT_INPUT_NOT_EXACT.format(input="TEST XPART")


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a whole, its part, and the difference of both, which is calculated."""
    return await receive_difference(world)


async def release_commented(bench: Bench) -> None:
    """Release a difference of 1.0 with a comment."""
    await bench.enter(XWHOLE="1.2", XPART="0.2")
    await bench.enter(XREST="1.0", write={"comment": COMMENT})
    assert (await bench.release()).status_code == 200


async def read_rest(bench: Bench) -> tuple[str | None, str | None]:
    """Read the calculated result and its comment as the nurse."""
    row = (await bench.read_results(bench.nurse))["TEST XREST"]
    return row["result"], row["comment"]


async def get_entered(bench: Bench) -> tuple[str | None, str | None]:
    """Read the calculated result and its comment on the result entry screen."""
    row = await bench.get_row("XREST")
    return row["result"], row["comment"]


async def read_entry_as_nurse(bench: Bench) -> str:
    """Read the result entry screen as the nurse, whom the lab lets enter results."""
    flags = {"resultEntryEnabled": True, "resultEntryClientBasic": True}
    with bench.world.change_setting("result-entry", flags):
        answer = await bench.world.http.get(
            f"{bench.path}/result-entry", headers=bench.nurse.headers
        )
    assert answer.status_code == 200, answer.text
    return answer.text


class TestReleasedComments:
    """The comment on a released result stays when an input is corrected."""

    async def test_stays_and_says_that_it_was_written_for_the_earlier_value(
        self, bench: Bench
    ) -> None:
        await release_commented(bench)
        assert (await bench.get_row("XREST"))["commentNotice"] is None
        await bench.correct(XPART="0.5")
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"]) == ("0.7", COMMENT)
        notice = messages.RESULT_COMMENT_EARLIER.format(result="1.0 mg/dL")
        assert row["commentNotice"] == notice
        assert (await bench.release("XPART")).status_code == 200
        assert await read_rest(bench) == ("0.7", COMMENT)
        assert (await bench.get_row("XREST"))["commentNotice"] is None

    async def test_is_not_questioned_after_somebody_changed_it(self, bench: Bench) -> None:
        await release_commented(bench)
        await bench.correct(XPART="0.5")
        answer = await bench.enter(XREST="0.7", write={"comment": "CHECKED"})
        assert answer.status_code == 200, answer.text
        row = await bench.get_row("XREST")
        assert (row["comment"], row["commentNotice"]) == ("CHECKED", None)
        await bench.correct(XPART="0.6")
        assert await get_entered(bench) == ("0.6", "CHECKED")

    async def test_stays_behind_the_reason_of_a_result_that_is_not_calculated(
        self, bench: Bench
    ) -> None:
        await release_commented(bench)
        await bench.correct(XPART="<0.5")
        value = (messages.RESULT_NOT_CALCULATED, f"{NOT_EXACT}. {COMMENT}")
        assert await get_entered(bench) == value
        await bench.release("XPART")
        assert await read_rest(bench) == value
        await bench.correct(XPART="0.5")
        assert await get_entered(bench) == ("0.7", COMMENT)

    async def test_has_the_current_reason(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="<0.2")
        await bench.enter(XREST=messages.RESULT_NOT_CALCULATED, write={"comment": COMMENT})
        await bench.release()
        assert await read_rest(bench) == (
            messages.RESULT_NOT_CALCULATED,
            f"{NOT_EXACT}. {COMMENT}",
        )
        await bench.correct(XPART="1.3")
        assert (await bench.release("XPART")).status_code == 200
        assert await read_rest(bench) == (
            messages.RESULT_NOT_CALCULATED,
            f"{messages.RESULT_FORMULA_NOT_VALID}. {COMMENT}",
        )

    async def test_stays_after_a_review_of_the_input(self, bench: Bench) -> None:
        await release_commented(bench)
        await bench.post("withhold", "XPART", kind="review", reason="REPEAT")
        await bench.correct(XPART="0.5")
        assert await get_entered(bench) == ("0.7", COMMENT)
        # Nobody outside the lab reads on the entry screen what is under review.
        assert COMMENT not in await read_entry_as_nurse(bench)
        await bench.release("XPART")
        assert await read_rest(bench) == ("0.7", COMMENT)

    async def test_stays_inside_the_lab_when_the_result_was_withdrawn(self, bench: Bench) -> None:
        await release_commented(bench)
        await bench.post("withhold", "XREST", kind="withdrawn", reason="REPEAT")
        await bench.correct(XPART="0.5")
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"]) == ("0.7", None)
        assert row["commentNotice"] == messages.RESULT_COMMENT_WITHDRAWN.format(
            result="1.0 mg/dL", comment=COMMENT
        )
        assert COMMENT not in await read_entry_as_nurse(bench)

    async def test_a_changed_comment_stays_when_the_input_returns_to_its_value(
        self, bench: Bench
    ) -> None:
        await release_commented(bench)
        reason = {"reason": "TRANSCRIPTION", "words": ""}
        await bench.enter(XREST="1.0", write={"comment": "STRONGLY ICTERIC", "correction": reason})
        await bench.correct(XPART="0.5")
        await bench.correct(XPART="0.2")
        assert await get_entered(bench) == ("1.0", "STRONGLY ICTERIC")


class TestUnreleasedComments:
    """A comment outlives the time in which its result cannot be calculated."""

    async def test_stays_while_an_input_allows_no_result(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"comment": COMMENT})
        await bench.enter(XPART="<0.2")
        reason = f"{NOT_EXACT}. {COMMENT}"
        assert await get_entered(bench) == (messages.RESULT_NOT_CALCULATED, reason)
        await bench.enter(XPART="0.2")
        assert await get_entered(bench) == ("1.0", COMMENT)

    async def test_is_offered_again_after_a_hold_of_an_input(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"comment": COMMENT})
        hold_answer = await bench.post("holds", "XPART", reason="CONTROL")
        [hold] = [h for row in hold_answer.json()["rows"] for h in row["holds"]]
        assert await get_entered(bench) == (None, None)
        await bench.world.http.post(
            f"{bench.path}/holds/{hold['id']}/lift", headers=bench.lab.headers, json={}
        )
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"]) == ("1.0", None)
        assert row["commentNotice"] == messages.RESULT_COMMENT_WITHDRAWN.format(
            result="1.0 mg/dL", comment=COMMENT
        )

    async def test_does_not_return_after_somebody_deleted_it(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"comment": COMMENT})
        await bench.enter(XREST="1.0")
        await bench.enter(XPART="0.4")
        assert await get_entered(bench) == ("0.8", None)


class TestSavedTogether:
    """A comment may be typed before its result is calculated."""

    async def enter(self, bench: Bench, comment: str, **values: str):
        """Enter values and a comment on the difference in one save."""
        rows = {r["code"]: r["orderTestId"] for r in (await bench.read_entry())["rows"]}
        results = [{"orderTestId": rows[code], "result": value} for code, value in values.items()]
        comment_write = {"orderTestId": rows["XREST"], "result": None, "comment": comment}
        return await bench.world.http.put(
            f"{bench.path}/result-entry",
            headers=bench.lab.headers,
            json={"results": [*results, comment_write]},
        )

    async def test_stores_the_comment_with_the_calculated_result(self, bench: Bench) -> None:
        answer = await self.enter(bench, COMMENT, XWHOLE="1.2", XPART="0.2")
        assert answer.status_code == 200, answer.text
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"]) == ("1.0", COMMENT)
        assert row["calculated"] == "total - direct"

    async def test_stores_the_comment_behind_the_reason_of_not_calculated(
        self, bench: Bench
    ) -> None:
        answer = await self.enter(bench, COMMENT, XWHOLE="1.2", XPART="<0.2")
        assert answer.status_code == 200, answer.text
        value = (messages.RESULT_NOT_CALCULATED, f"{NOT_EXACT}. {COMMENT}")
        assert await get_entered(bench) == value

    async def test_rejects_a_comment_while_an_input_is_missing(self, bench: Bench) -> None:
        answer = await self.enter(bench, COMMENT, XWHOLE="1.2")
        assert answer.status_code == 400
        text = messages.RESULT_COMMENT_ALONE.format(test="TEST XREST")
        assert answer.json()["errors"] == [{"field": "results.1.result", "message": text}]
        assert (await bench.get_row("XWHOLE"))["result"] is None

    async def test_a_measured_value_gives_way_to_the_calculated_one_with_the_comment(
        self, bench: Bench
    ) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="0.9")
        answer = await self.enter(bench, COMMENT)
        assert answer.status_code == 200, answer.text
        assert await get_entered(bench) == ("1.0", COMMENT)


class TestMeasuredComments:
    """A value that is typed over NOT CALCULATED has only the words of a person beside it."""

    async def test_loses_the_reason_and_keeps_the_words(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="<0.2")
        await bench.enter(XREST="1.1", write={"comment": f"{NOT_EXACT}. {COMMENT}"})
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"], row["calculated"]) == ("1.1", COMMENT, None)
        await bench.release()
        assert await read_rest(bench) == ("1.1", COMMENT)

    async def test_loses_the_reason_when_a_released_result_is_corrected(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="<0.2")
        await bench.release()
        assert await read_rest(bench) == (messages.RESULT_NOT_CALCULATED, NOT_EXACT)
        reason = {"reason": "TRANSCRIPTION", "words": ""}
        await bench.enter(XREST="1.1", write={"comment": NOT_EXACT, "correction": reason})
        await bench.release("XREST")
        assert await read_rest(bench) == ("1.1", None)


class TestChangedInputs:
    """A comment on an unreleased result stays when an input changes, and says for which value."""

    async def test_says_for_which_value_it_was_written(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"comment": COMMENT})
        assert (await bench.get_row("XREST"))["commentNotice"] is None
        await bench.enter(XPART="0.5")
        notice = messages.RESULT_COMMENT_EARLIER.format(result="1.0 mg/dL")
        row = await bench.get_row("XREST")
        assert (row["result"], row["comment"], row["commentNotice"]) == ("0.7", COMMENT, notice)
        # The next change does not hide the value for which the comment was written.
        await bench.enter(XPART="0.6")
        assert (await bench.get_row("XREST"))["commentNotice"] == notice
        # Nor does an input that allows no calculation.
        await bench.enter(XPART="<0.5")
        row = await bench.get_row("XREST")
        assert (row["comment"], row["commentNotice"]) == (f"{NOT_EXACT}. {COMMENT}", notice)
        # The person who releases the result has read the notice.
        assert (await bench.release()).status_code == 200
        assert (await bench.get_row("XREST"))["commentNotice"] is None

    async def test_is_about_the_value_again_when_the_input_returns(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"comment": COMMENT})
        await bench.enter(XPART="0.5")
        await bench.enter(XPART="0.2")
        row = await bench.get_row("XREST")
        assert (row["comment"], row["commentNotice"]) == (COMMENT, None)

    async def test_a_changed_comment_is_about_the_present_value(self, bench: Bench) -> None:
        await bench.enter(XWHOLE="1.2", XPART="0.2")
        await bench.enter(XREST="1.0", write={"comment": COMMENT})
        await bench.enter(XPART="0.5")
        await bench.enter(XREST="0.7", write={"comment": "CHECKED"})
        row = await bench.get_row("XREST")
        assert (row["comment"], row["commentNotice"]) == ("CHECKED", None)

    async def test_a_comment_typed_for_a_correction_is_not_that_of_the_released_value(
        self, bench: Bench
    ) -> None:
        await release_commented(bench)
        await bench.correct(XPART="0.5")
        await bench.enter(XREST="0.7", write={"comment": "CHECKED"})
        await bench.enter(XPART="0.6")
        row = await bench.get_row("XREST")
        notice = messages.RESULT_COMMENT_EARLIER.format(result="0.7 mg/dL")
        assert (row["comment"], row["commentNotice"]) == ("CHECKED", notice)

    async def test_a_comment_taken_over_keeps_the_released_value(self, bench: Bench) -> None:
        await release_commented(bench)
        await bench.correct(XPART="0.5")
        await bench.enter(XPART="0.6")
        notice = messages.RESULT_COMMENT_EARLIER.format(result="1.0 mg/dL")
        assert (await bench.get_row("XREST"))["commentNotice"] == notice
