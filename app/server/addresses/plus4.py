"""ZIP code extensions from an external address service (O 7, 'zip-code-extra').

``AddressService`` is a port with two implementations: a service over HTTP, and none. The service
has the interface of Smarty's US Street Address API
(https://www.smarty.com/docs/cloud/us-street-api):

    POST <url>  [{"street": "1 N ROSEDALE ST", "zipcode": "21229", "candidates": 1}]
    200         [{"components": {"zipcode": "21229", "plus4_code": "3737", ...}, ...}]

An empty list means that the address is unknown. The key (``auth-id:auth-token``) is sent in a Basic
Authorization header. The address is in the body, so that no log of URLs contains it.
"""

import asyncio
import json
import re
from typing import Any, Protocol

import httpx
import structlog
from prometheus_client import Counter

from app.basics.errors import Unavailable
from app.contract import messages

_ANSWER_MAX_BYTES = 256 * 1024
_PLUS4 = re.compile(r"^[0-9]{4}$")
_log = structlog.get_logger("portal.addresses")
_LOOKUPS = Counter("portal_address_lookups", "Lookups at the address service", ["outcome"])


class AddressServiceFailed(Unavailable):
    """503: the address service did not answer, or its answer is invalid."""

    code = "address_service_failed"


class AddressService(Protocol):
    """Finds the four-digit extension of an address's ZIP code."""

    async def find_plus4(self, zip_code: str, address: str) -> str:
        """Return the four digits, or an empty text when the address is unknown.

        Raises:
            AddressServiceFailed: the service failed.
        """
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class NoAddressService:
    """Used when none is configured: the extension is typed by hand (DECISIONS, Ordering)."""

    async def find_plus4(self, zip_code: str, address: str) -> str:
        """See ``AddressService``."""
        return ""

    async def close(self) -> None:
        """See ``AddressService``."""


class HttpAddressService:
    """A service over HTTP; the top of this file has the request and the answer.

    ``seconds`` limits the whole request, because a form waits for the answer.
    """

    def __init__(self, url: str, key: str | None, seconds: float) -> None:
        user, _, password = (key or "").partition(":")
        self._url = url
        self._http = httpx.AsyncClient(
            auth=httpx.BasicAuth(user, password) if key else None,
            timeout=httpx.Timeout(seconds),
            limits=httpx.Limits(max_connections=16, max_keepalive_connections=4),
            follow_redirects=False,
        )
        self._seconds = seconds

    async def find_plus4(self, zip_code: str, address: str) -> str:
        """See ``AddressService``."""
        query = [{"street": address, "zipcode": zip_code, "candidates": 1}]
        try:
            body = await self._send(query)
            extension = _parse_extension(body, zip_code)
        except (
            httpx.HTTPError,
            httpx.InvalidURL,
            TimeoutError,
            ValueError,
            RecursionError,
        ) as error:
            # Log neither the address nor the answer, which reveal where somebody lives.
            status = (
                error.response.status_code if isinstance(error, httpx.HTTPStatusError) else None
            )
            _LOOKUPS.labels("failed").inc()
            _log.warning("address service failed", kind=type(error).__name__, status=status)
            raise AddressServiceFailed(messages.ZIP_CODE_PLUS4_UNAVAILABLE) from None
        _LOOKUPS.labels("found" if extension else "unknown").inc()
        return extension

    async def close(self) -> None:
        """See ``AddressService``."""
        await self._http.aclose()

    async def _send(self, query: list[dict[str, Any]]) -> bytes:
        # httpx's timeouts apply per step, so a server that drips bytes could take forever.
        async with asyncio.timeout(self._seconds):
            async with self._http.stream("POST", self._url, json=query) as response:
                response.raise_for_status()
                body = b""
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > _ANSWER_MAX_BYTES:
                        raise ValueError("too long")
                return body


def _parse_extension(body: bytes, zip_code: str) -> str:
    """Parse the extension from an answer; empty when no candidate has one for this ZIP code.

    Raises:
        ValueError: the answer has an unexpected format.
    """
    candidates = json.loads(body)
    if not isinstance(candidates, list):
        raise ValueError("no list")
    for candidate in candidates:
        parts = candidate.get("components") if isinstance(candidate, dict) else None
        if not isinstance(parts, dict):
            raise ValueError("no components")
        extension = parts.get("plus4_code")
        if parts.get("zipcode") == zip_code and isinstance(extension, str):
            if not _PLUS4.match(extension):
                raise ValueError("no extension")
            return extension
    return ""


def build_address_service(url: str | None, key: str | None, seconds: float) -> AddressService:
    """Build the configured address service, or the one that finds nothing."""
    return HttpAddressService(url, key, seconds) if url else NoAddressService()
