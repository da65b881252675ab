"""Verdicts of orders whose tests are canceled and reinstated."""

import pytest

from app.contract.enumerations import OrderStatus, Reopening
from tests.server.results.toxicology.bench import NOTHING_DETECTED, Bench, receive_order
from tests.server.world import World


class TestCanceling:
    """POST cancel and reinstate judge the other results again."""

    @pytest.fixture
    async def bench(self, world: World) -> Bench:
        """An order of a patient who reports oxycodone, in which one result is pending."""
        bench = await receive_order(world, "OXYCODONE")
        values = {**NOTHING_DETECTED, "VCRE": "100"}
        del values["QOXY"]
        await bench.publish(**values)
        assert await bench.read_reasons("other-medications") == [
            "A result for OXYCODONE is pending"
        ]
        return bench

    async def test_a_verdict_does_not_wait_for_a_canceled_test(self, world: World) -> None:
        bench = await receive_order(world, "DIAZEPAM")
        values = {**NOTHING_DETECTED, "VCRE": "100"}
        del values["QDIA"]
        await bench.publish(**values)
        assert await bench.read_reasons("other-medications") == ["A result for DIAZEPAM is pending"]
        await bench.cancel("QDIA")
        assert await bench.read("other-medications") == []
        [reason] = await bench.read_reasons("unexpected-negative-results")
        assert reason == "Neither DIAZEPAM nor a metabolite of it was detected"
        order = await bench.read_order()
        assert order["status"] == OrderStatus.FINAL

    async def test_a_medication_whose_only_test_is_canceled_was_not_tested(
        self, bench: Bench
    ) -> None:
        await bench.cancel("QOXY")
        assert await bench.read_reasons("other-medications") == ["OXYCODONE was not tested"]

    async def test_a_verdict_waits_for_a_reinstated_test(self, world: World) -> None:
        bench = await receive_order(world, "DIAZEPAM")
        await bench.cancel("QDIA")
        values = {**NOTHING_DETECTED, "VCRE": "100"}
        del values["QDIA"]
        await bench.publish(**values)
        assert len(await bench.read_reasons("unexpected-negative-results")) == 1
        await bench.reinstate("QDIA")
        assert await bench.read("unexpected-negative-results") == []
        assert await bench.read_reasons("other-medications") == ["A result for DIAZEPAM is pending"]
        await bench.publish(QDIA="250")
        [reason] = await bench.read_reasons("expected-results")
        assert reason == "The reported DIAZEPAM was detected"

    async def test_a_changed_verdict_asks_for_another_acknowledgment(self, bench: Bench) -> None:
        answer = await bench.world.http.put(
            f"/api/v2/orders/acknowledge?ids={bench.order_id}",
            headers=bench.nurse.headers,
            json={},
        )
        assert answer.status_code == 200, answer.text
        await bench.cancel("QOXY")
        order = await bench.read_order()
        assert order["reopened"]["kind"] == Reopening.VERDICT

    async def test_canceling_without_a_release_gives_no_verdicts(self, world: World) -> None:
        bench = await receive_order(world, "OXYCODONE")
        await bench.cancel("QOXY")
        assert await bench.read("other-medications") == []
