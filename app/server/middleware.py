"""Around every request: an id, a log line without personal data, metrics, safe headers, a limit."""

import re
import time
from functools import lru_cache
from uuid import uuid4

import structlog
from prometheus_client import Counter, Histogram
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.basics.errors import TooLarge
from app.contract import messages
from app.server.problems import response_of, unexpected

BODY_MAX_BYTES = 40 * 1024 * 1024
_log = structlog.get_logger("portal.requests")
_REQUESTS = Counter(
    "portal_requests", "Requests by route and status", ["method", "route", "status"]
)
_SECONDS = Histogram("portal_request_seconds", "Time to answer", ["method", "route"])
_REQUEST_ID = re.compile(r"^[A-Za-z0-9-]{1,64}$")
_PRIVATE_PREFIXES = ("/api", "/auth", "/voice", "/analyzer", "/fhir", "/device")
_PAGE_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self' data:; object-src 'none'; "
    "frame-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

_SAFE_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(self)"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"content-security-policy", _PAGE_POLICY.encode()),
]


class RequestFrame:
    """Pure ASGI middleware; one object for the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; anything but http passes through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        given = asked.get("x-request-id", "")
        request_id = given if _REQUEST_ID.match(given) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        started = time.perf_counter()
        status = 500

        begun = False

        async def send_framed(message: Message) -> None:
            nonlocal begun, status
            if message["type"] == "http.response.start":
                begun, status = True, message["status"]
                headers = message.setdefault("headers", [])
                headers.append((b"x-request-id", request_id.encode()))
                headers.extend(_SAFE_HEADERS)
                if scope["path"].startswith(_PRIVATE_PREFIXES):
                    headers.append((b"cache-control", b"no-store"))
            await send(message)

        limited = _Limited(receive)
        length = asked.get("content-length", "0")
        try:
            if not length.isdigit() or int(length) > BODY_MAX_BYTES:
                await response_of(TooLarge(messages.BODY_TOO_LARGE))(scope, receive, send_framed)
            else:
                await self._app(scope, limited, send_framed)
        except Exception as error:
            # It ends here: whoever is above would log it with its text, which may hold a row.
            answer = unexpected(error, request_id)
            if not begun:
                await answer(scope, receive, send_framed)
        finally:
            _report(scope, status, time.perf_counter() - started, request_id)


class _Limited:
    """A receive that stops a body without a declared length at the limit."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._taken = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._taken += len(message.get("body", b""))
            if self._taken > BODY_MAX_BYTES:
                # The one kind of error that FastAPI lets through while it reads a body.
                raise HTTPException(413)
        return message


@lru_cache(maxsize=2_048)
def _measures(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """What counts the requests of a route and holds their times."""
    return _REQUESTS.labels(method, route, status), _SECONDS.labels(method, route)


def _report(scope: Scope, status: int, seconds: float, request_id: str) -> None:
    route = scope.get("route")
    # The template only: a path may hold what a person typed.
    template = getattr(route, "path", "") or "unmatched"
    requests, times = _measures(scope["method"], template, status)
    requests.inc()
    times.observe(seconds)
    actor = scope.get("state", {}).get("actor")
    _log.info(
        "request",
        method=scope["method"],
        route=template,
        status=status,
        ms=round(seconds * 1000, 1),
        request_id=request_id,
        user_id=(actor.user_text or None) if actor else None,
        role=str(actor.role) if actor and actor.role else None,
    )
