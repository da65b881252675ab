"""Fax by an HTTP provider with Telnyx's API v2.

``POST /media`` uploads the document under a name, ``POST /faxes`` dials, ``GET /faxes/{id}``
returns the progress, and ``GET /faxes`` lists sent faxes.
"""

import asyncio
import base64
import json
import re
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx

from app.contract.enumerations import SendStatus
from app.server.transmissions.rules import Outcome, Trouble, format_e164
from app.server.transmissions.senders.port import (
    Delivery,
    Progress,
    SendResult,
    Undecided,
    UndecidedAttempt,
)

MEDIA_SECONDS = 6 * 3600
"""Seconds after which the provider deletes the document, even if the portal does not."""

_CLOCK_TOLERANCE = timedelta(minutes=10)
_LIST_SIZE = 250
_ANSWER_MAX = 1024 * 1024
"""Bytes of an answer that are read; a list of 250 faxes has less than half of them."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
"""An id of a fax, which is stored, and becomes a part of a path."""
_UNCLEAR = frozenset({*range(300, 400), httpx.codes.REQUEST_TIMEOUT})
"""Statuses that do not say whether a fax was dialed."""
_RETRY_AFTER_MAX = 3600
_RETRY_AFTER = re.compile(r"[0-9]{1,12}")
_NUMBER_REASONS = frozenset(
    {
        "destination_invalid",
        "destination_not_in_countries_whitelist",
        "destination_not_in_service_plan",
        "receiver_incompatible_destination",
        "receiver_invalid_number_format",
        "receiver_unallocated_number",
    }
)
_SIZE_REASONS = frozenset({"file_size_limit_exceeded", "page_count_limit_exceeded"})
_NO_ANSWER_REASONS = frozenset({"receiver_no_answer", "receiver_no_response"})


@dataclass(frozen=True)
class FaxAccount:
    """The lab's account with the provider; ``number`` is the sending number in E.164."""

    url: str
    key: str
    connection_id: str
    number: str
    seconds: float


class HttpFax:
    """Sends faxes through the provider, and follows their progress.

    The ``client_state``, the media name, and the ``Idempotency-Key`` of an attempt contain the
    transmission's key and the attempt's number. When it is unknown whether an attempt was accepted,
    the provider's list is searched before the fax is dialed again. The repeat has the names of the
    first attempt, so that the provider can recognize it.
    """

    name = "http-fax"

    def __init__(self, account: FaxAccount) -> None:
        self._account = account
        self.turn = nullcontext()
        self._http = httpx.AsyncClient(
            base_url=account.url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {account.key}", "Accept-Encoding": "identity"},
            timeout=account.seconds,
            follow_redirects=False,
        )

    async def send(self, delivery: Delivery) -> SendResult:
        """See ``Sender``."""
        assert delivery.document is not None
        name = _build_name(delivery)
        failure = await self._upload(name, delivery.document)
        if failure is not None:
            return failure
        return await self._dial(name, format_e164(delivery.destination))

    async def _upload(self, name: str, document: bytes) -> SendResult | None:
        """Upload the document to the provider; return a result only on failure."""
        try:
            answer = await self._call(
                "POST",
                "media",
                files={"media": (f"{name}.pdf", document, "application/pdf")},
                data={"media_name": name, "ttl_secs": str(MEDIA_SECONDS)},
            )
        except httpx.HTTPError:
            return SendResult(Outcome.LATER, Trouble.NO_ANSWER)
        if answer.is_success or _is_name_taken(answer):
            return None
        return _build_refusal(answer)

    async def _dial(self, name: str, number: str) -> SendResult:
        try:
            answer = await self._call(
                "POST",
                "faxes",
                headers={"Idempotency-Key": name},
                json={
                    "connection_id": self._account.connection_id,
                    "from": self._account.number,
                    "to": number,
                    "media_name": name,
                    "client_state": base64.b64encode(name.encode()).decode(),
                    "quality": "high",
                    "monochrome": True,
                },
            )
        except httpx.ConnectError:
            return SendResult(Outcome.LATER, Trouble.NO_ANSWER)
        except httpx.HTTPError:
            return SendResult(Outcome.UNKNOWN, Trouble.NO_ANSWER)
        reference = _parse_id(_parse_object(answer)) if answer.is_success else None
        if reference is not None:
            return SendResult(Outcome.ACCEPTED, reference=reference, is_pending=True)
        if answer.is_success:
            return SendResult(Outcome.UNKNOWN, Trouble.UNCLEAR_ANSWER)
        if answer.is_server_error or answer.status_code in _UNCLEAR:
            # The fax may have been dialed before, so the next attempt searches for it.
            return SendResult(Outcome.UNKNOWN, Trouble.TROUBLE, wait=_parse_retry_after(answer))
        return _build_refusal(answer)

    async def find_accepted_attempt(self, attempts: Sequence[UndecidedAttempt]) -> str | None:
        """See ``Sender``."""
        if not attempts:
            return None
        names = [_build_name(attempt) for attempt in attempts]
        since = min(attempt.started_at for attempt in attempts) - _CLOCK_TOLERANCE
        try:
            answer = await self._call(
                "GET",
                "faxes",
                params={
                    "filter[created_at][gte]": since.isoformat(),
                    "filter[direction][eq]": "outbound",
                    "filter[to][eq]": format_e164(attempts[0].destination),
                    "page[size]": str(_LIST_SIZE),
                },
            )
        except httpx.HTTPError as error:
            raise Undecided(Trouble.NO_ANSWER) from error
        if not answer.is_success:
            refusal = _build_refusal(answer)
            raise Undecided(refusal.trouble or Trouble.TROUBLE, refusal.wait)
        for fax in _parse_list(answer):
            if _decode_client_state(fax) in names or fax.get("media_name") in names:
                reference = _parse_id(fax)
                if reference is None:  # it was accepted, and cannot be followed
                    raise Undecided(Trouble.UNCLEAR_ANSWER)
                return reference
        return None

    async def get_progress(self, reference: str) -> Progress | None:
        """See ``Sender``."""
        if not _ID.fullmatch(reference):  # stored by an earlier release
            return Progress(SendStatus.FAILED, Trouble.FAX_LOST, is_unknown=True)
        try:
            answer = await self._call("GET", f"faxes/{reference}")
        except httpx.HTTPError:
            return None
        if answer.status_code == httpx.codes.NOT_FOUND:
            return Progress(SendStatus.FAILED, Trouble.FAX_LOST, is_unknown=True)
        if not answer.is_success:
            return None
        fax = _parse_object(answer)
        if fax.get("status") in ("delivered", "failed"):
            await self._delete_media(fax.get("media_name"))
        return _build_progress(fax)

    async def close(self) -> None:
        """See ``Sender``."""
        await self._http.aclose()

    async def _delete_media(self, media_name: object) -> None:
        """Delete the document at the provider, which otherwise deletes it after some hours."""
        if isinstance(media_name, str) and _ID.fullmatch(media_name):
            with suppress(httpx.HTTPError):
                await self._call("DELETE", f"media/{media_name}")

    async def _call(self, method: str, path: str, **content: Any) -> httpx.Response:
        """Call the provider, and read at most ``_ANSWER_MAX`` bytes of its answer.

        Raises:
            httpx.HTTPError: no answer, a broken one, or one that is too long or too slow.
        """
        async with self._http.stream(method, path, **content) as answer:
            body = bytearray()
            try:
                async with asyncio.timeout(self._account.seconds):
                    async for piece in answer.aiter_raw():
                        body += piece
                        if len(body) > _ANSWER_MAX:
                            raise httpx.DecodingError("The answer is too long.")
            except TimeoutError as error:
                raise httpx.ReadTimeout("The answer is too slow.") from error
            headers = {"retry-after": answer.headers.get("retry-after", "")}
            return httpx.Response(answer.status_code, headers=headers, content=bytes(body))


def _build_name(attempt: Delivery | UndecidedAttempt) -> str:
    number = attempt.number
    if isinstance(attempt, Delivery) and attempt.repeated_number is not None:
        number = attempt.repeated_number
    return f"portal-{attempt.key}-{number}"


def _decode_client_state(fax: dict[str, Any]) -> str | None:
    state = fax.get("client_state")
    try:
        return base64.b64decode(state, validate=True).decode() if isinstance(state, str) else None
    except ValueError:
        return None


def _parse_id(fax: dict[str, Any]) -> str | None:
    """Return the id of a fax, or None if it has none that is safe to store and to send."""
    value = fax.get("id")
    return value if isinstance(value, str) and _ID.fullmatch(value) else None


def _parse_body(answer: httpx.Response) -> dict[str, Any]:
    """Parse an answer, and return an empty dictionary if it is not a JSON object."""
    try:
        body = json.loads(answer.content)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _parse_object(answer: httpx.Response) -> dict[str, Any]:
    data = _parse_body(answer).get("data")
    return data if isinstance(data, dict) else {}


def _parse_list(answer: httpx.Response) -> list[dict[str, Any]]:
    data = _parse_body(answer).get("data")
    if not isinstance(data, list):
        raise Undecided(Trouble.UNCLEAR_ANSWER)
    return [fax for fax in data if isinstance(fax, dict)]


def _build_refusal(answer: httpx.Response) -> SendResult:
    """Build the result of a 4xx or 5xx answer to a call without effect."""
    code = answer.status_code
    if code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN, httpx.codes.PAYMENT_REQUIRED):
        # The lab can correct its account while the fax waits.
        return SendResult(Outcome.LATER, Trouble.LOGIN_REFUSED)
    if code == httpx.codes.TOO_MANY_REQUESTS:
        return SendResult(Outcome.LATER, Trouble.TOO_MUCH, wait=_parse_retry_after(answer))
    if code == httpx.codes.REQUEST_ENTITY_TOO_LARGE:
        return SendResult(Outcome.REFUSED, Trouble.TOO_LARGE)
    if code == httpx.codes.UNPROCESSABLE_ENTITY:
        is_number_invalid = any("/to" in pointer for pointer in _parse_pointers(answer))
        trouble = Trouble.FAX_NUMBER_REFUSED if is_number_invalid else Trouble.CONTENT_REFUSED
        return SendResult(Outcome.REFUSED, trouble)
    if answer.is_client_error and code != httpx.codes.REQUEST_TIMEOUT:
        return SendResult(Outcome.REFUSED, Trouble.CONTENT_REFUSED)
    return SendResult(Outcome.LATER, Trouble.TROUBLE, wait=_parse_retry_after(answer))


def _parse_pointers(answer: httpx.Response) -> list[str]:
    """Parse the JSON pointers of the fields that the provider rejects."""
    errors = _parse_body(answer).get("errors")
    items = errors if isinstance(errors, list) else []
    sources = [error.get("source") for error in items if isinstance(error, dict)]
    return [str(source.get("pointer")) for source in sources if isinstance(source, dict)]


def _is_name_taken(answer: httpx.Response) -> bool:
    """Whether the provider has the document already, from the attempt that this one repeats."""
    is_rejected = answer.status_code in (httpx.codes.UNPROCESSABLE_ENTITY, httpx.codes.CONFLICT)
    return is_rejected and any("/media_name" in pointer for pointer in _parse_pointers(answer))


def _parse_retry_after(answer: httpx.Response) -> timedelta | None:
    text = answer.headers.get("retry-after", "")
    if not _RETRY_AFTER.fullmatch(text):
        return None
    return timedelta(seconds=min(int(text), _RETRY_AFTER_MAX))


def _build_progress(fax: dict[str, Any]) -> Progress:
    if fax.get("status") == "delivered":
        return Progress(SendStatus.DELIVERED)
    if fax.get("status") == "failed":
        return _build_failure(str(fax.get("failure_reason") or ""))
    return Progress(SendStatus.SENDING)


def _build_failure(reason: str) -> Progress:
    if reason in _NUMBER_REASONS:
        return Progress(SendStatus.FAILED, Trouble.FAX_NUMBER_REFUSED, is_final=True)
    if reason in _SIZE_REASONS:
        return Progress(SendStatus.FAILED, Trouble.TOO_LARGE, is_final=True)
    if reason == "user_busy":
        return Progress(SendStatus.FAILED, Trouble.FAX_BUSY)
    if reason in _NO_ANSWER_REASONS:
        return Progress(SendStatus.FAILED, Trouble.FAX_NO_ANSWER)
    return Progress(SendStatus.FAILED, Trouble.FAX_FAILED)
