"""/api/v2/changes: server-sent events of what changed (DESIGN, step 9)."""

import json
import re
import time
from collections.abc import AsyncIterator

from fastapi import Request, Response

from app.basics.errors import Unauthenticated
from app.contract.limits import KEEPALIVE_SECONDS
from app.server.access.media import EventStream
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.changes.feed import Changed, Feed, Position, Subscription
from app.server.changes.schemas import ChangeEvent
from app.server.lists.document import document_answer
from app.server.lists.lookups import require_known_parameters
from app.server.lists.parsing import parse_parameter

router = portal_router("/api/v2/changes", "changes")

_RETRY_MS = 2_000
_PLACE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


@router.get("", response_class=EventStream, **document_answer(ChangeEvent, {"once": bool}))
@allow(ALL_ROLES, transaction=False)
async def live_changes(request: Request) -> Response:
    """Events ``ready``, ``change`` ({kind, id, version}) and ``overrun``, resumed by Last-Event-ID.

    ``once=true`` answers what has come since then and ends, for those who can not keep a
    connection.
    """
    require_known_parameters(request.query_params, ("once",))
    given = request.headers.get("last-event-id", "").strip()
    after = parse_parameter("Last-Event-ID", _position, given) if given else None
    once = parse_parameter("once", _yes_or_no, request.query_params.get("once", "false"))
    feed: Feed = request.app.state.portal.changes
    return EventStream(
        _events(request, feed, after, once=once),
        headers={"X-Accel-Buffering": "no"},
    )


async def _events(
    request: Request, feed: Feed, after: Position | None, *, once: bool
) -> AsyncIterator[str]:
    async with feed.subscribe(request.state.actor, after) as listening:
        # With a place only where nothing older follows: whoever is cut off in what follows must
        # come back to where they were.
        yield _event("ready", listening.position if after is None else None, {}, retry=_RETRY_MS)
        checked = time.monotonic()
        while not listening.ended:
            changes = await listening.next(0 if once else KEEPALIVE_SECONDS)
            if listening.overrun:
                yield _event("overrun", None, {})
                return
            for change in changes:
                yield _event("change", change.position, _content(change))
            if once:
                return
            if time.monotonic() - checked >= KEEPALIVE_SECONDS:
                if not await _still_allowed(request, listening):
                    return
                checked = time.monotonic()
                yield ": still here\n\n"


async def _still_allowed(request: Request, listening: Subscription) -> bool:
    """Whether the session lives on with the same rights; if not, the stream ends and the
    listener asks anew."""
    try:
        actor = await request.app.state.portal.authentication.get_actor(request)
    except Unauthenticated:
        return False
    return bool(actor == listening.actor)


def _content(change: Changed) -> dict[str, object]:
    event = ChangeEvent(kind=change.kind, id=change.record_id, version=change.version)
    return event.model_dump(by_alias=True)


def _event(name: str, position: Position | None, data: object, retry: int | None = None) -> str:
    head = f"retry: {retry}\n" if retry else ""
    place = f"id: {position}\n" if position else ""
    return f"{head}{place}event: {name}\ndata: {json.dumps(data)}\n\n"


def _yes_or_no(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(text)
    return text == "true"


def _position(text: str) -> Position:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return Position(int(found[1]), int(found[2]))
