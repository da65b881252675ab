"""Reasons of corrections and other acts: from the lab's list, and still in use."""

from uuid import uuid4

import pytest

from app.contract import messages
from app.contract.enumerations import ReasonKind
from tests.server.results.clinical import bench as clinical
from tests.server.results.family_benches import CASES, receive_order
from tests.server.world import World


def add_reason(world: World, kind: ReasonKind, *, active: bool = False) -> str:
    """Add a reason of this kind, which the lab no longer uses unless it is active."""
    code = f"T{uuid4().hex[:12]}".upper()
    world.run_sql(
        "INSERT INTO reasons (kind, code, words, position, active)"
        " VALUES (%s, %s, 'Of a test', 99, %s) RETURNING 1",
        (kind, code, active),
    )
    return code


def end_reason(world: World, code: str) -> None:
    """End a reason."""
    world.run_sql("UPDATE reasons SET active = false WHERE code = %s RETURNING 1", (code,))


def list_errors(answer) -> dict[str, str]:
    """Return the messages of a rejected request by field."""
    assert answer.status_code == 400, answer.text
    return {error["field"].split(".")[-1]: error["message"] for error in answer.json()["errors"]}


@pytest.mark.parametrize("family", sorted(CASES))
class TestCorrecting:
    """The correction of a released result, in each family that has ``reasonCode``."""

    async def test_needs_a_reason_of_the_list(self, world: World, family: str) -> None:
        bench = await receive_order(world, family)
        await bench.publish(bench.case.first)
        for reason, field in (
            ({"reasonCode": None, "explanation": "Read again"}, "reasonCode"),
            ({"reasonCode": "OTHER", "explanation": " "}, "explanation"),
        ):
            answer = await bench.enter({**bench.case.corrected, **reason})
            if family == "pathology":  # a draft may be unfinished
                assert answer.status_code == 200, answer.text
                answer = await bench.release()
            assert list(list_errors(answer)) == [field]
        await bench.publish(
            {**bench.case.corrected, "reasonCode": "OTHER", "explanation": "Read again"}
        )

    async def test_rejects_a_reason_that_the_lab_has_ended(self, world: World, family: str) -> None:
        bench = await receive_order(world, family)
        await bench.publish(bench.case.first)
        code = add_reason(world, ReasonKind.CORRECTION)
        answer = await bench.enter({**bench.case.corrected, "reasonCode": code})
        assert list_errors(answer) == {"reasonCode": messages.REASON_ENDED}
        answer = await bench.act("withhold", kind="review", reason=code)
        assert list_errors(answer) == {"reason": messages.REASON_ENDED}

    async def test_keeps_the_reason_of_an_entered_correction(
        self, world: World, family: str
    ) -> None:
        bench = await receive_order(world, family)
        await bench.publish(bench.case.first)
        code = add_reason(world, ReasonKind.CORRECTION, active=True)
        correction = {**bench.case.corrected, "reasonCode": code}
        assert (await bench.enter(correction)).status_code == 200
        end_reason(world, code)
        answer = await bench.enter({**correction, "explanation": "Read again"})
        assert answer.status_code == 200, answer.text
        test = await bench.read_test()
        draft = test.get("draft") or test.get("culture") or test
        assert (draft["reasonCode"], draft["reason"]) == (code, "Of a test")
        assert (await bench.release()).status_code == 200


class TestEndedReasons:
    """Reasons that the lab has ended, in the other acts."""

    async def test_clinical_corrections_reject_them_and_keep_their_own(self, world: World) -> None:
        bench = await clinical.receive_order(world, "GLU")
        await bench.enter(GLU="80")
        await bench.release()
        code = add_reason(world, ReasonKind.CORRECTION, active=True)
        assert (await bench.correct(code, GLU="90")).status_code == 200
        end_reason(world, code)
        assert (await bench.correct(code, GLU="91")).status_code == 200
        other_code = add_reason(world, ReasonKind.CORRECTION)
        answer = await bench.correct(other_code, GLU="92")
        assert list_errors(answer) == {"reason": messages.REASON_ENDED}

    async def test_cancellations_and_holds_reject_them(self, world: World) -> None:
        bench = await clinical.receive_order(world, "GLU")
        row = await bench.get_row("GLU")
        for path, kind in (("cancel", ReasonKind.CANCELLATION), ("holds", ReasonKind.HOLD)):
            answer = await world.http.post(
                f"{bench.path}/{path}",
                headers=bench.lab.headers,
                json={"orderTestIds": [row["orderTestId"]], "reason": add_reason(world, kind)},
            )
            assert list_errors(answer) == {"reason": messages.REASON_ENDED}

    async def test_rejections_and_new_conditions_of_tubes_reject_them(self, world: World) -> None:
        bench = await clinical.receive_order(world, "GLU")
        path, headers = f"{bench.path}/specimens", bench.lab.headers
        tube = {"number": 1, "state": "rejected", "reason": add_reason(world, ReasonKind.REJECTION)}
        answer = await world.http.put(path, headers=headers, json={"tubes": [tube]})
        assert list_errors(answer) == {"reason": messages.REASON_ENDED}
        code = add_reason(world, ReasonKind.CONDITION, active=True)
        tube = {"number": 1, "state": "received", "conditions": [code]}
        answer = await world.http.put(path, headers=headers, json={"tubes": [tube]})
        assert answer.status_code == 200, answer.text
        end_reason(world, code)
        tube["conditionWords"] = "A bit"
        answer = await world.http.put(path, headers=headers, json={"tubes": [tube]})
        assert answer.status_code == 200, answer.text
        tube["conditions"] = [code, add_reason(world, ReasonKind.CONDITION)]
        answer = await world.http.put(path, headers=headers, json={"tubes": [tube]})
        assert list_errors(answer) == {"conditions": messages.CONDITION_ENDED}
