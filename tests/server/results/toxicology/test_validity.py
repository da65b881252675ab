"""Verdicts without a valid specimen, or without knowing whether it is valid."""

from tests.server.paperwork.reading import extract_text
from tests.server.results.toxicology.bench import NOTHING_DETECTED, Bench, receive_order
from tests.server.world import World

SECTIONS = (
    "expected-results",
    "unexpected-negative-results",
    "other-medications",
    "unexpected-positive-results",
)
PREVIEW = "/api/v2/reports/order/results-preview"


async def read_preview_text(bench: Bench) -> str:
    """Read the preview of the report as the lab."""
    answer = await bench.world.http.post(
        PREVIEW, headers=bench.lab.headers, json={"ids": [bench.order_id]}
    )
    assert answer.status_code == 200, answer.text
    return " ".join(extract_text(answer.content).split())


class TestValidity:
    """The tests of the specimen."""

    async def find_abnormal_orders(self, bench: Bench) -> list[int]:
        """Find the nurse's orders with an abnormal result."""
        rows = bench.world.fetch_rows(
            "SELECT id FROM orders WHERE id = %s AND has_abnormal", (bench.order_id,)
        )
        return [row[0] for row in rows]

    async def require_preview_of_release(self, bench: Bench) -> dict:
        """Release all, require the verdicts that the entry previewed, and return the entry."""
        entry = await bench.read_entry()
        assert (await bench.release()).status_code == 200
        shown_reasons = [reason for part in SECTIONS for reason in await bench.read_reasons(part)]
        previewed_reasons = [verdict["why"] for verdict in entry["verdicts"]]
        assert sorted(previewed_reasons) == sorted(shown_reasons)
        rows = await bench.read("alpha-results")
        assert {row["specimenFault"] for row in rows} == {entry["specimenFault"]}
        return entry

    async def test_an_invalid_specimen_has_no_negative_verdict(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "No verdict on DIAZEPAM: CREATININE FOR VALIDITY 5 is below 20"
        )

    async def test_readers_learn_that_the_specimen_is_invalid(self, world: World) -> None:
        bench = await receive_order(world)
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        fault = "CREATININE FOR VALIDITY 5 is below 20"
        rows = await bench.read("alpha-results")
        assert {row["specimenFault"] for row in rows} == {fault}
        [row] = [row for row in rows if row["isInvalid"]]
        assert (row["name"], row["validityRange"]) == ("CREATININE FOR VALIDITY", "20 - 400")
        answer = await world.http.get(
            "/api/v2/reports/order/results",
            headers=bench.nurse.headers,
            params={"ids": bench.order_id},
        )
        text = " ".join(extract_text(answer.content).split())
        assert f"Specimen validity INVALID A Specimen invalid: {fault}" in text
        assert "CREATININE FOR VALIDITY 5 A" in text
        assert "20 - 400" in text

    async def test_a_valid_specimen_has_no_warning(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="100")
        rows = await bench.read("alpha-results")
        assert {row["specimenFault"] for row in rows} == {None}
        assert not any(row["isInvalid"] for row in rows)

    async def test_a_missing_validity_result_allows_no_negative_verdict(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED)
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "No verdict on DIAZEPAM: CREATININE FOR VALIDITY is pending"
        )
        # The missing result makes nothing abnormal, and nobody calls the specimen invalid.
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
            "No verdict on DIAZEPAM: CREATININE FOR VALIDITY is pending"
        )
        await bench.act("restore", "VCRE")
        assert (await bench.read_reasons("other-medications"))[0] == (
            "No verdict on DIAZEPAM: CREATININE FOR VALIDITY 5 is below 20"
        )

    async def test_results_accuse_nobody_while_the_validity_result_is_on_hold(
        self, bench: Bench
    ) -> None:
        await bench.act("holds", "VCRE", reason="CONTROL")
        assert (await bench.enter(**NOTHING_DETECTED, VCRE="100")).status_code == 200
        await bench.release_many()
        assert await bench.read("unexpected-negative-results") == []
        assert (
            "CREATININE FOR VALIDITY is pending"
            in ((await bench.read_reasons("other-medications"))[0])
        )

    async def test_the_entry_previews_what_readers_will_see_during_a_review(
        self, bench: Bench
    ) -> None:
        await bench.publish(VCRE="100")
        await bench.act("withhold", "VCRE", kind="review", reason="SPECIMEN")
        assert (await bench.enter(**NOTHING_DETECTED)).status_code == 200
        await self.require_preview_of_release(bench)
        assert await bench.read("unexpected-negative-results") == []

    async def test_the_entry_previews_what_readers_will_see_during_a_hold(
        self, bench: Bench
    ) -> None:
        await bench.act("holds", "VCRE", reason="CONTROL")
        assert (await bench.enter(**NOTHING_DETECTED, VCRE="5")).status_code == 200
        entry = await self.require_preview_of_release(bench)
        assert entry["specimenFault"] is None
        assert await bench.read("unexpected-negative-results") == []

    async def test_the_preview_of_the_report_waits_for_held_validity_too(
        self, bench: Bench
    ) -> None:
        await bench.act("holds", "VCRE", reason="CONTROL")
        assert (await bench.enter(**NOTHING_DETECTED, VCRE="100")).status_code == 200
        text = await read_preview_text(bench)
        assert "No verdict on DIAZEPAM: CREATININE FOR VALIDITY is pending" in text
        assert "was detected" not in text

    async def test_a_canceled_validity_test_blocks_no_verdict(self, bench: Bench) -> None:
        await bench.cancel("VCRE")
        await bench.publish(**NOTHING_DETECTED)
        assert len(await bench.read_reasons("unexpected-negative-results")) == 2
