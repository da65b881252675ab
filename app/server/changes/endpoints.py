"""/api/v2/changes: server-sent events about changed records (DESIGN, step 9)."""

import json
import re
import time
from collections.abc import AsyncIterator

from fastapi import Request, Response

from app.basics.errors import Unauthenticated
from app.contract.limits import KEEPALIVE_SECONDS
from app.server.access.media import EventStream
from app.server.access.parameters import require_known_parameters
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.changes.feed import ChangedRecord, Feed, Position, Subscription
from app.server.changes.schemas import ChangeEvent
from app.server.lists.document import document_answer
from app.server.lists.parsing import parse_parameter

router = build_router("/api/v2/changes", "changes")

_RETRY_MS = 2_000
_POSITION = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


@router.get("", response_class=EventStream, **document_answer(ChangeEvent, {"once": bool}))
@allow(ALL_ROLES, transaction=False)
async def stream_changes(request: Request) -> Response:
    """Events ``ready``, ``change`` ({kind, id, version, patientId}) and ``overrun``.

    ``Last-Event-ID`` resumes the stream. With ``once=true`` the answer ends after the changes that
    have occurred since, for callers that cannot keep a connection open.
    """
    require_known_parameters(request.query_params, ("once",))
    last_event_id = request.headers.get("last-event-id", "").strip()
    after = None
    if last_event_id:
        after = parse_parameter("Last-Event-ID", _parse_position, last_event_id)
    once = parse_parameter("once", _parse_boolean, request.query_params.get("once", "false"))
    feed: Feed = request.app.state.portal.changes
    return EventStream(
        _stream_events(request, feed, after, once=once),
        headers={"X-Accel-Buffering": "no"},
    )


async def _stream_events(
    request: Request, feed: Feed, after: Position | None, *, once: bool
) -> AsyncIterator[str]:
    async with feed.subscribe(request.state.actor, after) as subscription:
        # Send no position while missed changes follow: a subscriber that loses the connection
        # before the last of them must resume from its old position.
        position = subscription.position if after is None else None
        yield _format_event("ready", position, {}, retry=_RETRY_MS)
        checked_at = time.monotonic()
        while not subscription.has_ended:
            changes = await subscription.wait_for_changes(0 if once else KEEPALIVE_SECONDS)
            is_idle = time.monotonic() - checked_at >= KEEPALIVE_SECONDS
            if is_idle or subscription.must_check_rights:
                subscription.must_check_rights = False
                if not await _has_same_rights(request, subscription):
                    return
                checked_at = time.monotonic()
            if subscription.is_overrun:
                yield _format_event("overrun", None, {})
                return
            for change in changes:
                yield _format_event("change", change.position, _build_content(change))
            if once:
                return
            if is_idle:
                yield ": still here\n\n"


async def _has_same_rights(request: Request, subscription: Subscription) -> bool:
    """Whether the session is alive with the same rights; otherwise the stream ends."""
    try:
        actor = await request.app.state.portal.authentication.get_actor(request)
    except Unauthenticated:
        return False
    return bool(actor == subscription.actor)


def _build_content(change: ChangedRecord) -> dict[str, object]:
    event = ChangeEvent(
        kind=change.kind,
        id=change.record_id,
        version=change.version,
        patient_id=change.scope["patient_id"],
    )
    return event.model_dump(by_alias=True)


def _format_event(
    name: str, position: Position | None, data: object, retry: int | None = None
) -> str:
    head = f"retry: {retry}\n" if retry else ""
    event_id = f"id: {position}\n" if position else ""
    return f"{head}{event_id}event: {name}\ndata: {json.dumps(data)}\n\n"


def _parse_boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(text)
    return text == "true"


def _parse_position(text: str) -> Position:
    match = _POSITION.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return Position(int(match[1]), int(match[2]))
