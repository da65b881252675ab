"""The sidecar's door: only pages that it served itself, in windows that it opened, get in.

Any program of the machine and any web page in any browser can reach a loopback port. Four checks
stand before everything else, on http and on websockets alike:

* ``Host`` is exactly ours, or a name rebound to 127.0.0.1 would make its page "same origin";
* ``Origin`` is ours where it is sent, and it must be sent with everything that can change things;
* ``Sec-Fetch-Site`` is ``same-origin`` where it is sent (``none``: opened by the window itself).
  ``same-site`` is not enough: sites know no ports, so any local server would be let in;
* the launch cookie of an open window, except for what carries no data (static files, hand-over).

Nothing here ever sends a CORS header, so a foreign page could not read an answer either.
"""

from collections.abc import Callable

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.basics.errors import PortalError
from app.contract import messages
from app.desktop.errors import ForeignCaller, LaunchRequired
from app.desktop.launch import Launch

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
# Under "no-referrer" a browser sends a form with "Origin: null". The hand-over is a form, and its
# page's address says nothing.
_HAND_OVER_HEADERS = tuple(
    (name, b"same-origin" if name == b"referrer-policy" else value)
    for name, value in SECURITY_HEADERS
)
_OURS_ALONE = {name for name, _ in SECURITY_HEADERS} | {b"cache-control"}
_CORS = b"access-control-"
_SAFE_METHODS = frozenset({"GET", "HEAD"})


def problem_response(error: PortalError) -> JSONResponse:
    """The RFC 9457 answer of an error."""
    return JSONResponse(
        error.problem(),
        status_code=error.status,
        headers=error.headers,
        media_type="application/problem+json",
    )


def cookie_value(header: bytes, name: bytes) -> str | None:
    """The value of one cookie; ``None`` when it is absent or sent twice."""
    values = [
        pair[len(name) + 1 :]
        for pair in (part.strip() for part in header.split(b";"))
        if pair.startswith(name + b"=")
    ]
    return values[0].decode("latin-1") if len(values) == 1 else None


class Guard:
    """Pure ASGI middleware around the whole sidecar.

    ``is_free`` says which GET paths carry no data and so need no launch cookie.
    """

    def __init__(
        self, app: ASGIApp, *, port: int, launch: Launch, is_free: Callable[[str], bool]
    ) -> None:
        self._app = app
        self._host = f"127.0.0.1:{port}".encode()
        self._origin = b"http://" + self._host
        self._cookie = cookie_name(port).encode()
        self._launch = launch
        self._is_free = is_free

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on with the security headers added to the answer."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if scope["type"] == "websocket":
            if refusal is None:
                await self._app(scope, receive, send)
            else:
                # Closing before accepting answers the handshake itself with 403.
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refusal.code})
            return
        app = self._app if refusal is None else problem_response(refusal)
        await app(scope, receive, _with_headers(scope["path"], send))

    def _refusal(self, scope: Scope) -> PortalError | None:
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
        websocket = scope["type"] == "websocket"
        safe = not websocket and scope["method"] in _SAFE_METHODS
        if hosts != [self._host] or (origins and origins != [self._origin]):
            return ForeignCaller(messages.FOREIGN_CALLER)
        if not safe and not origins:
            return ForeignCaller(messages.FOREIGN_CALLER)
        if sites and sites != [b"same-origin"] and not (safe and sites == [b"none"]):
            return ForeignCaller(messages.FOREIGN_CALLER)
        value = cookie_value(b"; ".join(cookies), self._cookie)
        if value is not None and self._launch.knows(value):
            return None
        path = scope["path"]
        if not websocket and (path == HAND_OVER_PATH or (safe and self._is_free(path))):
            return None
        return LaunchRequired(messages.LAUNCH_REQUIRED)


HAND_OVER_PATH = "/device/launch"


def cookie_name(port: int) -> str:
    """Cookies know no ports, so the name does: another local server's jar can not shadow ours."""
    return f"portal_launch_{port}"


def _with_headers(path: str, send: Send) -> Send:
    static = path.startswith("/assets/")

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                (name, value)
                for name, value in message.get("headers", [])
                if not name.lower().startswith(_CORS)
                and (name.lower() not in _OURS_ALONE or (static and name == b"cache-control"))
            ]
            headers += _HAND_OVER_HEADERS if path == HAND_OVER_PATH else SECURITY_HEADERS
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return wrapped
