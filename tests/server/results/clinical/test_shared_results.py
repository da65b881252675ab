"""Results of tests that several panels of an order contain."""

import pytest

from app.contract import messages
from tests.server.critical_results.steps import SUCCESSFUL_CALL, list_notices, post_act
from tests.server.exports.desk import Desk
from tests.server.order_search.records import build_condition, join_conditions
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.results.cumulative.steps import list_results as list_cumulative_results
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for two panels with glucose."""
    world.add_panel("XBMP", "GLU", "K")
    world.add_panel("XCMP", "HGB", "GLU")
    return await receive_order(world, "XBMP", "XCMP")


class TestTwoPanels:
    """A test that two panels contain has one result."""

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
