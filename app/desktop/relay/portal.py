"""The HTTP client of the hosted portal; one instance for the app's life."""

import asyncio
import importlib.util
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from types import ModuleType
from typing import cast

import httpcore
import httpx
import structlog

from app.contract import messages
from app.desktop.errors import Cause, PortalUnreachable, SettingsError
from app.desktop.relay.causes import classify_error, raise_proxy_error
from app.desktop.relay.paths import is_plain_path
from app.desktop.relay.proxies import build_proxy, describe_proxy, find_proxy
from app.desktop.relay.trust import build_ssl_context
from app.desktop.settings import Network

if importlib.util.find_spec("sniffio") is None:
    # httpcore tries to import it several times per call, and Python does not remember failures:
    # the searches of ``sys.path`` take 0.4 ms. ``None`` makes the import fail at once.
    sys.modules["sniffio"] = cast(ModuleType, None)

# Below uvicorn's keep-alive of 5 s, so that no connection is reused while the portal closes it.
_KEEPALIVE_SECONDS = 4.0
_TIMEOUT = {"connect": 5.0, "read": 120.0, "write": 60.0, "pool": 10.0}
# Shorter than a check of the portal, so that a silent proxy is not mistaken for a silent portal.
_PROXY_CONNECT_SECONDS = 3.5
_MAX_CONNECTIONS = 64
_MAX_IDLE_CONNECTIONS = 16
# After this time without an answer, the app checks whether the portal still answers at all.
_PROBE_AFTER_SECONDS = 5.0
_PROBE_SECONDS = 3.0
PROBE_PATH = b"/capabilities"
# A body is sent in parts of this size, so that an upload over a slow line shows its progress.
_PART_BYTES = 64 * 1024
# With a larger buffer, the system accepts megabytes at once, and the upload seems to stand still.
_SEND_BUFFER = (socket.SOL_SOCKET, socket.SO_SNDBUF, 128 * 1024)
_ERRORS = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)
Headers = Iterable[tuple[bytes, bytes]]
Body = bytes | AsyncIterator[bytes] | None
_log = structlog.get_logger("portal.relay")


def require_usable_network(url: str | None, network: Network) -> None:
    """Raise ``SettingsError`` if the portal, the proxy, or the authority cannot be used."""
    if url is not None:
        parse_host(url)
        find_proxy(url, network.proxy)
    if network.authority is not None:
        build_ssl_context(network.authority)


def parse_host(url: str) -> httpx.URL:
    """Parse the portal's address; raise ``SettingsError`` for a name that no host can have.

    Text that was copied from a document may contain characters that nobody sees.
    """
    try:
        return httpx.URL(url)
    except httpx.InvalidURL as error:
        raise SettingsError(messages.PORTAL_ADDRESS_INVALID.format(value=url)) from error


class _AnswerBody(httpx.AsyncByteStream):
    """The body of an answer; it raises the errors that readers of httpx expect."""

    def __init__(self, stream: object) -> None:
        self._stream = cast("httpx.AsyncByteStream", stream)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._stream:
                yield part
        except _ERRORS as error:
            raise httpx.ReadError(str(error)) from error

    async def aclose(self) -> None:
        await self._stream.aclose()


class Portal:
    """Sends requests to one portal; follows no redirects and stores no cookies.

    ``probe_after`` is how many seconds a call waits before the portal is asked whether it answers.
    """

    def __init__(
        self,
        url: str | None,
        network: Network | None = None,
        probe_after: float = _PROBE_AFTER_SECONDS,
    ) -> None:
        self._probe_after = probe_after
        self._cause: Cause | None = None
        self._point_to(url, network or Network())

    def _point_to(self, url: str | None, network: Network) -> None:
        self.url = url
        self._base = parse_host(url or "")
        self._prefix = self._base.raw_path.rstrip(b"/")
        proxy = find_proxy(url, network.proxy) if url else None
        self.proxy = describe_proxy(proxy) if proxy else None
        self._extensions: dict[str, object] = {"timeout": _TIMEOUT}
        if self.proxy is not None:
            self._extensions = {
                "timeout": {**_TIMEOUT, "connect": _PROXY_CONNECT_SECONDS},
                "trace": raise_proxy_error,
            }
        context = build_ssl_context(network.authority)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            proxy=build_proxy(proxy, context) if proxy else None,
            max_connections=_MAX_CONNECTIONS,
            max_keepalive_connections=_MAX_IDLE_CONNECTIONS,
            keepalive_expiry=_KEEPALIVE_SECONDS,
            socket_options=[_SEND_BUFFER],
        )

    def switch(self, url: str | None, network: Network) -> httpcore.AsyncConnectionPool:
        """Use another portal from now on.

        Returns the previous portal's connections, to be closed, which aborts their calls.
        """
        previous = self._pool
        self._point_to(url, network)
        return previous

    @property
    def host(self) -> str:
        """The name of the portal's machine, or an empty text."""
        return self._base.host

    def rewrite_location(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return an answer's headers; a redirect within the portal becomes a path of this sidecar.

        Raises PortalUnreachable for a redirect to elsewhere: a page would follow it and leave.
        """
        return [
            (name, self._rewrite(value) if name == b"location" else value)
            for name, value in headers
        ]

    def _rewrite(self, location: bytes) -> bytes:
        try:
            target = self._base.join(location.decode("latin-1"))
        except httpx.InvalidURL as error:
            raise PortalUnreachable(messages.PORTAL_REDIRECTS) from error
        path = target.raw_path
        is_ours = (target.scheme, target.host, target.port) == (
            self._base.scheme,
            self._base.host,
            self._base.port,
        )
        # A browser would take '//host' for another host's address.
        is_plain = is_plain_path(path.partition(b"?")[0])
        if not is_ours or not is_plain or not path.startswith(self._prefix + b"/"):
            raise PortalUnreachable(messages.PORTAL_REDIRECTS)
        return path[len(self._prefix) :]

    async def send(
        self,
        method: str,
        raw_path: bytes,
        headers: Headers = (),
        body: Body = None,
        *,
        seconds: float | None = None,
    ) -> httpx.Response:
        """Return the answer before its body is read; close it with ``aclose``.

        ``seconds`` limits the wait for the headers. Without a limit, the portal is asked after a
        while whether it still answers, so that a slow call continues and one to a hung portal ends.
        The portal is not asked during an upload, because the question would queue behind the body.
        Raises ``PortalUnreachable``.
        """
        if self.url is None:
            raise PortalUnreachable(messages.PORTAL_UNREACHABLE, cause=Cause.NOT_CHOSEN)
        headers = list(headers)
        upload = Upload(body)
        request = self._build_request(method, raw_path, headers, body, upload)
        try:
            async with asyncio.timeout(seconds) as limit:
                if seconds is not None:
                    return await self._exchange(request, headers, body)
                watch = Watch(self._probe_after, limit, self._is_answering, upload)
                try:
                    return await self._exchange(request, headers, body)
                finally:
                    watch.cancel()
        except (*_ERRORS, TimeoutError, OSError) as error:
            raise self._build_error(error) from error

    async def _exchange(
        self, request: httpcore.Request, headers: list[tuple[bytes, bytes]], body: Body
    ) -> httpx.Response:
        try:
            answer = await self._pool.handle_async_request(request)
        except httpcore.RemoteProtocolError:
            # The portal closed an idle connection at the same moment. A request that is safe to
            # repeat is sent once more.
            method = request.method.decode()
            if not isinstance(body, bytes | None) or not is_repeatable(method, headers):
                raise
            answer = await self._pool.handle_async_request(request)
        self._log_reachability(None)
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_AnswerBody(answer.stream)
        )

    def _build_request(
        self,
        method: str,
        raw_path: bytes,
        headers: list[tuple[bytes, bytes]],
        body: Body,
        upload: "Upload",
    ) -> httpcore.Request:
        """Build a request with the headers that the relay sets, and its length."""
        names = {name.lower() for name, _ in headers}
        sent_headers = [*headers, (b"host", self._base.netloc)]
        if b"content-length" not in names and b"transfer-encoding" not in names:
            if isinstance(body, bytes | None):
                if body or method in ("POST", "PUT", "PATCH"):
                    sent_headers.append((b"content-length", b"%d" % len(body or b"")))
            else:
                sent_headers.append((b"transfer-encoding", b"chunked"))
        return httpcore.Request(
            method,
            # The path is sent byte for byte as it arrived: not parsed, not quoted.
            httpcore.URL(
                scheme=self._base.raw_scheme,
                host=self._base.raw_host,
                port=self._base.port,
                target=self._prefix + raw_path,
            ),
            headers=sent_headers,
            content=upload if body else None,
            extensions=self._extensions,
        )

    def _build_error(self, error: BaseException) -> PortalUnreachable:
        cause = classify_error(error, uses_proxy=self.proxy is not None)
        self._log_reachability(cause)
        return PortalUnreachable(messages.PORTAL_UNREACHABLE, cause=cause)

    def _log_reachability(self, cause: Cause | None) -> None:
        """Log when the portal is lost, and when it answers again."""
        if cause == self._cause:
            return
        self._cause = cause
        if cause is None:
            _log.info("portal_answers")
        else:
            _log.warning("portal_unreachable", cause=cause.value)

    async def _is_answering(self) -> bool:
        """Whether the portal answers a cheap question in time."""
        try:
            await self.fetch("GET", PROBE_PATH, seconds=_PROBE_SECONDS)
        except PortalUnreachable:
            return False
        return True

    async def fetch(
        self,
        method: str,
        raw_path: bytes,
        headers: Headers = (),
        body: bytes | None = None,
        *,
        seconds: float = 30.0,
    ) -> httpx.Response:
        """Return the complete answer within ``seconds``. Raises ``PortalUnreachable``."""
        try:
            async with asyncio.timeout(seconds):
                response = await self.send(method, raw_path, headers, body, seconds=seconds)
                try:
                    await response.aread()
                finally:
                    await response.aclose()
                return response
        except (httpx.HTTPError, TimeoutError, OSError) as error:
            raise self._build_error(error) from error

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


class Upload:
    """The body of a request in parts; ``parts`` counts those that the network has accepted.

    A body of bytes can be read again, for a request that is repeated.
    """

    def __init__(self, body: Body) -> None:
        self._body = body
        self.parts = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if isinstance(self._body, bytes):
            for start in range(0, len(self._body), _PART_BYTES):
                yield self._body[start : start + _PART_BYTES]
                self.parts += 1
        elif self._body is not None:
            async for part in self._body:
                yield part
                self.parts += 1


class Watch:
    """Ends the wait for an answer when the portal does not answer anything else either.

    While the upload makes progress, the portal is not asked.
    """

    def __init__(
        self,
        probe_after: float,
        limit: asyncio.Timeout,
        is_answering: Callable[[], Awaitable[bool]],
        upload: Upload,
    ) -> None:
        self.upload = upload
        self._seen_parts = 0
        self._probe_after = probe_after
        self._limit = limit
        self._is_answering = is_answering
        self._task: asyncio.Task[None] | None = None
        # A timer costs much less than a task, and few calls take as long.
        self._set_timer()

    def _set_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._probe_after, self.check)

    def check(self) -> None:
        """Ask the portal whether it answers, unless the upload has made progress since."""
        if self.upload.parts != self._seen_parts:
            self._seen_parts = self.upload.parts
            self._timer.cancel()
            self._set_timer()
        else:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        if await self._is_answering():
            self._set_timer()
        elif self.upload.parts == self._seen_parts:
            self._limit.reschedule(asyncio.get_running_loop().time())
        else:
            # The upload made progress meanwhile, so the question may only have arrived late.
            self._set_timer()

    def cancel(self) -> None:
        """Stop watching."""
        self._timer.cancel()
        if self._task is not None:
            self._task.cancel()


def is_repeatable(method: str, headers: Headers) -> bool:
    """Whether sending a request twice has the same effect as once."""
    if method in ("GET", "HEAD", "OPTIONS"):
        return True
    return any(name == b"idempotency-key" for name, _ in headers)
