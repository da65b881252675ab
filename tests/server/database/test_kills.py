"""Kills in the middle of a save: nothing is lost and nothing is saved twice."""

import asyncio
import os
import signal
import socket
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
import uvicorn

from app.server.accounts.passwords import Passwords
from app.server.accounts.tokens import Tokens
from app.server.database.embedded import EmbeddedPostgres
from app.server.keys import KeyFolder
from app.server.main import build_app
from app.server.schema.migrate import migrate_database
from app.server.settings import Settings
from tests.server.accounts.builders import PASSWORD
from tests.server.records import Owner
from tests.server.reference import load_reference
from tests.server.world import World
from tests.standins.processes import CopiedProcess

pytestmark = pytest.mark.xdist_group("kills")


def serve(folder: Path, app_url: str, listener: socket.socket) -> None:
    """Run a portal on this socket."""
    app = build_app(Settings(data_dir=folder), app_url)
    asyncio.run(uvicorn.Server(uvicorn.Config(app, log_config=None)).serve(sockets=[listener]))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[EmbeddedPostgres, str]]:
    """A cluster that tests may kill, with the schema, and the application's URL."""
    folder = tmp_path_factory.mktemp("killed")
    for part in (folder, *folder.parents):
        if "pytest" in str(part):
            part.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-killed")
    cluster.start()
    app_url = migrate_database(cluster.url, "application-of-the-killed")
    load_reference(cluster.url)
    yield cluster, app_url
    cluster.stop()


class _Lock:
    """Stops a save in the middle of its transaction by locking a table that it needs."""

    def __init__(self, url: str, table: str = "requisition_tests") -> None:
        self._url = url
        self._table = table

    def __enter__(self) -> "_Lock":
        self._connection = psycopg.connect(self._url)
        self._connection.execute(f"LOCK TABLE {self._table} IN ACCESS EXCLUSIVE MODE")
        return self

    def wait_for_a_waiter(self) -> None:
        """Wait until a transaction waits for the table."""
        deadline = time.monotonic() + 20
        while True:
            with psycopg.connect(self._url) as connection:
                row = connection.execute(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted"
                ).fetchone()
            if row and row[0]:
                return
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        try:
            self._connection.rollback()
            self._connection.close()
        except psycopg.OperationalError:
            pass  # The server has been killed.


def count_requisitions(world: World, patient: int) -> int:
    """Count the patient's requisitions."""
    statement = "SELECT count(*) FROM requisitions WHERE patient_id = %s"
    with Owner(world.owner_url) as owner:  # The world's own connection may have been killed.
        row = owner.execute(statement, (patient,)).fetchone()
    assert row is not None
    return int(row[0])


async def test_a_save_survives_a_kill_of_postgresql(
    cluster: tuple[EmbeddedPostgres, str], tmp_path: Path
) -> None:
    postgres, app_url = cluster
    app = build_app(Settings(data_dir=tmp_path), app_url)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://p.test") as http:
            tokens = app.state.portal.tokens
            world = World(Owner(postgres.url), http, tokens, Passwords().hash_now(PASSWORD))
            client = world.create_client()
            patient = world.create_patient(client)
            nurse = await world.create_person("Client Basic", client_ids=[client])
            headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
            body = world.build_requisition_body(patient)

            async def save() -> httpx.Response:
                return await http.post("/api/v2/requisitions", headers=headers, json=body)

            with _Lock(postgres.url) as lock:
                save_task = asyncio.create_task(save())
                await asyncio.to_thread(lock.wait_for_a_waiter)
                assert postgres.pid is not None
                os.kill(postgres.pid, signal.SIGKILL)
                answer = await save_task
            assert answer.status_code == 503
            assert answer.headers["content-type"] == "application/problem+json"
            deadline = time.monotonic() + 60
            while True:
                answer = await save()
                if answer.status_code == 201:
                    break
                assert answer.status_code == 503, answer.text
                assert time.monotonic() < deadline
                await asyncio.sleep(0.2)
            replay_answer = await save()
            assert replay_answer.content == answer.content
            assert count_requisitions(world, patient) == 1
            list_answer = await http.get(
                "/api/v2/requisitions/remote-operations", headers=nurse.headers
            )
            assert list_answer.json()["totalCount"] == 1


@pytest.mark.parametrize("locked_table", ["lab_tests", "requisition_tests"])
async def test_a_save_survives_a_kill_of_the_server(
    cluster: tuple[EmbeddedPostgres, str], tmp_path: Path, locked_table: str
) -> None:
    postgres, app_url = cluster
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"

        def start_server() -> CopiedProcess:
            process = CopiedProcess(tmp_path / "log", serve, tmp_path, app_url, listener)
            deadline = time.monotonic() + 80  # a busy machine starts it slowly
            while True:
                try:
                    if httpx.get(f"{base}/health/ready", timeout=2).status_code == 200:
                        return process
                except httpx.TransportError:
                    pass
                assert time.monotonic() < deadline
                time.sleep(0.1)

        process = start_server()
        try:
            async with httpx.AsyncClient(base_url=base, timeout=30) as http:
                tokens = Tokens(KeyFolder(tmp_path / "keys"))
                world = World(Owner(postgres.url), http, tokens, Passwords().hash_now(PASSWORD))
                client = world.create_client()
                patient = world.create_patient(client)
                nurse = await world.create_person("Client Basic", client_ids=[client])
                headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
                body = world.build_requisition_body(patient)

                async def save() -> httpx.Response:
                    return await http.post("/api/v2/requisitions", headers=headers, json=body)

                with _Lock(postgres.url, locked_table) as lock:
                    save_task = asyncio.create_task(save())
                    await asyncio.to_thread(lock.wait_for_a_waiter)
                    process.kill()
                    process.wait()
                    with pytest.raises(httpx.TransportError):
                        await save_task
                if locked_table == "lab_tests":  # At the later table, COMMIT has already been sent.
                    assert count_requisitions(world, patient) == 0
                process = start_server()
                answer = await save()
                assert answer.status_code == 201
                assert (await save()).content == answer.content
                assert count_requisitions(world, patient) == 1
        finally:
            process.kill()
            process.wait()
