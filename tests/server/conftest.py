"""The portal over this worker's database, running in the test process."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.server import logs
from app.server.accounts.passwords import Passwords
from app.server.main import build_app
from app.server.settings import Settings
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.documented import AnswerCheck
from tests.server.records import Owner
from tests.server.world import World


@pytest.fixture(scope="session")
async def portal_app(
    app_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[FastAPI]:
    """The running application."""
    logs.configure_logs("ERROR")
    data: Path = tmp_path_factory.mktemp("data")
    app = build_app(Settings(data_dir=data, read_pool_size=4, write_pool_size=6), app_url)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture(scope="session")
async def http(portal_app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP session whose requests reach the application without a network."""
    transport = httpx.ASGITransport(portal_app, raise_app_exceptions=False)
    async with httpx.AsyncClient(
        transport=transport,
        base_url="http://portal.test",
        event_hooks={"response": [AnswerCheck(portal_app).check]},
    ) as http:
        yield http


@pytest.fixture(scope="session")
def password_hash() -> str:
    """One hash for all people of the tests, because hashing is slow on purpose."""
    return Passwords().hash_now(PASSWORD)


@pytest.fixture(scope="session")
def owner(owner_url: str) -> Iterator[Owner]:
    """The owner's connection to this worker's database."""
    with Owner(owner_url) as connection:
        yield connection


@pytest.fixture
def world(owner: Owner, http: httpx.AsyncClient, portal_app: FastAPI, password_hash: str) -> World:
    """A builder of records and people, who share no cookies with those of the previous test."""
    http.cookies.clear()
    return World(owner, http, portal_app.state.portal.tokens, password_hash)


@pytest.fixture
async def nurse(world: World) -> Person:
    """A user of a client; ``nurse.client`` is the client."""
    client = world.create_client()
    person = await world.create_person("Client Basic", client_ids=[client])
    person.client = client
    return person


@pytest.fixture
def remembered_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the session of an access token once, however long the test takes.

    Otherwise the portal checks it again after five seconds, and whenever the database reports that
    people were added, which may be some time after the commit. Each check is one more statement.
    """
    authentication = "app.server.accounts.authentication"
    monkeypatch.setattr(f"{authentication}._CACHE_SECONDS", 600.0)
    monkeypatch.setattr(f"{authentication}.Authentication._note_change", lambda *_: None)
