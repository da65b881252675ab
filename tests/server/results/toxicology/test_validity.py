"""Verdicts without a valid specimen, or without knowing whether it is valid."""

from tests.server.results.toxicology.bench import NOTHING_DETECTED, Bench


class TestValidity:
    """The tests of the specimen."""

    async def find_abnormal_orders(self, bench: Bench) -> list[int]:
        """Find the nurse's orders with an abnormal result."""
        rows = bench.world.fetch_rows(
            "SELECT id FROM orders WHERE id = %s AND has_abnormal", (bench.order_id,)
        )
        return [row[0] for row in rows]

    async def test_an_invalid_specimen_has_no_negative_verdict(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY 5 IS BELOW 20"
        )

    async def test_a_missing_validity_result_allows_no_negative_verdict(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED)
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY IS PENDING"
        )
        # It makes nothing abnormal, and the specimen is not called invalid.
        assert (await bench.read_entry())["specimenFault"] is None
        assert await self.find_abnormal_orders(bench) == []
        await bench.publish(VCRE="100")
        assert len(await bench.read_reasons("unexpected-negative-results")) == 2
        assert await self.find_abnormal_orders(bench) == [bench.order_id]

    async def test_results_accuse_nobody_while_the_validity_result_is_under_review(
        self, bench: Bench
    ) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        await bench.act("withhold", "VCRE", kind="review", reason="SPECIMEN")
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY IS PENDING"
        )
        await bench.act("restore", "VCRE")
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY 5 IS BELOW 20"
        )

    async def test_results_accuse_nobody_while_the_validity_result_is_on_hold(
        self, bench: Bench
    ) -> None:
        await bench.act("holds", "VCRE", reason="CONTROL")
        assert (await bench.enter(**NOTHING_DETECTED, VCRE="100")).status_code == 200
        await bench.release_many()
        assert await bench.read("unexpected-negative-results") == []
        assert (
            "CREATININE FOR VALIDITY IS PENDING"
            in ((await bench.read_reasons("other-medications"))[0])
        )

    async def test_a_canceled_validity_test_blocks_no_verdict(self, bench: Bench) -> None:
        await bench.cancel("VCRE")
        await bench.publish(**NOTHING_DETECTED)
        assert len(await bench.read_reasons("unexpected-negative-results")) == 2
