"""Canceling and reinstating tests of an order."""

import asyncio

import pytest

from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.orders.names import SEND_COPIES
from app.server.orders.rules import FinalEvent
from tests.server.orders.canceling import cancel_tests, list_ids
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a blood count, glucose, and potassium."""
    return await receive_order(world, "CBC", "GLU", "K")


async def read_cancelable(bench: Bench) -> dict[str, bool]:
    """Read which of the order's tests can be canceled, by name."""
    answer = await bench.world.http.get(f"{bench.path}/tests", headers=bench.lab.headers)
    return {test["name"]: test["canCancel"] for test in answer.json()}


class TestCanceling:
    """POST cancel."""

    async def test_canceling_the_last_open_test_makes_the_order_final(self, bench: Bench) -> None:
        await bench.enter(WBC="5", HGB="13", GLU="80")
        await bench.release()
        answer = await cancel_tests(bench, "POTASSIUM", words="Hemolyzed twice")
        assert answer.status_code == 200, answer.text
        order = await bench.read_order()
        assert order["status"] == OrderStatus.FINAL
        [reason] = order["cancellationReasons"]
        assert (reason["name"], reason["words"]) == ("Specimen not suitable", "Hemolyzed twice")
        assert (reason["tests"], reason["canceledBy"]) == (["POTASSIUM"], "Ada Tester")
        assert order["canCancel"]["allowed"] is False
        results = await bench.read_results(bench.nurse)
        assert results["POTASSIUM"]["status"] == ResultStatus.CANCELED

    async def test_canceling_the_last_open_test_sends_the_copies(self, world: World) -> None:
        copy = {"type": "EMAIL", "destination": "family@home.example"}
        bench = await receive_order(world, "GLU", "K", additionalCopies=[copy])
        await bench.enter(GLU="80")
        await bench.release()

        def list_events() -> list[tuple[str]]:
            return world.fetch_rows(
                "SELECT args ->> 'event' FROM jobs.procrastinate_jobs"
                " WHERE task_name = %s AND (args ->> 'order_id')::int = %s",
                (SEND_COPIES, bench.order_id),
            )

        assert list_events() == []
        assert (await cancel_tests(bench, "POTASSIUM")).status_code == 200
        assert list_events() == [(FinalEvent.COMPLETED,)]

    async def test_canceling_a_panel_cancels_its_members(self, bench: Bench) -> None:
        await cancel_tests(bench, "COMPLETE BLOOD COUNT")
        [reason] = (await bench.read_order())["cancellationReasons"]
        assert reason["tests"] == ["WHITE BLOOD CELLS", "HEMOGLOBIN"]

    async def test_canceling_all_tests_cancels_the_order(self, bench: Bench) -> None:
        await bench.enter(GLU="80")
        answer = await cancel_tests(bench)
        assert answer.json()["status"] == OrderStatus.CANCELED
        assert (await bench.read_results(bench.nurse))["GLUCOSE"]["result"] is None
        second_answer = await cancel_tests(bench)
        assert (second_answer.status_code, second_answer.json()["code"]) == (409, "order_read_only")

    async def test_rejects_tests_with_released_results(self, bench: Bench) -> None:
        await bench.enter(GLU="80")
        await bench.release()
        answer = await cancel_tests(bench)
        assert (answer.status_code, answer.json()["code"]) == (409, "test_released")
        assert answer.json()["detail"].startswith("GLUCOSE: results are released. Withdraw")
        assert (await bench.read_order())["cancellationReasons"] == []
        assert (await read_cancelable(bench))["GLUCOSE"] is False
        await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        assert (await read_cancelable(bench))["GLUCOSE"] is True
        assert (await cancel_tests(bench, "GLUCOSE")).status_code == 200

    async def test_rejects_results_that_were_typed_before_the_cancellation(
        self, bench: Bench
    ) -> None:
        version = (await bench.read_entry())["version"]
        assert (await cancel_tests(bench, version=version)).status_code == 200
        entry_answer = await bench.enter(version, GLU="80")
        assert entry_answer.status_code == 412
        entry_answer = await bench.enter(GLU="80")
        assert (entry_answer.status_code, entry_answer.json()["code"]) == (409, "order_read_only")

    async def test_rejects_results_of_a_canceled_test_and_never_releases_them(
        self, bench: Bench
    ) -> None:
        await bench.enter(GLU="80", K="4")
        await cancel_tests(bench, "GLUCOSE")
        entry_answer = await bench.enter(GLU="81")
        assert (entry_answer.status_code, entry_answer.json()["detail"]) == (
            400,
            "GLUCOSE is canceled",
        )
        await bench.release()
        rows = bench.world.fetch_rows(
            "SELECT value FROM results WHERE order_id = %s AND released_at IS NOT NULL",
            (bench.order_id,),
        )
        assert rows == [("4",)]

    @pytest.mark.parametrize(
        ("reason", "field"), [("NOT-THERE", "reason"), ("HEMOLYZED", "reason"), ("OTHER", "words")]
    )
    async def test_requires_a_reason_of_the_cancellation_list(
        self, bench: Bench, reason: str, field: str
    ) -> None:
        answer = await cancel_tests(bench, reason=reason)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)

    async def test_rejects_tests_of_another_order(self, bench: Bench, world: World) -> None:
        other = await list_ids(await receive_order(world, "GLU"))
        answer = await world.http.post(
            f"{bench.path}/cancel",
            headers=bench.lab.headers,
            json={"orderTestIds": [other["GLUCOSE"]], "reason": "CLIENT"},
        )
        assert answer.status_code == 404

    async def test_only_one_of_two_concurrent_cancellations_succeeds(self, bench: Bench) -> None:
        answers = await asyncio.gather(
            *(cancel_tests(bench, "GLUCOSE", version=1) for _ in range(2))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 412]


class TestReinstating:
    """POST reinstate."""

    async def test_restores_tests_with_their_entered_results(self, bench: Bench) -> None:
        await bench.enter(GLU="80")
        await cancel_tests(bench)
        answer = await bench.world.http.post(
            f"{bench.path}/reinstate", headers=bench.lab.headers, json={}
        )
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == OrderStatus.UNRELEASED
        assert answer.json()["cancellationReasons"] == []
        row = await bench.get_row("GLU")
        assert (row["result"], row["status"]) == ("80", ResultStatus.UNRELEASED)
        second_answer = await bench.world.http.post(
            f"{bench.path}/reinstate", headers=bench.lab.headers, json={}
        )
        assert (second_answer.status_code, second_answer.json()["code"]) == (
            400,
            "nothing_to_cancel",
        )

    async def test_rejects_an_order_that_changes_while_it_waits_for_the_lock(
        self, bench: Bench
    ) -> None:
        await cancel_tests(bench)
        version = (await bench.read_order())["version"]
        request = bench.world.http.post(
            f"{bench.path}/reinstate",
            headers={**bench.lab.headers, "If-Match": f'"{version}"'},
            json={},
        )
        answer = await bench.world.commit_meanwhile(
            "UPDATE orders SET version = version + 1 WHERE id = %s", (bench.order_id,), request
        )
        assert (answer.status_code, answer.json()["code"]) == (412, "stale_version")
        assert (await bench.read_order())["status"] == OrderStatus.CANCELED
