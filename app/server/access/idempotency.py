"""The same write sent twice is done once: the first answer is kept and given again.

The key's row is written first in the request's own transaction, in the same round trip as the first
statement of the write. A second request with the same key waits for that row, so it finds either
the first one's answer or (if that failed) nothing.
Answers hold patients' data: they are encrypted, given to nobody whose access has changed since,
and forgotten after a day (ADR 1).
"""

import hashlib
import json
from datetime import timedelta

from fastapi import Request, Response
from sqlalchemy import delete, func, select, tuple_

from app.basics.errors import BadInput, Conflict
from app.contract import messages
from app.contract.limits import IDEMPOTENCY_KEPT_HOURS
from app.server.access.models import IdempotencyKey
from app.server.access.work import Work
from app.server.actor import Actor, worker
from app.server.database.pools import HasDatabase
from app.server.database.statements import Row

_KEPT_HEADERS = ("etag", "location", "content-type")
_FORGET_AT_ONCE = 1_000
_CLAIM = (
    "INSERT INTO idempotency_keys (user_id, key, request_hash) "
    "VALUES (%(user)s::uuid, %(key)s, %(hash)s) ON CONFLICT DO NOTHING RETURNING key"
)
_OWN = "WHERE user_id = %(user)s::uuid AND key = %(key)s"
_KEPT = f"SELECT request_hash, status, headers, body FROM idempotency_keys {_OWN}"
_KEEP = (
    "UPDATE idempotency_keys SET status = %(status)s::smallint, headers = %(headers)s, "
    f"body = %(body)s {_OWN}"
)


class IdempotencyKeyReused(Conflict):
    """409: this key belongs to another request, or to another access than the sender has now."""

    code = "idempotency_key_reused"


class AnsweredBefore(Exception):
    """The key was claimed by an earlier request: the write goes no further."""


async def claim_key(work: Work, request: Request, key: str) -> None:
    """Claim the key with the first statement of the write.

    That raises AnsweredBefore when an earlier request has it.

    Raises:
        BadInput: the key is empty or longer than 200 characters.
    """
    if not 0 < len(key) <= 200:
        raise BadInput(messages.PARAMETER_INVALID.format(name="Idempotency-Key"))
    fingerprint = _fingerprint(work.actor, request, await request.body())
    work.statements.add(_CLAIM, {"key": key, "hash": fingerprint}, check=_refuse_claimed)


async def earlier_answer(work: Work, request: Request, key: str) -> Response:
    """The answer given to the request that had the key before.

    Raises:
        IdempotencyKeyReused: the key was used for another method, path or body, or before the
            sender's role, clients, physicians or patients changed.
    """
    fingerprint = _fingerprint(work.actor, request, await request.body())
    row = await work.statements.fetch(_KEPT, {"key": key})
    if row is None or row[0] != fingerprint:
        raise IdempotencyKeyReused(messages.IDEMPOTENCY_KEY_REUSED)
    _, status, headers, body = row
    return Response(
        content=work.portal.answers.open(body, _about(work, key)) if body else None,
        status_code=status or 200,
        headers={**json.loads(headers or "{}"), "idempotent-replayed": "true"},
    )


def keep_answer(work: Work, key: str, response: Response) -> None:
    """Keep the answer beside the key, in the same transaction as what it answers."""
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    values = {
        "key": key,
        "status": response.status_code,
        "headers": json.dumps(headers),
        "body": work.portal.answers.seal(bytes(response.body), _about(work, key)),
    }
    work.statements.add(_KEEP, values)


def _refuse_claimed(row: Row | None) -> None:
    if row is None:
        raise AnsweredBefore


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
