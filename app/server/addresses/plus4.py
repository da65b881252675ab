"""The four digits behind a ZIP code, asked of an address service outside (O 7, 'zip-code-extra').

``AddressService`` is a port with two implementations: a service over HTTP, and none. The HTTP one
speaks the shape of Smarty's US Street Address API (https://www.smarty.com/docs/cloud/us-street-api):

    POST <url>  [{"street": "1 N ROSEDALE ST", "zipcode": "21229", "candidates": 1}]
    200         [{"components": {"zipcode": "21229", "plus4_code": "3737", ...}, ...}]

An empty list means that no such address is known. The key (``auth-id:auth-token``) goes into a
Basic Authorization header. The address is in the body, so that no log of addresses of requests,
here or on the way, ever holds one.
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
_LOOKUPS = Counter("portal_address_lookups", "Questions to the address service", ["outcome"])


class AddressServiceFailed(Unavailable):
    """503: the address service did not answer, or not in a way that can be read."""

    code = "address_service_failed"


class AddressService(Protocol):
    """Knows the extension of an address's ZIP code."""

    async def plus4(self, zip_code: str, address: str) -> str:
        """Four digits, or an empty text when the address is not known.

        Raises:
            AddressServiceFailed: nobody can say.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class NoAddressService:
    """None is configured: the extension is typed by hand (DECISIONS, Ordering)."""

    async def plus4(self, zip_code: str, address: str) -> str:
        """See ``AddressService``."""
        return ""

    async def close(self) -> None:
        """See ``AddressService``."""


class HttpAddressService:
    """A service over HTTP; see the top of this file for what is sent and answered.

    ``seconds`` is the time for the whole question: a form waits for the answer.
    """

    def __init__(self, url: str, key: str | None, seconds: float) -> None:
        user, _, password = (key or "").partition(":")
        self._url = url
        self._client = httpx.AsyncClient(
            auth=httpx.BasicAuth(user, password) if key else None,
            timeout=httpx.Timeout(seconds),
            limits=httpx.Limits(max_connections=16, max_keepalive_connections=4),
            follow_redirects=False,
        )
        self._seconds = seconds

    async def plus4(self, zip_code: str, address: str) -> str:
        """See ``AddressService``."""
        asked = [{"street": address, "zipcode": zip_code, "candidates": 1}]
        try:
            found = await self._ask(asked)
            answer = _extension(found, zip_code)
        except (
            httpx.HTTPError,
            httpx.InvalidURL,
            TimeoutError,
            ValueError,
            RecursionError,
        ) as error:
            # Neither the address nor the answer: both say where somebody lives.
            status = (
                error.response.status_code if isinstance(error, httpx.HTTPStatusError) else None
            )
            _LOOKUPS.labels("failed").inc()
            _log.warning("address service failed", kind=type(error).__name__, status=status)
            raise AddressServiceFailed(messages.ZIP_CODE_PLUS4_UNAVAILABLE) from None
        _LOOKUPS.labels("found" if answer else "unknown").inc()
        return answer

    async def close(self) -> None:
        """See ``AddressService``."""
        await self._client.aclose()

    async def _ask(self, asked: list[dict[str, Any]]) -> bytes:
        # httpx's own limits are for each step; a server that drips bytes would take for ever.
        async with asyncio.timeout(self._seconds):
            async with self._client.stream("POST", self._url, json=asked) as response:
                response.raise_for_status()
                body = b""
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > _ANSWER_MAX_BYTES:
                        raise ValueError("too long")
                return body


def _extension(body: bytes, zip_code: str) -> str:
    """The extension in an answer; empty when no candidate has one for this ZIP code.

    Raises:
        ValueError: the answer has another shape.
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


def address_service(url: str | None, key: str | None, seconds: float) -> AddressService:
    """The service that the settings name, or none."""
    return HttpAddressService(url, key, seconds) if url else NoAddressService()
