"""Removal of exports and their files."""

from pathlib import Path

from app.contract import messages
from app.contract.limits import EXPORT_RETENTION_DAYS
from app.server.exports.service import run
from app.server.exports.service.sweep import sweep_exports
from tests.server.exports.desk import PATH, Desk, list_stored_files, read_row
from tests.server.results.clinical.bench import Bench


class TestRemoving:
    """Deletion, restoring, and expiry."""

    async def test_a_deleted_export_is_hidden_until_it_is_restored(
        self, desk: Desk, bench: Bench
    ) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        assert (await desk.call(bench.nurse, "DELETE", export_id)).status_code == 204
        assert (await desk.call(bench.nurse, "GET", export_id, "/file")).status_code == 404
        list_answer = await desk.world.http.get(PATH, headers=bench.nurse.headers)
        assert list_answer.json() == []
        restore_answer = await desk.call(bench.nurse, "POST", export_id, "/restore")
        assert restore_answer.json()["state"] == "done"
        assert await desk.download(bench.nurse, export_id)

    async def test_a_running_export_must_be_canceled_before_deletion(
        self, desk: Desk, bench: Bench
    ) -> None:
        export_id = await desk.start(bench.nurse)
        answer = await desk.call(bench.nurse, "DELETE", export_id)
        assert (answer.status_code, answer.json()["detail"]) == (
            409,
            messages.EXPORT_STILL_RUNNING,
        )

    async def test_an_expired_file_is_deleted_and_explained(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        (key,) = read_row(desk.world, export_id, "key")
        desk.world.run_sql(
            "UPDATE exports SET expires_at = now() WHERE id = %s RETURNING 1", (export_id,)
        )
        expected = (404, messages.EXPORT_EXPIRED.format(days=EXPORT_RETENTION_DAYS))
        for _ in range(2):
            answer = await desk.call(bench.nurse, "GET", export_id, "/file")
            assert (answer.status_code, answer.json()["detail"]) == expected
            await sweep_exports(desk.world.app.state.portal)
        assert key not in list_stored_files(desk.world)
        assert (await desk.read(bench.nurse, export_id))["isExpired"]

    async def test_the_file_of_a_deleted_export_is_deleted_later(
        self, desk: Desk, bench: Bench
    ) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        (key,) = read_row(desk.world, export_id, "key")
        await desk.call(bench.nurse, "DELETE", export_id)
        await sweep_exports(desk.world.app.state.portal)
        assert key in list_stored_files(desk.world)
        desk.world.run_sql(
            "UPDATE exports SET removed_at = now() - interval '1 hour' WHERE id = %s RETURNING 1",
            (export_id,),
        )
        await sweep_exports(desk.world.app.state.portal)
        assert key not in list_stored_files(desk.world)
        assert (await desk.call(bench.nurse, "POST", export_id, "/restore")).status_code == 404

    async def test_sweeping_removes_files_of_killed_workers(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        folder: Path = run.get_folder(desk.world.app.state.portal.settings)
        leftover_folder = folder / f"export-{export_id}-7"
        leftover_folder.mkdir(parents=True)
        (leftover_folder / "rows.csv").write_text("half")
        await sweep_exports(desk.world.app.state.portal)
        assert not leftover_folder.exists()

    async def test_sweeping_fails_exports_that_never_finished(
        self, desk: Desk, bench: Bench
    ) -> None:
        export_id = await desk.start(bench.nurse)
        desk.world.run_sql(
            "UPDATE exports SET created_at = now() - interval '2 days' WHERE id = %s RETURNING 1",
            (export_id,),
        )
        await sweep_exports(desk.world.app.state.portal)
        assert read_row(desk.world, export_id, "state, trouble") == ("failed", "interrupted")
