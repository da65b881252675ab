"""The composition root of the hosted portal: settings -> database -> slices -> FastAPI."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.routing import BaseRoute

from app.basics.method_not_allowed import MethodNotAllowedRoute
from app.basics.telemetry import NO_TELEMETRY
from app.basics.version import VERSION
from app.server import pages, problems, ui_files
from app.server.accounts.passwords import Passwords
from app.server.accounts.second_factors import SecondFactorKey
from app.server.accounts.storage_keys import StorageKeys
from app.server.accounts.tokens import Tokens
from app.server.addresses.plus4 import build_address_service
from app.server.database.pools import Database
from app.server.keys import KeyFolder
from app.server.lab_settings.zone import apply_time_zone, follow_time_zone
from app.server.middleware import RequestFrame
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.portal import Portal
from app.server.route_index import RouteIndex
from app.server.settings import Settings
from app.server.slices import SLICES

_SWITCH_SECONDS = 0.0005
"""Seconds after which a busy thread lets the next one run, so that requests wait less (ADR 54)."""


def build_portal(settings: Settings, app_url: str) -> Portal:
    """Build the portal over a migrated database.

    ``app_url`` is the database URL of the application's login, which owns no table.
    """
    keys = KeyFolder(settings.data_dir / "keys")
    database = Database(
        app_url, read_size=settings.read_pool_size, write_size=settings.write_pool_size
    )
    address_key = settings.address_service_key
    return Portal(
        settings,
        database,
        Tokens(keys),
        Passwords(),
        SocialSecurityNumbers(keys),
        StorageKeys(keys),
        keys.load_cipher("answers.key"),
        SecondFactorKey(keys.load_secret("second-factor.key")),
        build_address_service(
            settings.address_service_url,
            address_key.get_secret_value() if address_key else None,
            settings.address_service_seconds,
        ),
    )


def build_app(settings: Settings, app_url: str) -> FastAPI:
    """Build the application over a migrated database."""
    portal = build_portal(settings, app_url)
    database = portal.database

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        sys.setswitchinterval(_SWITCH_SECONDS)
        await database.open()
        await apply_time_zone(portal)
        tasks = [
            asyncio.create_task(portal.changes.run()),
            asyncio.create_task(portal.authentication.follow_changes()),
            asyncio.create_task(follow_time_zone(portal)),
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await portal.addresses.close()
            await portal.senders.close()
            await portal.drawing_pool.close()
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
    problems.install_error_handlers(app)
    routes = _sort_routes()
    app.router.routes.extend([RouteIndex(routes), *routes, MethodNotAllowedRoute(routes)])
    ui_files.install_ui(app, settings.ui_dir)
    app.add_middleware(RequestFrame, uses_tls=settings.uses_tls)
    return app


def _sort_routes() -> list[BaseRoute]:
    """Sort the routes of all slices: list pages, other fixed paths, paths with parameters.

    This way 'receive' never matches as an id, and list pages match without trying dozens of other
    paths.
    """

    def rank(route: BaseRoute) -> tuple[bool, bool]:
        path = getattr(route, "path", "")
        return "{" in path, not path.endswith("/remote-operations")

    routers = [*(router for slice_ in SLICES for router in slice_.routers), pages.router]
    return sorted((route for router in routers for route in router.routes), key=rank)
