"""The worker process, killed in the middle of an export."""

import asyncio
import time
from pathlib import Path

import psycopg
import pytest

from app.server.exports.service.run import get_folder
from tests.server.exports.desk import Desk, parse_csv
from tests.server.results.clinical.bench import Bench
from tests.server.transmissions.conftest import OpenOffice
from tests.server.transmissions.worker_process import expire_workers, run_process

pytestmark = pytest.mark.xdist_group("kills")


def wait_for_blocked_batch(url: str) -> None:
    """Wait until a worker has read a batch and waits for the lock of the audit log."""
    deadline = time.monotonic() + 60
    while True:
        with psycopg.connect(url) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted"
                " AND relation = 'audit_events'::regclass"
            ).fetchone()
        if row and row[0]:
            return
        assert time.monotonic() < deadline
        time.sleep(0.02)


async def test_a_killed_export_restarts_and_yields_one_complete_file(
    open_office: OpenOffice, bench: Bench, owner_url: str, tmp_path: Path
) -> None:
    """DECISIONS, Results: 'long ones run as a job'; bad input 'worker killed in mid-export'."""
    office = await open_office(worker=False)
    desk = Desk(office.world)
    await office.world.sign_in(bench.nurse)
    export_id = await desk.start(bench.nurse)
    folder = get_folder(office.settings)
    with psycopg.connect(owner_url) as blocker:
        blocker.execute("LOCK TABLE audit_events IN SHARE MODE")
        with run_process(office, tmp_path / "log") as worker:
            await asyncio.to_thread(wait_for_blocked_batch, owner_url)
            worker.kill()
            worker.wait()
        blocker.rollback()
    body = await desk.read(bench.nurse, export_id)
    assert (body["state"], body["canDownload"]["allowed"]) == ("running", False)
    assert [path.name for path in folder.iterdir()] == [f"export-{export_id}-1"]
    expire_workers(owner_url)
    with run_process(office, tmp_path / "log"):
        for _ in range(1_200):
            body = await desk.read(bench.nurse, export_id)
            if body["state"] not in ("queued", "running"):
                break
            await asyncio.sleep(0.05)
    assert (body["state"], body["rowsWritten"]) == ("done", 1)
    [row] = parse_csv(await desk.download(bench.nurse, export_id))
    assert row["Result"] == "4.0"
    assert list(folder.iterdir()) == []
    stored_files = [
        path for path in (office.settings.data_dir / "files").rglob("*") if path.is_file()
    ]
    assert len(stored_files) == 1
