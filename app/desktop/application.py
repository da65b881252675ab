"""The sidecar as one ASGI application: the guard, then the relay or the device routes."""

import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.basics.errors import (
    BadInput,
    FieldError,
    MethodNotAllowed,
    NotFound,
    PortalError,
    TooLarge,
)
from app.basics.method_not_allowed import MethodNotAllowedRoute
from app.basics.paths import is_possible_path
from app.basics.telemetry import NO_TELEMETRY
from app.basics.version import VERSION
from app.contract import messages
from app.desktop import about, capabilities, diagnostics, portals, preferences, presence
from app.desktop.guard import Guard, build_problem_response, build_window_finder
from app.desktop.hand_over import HandOver
from app.desktop.launch import HAND_OVER_PATH, Launch
from app.desktop.portals import PortalChoice
from app.desktop.preferences import Preferences
from app.desktop.presence import Presence
from app.desktop.printers import endpoints as printer_endpoints
from app.desktop.printers import job_endpoints
from app.desktop.printers.cups import CupsPrinters
from app.desktop.printers.jobs import PrintJobs
from app.desktop.printers.port import Discovery, Kind, PrintPort
from app.desktop.printers.registry import PrinterRegistry
from app.desktop.printers.reports import PrintReports
from app.desktop.printers.search import PrinterSearch
from app.desktop.printers.spooler import find_spooler
from app.desktop.printers.tcp import TcpPrinter
from app.desktop.printers.usb import UsbPrinters
from app.desktop.relay.endpoint import Relay
from app.desktop.relay.paths import PREFIXES
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session, SessionState
from app.desktop.settings import Settings
from app.desktop.static import UserInterface
from app.desktop.vault.choose import choose_vault
from app.desktop.vault.keyring_vault import Backend, find_system_backend
from app.desktop.window import endpoints as window_endpoints
from app.desktop.window.documents import Documents, Opener, open_with_viewer
from app.desktop.window.endpoints import NoWindows, Windows

_DEVICE_BODY_BYTES = 32 * 1024 * 1024
_log = structlog.get_logger("portal.desktop")


@dataclass
class Workstation:
    """The workstation that the app runs on; tests replace single parts.

    Attributes:
        systems: the print systems; None for those of this operating system.
        temporary: the folder of documents for viewers.
        store_state: stores what the next sidecar needs.
    """

    windows: Windows = field(default_factory=NoWindows)
    opener: Opener = open_with_viewer
    keyring: Callable[[], Backend | None] = find_system_backend
    ports: Mapping[Kind, PrintPort] | None = None
    systems: tuple[Discovery, ...] | None = None
    temporary: Path = field(default_factory=lambda: Path(tempfile.gettempdir()))
    reload_settings: Callable[[], Settings] | None = None
    store_state: Callable[[SessionState], None] = lambda _: None
    previous_state: SessionState | None = None


def _find_print_ports(
    station: Workstation, network_printer: TcpPrinter
) -> tuple[Mapping[Kind, PrintPort], tuple[Discovery, ...]]:
    """Return the print ports and printer discovery of this operating system."""
    ports: dict[Kind, PrintPort] = {"tcp": network_printer}
    systems: tuple[Discovery, ...]
    spooler = find_spooler()
    if spooler is not None:
        ports["windows"] = spooler
        systems = (spooler,)
    else:
        cups, usb = CupsPrinters(), UsbPrinters()
        ports |= {"cups": cups, "usb": usb}
        systems = (cups, usb)
    return (
        station.ports if station.ports is not None else ports,
        station.systems if station.systems is not None else systems,
    )


@dataclass(frozen=True)
class DeviceParts:
    """The parts that the device routes need."""

    choice: PortalChoice
    session: Session
    windows: Windows
    preferences: Preferences
    printers: PrinterRegistry
    ports: Mapping[Kind, PrintPort]
    jobs: PrintJobs
    search: PrinterSearch
    documents: Documents
    find_window: Callable[[HTTPConnection], str | None] = lambda _: None


def build_device_routers(parts: DeviceParts) -> tuple[APIRouter, ...]:
    """Return the device routes, in the order of the OpenAPI document."""
    return (
        capabilities.build_routes(parts.choice, parts.session, parts.windows),
        portals.build_routes(parts.choice),
        diagnostics.build_routes(parts.choice, parts.session, parts.windows),
        about.build_routes(),
        preferences.build_routes(parts.preferences),
        presence.build_routes(Presence(), parts.session),
        printer_endpoints.build_routes(parts.printers, parts.ports, parts.search, parts.session),
        job_endpoints.build_routes(parts.printers, parts.jobs),
        window_endpoints.build_routes(parts.windows, parts.documents, parts.find_window),
    )


class Sidecar:
    """All parts of the sidecar; ``asgi`` is the application to serve."""

    def __init__(self, settings: Settings, port: int, launch: Launch, station: Workstation) -> None:
        self._settings = settings
        self._station = station
        self._portal = Portal(settings.portal_url, settings.network)
        self._session = Session(self._portal, station.store_state, station.previous_state)
        documents = Documents(
            self._portal,
            self._session,
            station.temporary,
            station.opener,
            station.windows.choose_file,
        )
        stored_preferences = Preferences(settings.config_dir / "preferences.json")
        network_printer = TcpPrinter(allows_any_address=settings.local_printers)
        ports, systems = _find_print_ports(station, network_printer)
        registry = PrinterRegistry(
            settings.config_dir / "printers.json",
            stored_preferences,
            systems,
            allows_any_address=settings.local_printers,
        )
        self._reports = PrintReports(
            settings.config_dir / "print-reports.json", self._portal, self._session
        )
        self._jobs = PrintJobs(settings.config_dir / "print-jobs.json", ports, self._reports)
        found_printer = TcpPrinter(allows_any_address=settings.local_printers)
        search = PrinterSearch(found_printer, allows_any_address=settings.local_printers)
        self._address_users: tuple[TcpPrinter | PrinterRegistry | PrinterSearch, ...] = (
            network_printer,
            registry,
            found_printer,
            search,
        )
        pages = UserInterface(settings.ui_dir)
        hand_over = HandOver(launch, port)

        self.device = FastAPI(
            title="Lab portal: device routes",
            version=VERSION,
            lifespan=self._lifespan,
            docs_url=None,
            redoc_url=None,
            openapi_url=None,
            telemetry=NO_TELEMETRY,
        )
        _install_error_handlers(self.device)
        self.device.add_route(HAND_OVER_PATH, hand_over.show_page, methods=["GET"])
        self.device.add_route(HAND_OVER_PATH, hand_over.exchange_code, methods=["POST"])
        parts = DeviceParts(
            PortalChoice(
                settings,
                self._portal,
                self._session,
                self._read_corrected_settings if station.reload_settings else None,
            ),
            self._session,
            station.windows,
            stored_preferences,
            registry,
            ports,
            self._jobs,
            search,
            documents,
            find_window=build_window_finder(port, launch),
        )
        routers = build_device_routers(parts)
        for router in routers:
            self.device.include_router(router)
        self.device.router.routes.append(
            MethodNotAllowedRoute(route for router in routers for route in router.routes)
        )
        self.device.add_route("/device/{rest:path}", _raise_not_found, include_in_schema=False)
        self.device.mount("/", pages)
        self.asgi: ASGIApp = Guard(
            _Switch(self.device, Relay(self._portal, self._session)),
            port=port,
            launch=launch,
            needs_no_cookie=pages.has_file,
        )

    def _read_corrected_settings(self) -> Settings:
        assert self._station.reload_settings is not None
        settings = self._station.reload_settings()
        for part in self._address_users:
            part.allows_any_address = settings.local_printers
        return settings

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        await self._session.start(
            await choose_vault(self._station.keyring, self._settings.portal_url or "")
        )
        self._jobs.report_interrupted()
        self._reports.start()
        try:
            yield
        finally:
            await self._jobs.aclose()
            await self._reports.aclose()
            await self._session.aclose()
            await self._portal.aclose()


class _Switch:
    """Sends data calls to the relay and everything else to the device application."""

    def __init__(self, device: ASGIApp, relay: ASGIApp) -> None:
        self._device = device
        self._relay = relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if not is_possible_path(scope.get("raw_path") or scope["path"].encode()):
                answer = build_problem_response(NotFound(messages.NOT_FOUND))
                await answer(scope, receive, send)
                return
            if scope["path"].startswith(PREFIXES):
                await self._relay(scope, receive, send)
                return
            if _is_too_large(scope):
                answer = build_problem_response(TooLarge(messages.BODY_TOO_LARGE))
                await answer(scope, receive, send)
                return
        await self._device(scope, receive, send)


def _is_too_large(scope: Scope) -> bool:
    """Whether the body of a device request exceeds the limit or does not declare its length."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return True
    length = headers.get(b"content-length", b"0")
    return not length.isdigit() or int(length) > _DEVICE_BODY_BYTES


async def _raise_not_found(request: Request) -> Response:
    raise NotFound(messages.NOT_FOUND)


def _install_error_handlers(app: FastAPI) -> None:
    """Answer every error as problem JSON that never repeats a value of the request."""

    async def answer_portal_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, PortalError)
        return build_problem_response(error)

    async def answer_invalid_request(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        problems = error.errors()
        if any(item["type"] == "json_invalid" for item in problems):
            return build_problem_response(BadInput(messages.BODY_NOT_JSON))
        fields = tuple(
            FieldError(
                ".".join(str(part) for part in item["loc"][1:]),
                messages.VALUE_REQUIRED if item["type"] == "missing" else messages.VALUE_INVALID,
            )
            for item in problems
        )
        return build_problem_response(BadInput(messages.VALIDATION_ERROR, errors=fields))

    async def answer_http_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return build_problem_response(NotFound(messages.NOT_FOUND))
        if error.status_code == 405:
            return build_problem_response(MethodNotAllowed(error.headers))
        return build_problem_response(BadInput(messages.VALIDATION_ERROR))

    async def answer_unexpected_error(_: Request, error: Exception) -> Response:
        _log.error("failed", reason=type(error).__name__)
        problem = PortalError(messages.INTERNAL_ERROR)
        problem.status, problem.code = 500, "internal_error"
        return build_problem_response(problem)

    app.add_exception_handler(PortalError, answer_portal_error)
    app.add_exception_handler(RequestValidationError, answer_invalid_request)
    app.add_exception_handler(HTTPException, answer_http_error)
    app.add_exception_handler(Exception, answer_unexpected_error)


def build_device_openapi() -> dict[str, object]:
    """Return the OpenAPI document of the device routes (``shared/api/device.openapi.json``)."""
    app = FastAPI(title="Lab portal: device routes", version="1")
    portal = Portal("http://127.0.0.1:1")
    session = Session(portal)
    stored_preferences = Preferences(Path("preferences.json"))
    registry = PrinterRegistry(Path("printers.json"), stored_preferences)
    documents = Documents(portal, session, Path())
    jobs = PrintJobs(Path("print-jobs.json"), {})
    search = PrinterSearch(TcpPrinter(), allows_any_address=False)
    settings = Settings(None, Path(), Path())
    choice = PortalChoice(settings, portal, session)
    parts = DeviceParts(
        choice, session, NoWindows(), stored_preferences, registry, {}, jobs, search, documents
    )
    for router in build_device_routers(parts):
        app.include_router(router)
    return app.openapi()
