"""How exports take turns and are stopped."""

import asyncio

import pytest

from app.contract import messages
from app.contract.limits import EXPORT_ROWS_MAX
from app.server.exports.rules import AT_ONCE_MAX, ATTEMPTS_MAX
from app.server.exports.service import run
from tests.server.exports.desk import (
    Desk,
    count_jobs,
    list_stored_files,
    read_row,
)
from tests.server.exports.meanwhile import act_meanwhile
from tests.server.results.clinical.bench import Bench


class TestStopping:
    """Exports that end before their last row."""

    async def test_canceling_in_the_middle_leaves_no_file(
        self, desk: Desk, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Cancels an export of ten years while it is written."""
        export_id = await desk.start(bench.nurse, startDate="2016-01-01", endDate="2026-12-31")
        loop = asyncio.get_running_loop()

        def cancel() -> None:
            call = desk.call(bench.nurse, "POST", export_id, "/cancel")
            asyncio.run_coroutine_threadsafe(call, loop).result(30)

        file = act_meanwhile(monkeypatch, cancel)
        before = list_stored_files(desk.world)
        await desk.run(export_id)
        body = await desk.read(bench.nurse, export_id)
        assert (body["state"], body["canDownload"]["allowed"]) == ("canceled", False)
        assert file.is_discarded
        assert list_stored_files(desk.world) == before
        folder = run.get_folder(desk.world.app.state.portal.settings)
        assert list(folder.glob(f"export-{export_id}-*")) == []

    async def test_a_canceled_export_never_starts(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        answer = await desk.call(bench.nurse, "POST", export_id, "/cancel")
        assert answer.json()["state"] == "canceled"
        await desk.run(export_id)
        assert read_row(desk.world, export_id, "state, attempt") == ("canceled", 0)

    async def test_an_ended_export_cannot_be_canceled(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        answer = await desk.call(bench.nurse, "POST", export_id, "/cancel")
        assert (answer.status_code, answer.json()["detail"]) == (
            409,
            messages.EXPORT_ALREADY_ENDED,
        )

    async def test_a_run_that_was_taken_over_changes_nothing(
        self, desk: Desk, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        export_id = await desk.start(bench.nurse)
        act_meanwhile(
            monkeypatch,
            lambda: desk.world.run_sql(
                "UPDATE exports SET attempt = 2 WHERE id = %s RETURNING 1", (export_id,)
            ),
        )
        before = list_stored_files(desk.world)
        await desk.run(export_id)
        assert read_row(desk.world, export_id, "state, attempt, key") == ("running", 2, None)
        assert list_stored_files(desk.world) == before
        await desk.call(bench.nurse, "POST", export_id, "/cancel")

    async def test_rejects_more_rows_than_a_file_can_hold(
        self, desk: Desk, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(run, "EXPORT_ROWS_MAX", 0)
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        body = await desk.read(bench.nurse, export_id)
        assert body["state"] == "failed"
        assert body["trouble"] == messages.EXPORT_TOO_MANY_ROWS.format(max=f"{EXPORT_ROWS_MAX:,}")

    async def test_a_fault_is_retried_and_then_reported(
        self, desk: Desk, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail() -> None:
            raise OSError("disk full")

        export_id = await desk.start(bench.nurse)
        act_meanwhile(monkeypatch, fail)
        for attempt in range(1, ATTEMPTS_MAX):
            with pytest.raises(OSError, match="disk full"):
                await desk.run(export_id)
            assert read_row(desk.world, export_id, "state, attempt") == ("queued", attempt)
        await desk.run(export_id)
        body = await desk.read(bench.nurse, export_id)
        assert (body["state"], body["trouble"]) == ("failed", messages.EXPORT_STORE_FAILED)

    async def test_fails_an_export_that_keeps_killing_its_workers(
        self, desk: Desk, bench: Bench
    ) -> None:
        export_id = await desk.start(bench.nurse)
        desk.world.run_sql(
            "UPDATE exports SET state = 'running', attempt = %s WHERE id = %s RETURNING 1",
            (ATTEMPTS_MAX, export_id),
        )
        await desk.run(export_id)
        body = await desk.read(bench.nurse, export_id)
        assert (body["state"], body["trouble"]) == ("failed", messages.EXPORT_INTERRUPTED)


class TestTurns:
    """One running export per person, and few at once."""

    async def test_a_second_export_of_a_person_waits(self, desk: Desk, bench: Bench) -> None:
        first, second = [await desk.start(bench.nurse) for _ in range(2)]
        desk.world.run_sql(
            "UPDATE exports SET state = 'running' WHERE id = %s RETURNING 1", (first,)
        )
        jobs = count_jobs(desk.world, second)
        await desk.run(second)
        assert read_row(desk.world, second, "state, attempt") == ("queued", 0)
        assert count_jobs(desk.world, second) == jobs + 1
        desk.world.run_sql("UPDATE exports SET state = 'done' WHERE id = %s RETURNING 1", (first,))
        await desk.run(second)
        assert read_row(desk.world, second, "state") == ("done",)

    async def test_waits_while_others_run(self, desk: Desk, bench: Bench) -> None:
        others = []
        for _ in range(AT_ONCE_MAX):
            person = await desk.world.create_person("Laboratory")
            others.append(await desk.start(person))
        desk.world.run_sql(
            "UPDATE exports SET state = 'running' WHERE id = ANY(%s) RETURNING 1", (others,)
        )
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        assert read_row(desk.world, export_id, "state") == ("queued",)
        desk.world.run_sql(
            "UPDATE exports SET state = 'canceled' WHERE id = ANY(%s) RETURNING 1", (others,)
        )
