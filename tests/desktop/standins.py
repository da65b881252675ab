"""Stand-ins of the desktop tests: a portal and a label printer."""

import asyncio
import base64
import contextlib
import gzip
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from tests.standins.certificates import Certificate

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 40
USER = {"id": "8a6e0804-2bd0-4672-b79d-d97027f9071a", "firstName": "ADA", "role": "Laboratory"}
OTHER_LOGIN = "superuser@demo.lab"
OTHER_USER = {"id": "1f0c1f9e-6a0c-4b53-9d6c-3f5f0f6d2a10", "firstName": "BEA", "role": "Superuser"}
BACKGROUND = (0x1F, 0x4B, 0x3F)
MARK = (0xE0, 0x7A, 0x2B)


def open_listener() -> socket.socket:
    """Open a listening loopback socket on a port that the system chooses."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", 0))
    server.listen(64)
    return server


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until a condition holds; fail after a time limit."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition never came true"
        time.sleep(0.02)


@contextmanager
def serve_app(
    app: ASGIApp, on: socket.socket | None = None, *, certificate: Certificate | None = None
) -> Iterator[str]:
    """Run an ASGI app on loopback in a thread, perhaps with TLS, and yield its address."""
    sock = on or open_listener()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
        ssl_certfile=certificate and certificate.authority,
        ssl_keyfile=certificate and certificate.key,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        scheme = "http" if certificate is None else "https"
        yield f"{scheme}://127.0.0.1:{sock.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(5)
        sock.close()


class StandInPortal:
    """A portal with the routes that the relay needs; records its calls."""

    def __init__(self) -> None:
        self.calls: list[dict[str, object]] = []
        self.access_tokens: set[str] = set()
        self.refresh_tokens: set[str] = set()
        self.users: dict[str, dict[str, str]] = {}
        self.ended_sessions: list[str] = []
        self.refresh_count = 0
        self.token_seconds = 300
        self.refresh_delay = 0.0
        self.streams_open = 0
        all_methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
        self.app = Starlette(
            routes=[
                Route("/capabilities", self._send_capabilities),
                Route("/auth/login", self._sign_in, methods=["POST"]),
                Route("/auth/jwt/refresh", self._renew, methods=["POST"]),
                Route("/auth/jwt/validate", self._validate),
                Route("/auth/logout", self._sign_out, methods=["POST"]),
                Route("/api/open", self._echo_to_anybody),
                Route("/api/events", self._send_events),
                Route("/api/broken", self._break_off),
                Route("/api/large", self._send_large),
                Route("/api/away", self._redirect_away),
                Route("/api/sideways", self._redirect_with_two_slashes),
                Route("/auth/nested", self._send_nested_tokens),
                Route("/auth/compressed", self._send_compressed_tokens),
                Route("/api/report", self._send_report),
                Route("/api/program", self._send_program),
                Route("/api/empty", self._send_empty),
                Route("/api/{rest:path}", self._echo, methods=all_methods),
            ]
        )

    async def _send_nested_tokens(self, request: Request) -> Response:
        """Send a future answer with tokens where the sidecar does not expect them."""
        return JSONResponse({"user": {"token": "secret", "sessions": [{"refreshToken": "secret"}]}})

    async def _send_compressed_tokens(self, request: Request) -> Response:
        """Send an answer that a proxy compressed, although the sidecar accepts no such answer."""
        tokens = json.dumps(self._mint_tokens(USER)).encode()
        return Response(gzip.compress(tokens), headers={"Content-Encoding": "gzip"})

    def _record_call(self, request: Request, body: bytes = b"") -> dict[str, object]:
        note: dict[str, object] = {
            "method": request.method,
            "path": request.scope["raw_path"].decode(),
            "query": request.url.query,
            "headers": [[k.decode(), v.decode("latin-1")] for k, v in request.headers.raw],
            "length": len(body),
            "body": body.decode("latin-1") if len(body) < 4096 else None,
        }
        self.calls.append(note)
        return note

    def _mint_tokens(self, user: dict[str, str]) -> dict[str, object]:
        now = int(time.time())
        claims = json.dumps(
            {"iat": now, "exp": now + self.token_seconds, "n": secrets.token_hex(4)}
        )
        payload = base64.urlsafe_b64encode(claims.encode()).decode().rstrip("=")
        token, refresh = f"head.{payload}.tail", secrets.token_urlsafe(24)
        self.access_tokens.add(token)
        self.refresh_tokens.add(refresh)
        self.users[refresh] = user
        return {"token": token, "refreshToken": refresh, "user": user}

    def _is_signed_in(self, request: Request) -> bool:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        return kind == "JWT" and token in self.access_tokens

    @staticmethod
    def _build_problem(status: int, detail: str) -> JSONResponse:
        return JSONResponse(
            {"status": status, "detail": detail, "code": "x", "errors": []},
            status,
            media_type="application/problem+json",
        )

    async def _send_capabilities(self, request: Request) -> Response:
        return JSONResponse({"host": "server", "lab": {"title": "Invented Lab", "logo": None}})

    async def _sign_in(self, request: Request) -> Response:
        body = await request.body()
        self._record_call(request, body)
        if json.loads(body)["password"] != "Portal-2026!":
            return self._build_problem(404, "Incorrect email and/or password.")
        is_other = json.loads(body)["loginId"] == OTHER_LOGIN
        answer = JSONResponse(self._mint_tokens(OTHER_USER if is_other else USER))
        answer.set_cookie("portal_refresh", "must-not-reach-the-page", path="/auth")
        return answer

    async def _renew(self, request: Request) -> Response:
        body = await request.body()
        self._record_call(request, body)
        self.refresh_count += 1
        await asyncio.sleep(self.refresh_delay)
        token = json.loads(body or b"{}").get("refreshToken")
        if token not in self.refresh_tokens:
            return self._build_problem(401, "Your session expired. You must login to continue.")
        self.refresh_tokens.discard(token)
        return JSONResponse(self._mint_tokens(self.users[token]))

    async def _validate(self, request: Request) -> Response:
        if not self._is_signed_in(request):
            return self._build_problem(401, "no")
        return JSONResponse({"user": USER})

    async def _sign_out(self, request: Request) -> Response:
        token = json.loads(await request.body() or b"{}").get("refreshToken", "")
        self.refresh_tokens.discard(token)
        self.ended_sessions.append(token)
        return Response(status_code=204)

    async def _echo_to_anybody(self, request: Request) -> Response:
        return JSONResponse(self._record_call(request))

    async def _echo(self, request: Request) -> Response:
        body = await request.body()
        note = self._record_call(request, body)
        if not self._is_signed_in(request):
            return self._build_problem(401, "no")
        answer = JSONResponse(note, headers={"ETag": '"7"', "X-Passed-On": "yes"})
        answer.set_cookie("spy", "1")
        answer.headers["Refresh"] = "0; url=http://elsewhere.invalid/steal"
        answer.headers["Access-Control-Allow-Origin"] = "*"
        return answer

    async def _send_events(self, request: Request) -> Response:
        async def yield_pieces():
            self.streams_open += 1
            try:
                for number in range(10_000):
                    yield f"data: {number}\n\n".encode()
                    await asyncio.sleep(0.2)
            finally:
                self.streams_open -= 1

        return StreamingResponse(yield_pieces(), media_type="text/event-stream")

    async def _break_off(self, request: Request) -> Response:
        async def yield_pieces():
            yield b"x" * 1000
            raise ConnectionAbortedError

        length = {"Content-Length": request.query_params.get("length", "5000000")}
        return StreamingResponse(yield_pieces(), headers=length)

    async def _send_large(self, request: Request) -> Response:
        async def yield_pieces():
            for _ in range(64):
                yield b"\x5a" * 65_536

        return StreamingResponse(yield_pieces(), media_type="application/octet-stream")

    async def _redirect_away(self, request: Request) -> Response:
        return RedirectResponse("http://elsewhere.invalid/steal")

    async def _redirect_with_two_slashes(self, request: Request) -> Response:
        return RedirectResponse(f"http://{request.url.netloc}//elsewhere.invalid/steal")

    async def _send_report(self, request: Request) -> Response:
        if not self._is_signed_in(request):
            return self._build_problem(401, "no")
        return Response(PDF, media_type="application/pdf")

    async def _send_empty(self, request: Request) -> Response:
        return Response(b"", media_type="application/pdf")

    async def _send_program(self, request: Request) -> Response:
        return Response(b"MZ", media_type="application/x-msdownload")


class StandInPrinter:
    """A raw port-9100 printer that stores its jobs and can stop reading."""

    def __init__(self, *, stalls: bool = False, resets_after: int | None = None) -> None:
        self.jobs: list[bytes] = []
        self.first_byte_at = self.last_byte_at = 0.0
        self.finished = threading.Event()
        self._stalls = stalls
        self._resets_after = resets_after
        self._socket = open_listener()
        if stalls:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.port: int = self._socket.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._open.append(connection)
            if not self._stalls:
                threading.Thread(target=self._read, args=(connection,), daemon=True).start()

    def _read(self, connection: socket.socket) -> None:
        # The printer may be switched off meanwhile.
        with contextlib.suppress(OSError):
            self._store_job(connection)

    def _store_job(self, connection: socket.socket) -> None:
        data = b""
        while part := connection.recv(65_536):
            if not data:
                self.first_byte_at = time.perf_counter()
            self.last_byte_at = time.perf_counter()
            data += part
            if self._resets_after is not None and len(data) >= self._resets_after:
                linger = b"\x01\0\0\0\0\0\0\0"
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                connection.close()
                return
        connection.close()
        # The printer ignores the query of its status. A connection may send nothing else.
        labels = data.removeprefix(b"~HS\r\n")
        if labels or not data:
            self.jobs.append(labels)
            self.finished.set()

    def wait_for_jobs(self, count: int = 1) -> list[bytes]:
        """Return all jobs as soon as there are ``count``.

        The sender can finish before the printer's thread has stored what arrived.
        """
        wait_for(lambda: len(self.jobs) >= count)
        return self.jobs

    def close(self) -> None:
        """Switch the printer off."""
        with contextlib.suppress(OSError):
            # After a close alone, the waiting accept() would accept one more connection.
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for connection in self._open:
            connection.close()


def write_ui(folder: Path) -> Path:
    """Write a stand-in for the built user interface: one page in known colors."""
    (folder / "assets").mkdir(parents=True)
    back, mark = ("#{:02x}{:02x}{:02x}".format(*color) for color in (BACKGROUND, MARK))
    (folder / "index.html").write_text(
        '<!doctype html><html><head><meta charset="utf-8"><title>Sign in</title>'
        '<link rel="stylesheet" href="/assets/look-1a2b3c.css">'
        '<script defer src="/assets/page-4d5e6f.js"></script></head>'
        '<body><div class="mark"></div><form><input name="loginId"></form></body></html>'
    )
    (folder / "assets/look-1a2b3c.css").write_text(
        f"html{{height:100%;background:{back}}}"
        f".mark{{width:240px;height:240px;margin:80px auto;background:{mark}}}"
        ".loaded .mark{border-radius:120px}"
    )
    (folder / "assets/page-4d5e6f.js").write_text(
        "fetch('/capabilities').then(r => r.json()).then(c => {"
        "document.documentElement.classList.add('loaded'); document.title = c.host;"
        "fetch('/device/preferences/seen.' + location.pathname.replace(/[^a-z]/g, ''),"
        "{method:'PUT',headers:{'Content-Type':'application/json'},"
        "body:JSON.stringify({value:[c.host, document.cookie, location.href.includes('code')]})})"
        "});"
        "fetch('/device/preferences').then(r => r.json()).then(p => {"
        "if (p['open.second'] && location.pathname === '/') fetch('/device/windows',"
        "{method:'POST',headers:{'Content-Type':'application/json'},"
        "body:JSON.stringify({path:'/second'})})});"
    )
    (folder / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    return folder
