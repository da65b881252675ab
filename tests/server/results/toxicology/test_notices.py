"""Notices of critical toxicology results."""

from tests.server.results.toxicology.bench import Bench


class TestNotices:
    """A confirmed unexpected positive of a critical substance."""

    async def test_an_added_comment_does_not_open_the_notice_again(self, bench: Bench) -> None:
        query = (
            "SELECT i.released_at FROM critical_items i JOIN critical_notices n "
            "ON n.id = i.notice_id WHERE n.order_id = %s AND i.replaced_at IS NULL"
        )
        await bench.publish(QFEN="9")
        # Release times have whole seconds, so move the first release back.
        bench.world.run_sql(
            "UPDATE toxicology_results SET released_at = released_at - interval '1 hour' "
            "WHERE order_id = %s",
            (bench.order_id,),
        )
        bench.world.run_sql(
            "UPDATE critical_items SET released_at = released_at - interval '1 hour' FROM "
            "critical_notices n WHERE n.id = notice_id AND n.order_id = %s",
            (bench.order_id,),
        )
        before = bench.world.fetch_rows(query, (bench.order_id,))
        await bench.publish(QFEN={"result": "9", "comment": "By LC-MS", "reasonCode": "REPEAT"})
        assert bench.world.fetch_rows(query, (bench.order_id,)) == before
        await bench.publish(QFEN={"result": "12", "reasonCode": "REPEAT"})
        [[released_at]] = bench.world.fetch_rows(query, (bench.order_id,))
        assert released_at > before[0][0]

    async def test_a_withdrawn_critical_that_is_reported_again_opens_a_notice(
        self, bench: Bench
    ) -> None:
        query = (
            "SELECT count(*) FROM critical_items i JOIN critical_notices n "
            "ON n.id = i.notice_id WHERE n.order_id = %s AND n.closed_at IS NULL"
        )
        await bench.publish(QFEN="9")
        bench.world.run_sql(
            "UPDATE toxicology_results SET released_at = released_at - interval '1 hour' "
            "WHERE order_id = %s",
            (bench.order_id,),
        )
        bench.world.run_sql(
            "UPDATE critical_items SET released_at = released_at - interval '1 hour' FROM "
            "critical_notices n WHERE n.id = notice_id AND n.order_id = %s",
            (bench.order_id,),
        )
        await bench.act("withhold", "QFEN", kind="withdrawn", reason="SPECIMEN")
        await bench.publish(QFEN={"result": "9", "reasonCode": "REPEAT"})
        assert bench.world.fetch_rows(query, (bench.order_id,)) == [(2,)]
