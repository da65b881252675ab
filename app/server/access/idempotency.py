"""The same write sent twice is done once: the first answer is kept and given again.

The key's row is written first in the request's own transaction. A second request with the same
key waits for that row, so it finds either the first one's answer or (if that failed) nothing.
Answers hold patients' data: they are encrypted, given to nobody whose access has changed since,
and forgotten after a day (ADR 1).
"""

import hashlib
import json
from datetime import timedelta

from fastapi import Request, Response
from sqlalchemy import delete, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from app.basics.errors import BadInput, Conflict
from app.contract import messages
from app.contract.limits import IDEMPOTENCY_KEPT_HOURS
from app.server.access.models import IdempotencyKey
from app.server.access.work import Work
from app.server.actor import Actor, worker
from app.server.database.pools import HasDatabase

_KEPT_HEADERS = ("etag", "location", "content-type")
_FORGET_AT_ONCE = 1_000


class IdempotencyKeyReused(Conflict):
    """409: this key belongs to another request, or to another access than the sender has now."""

    code = "idempotency_key_reused"


async def earlier_answer(work: Work, request: Request, key: str) -> Response | None:
    """Claim the key, or return the answer given to the request that had it before.

    Raises:
        IdempotencyKeyReused: the key was used for another method, path or body, or before the
            sender's role, clients, physicians or patients changed.
        BadInput: the key is empty or longer than 200 characters.
    """
    if not 0 < len(key) <= 200:
        raise BadInput(messages.PARAMETER_INVALID.format(name="Idempotency-Key"))
    fingerprint = _fingerprint(work.actor, request, await request.body())
    claimed = await work.session.scalar(
        insert(IdempotencyKey)
        .values(user_id=work.actor.user_id, key=key, request_hash=fingerprint)
        .on_conflict_do_nothing()
        .returning(IdempotencyKey.key)
    )
    if claimed:
        return None
    kept = await work.session.scalar(
        select(IdempotencyKey).where(
            IdempotencyKey.user_id == work.actor.user_id, IdempotencyKey.key == key
        )
    )
    if kept is None or kept.request_hash != fingerprint:
        raise IdempotencyKeyReused(messages.IDEMPOTENCY_KEY_REUSED)
    return Response(
        content=work.portal.answers.open(kept.body, _about(work, key)) if kept.body else None,
        status_code=kept.status or 200,
        headers={**json.loads(kept.headers or "{}"), "idempotent-replayed": "true"},
    )


async def keep_answer(work: Work, key: str, response: Response) -> None:
    """Keep the answer beside the key, in the same transaction as what it answers."""
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    body = work.portal.answers.seal(bytes(response.body), _about(work, key))
    await work.session.execute(
        update(IdempotencyKey)
        .where(IdempotencyKey.user_id == work.actor.user_id, IdempotencyKey.key == key)
        .values(status=response.status_code, headers=json.dumps(headers), body=body)
    )


async def forget_old_answers(portal: HasDatabase) -> int:
    """Remove the answers of more than a day ago, some at a time; how many."""
    kept = timedelta(hours=IDEMPOTENCY_KEPT_HOURS)
    row = tuple_(IdempotencyKey.user_id, IdempotencyKey.key)
    old = (
        select(IdempotencyKey.user_id, IdempotencyKey.key)
        .where(IdempotencyKey.created_at < func.now() - kept)
        .limit(_FORGET_AT_ONCE)
    )
    forgotten = 0
    while True:
        async with portal.database.transaction(worker("forget answers")) as session:
            gone = await session.execute(delete(IdempotencyKey).where(row.in_(old)))
        count = int(getattr(gone, "rowcount", 0))
        forgotten += count
        if count < _FORGET_AT_ONCE:
            return forgotten


def _fingerprint(actor: Actor, request: Request, body: bytes) -> bytes:
    access = f"{actor.kind} {actor.role} {sorted(actor.ids)}\n"
    start = f"{request.method} {request.url.path}?{request.url.query}\n"
    return hashlib.sha256(access.encode() + start.encode() + body).digest()


def _about(work: Work, key: str) -> bytes:
    """Whose answer it is, to which key: copied to another row it does not open."""
    return f"{work.actor.user_id} {key}".encode()
