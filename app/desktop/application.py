"""The sidecar as one ASGI application: guard, then relay or the workstation's own routes."""

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.basics.errors import BadInput, FieldError, NotFound, PortalError, TooLarge
from app.basics.telemetry import NO_TELEMETRY
from app.basics.version import VERSION
from app.contract import messages
from app.desktop import capabilities, preferences, presence
from app.desktop.guard import HAND_OVER_PATH, Guard, problem_response
from app.desktop.hand_over import HandOver
from app.desktop.launch import Launch
from app.desktop.preferences import Preferences
from app.desktop.presence import Presence
from app.desktop.printers import endpoints as printing
from app.desktop.printers.cups import CupsPrinters
from app.desktop.printers.port import Discovery, Kind, PrintPort
from app.desktop.printers.registry import PrinterRegistry
from app.desktop.printers.spooler import system_spooler
from app.desktop.printers.tcp import TcpPrinter
from app.desktop.relay.endpoint import PREFIXES, Relay
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session
from app.desktop.settings import Settings
from app.desktop.static import UserInterface
from app.desktop.vault.choose import choose_vault
from app.desktop.vault.keyring_vault import Backend, system_backend
from app.desktop.window import endpoints as leaving
from app.desktop.window.documents import Documents, Opener, open_with_viewer
from app.desktop.window.endpoints import NoWindows, Windows

_DEVICE_BODY_BYTES = 32 * 1024 * 1024
_DEVICE_PATHS = ("/device/", "/capabilities")
_log = structlog.get_logger("portal.desktop")


@dataclass
class Workstation:
    """What a start of the app stands on; tests exchange single parts."""

    windows: Windows = field(default_factory=NoWindows)
    opener: Opener = open_with_viewer
    keyring: Callable[[], Backend | None] = system_backend
    ports: Mapping[Kind, PrintPort] | None = None
    systems: tuple[Discovery, ...] | None = None
    temporary: Path | None = None


def _printing(station: Workstation) -> tuple[Mapping[Kind, PrintPort], tuple[Discovery, ...]]:
    """The ways to print that this operating system has."""
    ports: dict[Kind, PrintPort] = {"tcp": TcpPrinter()}
    systems: tuple[Discovery, ...]
    spooler = system_spooler()
    if spooler is not None:
        ports["windows"], systems = spooler, (spooler,)
    else:
        cups = CupsPrinters()
        ports["cups"], systems = cups, (cups,)
    return (
        station.ports if station.ports is not None else ports,
        station.systems if station.systems is not None else systems,
    )


@dataclass(frozen=True)
class DeviceParts:
    """What the device routes work with."""

    portal: Portal
    session: Session
    windows: Windows
    preferences: Preferences
    printers: PrinterRegistry
    ports: Mapping[Kind, PrintPort]
    documents: Documents


def device_routers(parts: DeviceParts) -> tuple[APIRouter, ...]:
    """The routes of the workstation itself, in the order in which the document names them."""
    return (
        capabilities.routes(parts.portal, parts.session, parts.windows),
        preferences.routes(parts.preferences),
        presence.routes(Presence(), parts.session),
        printing.routes(parts.printers, parts.ports),
        leaving.routes(parts.windows, parts.documents),
    )


class Sidecar:
    """Every part of the sidecar, wired; ``asgi`` is what the server runs."""

    def __init__(self, settings: Settings, port: int, launch: Launch, station: Workstation) -> None:
        self._settings = settings
        self._station = station
        self._portal = Portal(settings.portal_url)
        self._session = Session(self._portal)
        self._documents = Documents(self._portal, self._session, station.opener, station.temporary)
        kept = Preferences(settings.config_dir / "preferences.json")
        ports, systems = _printing(station)
        registry = PrinterRegistry(settings.config_dir / "printers.json", kept, systems)
        pages = UserInterface(settings.ui_dir)
        hand_over = HandOver(launch, port)

        self.device = FastAPI(
            title="Lab portal: device routes",
            version=VERSION,
            lifespan=self._life,
            docs_url=None,
            redoc_url=None,
            openapi_url=None,
            telemetry=NO_TELEMETRY,
        )
        _install_problems(self.device)
        self.device.add_route(HAND_OVER_PATH, hand_over.page, methods=["GET"])
        self.device.add_route(HAND_OVER_PATH, hand_over.exchange, methods=["POST"])
        parts = DeviceParts(
            self._portal, self._session, station.windows, kept, registry, ports, self._documents
        )
        for router in device_routers(parts):
            self.device.include_router(router)
        self.device.add_route("/device/{rest:path}", _nothing, include_in_schema=False)
        self.device.mount("/", pages)
        self.asgi: ASGIApp = Guard(
            _Switch(self.device, Relay(self._portal, self._session)),
            port=port,
            launch=launch,
            is_free=pages.holds,
        )

    @contextlib.asynccontextmanager
    async def _life(self, _: FastAPI) -> AsyncIterator[None]:
        vault, lock = await choose_vault(
            self._station.keyring, self._settings.portal_url, self._settings.config_dir
        )
        await self._session.start(vault)
        try:
            yield
        finally:
            await self._session.aclose()
            await self._portal.aclose()
            self._documents.close()
            if lock is not None:
                lock.release()


class _Switch:
    """Data calls go to the relay, everything else stays here."""

    def __init__(self, device: ASGIApp, relay: ASGIApp) -> None:
        self._device = device
        self._relay = relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if scope["path"].startswith(PREFIXES):
                await self._relay(scope, receive, send)
                return
            if _too_large(scope):
                answer = problem_response(TooLarge(messages.BODY_TOO_LARGE))
                await answer(scope, receive, send)
                return
        await self._device(scope, receive, send)


def _too_large(scope: Scope) -> bool:
    """Whether a body for ourselves is longer than any of ours, or does not say how long it is."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return True
    length = headers.get(b"content-length", b"0")
    return not length.isdigit() or int(length) > _DEVICE_BODY_BYTES


async def _nothing(request: Request) -> Response:
    raise NotFound(messages.NOT_FOUND)


def _install_problems(app: FastAPI) -> None:
    """Every failure as problem JSON; what was sent is never repeated in it."""

    async def portal_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, PortalError)
        return problem_response(error)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        found = error.errors()
        if any(item["type"] == "json_invalid" for item in found):
            return problem_response(BadInput(messages.BODY_NOT_JSON))
        fields = tuple(
            FieldError(
                ".".join(str(part) for part in item["loc"][1:]),
                messages.VALUE_REQUIRED if item["type"] == "missing" else messages.VALUE_INVALID,
            )
            for item in found
        )
        return problem_response(BadInput(messages.VALIDATION_ERROR, errors=fields))

    async def http_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        problem = NotFound(messages.NOT_FOUND)
        problem.headers = dict(error.headers or {})
        if error.status_code not in (404, 405):
            return problem_response(BadInput(messages.VALIDATION_ERROR))
        return problem_response(problem)

    async def crash(_: Request, error: Exception) -> Response:
        _log.error("failed", reason=type(error).__name__)
        problem = PortalError(messages.INTERNAL_ERROR)
        problem.status, problem.code = 500, "internal_error"
        return problem_response(problem)

    app.add_exception_handler(PortalError, portal_error)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(Exception, crash)


def device_openapi() -> dict[str, object]:
    """The OpenAPI document of the device routes (``shared/api/device.openapi.json``)."""
    app = FastAPI(title="Lab portal: device routes", version="1")
    portal = Portal("http://127.0.0.1:1")
    session = Session(portal)
    kept = Preferences(Path("preferences.json"))
    registry = PrinterRegistry(Path("printers.json"), kept)
    documents = Documents(portal, session)
    parts = DeviceParts(portal, session, NoWindows(), kept, registry, {}, documents)
    for router in device_routers(parts):
        app.include_router(router)
    return app.openapi()
