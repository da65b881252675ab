"""Middleware for every request: id, log line, metrics, and security headers."""

import re
import time
from functools import lru_cache
from secrets import token_hex

import structlog
from prometheus_client import Counter, Histogram
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.basics.errors import NotFound
from app.basics.paths import is_possible_path
from app.contract import messages
from app.server.problems import build_response, build_unexpected_response
from app.server.request_ids import use_request_id

_log = structlog.get_logger("portal.requests")
_REQUESTS = Counter(
    "portal_requests", "Requests by route and status", ["method", "route", "status"]
)
_SECONDS = Histogram("portal_request_seconds", "Time to answer", ["method", "route"])
_REQUEST_ID = re.compile(r"^[A-Za-z0-9-]{1,64}$")
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


_STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")


class RequestFrame:
    """Pure ASGI middleware; one object for the whole application."""

    def __init__(self, app: ASGIApp, *, uses_tls: bool = False) -> None:
        self._app = app
        self._headers = [*_SAFE_HEADERS, *([_STRICT_TRANSPORT] if uses_tls else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; anything but http passes through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_headers = Headers(scope=scope)
        sent_id = request_headers.get("x-request-id", "")
        request_id = sent_id if _REQUEST_ID.match(sent_id) else token_hex(16)
        scope.setdefault("state", {})["request_id"] = request_id
        started_at = time.perf_counter()
        status = 500

        has_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started, status
            if message["type"] == "http.response.start":
                has_started, status = True, message["status"]
                own_headers = message.get("headers", [])
                # Make a new list: all impossible paths share one answer, so its list would grow.
                headers = [*own_headers, (b"x-request-id", request_id.encode()), *self._headers]
                # Only answers that say so themselves may be stored: files of the UI, and avatars.
                if not any(name.lower() == b"cache-control" for name, _ in own_headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        try:
            with use_request_id(request_id):
                if is_possible_path(scope.get("raw_path") or scope["path"].encode()):
                    await self._app(scope, receive, send_with_headers)
                else:
                    await _answer_not_found(scope, receive, send_with_headers)
        except Exception as error:
            # Do not raise it further: the server would log its text, which may contain a row.
            answer = build_unexpected_response(error, request_id)
            if not has_started:
                await answer(scope, receive, send_with_headers)
        finally:
            _report_request(scope, status, time.perf_counter() - started_at, request_id)


_answer_not_found = build_response(NotFound(messages.NOT_FOUND))


@lru_cache(maxsize=2_048)
def _get_metrics(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Return the counter and the histogram of a route."""
    return _REQUESTS.labels(method, route, status), _SECONDS.labels(method, route)


def _report_request(scope: Scope, status: int, seconds: float, request_id: str) -> None:
    route = scope.get("route")
    # Only the template: a path may contain typed text.
    template = getattr(route, "path", "") or "unmatched"
    requests, times = _get_metrics(scope["method"], template, status)
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
