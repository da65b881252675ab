"""A portal of a lab that can send: a mail server, a fax provider, and a worker."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.server.jobs.worker import work
from app.server.main import build, portal_of
from app.server.settings import Settings
from app.server.work import TASKS
from tests.server.world import Owner, Person, World
from tests.standins.certificates import Certificate, certificate
from tests.standins.fax import CONNECTION, KEY, FaxStandIn
from tests.standins.mail import PASSWORD, USER, MailStandIn

WAITS_TO_BE_TOLD = {"send_wait_seconds": 3600, "send_wait_max_seconds": 3600}
"""Settings of an office that tries again when `Office.retry_now` says so."""
_QUICK = {"send_wait_seconds": 0.2, "send_wait_max_seconds": 0.5, "worker_poll_seconds": 0.1}
SENDER = "Demo Lab <noreply@lab.example>"


def job_owner(owner_url: str) -> psycopg.Connection:
    """A connection on which the job library's triggers find its tables."""
    return psycopg.connect(owner_url, options="-c search_path=jobs,public")


@dataclass
class Office:
    """A portal, a client's nurse, and what the lab sends with."""

    world: World
    http: httpx.AsyncClient
    nurse: Person
    client: int
    settings: Settings
    app_url: str
    stack: AsyncExitStack
    portals: list[Any] = field(default_factory=list)

    async def requisition(self, **values: Any) -> dict[str, Any]:
        """A saved requisition of the client."""
        patient = self.world.patient(self.client)
        return await self.world.requisition(self.nurse, patient, **values)

    async def send(
        self, ids: list[int], kind: str, value: str, person: Person | None = None
    ) -> httpx.Response:
        """Ask for it."""
        return await self.http.post(
            "/api/v2/requisitions/transmission",
            headers=(person or self.nurse).headers,
            json={"ids": ids, "type": kind, "value": value},
        )

    async def sent(self, *ids: int, person: Person | None = None) -> list[dict[str, Any]]:
        """What was sent of these requisitions."""
        answer = await self.http.get(
            "/api/v2/requisitions/transmissions",
            params={"ids": list(ids)},
            headers=(person or self.nurse).headers,
        )
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()
        return found

    async def becomes(self, requisition: int, **expected: Any) -> dict[str, Any]:
        """Wait until the newest transmission of the requisition is so."""
        found: dict[str, Any] = {}
        for _ in range(1_200):
            found = (await self.sent(requisition))[0]
            if all(found[name] == value for name, value in expected.items()):
                return found
            await asyncio.sleep(0.05)
        raise AssertionError(found)

    def waiting_jobs(self) -> int:
        """How many jobs a worker has still to do."""
        return int(
            self.world.sql("SELECT count(*) FROM jobs.procrastinate_jobs WHERE status = 'todo'")
        )

    def retry_now(self) -> None:
        """The time of the next try has come, for everything that waits for it."""
        with job_owner(self.world.owner.url) as connection:
            connection.execute(
                "UPDATE transmissions SET next_try_at = now() WHERE next_try_at > now()"
            )
            connection.execute(
                "UPDATE procrastinate_jobs SET scheduled_at = now() WHERE status = 'todo'"
            )

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """A worker with the lab's settings."""
        portal = portal_of(self.settings, self.app_url)
        await portal.database.open()
        running = asyncio.create_task(work(self.app_url, TASKS, portal, poll_seconds=0.1))
        try:
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await portal.senders.close()
            await portal.database.close()

    def attempts(self, transmission: int) -> list[tuple[Any, ...]]:
        """Number, outcome and trouble of the tries."""
        return self.world.rows(
            "SELECT number, outcome, trouble FROM send_attempts WHERE transmission_id = %s"
            " ORDER BY number",
            (transmission,),
        )


@pytest.fixture(scope="session")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """The stand-ins' certificate."""
    return certificate(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
async def mail(certified: Certificate) -> AsyncIterator[MailStandIn]:
    """A mail server with STARTTLS; not yet running."""
    yield MailStandIn(certified.server_context())


@pytest.fixture
def fax() -> FaxStandIn:
    """A fax provider; not yet running."""
    return FaxStandIn()


def by_mail(mail: MailStandIn, certified: Certificate, **more: Any) -> dict[str, Any]:
    """Settings of a lab with this mail server."""
    return {
        "smtp_host": "127.0.0.1",
        "smtp_port": mail.port,
        "smtp_user": USER,
        "smtp_password": PASSWORD,
        "smtp_ca_file": certified.authority,
        "smtp_seconds": 10,
        "email_from": SENDER,
        "public_url": "https://portal.lab.example/",
        **more,
    }


def by_provider(fax: FaxStandIn, **more: Any) -> dict[str, Any]:
    """Settings of a lab with this fax provider."""
    return {
        "fax_api_url": fax.url,
        "fax_api_key": KEY,
        "fax_connection_id": CONNECTION,
        "fax_from": "312-555-0100",
        "fax_poll_seconds": 0.1,
        "fax_seconds": 2,
        **more,
    }


Open = Callable[..., Awaitable[Office]]


@pytest.fixture
async def open_office(
    app_url: str, owner: Owner, password_hash: str, tmp_path: Path
) -> AsyncIterator[Open]:
    """Opens a portal with these settings, and a worker for it unless told otherwise."""
    async with AsyncExitStack() as stack:

        async def open_one(*, worker: bool = True, **settings: Any) -> Office:
            wanted = Settings(
                data_dir=tmp_path,
                read_pool_size=2,
                write_pool_size=8,
                **{**_QUICK, **settings},
            )
            app = build(wanted, app_url)
            await stack.enter_async_context(app.router.lifespan_context(app))
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            http = await stack.enter_async_context(
                httpx.AsyncClient(transport=transport, base_url="http://portal.test")
            )
            world = World(owner, http, app.state.portal.tokens, password_hash)
            client = world.client()
            nurse = await world.person("Client Basic", client_ids=[client])
            office = Office(world, http, nurse, client, wanted, app_url, stack)
            if worker:
                await stack.enter_async_context(office.working())
            return office

        yield open_one


@pytest.fixture(autouse=True)
def nothing_waits(owner_url: str) -> None:
    """What other tests put in is gone."""
    with job_owner(owner_url) as connection:
        connection.execute("DELETE FROM procrastinate_jobs")
