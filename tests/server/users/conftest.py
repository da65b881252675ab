"""A portal with a mail server, which invitations need."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.server.main import build_app
from app.server.settings import Settings
from tests.server.records import Owner
from tests.server.transmissions.conftest import build_mail_settings, certificate, delete_jobs, mail
from tests.server.users.desk import Desk
from tests.server.world import World
from tests.standins.certificates import Certificate
from tests.standins.mail import MailStandIn

__all__ = ["certificate", "delete_jobs", "mail"]


@pytest.fixture(scope="session")
async def mailing_app(
    app_url: str, tmp_path_factory: pytest.TempPathFactory, certificate: Certificate
) -> AsyncIterator[FastAPI]:
    """A portal with a mail server; it sends nothing itself, because workers do."""
    mail = MailStandIn(certificate.build_server_context())
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("data"),
        read_pool_size=2,
        write_pool_size=5,
        **build_mail_settings(mail, certificate),
    )
    app = build_app(settings, app_url)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def desk(
    mailing_app: FastAPI,
    mail: MailStandIn,
    certificate: Certificate,
    owner: Owner,
    password_hash: str,
    app_url: str,
    tmp_path: Path,
) -> AsyncIterator[Desk]:
    """A lab whose mail server runs, and administrators."""
    transport = httpx.ASGITransport(mailing_app, raise_app_exceptions=False)
    worker_settings = Settings(data_dir=tmp_path, **build_mail_settings(mail, certificate))
    async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as http:
        world = World(owner, http, mailing_app.state.portal.tokens, password_hash)
        # The job sends all e-mails that are due, even those of other tests.
        world.run_sql("DELETE FROM password_recoveries")
        with mail:
            yield await Desk.build(world, mail, worker_settings, app_url)
