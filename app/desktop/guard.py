"""Admits only requests from the sidecar's own pages in windows that it opened.

Every program and every web page on the machine can reach a loopback port. Four checks precede
everything else, on HTTP and websockets alike:

* ``Host`` must be exactly ours. Otherwise the page of a name rebound to 127.0.0.1 would be "same
  origin".
* ``Origin`` must be ours if it is sent, and it must be sent with every request that can change
  state.
* ``Sec-Fetch-Site`` must be ``same-origin`` if it is sent (or ``none``: opened by the window).
  ``same-site`` is not enough, because it ignores ports and would admit any local server.
* The launch cookie of an open window is required, except for static files and the hand-over.

The sidecar never sends a CORS header, so a foreign page could not read an answer either.
"""

from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.basics.errors import PortalError
from app.contract import messages
from app.desktop.errors import ForeignCaller, LaunchRequired
from app.desktop.launch import HAND_OVER_PATH, Launch

_CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "media-src 'self' blob:",
        "worker-src 'self'",
        "manifest-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", _CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=()"),
)
# Under "no-referrer" a browser sends forms with "Origin: null". The hand-over is a form, and the
# address of its page is not secret.
_HAND_OVER_HEADERS = tuple(
    (name, b"same-origin" if name == b"referrer-policy" else value)
    for name, value in SECURITY_HEADERS
)
_OWN_HEADERS = {name for name, _ in SECURITY_HEADERS} | {b"cache-control"}
_CORS = b"access-control-"
_SAFE_METHODS = frozenset({"GET", "HEAD"})


def build_problem_response(error: PortalError) -> JSONResponse:
    """Build the RFC 9457 answer of an error."""
    return JSONResponse(
        error.build_problem(),
        status_code=error.status,
        headers=error.headers,
        media_type="application/problem+json",
    )


def parse_cookie(header: bytes, name: bytes) -> str | None:
    """Return the value of a cookie; ``None`` if it is absent or sent twice."""
    values = [
        pair[len(name) + 1 :]
        for pair in (part.strip() for part in header.split(b";"))
        if pair.startswith(name + b"=")
    ]
    return values[0].decode("latin-1") if len(values) == 1 else None


class Guard:
    """ASGI middleware around the whole sidecar.

    ``needs_no_cookie`` returns whether a GET of a path returns no data, so that it is answered
    without a launch cookie.
    """

    def __init__(
        self, app: ASGIApp, *, port: int, launch: Launch, needs_no_cookie: Callable[[str], bool]
    ) -> None:
        self._app = app
        self._host = f"127.0.0.1:{port}".encode()
        self._origin = b"http://" + self._host
        self._cookie = get_cookie_name(port).encode()
        self._launch = launch
        self._needs_no_cookie = needs_no_cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Deny the request, or forward it and add the security headers to the answer."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        denial = self._judge(scope)
        if scope["type"] == "websocket":
            if denial is None:
                await self._app(scope, receive, send)
            else:
                # Closing before accepting answers the handshake with 403.
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": denial.code})
            return
        app = self._app if denial is None else build_problem_response(denial)
        await app(scope, receive, _add_headers(scope["path"], send))

    def _judge(self, scope: Scope) -> PortalError | None:
        hosts: list[bytes] = []
        origins: list[bytes] = []
        sites: list[bytes] = []
        cookies: list[bytes] = []
        for name, value in scope["headers"]:
            if name == b"host":
                hosts.append(value)
            elif name == b"origin":
                origins.append(value)
            elif name == b"sec-fetch-site":
                sites.append(value)
            elif name == b"cookie":
                cookies.append(value)
        is_websocket = scope["type"] == "websocket"
        is_safe = not is_websocket and scope["method"] in _SAFE_METHODS
        if hosts != [self._host] or (origins and origins != [self._origin]):
            return ForeignCaller(messages.FOREIGN_CALLER)
        if not is_safe and not origins:
            return ForeignCaller(messages.FOREIGN_CALLER)
        if sites and sites != [b"same-origin"] and not (is_safe and sites == [b"none"]):
            return ForeignCaller(messages.FOREIGN_CALLER)
        value = parse_cookie(b"; ".join(cookies), self._cookie)
        if value is not None and self._launch.find_window(value) is not None:
            return None
        path = scope["path"]
        if not is_websocket and (
            path == HAND_OVER_PATH or (is_safe and self._needs_no_cookie(path))
        ):
            return None
        return LaunchRequired(messages.LAUNCH_REQUIRED)


def get_cookie_name(port: int) -> str:
    """Return a name with the port, because cookies of all local servers share one jar."""
    return f"portal_launch_{port}"


def build_window_finder(port: int, launch: Launch) -> Callable[[HTTPConnection], str | None]:
    """Return a function that returns the window whose page sends a request."""
    name = get_cookie_name(port)

    def find_window(request: HTTPConnection) -> str | None:
        value = parse_cookie(request.headers.get("cookie", "").encode("latin-1"), name.encode())
        return launch.find_window(value) if value is not None else None

    return find_window


def _add_headers(path: str, send: Send) -> Send:
    is_static = path.startswith("/assets/")

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                (name, value)
                for name, value in message.get("headers", [])
                if not name.lower().startswith(_CORS)
                and (name.lower() not in _OWN_HEADERS or (is_static and name == b"cache-control"))
            ]
            headers += _HAND_OVER_HEADERS if path == HAND_OVER_PATH else SECURITY_HEADERS
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return send_with_headers
