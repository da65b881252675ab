"""Fixtures: a portal with a mail server, a fax provider and a worker."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from pydantic import SecretStr

from app.server.jobs.worker import run_worker
from app.server.main import build_app, build_portal
from app.server.settings import Settings
from app.server.transmissions.service import names
from app.server.worker import TASKS
from tests.server.accounts.builders import Person
from tests.server.records import Owner
from tests.server.world import World
from tests.standins.certificates import Certificate, create_certificate
from tests.standins.fax import CONNECTION, KEY, FaxStandIn
from tests.standins.mail import PASSWORD, USER, MailStandIn

RETRIES_ON_DEMAND = {"send_wait_seconds": 3600, "send_wait_max_seconds": 3600}
"""Settings of an office that retries only after `Office.retry_now`."""
_QUICK = {"send_wait_seconds": 0.2, "send_wait_max_seconds": 0.5, "worker_poll_seconds": 0.1}
SENDER = "Demo Lab <noreply@lab.example>"


def connect_job_owner(owner_url: str) -> psycopg.Connection:
    """Connect so that the job library's triggers find its tables."""
    return psycopg.connect(owner_url, options="-c search_path=jobs,public")


@dataclass
class Office:
    """A portal with its settings, and a nurse of a client."""

    world: World
    http: httpx.AsyncClient
    nurse: Person
    client: int
    settings: Settings
    app_url: str
    stack: AsyncExitStack
    portals: list[Any] = field(default_factory=list)

    async def save_requisition(self, **values: Any) -> dict[str, Any]:
        """Save a requisition of the client."""
        patient = self.world.create_patient(self.client)
        return await self.world.save_requisition(self.nurse, patient, **values)

    async def send(
        self, ids: list[int], kind: str, value: str, person: Person | None = None
    ) -> httpx.Response:
        """Request a transmission and return the response."""
        return await self.http.post(
            "/api/v2/requisitions/transmission",
            headers=(person or self.nurse).headers,
            json={"ids": ids, "type": kind, "value": value},
        )

    async def send_new_requisition(self, kind: str, value: str) -> tuple[int, int]:
        """Save and send a requisition; return its id and the id of the transmission."""
        requisition = await self.save_requisition()
        answer = await self.send([requisition["id"]], kind, value)
        return requisition["id"], answer.json()["id"]

    async def list_transmissions(
        self, *ids: int, person: Person | None = None
    ) -> list[dict[str, Any]]:
        """Return the transmissions of these requisitions."""
        answer = await self.http.get(
            "/api/v2/requisitions/transmissions",
            params={"ids": list(ids)},
            headers=(person or self.nurse).headers,
        )
        assert answer.status_code == 200, answer.text
        transmissions: list[dict[str, Any]] = answer.json()
        return transmissions

    async def wait_until(self, requisition: int, **expected: Any) -> dict[str, Any]:
        """Wait until the newest transmission of the requisition has these values."""
        transmission: dict[str, Any] = {}
        for _ in range(600):
            transmission = (await self.list_transmissions(requisition))[0]
            if all(transmission[name] == value for name, value in expected.items()):
                return transmission
            await asyncio.sleep(0.1)
        raise AssertionError(transmission)

    def count_waiting_jobs(self) -> int:
        """Count the waiting jobs of transmissions, but not the housekeeping that workers add."""
        return int(
            self.world.run_sql(
                "SELECT count(*) FROM jobs.procrastinate_jobs"
                " WHERE status = 'todo' AND task_name = ANY(%s)",
                ([names.DELIVER, names.FOLLOW],),
            )
        )

    async def retry_now(self) -> None:
        """Make all waiting transmissions and jobs due.

        It runs in a thread, because a worker of this loop may hold locks on them.
        """
        await asyncio.to_thread(self._make_due)

    def _make_due(self) -> None:
        with connect_job_owner(self.world.owner.url) as connection:
            connection.execute(
                "UPDATE transmissions SET next_try_at = now() WHERE next_try_at > now()"
            )
            connection.execute(
                "UPDATE procrastinate_jobs SET scheduled_at = now() WHERE status = 'todo'"
            )

    @asynccontextmanager
    async def run_worker(self) -> AsyncIterator[None]:
        """Run a worker with the lab's settings."""
        portal = build_portal(self.settings, self.app_url)
        await portal.database.open()
        worker = asyncio.create_task(run_worker(self.app_url, TASKS, portal, poll_seconds=0.1))
        try:
            yield
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)
            await portal.senders.close()
            await portal.database.close()

    @asynccontextmanager
    async def open_portal(self) -> AsyncIterator[Any]:
        """Open a portal such as a worker passes to its jobs."""
        portal = build_portal(self.settings, self.app_url)
        try:
            yield portal
        finally:
            await portal.senders.close()
            await portal.database.engine.dispose()

    def list_attempts(self, transmission: int) -> list[tuple[Any, ...]]:
        """Return number, outcome and trouble of the attempts."""
        return self.world.fetch_rows(
            "SELECT number, outcome, trouble FROM send_attempts WHERE transmission_id = %s"
            " ORDER BY number",
            (transmission,),
        )


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """The certificate of the stand-ins."""
    return create_certificate(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
async def mail(certificate: Certificate) -> AsyncIterator[MailStandIn]:
    """A mail server with STARTTLS, which is not running yet."""
    yield MailStandIn(certificate.build_server_context())


@pytest.fixture
def fax() -> FaxStandIn:
    """A fax provider, which is not running yet."""
    return FaxStandIn()


def build_mail_settings(mail: MailStandIn, certificate: Certificate, **more: Any) -> dict[str, Any]:
    """Return settings of a lab with this mail server."""
    return {
        "smtp_host": "127.0.0.1",
        "smtp_port": mail.port,
        "smtp_user": USER,
        "smtp_password": PASSWORD,
        "smtp_ca_file": certificate.authority,
        "smtp_seconds": 10,
        "email_from": SENDER,
        "public_url": "https://portal.lab.example/",
        **more,
    }


def build_fax_settings(fax: FaxStandIn, **more: Any) -> dict[str, Any]:
    """Return settings of a lab with this fax provider."""
    return {
        "fax_api_url": fax.url,
        "fax_api_key": KEY,
        "fax_connection_id": CONNECTION,
        "fax_from": "312-555-0100",
        "fax_poll_seconds": 0.1,
        "fax_seconds": 30,
        **more,
    }


OpenOffice = Callable[..., Awaitable[Office]]


@pytest.fixture
async def open_office(
    app_url: str, owner: Owner, password_hash: str, tmp_path: Path
) -> AsyncIterator[OpenOffice]:
    """Return a function that opens a portal with these settings, by default with a worker."""
    async with AsyncExitStack() as stack:

        async def open_portal(*, worker: bool = True, **settings: Any) -> Office:
            portal_settings = Settings(
                data_dir=tmp_path,
                metrics_token=SecretStr("collector"),
                read_pool_size=2,
                write_pool_size=8,
                **{**_QUICK, **settings},
            )
            app = build_app(portal_settings, app_url)
            await stack.enter_async_context(app.router.lifespan_context(app))
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            http = await stack.enter_async_context(
                httpx.AsyncClient(transport=transport, base_url="http://portal.test")
            )
            world = World(owner, http, app.state.portal.tokens, password_hash)
            client = world.create_client()
            nurse = await world.create_person("Client Basic", client_ids=[client])
            office = Office(world, http, nurse, client, portal_settings, app_url, stack)
            if worker:
                await stack.enter_async_context(office.run_worker())
            return office

        yield open_portal


@pytest.fixture(autouse=True)
def delete_jobs(owner_url: str) -> None:
    """Delete the jobs of other tests."""
    with connect_job_owner(owner_url) as connection:
        connection.execute("DELETE FROM procrastinate_jobs")


@pytest.fixture
async def office(
    open_office: OpenOffice, mail: MailStandIn, fax: FaxStandIn, certificate: Certificate
) -> Office:
    """A lab that can send, without a worker."""
    fax.url = "http://127.0.0.1:9/v2"
    return await open_office(
        worker=False, **build_mail_settings(mail, certificate), **build_fax_settings(fax)
    )
