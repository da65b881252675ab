"""The portal over this worker's database, called in-process."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.server import logs
from app.server.accounts.passwords import Passwords
from app.server.main import build
from app.server.settings import Settings
from tests.server.world import PASSWORD, Person, World


@pytest.fixture(scope="session")
async def portal_app(
    app_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[FastAPI]:
    """The running application."""
    logs.configure("ERROR")
    data: Path = tmp_path_factory.mktemp("data")
    app = build(Settings(data_dir=data, read_pool_size=4, write_pool_size=6), app_url)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture(scope="session")
async def http(portal_app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client whose requests reach the application without a network."""
    transport = httpx.ASGITransport(portal_app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as client:
        yield client


@pytest.fixture(scope="session")
def password_hash() -> str:
    """One hash for all test people; hashing is slow on purpose."""
    return Passwords().hash_now(PASSWORD)


@pytest.fixture
def world(owner_url: str, http: httpx.AsyncClient, password_hash: str) -> World:
    """A maker of records and people."""
    return World(owner_url, http, password_hash)


@pytest.fixture
async def nurse(world: World) -> Person:
    """Client staff; ``nurse.client`` is the client."""
    client = world.client()
    person = await world.person("Client Basic", client_ids=[client])
    person.client = client
    return person
