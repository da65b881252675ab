"""Fax by an HTTP provider, in the shape of Telnyx's API v2.

``POST /media`` takes the document and gives it a name for some hours, ``POST /faxes`` dials,
``GET /faxes/{id}`` says how far it is, ``GET /faxes`` lists what was sent.
"""

import base64
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx

from app.contract.enumerations import SendStatus
from app.server.transmissions.rules import Outcome, Trouble, e164
from app.server.transmissions.senders.port import Answer, Parcel, Progress, Try, Undecided

MEDIA_SECONDS = 6 * 3600
"""The provider forgets the document after so long, whatever becomes of us."""

_CLOCKS_DIFFER = timedelta(minutes=10)
_LOOKED_AT = 250
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
    """The lab's account with the provider. ``number`` is what faxes come from, in E.164."""

    url: str
    key: str
    connection_id: str
    number: str
    seconds: float


class HttpFax:
    """Faxes through the provider, followed until they are delivered or given up.

    Every try carries ``client_state`` and a media name made of the transmission's key and the
    try's number. When nobody knows whether a try was taken, the provider's list is asked before
    the fax is dialled again.
    """

    name = "http-fax"

    def __init__(self, account: FaxAccount) -> None:
        self._account = account
        self._client = httpx.AsyncClient(
            base_url=account.url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {account.key}"},
            timeout=account.seconds,
            follow_redirects=False,
        )

    async def send(self, parcel: Parcel) -> Answer:
        """See ``Sender``."""
        assert parcel.document is not None
        name = _name(parcel)
        return await self._upload(name, parcel.document) or await self._dial(
            name, e164(parcel.destination)
        )

    async def _upload(self, name: str, document: bytes) -> Answer | None:
        """Leave the document with the provider; an answer where that did not work."""
        try:
            uploaded = await self._client.post(
                "media",
                files={"media": (f"{name}.pdf", document, "application/pdf")},
                data={"media_name": name, "ttl_secs": str(MEDIA_SECONDS)},
            )
        except httpx.HTTPError:
            return Answer(Outcome.LATER, Trouble.NO_ANSWER)
        return None if uploaded.is_success else _refused(uploaded)

    async def _dial(self, name: str, number: str) -> Answer:
        try:
            dialled = await self._client.post(
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
            return Answer(Outcome.LATER, Trouble.NO_ANSWER)
        except httpx.HTTPError:
            return Answer(Outcome.UNKNOWN, Trouble.NO_ANSWER)
        reference = _data(dialled).get("id") if dialled.is_success else None
        if reference:
            return Answer(Outcome.ACCEPTED, reference=str(reference), followed=True)
        if dialled.is_success or dialled.is_server_error:
            # It may have been dialled before the answer went wrong: ask before the next try.
            return Answer(Outcome.UNKNOWN, Trouble.TROUBLE, wait=_asked_wait(dialled))
        return _refused(dialled)

    async def find(self, tries: Sequence[Try]) -> str | None:
        """See ``Sender``."""
        if not tries:
            return None
        names = {_name(each) for each in tries}
        since = min(each.started_at for each in tries) - _CLOCKS_DIFFER
        try:
            listed = await self._client.get(
                "faxes",
                params={
                    "filter[created_at][gte]": since.isoformat(),
                    "filter[direction][eq]": "outbound",
                    "filter[to][eq]": e164(tries[0].destination),
                    "page[size]": str(_LOOKED_AT),
                },
            )
        except httpx.HTTPError as error:
            raise Undecided(Trouble.NO_ANSWER) from error
        if not listed.is_success:
            answer = _refused(listed)
            raise Undecided(answer.trouble or Trouble.TROUBLE, answer.wait)
        for fax in _list(listed):
            if fax.get("media_name") in names or _state(fax) in names:
                return str(fax["id"])
        return None

    async def follow(self, reference: str) -> Progress | None:
        """See ``Sender``."""
        try:
            answer = await self._client.get(f"faxes/{reference}")
        except httpx.HTTPError:
            return None
        if answer.status_code == httpx.codes.NOT_FOUND:
            return Progress(SendStatus.FAILED, Trouble.FAX_LOST)
        if not answer.is_success:
            return None
        fax = _data(answer)
        status = fax.get("status")
        if status in ("delivered", "failed"):
            await self._forget(fax.get("media_name"))
        if status == "delivered":
            return Progress(SendStatus.DELIVERED)
        if status == "failed":
            return _failure(str(fax.get("failure_reason") or ""))
        return Progress(SendStatus.SENDING)

    async def close(self) -> None:
        """See ``Sender``."""
        await self._client.aclose()

    async def _forget(self, media_name: object) -> None:
        """Have the provider delete the document; it does so by itself after some hours."""
        if isinstance(media_name, str) and media_name:
            with contextlib.suppress(httpx.HTTPError):
                await self._client.delete(f"media/{media_name}")


def _name(each: Parcel | Try) -> str:
    return f"portal-{each.key}-{each.number}"


def _state(fax: dict[str, Any]) -> str | None:
    try:
        return base64.b64decode(fax.get("client_state") or "", validate=True).decode()
    except ValueError:
        return None


def _data(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError:
        return {}
    data = found.get("data") if isinstance(found, dict) else None
    return data if isinstance(data, dict) else {}


def _list(answer: httpx.Response) -> list[dict[str, Any]]:
    try:
        found = answer.json()
    except ValueError as error:
        raise Undecided(Trouble.TROUBLE) from error
    data = found.get("data") if isinstance(found, dict) else None
    if not isinstance(data, list):
        raise Undecided(Trouble.TROUBLE)
    return [each for each in data if isinstance(each, dict) and each.get("id")]


def _refused(answer: httpx.Response) -> Answer:
    """An answer of 4xx or 5xx to a call that has had no effect."""
    code = answer.status_code
    if code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN, httpx.codes.PAYMENT_REQUIRED):
        # The lab can put its account right while the fax waits.
        return Answer(Outcome.LATER, Trouble.LOGIN_REFUSED)
    if code == httpx.codes.TOO_MANY_REQUESTS:
        return Answer(Outcome.LATER, Trouble.TOO_MUCH, wait=_asked_wait(answer))
    if code == httpx.codes.REQUEST_ENTITY_TOO_LARGE:
        return Answer(Outcome.REFUSED, Trouble.TOO_LARGE)
    if code == httpx.codes.UNPROCESSABLE_ENTITY:
        about_number = any("/to" in pointer for pointer in _pointers(answer))
        trouble = Trouble.FAX_NUMBER_REFUSED if about_number else Trouble.CONTENT_REFUSED
        return Answer(Outcome.REFUSED, trouble)
    if answer.is_client_error and code != httpx.codes.REQUEST_TIMEOUT:
        return Answer(Outcome.REFUSED, Trouble.CONTENT_REFUSED)
    return Answer(Outcome.LATER, Trouble.TROUBLE, wait=_asked_wait(answer))


def _pointers(answer: httpx.Response) -> list[str]:
    """Which fields of ours the provider objects to."""
    try:
        found = answer.json()
    except ValueError:
        return []
    errors = found.get("errors") if isinstance(found, dict) else None
    sources = [e.get("source") for e in errors or () if isinstance(e, dict)]
    return [str(each.get("pointer")) for each in sources if isinstance(each, dict)]


def _asked_wait(answer: httpx.Response) -> timedelta | None:
    text = answer.headers.get("retry-after", "")
    return timedelta(seconds=min(int(text), 3600)) if text.isascii() and text.isdigit() else None


def _failure(reason: str) -> Progress:
    if reason in _NUMBER_REASONS:
        return Progress(SendStatus.FAILED, Trouble.FAX_NUMBER_REFUSED, final=True)
    if reason in _SIZE_REASONS:
        return Progress(SendStatus.FAILED, Trouble.TOO_LARGE, final=True)
    if reason == "user_busy":
        return Progress(SendStatus.FAILED, Trouble.FAX_BUSY)
    if reason in _NO_ANSWER_REASONS:
        return Progress(SendStatus.FAILED, Trouble.FAX_NO_ANSWER)
    return Progress(SendStatus.FAILED, Trouble.FAX_FAILED)
