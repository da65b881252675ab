"""The hosted portal's composition root: settings -> database -> slices -> FastAPI."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.routing import BaseRoute

from app.basics.telemetry import NO_TELEMETRY
from app.basics.version import VERSION
from app.server import pages, problems
from app.server.accounts.passwords import Passwords
from app.server.accounts.storage_keys import StorageKeys
from app.server.accounts.tokens import Tokens
from app.server.addresses.plus4 import build_address_service
from app.server.database.pools import Database
from app.server.keys import KeyFolder
from app.server.middleware import RequestFrame
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.portal import Portal
from app.server.settings import Settings
from app.server.slices import SLICES


def portal_of(settings: Settings, app_url: str) -> Portal:
    """The portal's parts over a migrated database; ``app_url`` is the application login's URL."""
    keys = KeyFolder(settings.data_dir / "keys")
    database = Database(
        app_url, read_size=settings.read_pool_size, write_size=settings.write_pool_size
    )
    key = settings.address_service_key
    return Portal(
        settings,
        database,
        Tokens(keys),
        Passwords(),
        SocialSecurityNumbers(keys),
        StorageKeys(keys),
        keys.cipher("answers.key"),
        build_address_service(
            settings.address_service_url,
            key.get_secret_value() if key else None,
            settings.address_service_seconds,
        ),
    )


def build(settings: Settings, app_url: str) -> FastAPI:
    """The application over a migrated database; ``app_url`` is the application login's URL."""
    portal = portal_of(settings, app_url)
    database = portal.database

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await database.open()
        following = asyncio.create_task(portal.changes.run())
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            await portal.addresses.close()
            await portal.senders.close()
            await database.close()

    app = FastAPI(
        title="Lab portal",
        version=VERSION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        telemetry=NO_TELEMETRY,
    )
    app.state.portal = portal
    problems.install(app)
    app.router.routes.extend(_routes())
    pages.install_ui(app, settings.ui_dir)
    app.add_middleware(RequestFrame)
    return app


def _routes() -> list[BaseRoute]:
    """The routes of all slices: list pages, then other whole paths, so that 'receive' is never
    read as an id and a page does not wait while dozens of other paths are tried."""

    def place(route: BaseRoute) -> tuple[bool, bool]:
        path = getattr(route, "path", "")
        return "{" in path, not path.endswith("/remote-operations")

    routers = [*(router for each in SLICES for router in each.routers), pages.router]
    return sorted((route for router in routers for route in router.routes), key=place)
