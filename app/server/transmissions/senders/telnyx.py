"""Fax by an HTTP provider with Telnyx's API v2.

``POST /media`` uploads the document under a name, ``POST /faxes`` dials, ``GET /faxes/{id}``
returns the progress, and ``GET /faxes`` lists sent faxes.
"""

import base64
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

    The ``client_state`` and the media name of an attempt contain the transmission's key and the
    attempt's number. When it is unknown whether an attempt was accepted, the provider's list is
    searched before the fax is dialed again.
    """

    name = "http-fax"
    can_be_asked = True

    def __init__(self, account: FaxAccount) -> None:
        self._account = account
        self.turn = nullcontext()
        self._http = httpx.AsyncClient(
            base_url=account.url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {account.key}"},
            timeout=account.seconds,
            follow_redirects=False,
        )

    async def send(self, delivery: Delivery) -> SendResult:
        """See ``Sender``."""
        assert delivery.document is not None
        name = _build_name(delivery)
        return await self._upload(name, delivery.document) or await self._dial(
            name, format_e164(delivery.destination)
        )

    async def _upload(self, name: str, document: bytes) -> SendResult | None:
        """Upload the document to the provider; return a result only on failure."""
        try:
            answer = await self._http.post(
                "media",
                files={"media": (f"{name}.pdf", document, "application/pdf")},
                data={"media_name": name, "ttl_secs": str(MEDIA_SECONDS)},
            )
        except httpx.HTTPError:
            return SendResult(Outcome.LATER, Trouble.NO_ANSWER)
        return None if answer.is_success else _build_refusal(answer)

    async def _dial(self, name: str, number: str) -> SendResult:
        try:
            answer = await self._http.post(
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
        reference = _parse_object(answer).get("id") if answer.is_success else None
        if reference:
            return SendResult(Outcome.ACCEPTED, reference=str(reference), is_pending=True)
        if answer.is_success or answer.is_server_error:
            # The fax may have been dialed before the error, so the next attempt searches for it.
            return SendResult(Outcome.UNKNOWN, Trouble.TROUBLE, wait=_parse_retry_after(answer))
        return _build_refusal(answer)

    async def find_accepted(self, attempts: Sequence[UndecidedAttempt]) -> str | None:
        """See ``Sender``."""
        if not attempts:
            return None
        names = {_build_name(attempt) for attempt in attempts}
        since = min(attempt.started_at for attempt in attempts) - _CLOCK_TOLERANCE
        try:
            answer = await self._http.get(
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
            if fax.get("media_name") in names or _decode_client_state(fax) in names:
                return str(fax["id"])
        return None

    async def get_progress(self, reference: str) -> Progress | None:
        """See ``Sender``."""
        try:
            answer = await self._http.get(f"faxes/{reference}")
        except httpx.HTTPError:
            return None
        if answer.status_code == httpx.codes.NOT_FOUND:
            return Progress(SendStatus.FAILED, Trouble.FAX_LOST)
        if not answer.is_success:
            return None
        fax = _parse_object(answer)
        status = fax.get("status")
        if status in ("delivered", "failed"):
            await self._delete_media(fax.get("media_name"))
        if status == "delivered":
            return Progress(SendStatus.DELIVERED)
        if status == "failed":
            return _build_failure(str(fax.get("failure_reason") or ""))
        return Progress(SendStatus.SENDING)

    async def close(self) -> None:
        """See ``Sender``."""
        await self._http.aclose()

    async def _delete_media(self, media_name: object) -> None:
        """Delete the document at the provider, which otherwise deletes it after some hours."""
        if isinstance(media_name, str) and media_name:
            with suppress(httpx.HTTPError):
                await self._http.delete(f"media/{media_name}")


def _build_name(attempt: Delivery | UndecidedAttempt) -> str:
    return f"portal-{attempt.key}-{attempt.number}"


def _decode_client_state(fax: dict[str, Any]) -> str | None:
    try:
        return base64.b64decode(fax.get("client_state") or "", validate=True).decode()
    except ValueError:
        return None


def _parse_object(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    data = body.get("data") if isinstance(body, dict) else None
    return data if isinstance(data, dict) else {}


def _parse_list(answer: httpx.Response) -> list[dict[str, Any]]:
    try:
        body = answer.json()
    except ValueError as error:
        raise Undecided(Trouble.TROUBLE) from error
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list):
        raise Undecided(Trouble.TROUBLE)
    return [fax for fax in data if isinstance(fax, dict) and fax.get("id")]


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
    try:
        body = answer.json()
    except ValueError:
        return []
    errors = body.get("errors") if isinstance(body, dict) else None
    sources = [e.get("source") for e in errors or () if isinstance(e, dict)]
    return [str(source.get("pointer")) for source in sources if isinstance(source, dict)]


def _parse_retry_after(answer: httpx.Response) -> timedelta | None:
    text = answer.headers.get("retry-after", "")
    return timedelta(seconds=min(int(text), 3600)) if text.isascii() and text.isdigit() else None


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
