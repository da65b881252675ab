"""The HTTP client of the hosted portal; one instance for the app's life."""

import asyncio
import importlib.util
import re
import ssl
import sys
from collections.abc import AsyncIterator, Iterable
from types import ModuleType
from typing import cast
from urllib.parse import urlsplit

import certifi
import httpx

from app.contract import messages
from app.desktop.errors import PortalUnreachable
from app.desktop.settings import is_loopback

if importlib.util.find_spec("sniffio") is None:
    # httpcore tries to import it several times per call, and Python does not remember failures:
    # the searches of ``sys.path`` take 0.4 ms. ``None`` makes the import fail at once.
    sys.modules["sniffio"] = cast(ModuleType, None)

# Below uvicorn's keep-alive of 5 s, so that no connection is reused while the portal closes it.
_KEEPALIVE_SECONDS = 4.0
_TIMEOUT = httpx.Timeout(connect=5.0, read=120.0, write=60.0, pool=10.0)
_LIMITS = httpx.Limits(
    max_connections=64, max_keepalive_connections=16, keepalive_expiry=_KEEPALIVE_SECONDS
)
_DOT_SEGMENT = re.compile(rb"(?:^|/)(?:\.|%2e){1,2}(?:[/;?]|$)", re.IGNORECASE)
_ENCODED_SLASH = re.compile(rb"%2f|%5c|\\", re.IGNORECASE)


def is_plain_path(raw: bytes) -> bool:
    """Whether every server interprets a raw request path in the same way.

    Dot segments and encoded slashes could turn an allowed prefix into another path.
    """
    return (
        raw.startswith(b"/")
        and b"//" not in raw
        and not _DOT_SEGMENT.search(raw)
        and not _ENCODED_SLASH.search(raw)
    )


def _create_ssl_context() -> ssl.SSLContext:
    """Trust the system's authorities (a hospital may have its own) and the public ones."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


class Portal:
    """Sends requests to one portal; follows no redirects and stores no cookies."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.url = url
        self._base = httpx.URL(url)
        self._prefix = parts.path.rstrip("/").encode()
        is_local = is_loopback(parts.hostname)
        self._http = httpx.AsyncClient(
            verify=_create_ssl_context(),
            timeout=_TIMEOUT,
            limits=_LIMITS,
            follow_redirects=False,
            trust_env=not is_local,  # a proxy cannot reach this machine's loopback
        )
        # Send only headers that the relay sets: no user agent, no default accept headers.
        self._http.headers.clear()

    def rewrite_location(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return an answer's headers with a redirect within the portal as a path of ours.

        Raises PortalUnreachable for a redirect to elsewhere: a page would follow it and leave.
        """
        return [
            (name, self._rewrite(value) if name == b"location" else value)
            for name, value in headers
        ]

    def _rewrite(self, location: bytes) -> bytes:
        target = self._base.join(location.decode("latin-1"))
        path = target.raw_path
        is_ours = (target.scheme, target.host, target.port) == (
            self._base.scheme,
            self._base.host,
            self._base.port,
        )
        if not is_ours or not path.startswith(self._prefix + b"/"):
            raise PortalUnreachable(messages.PORTAL_REDIRECTS)
        return path[len(self._prefix) :]

    async def send(
        self,
        method: str,
        raw_path: bytes,
        headers: Iterable[tuple[bytes, bytes]] = (),
        body: bytes | AsyncIterator[bytes] | None = None,
        *,
        seconds: float | None = None,
    ) -> httpx.Response:
        """Return the answer before its body is read; close it with ``aclose``.

        ``seconds`` limits the wait for the headers. Raises ``PortalUnreachable``.
        """
        # The portal's cookies are for browsers and are not sent back.
        self._http.cookies.clear()
        request = self._http.build_request(
            method,
            self._base,
            headers=list(headers),
            content=body,
            # The path is sent byte for byte as it arrived: not parsed, not quoted.
            extensions={"target": self._prefix + raw_path},
        )
        try:
            async with asyncio.timeout(seconds):
                try:
                    return await self._http.send(request, stream=True)
                except httpx.RemoteProtocolError:
                    # The portal closed an idle connection at the same moment. A request that is
                    # safe to repeat is sent once more.
                    if isinstance(body, bytes | None) and is_repeatable(method, headers):
                        return await self._http.send(request, stream=True)
                    raise
        except (httpx.HTTPError, TimeoutError, OSError) as error:
            raise PortalUnreachable(messages.PORTAL_UNREACHABLE) from error

    async def fetch(
        self,
        method: str,
        raw_path: bytes,
        headers: Iterable[tuple[bytes, bytes]] = (),
        body: bytes | None = None,
        *,
        seconds: float = 30.0,
    ) -> httpx.Response:
        """Return the complete answer within ``seconds``. Raises ``PortalUnreachable``."""
        try:
            async with asyncio.timeout(seconds):
                response = await self.send(method, raw_path, headers, body)
                try:
                    await response.aread()
                finally:
                    await response.aclose()
                return response
        except (httpx.HTTPError, TimeoutError, OSError) as error:
            raise PortalUnreachable(messages.PORTAL_UNREACHABLE) from error

    async def aclose(self) -> None:
        """Close every connection."""
        await self._http.aclose()


def is_repeatable(method: str, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether sending a request twice has the same effect as once."""
    if method in ("GET", "HEAD", "OPTIONS"):
        return True
    return any(name == b"idempotency-key" for name, _ in headers)
