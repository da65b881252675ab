"""Idempotency keys: a repeated write runs once, and its repetition gets the stored answer.

The first statement of the write claims the key, in the request's own transaction. A second request
with the same key waits for that row, and then finds the stored answer or, if the first request
failed, a free key.
Answers hold patient data. They are encrypted, withheld when the sender's access has changed, and
deleted after a day (ADR 1).
"""

import asyncio
import hashlib
import json
from datetime import timedelta

from fastapi import Request, Response
from sqlalchemy import delete, func, select, tuple_

from app.basics.errors import BadInput, Conflict
from app.contract import messages
from app.contract.limits import IDEMPOTENCY_RETENTION_HOURS
from app.server.access.models import IdempotencyKey
from app.server.access.work import Work
from app.server.actor import Actor, build_worker_actor
from app.server.database.pools import HasDatabase
from app.server.database.statements import Row

_STORED_HEADERS = ("etag", "location", "content-type")
_DELETE_BATCH = 1_000
_LARGE_BYTES = 1024 * 1024
_CLAIM = (
    "INSERT INTO idempotency_keys (user_id, key, request_hash) "
    "VALUES (%(user)s::uuid, %(key)s, %(hash)s) ON CONFLICT DO NOTHING RETURNING key"
)
_OWN_KEY = "WHERE user_id = %(user)s::uuid AND key = %(key)s"
_SELECT_ANSWER = f"SELECT request_hash, status, headers, body FROM idempotency_keys {_OWN_KEY}"
_STORE_ANSWER = (
    "UPDATE idempotency_keys SET status = %(status)s::smallint, headers = %(headers)s, "
    f"body = %(body)s {_OWN_KEY}"
)


class IdempotencyKeyReused(Conflict):
    """409: the key belongs to another request, or the sender's access has changed since."""

    code = "idempotency_key_reused"


class AlreadyAnswered(Exception):
    """An earlier request has claimed the key, so the write stops."""


async def claim_key(work: Work, request: Request, key: str) -> None:
    """Claim the key together with the first statement of the write.

    That statement raises AlreadyAnswered when an earlier request has claimed the key.

    Raises:
        BadInput: the key is empty or longer than 200 characters.
    """
    if not 0 < len(key) <= 200:
        raise BadInput(messages.PARAMETER_INVALID.format(name="Idempotency-Key"))
    request_hash = await _hash_request(work.actor, request)
    work.statements.add(_CLAIM, {"key": key, "hash": request_hash}, check=_require_claimed_key)


async def load_stored_answer(work: Work, request: Request, key: str) -> Response:
    """Return the stored answer of the request that claimed the key.

    Raises:
        IdempotencyKeyReused: the key was used for another method, path or body, or before the
            sender's role, clients, physicians or patients changed.
    """
    request_hash = await _hash_request(work.actor, request)
    row = await work.statements.fetch(_SELECT_ANSWER, {"key": key})
    if row is None or row[0] != request_hash:
        raise IdempotencyKeyReused(messages.IDEMPOTENCY_KEY_REUSED)
    _, status, headers, body = row
    return Response(
        content=work.portal.answers.open(body, _build_seal_context(work, key)) if body else None,
        status_code=status or 200,
        headers={**json.loads(headers or "{}"), "idempotent-replayed": "true"},
    )


def store_answer(work: Work, key: str, response: Response) -> None:
    """Store the answer with the key, in the transaction of the write."""
    headers = {name: response.headers[name] for name in _STORED_HEADERS if name in response.headers}
    values = {
        "key": key,
        "status": response.status_code,
        "headers": json.dumps(headers),
        "body": work.portal.answers.seal(bytes(response.body), _build_seal_context(work, key)),
    }
    work.statements.add(_STORE_ANSWER, values)


def _require_claimed_key(row: Row | None) -> None:
    if row is None:
        raise AlreadyAnswered


async def delete_old_answers(portal: HasDatabase) -> int:
    """Delete the answers older than a day, in batches, and return their number."""
    lifetime = timedelta(hours=IDEMPOTENCY_RETENTION_HOURS)
    row_key = tuple_(IdempotencyKey.user_id, IdempotencyKey.key)
    old_keys = (
        select(IdempotencyKey.user_id, IdempotencyKey.key)
        .where(IdempotencyKey.created_at < func.now() - lifetime)
        .limit(_DELETE_BATCH)
    )
    deleted_count = 0
    while True:
        async with portal.database.transaction(build_worker_actor("forget answers")) as transaction:
            result = await transaction.session.execute(
                delete(IdempotencyKey).where(row_key.in_(old_keys))
            )
        count = int(getattr(result, "rowcount", 0))
        deleted_count += count
        if count < _DELETE_BATCH:
            return deleted_count


async def _hash_request(actor: Actor, request: Request) -> bytes:
    """Return the hash of the request and its sender's access.

    The request stores it, because an import needs it for each person of its file.
    """
    access = f"{actor.kind} {actor.role} {sorted(actor.ids)}\n"
    known_access, known_hash = getattr(request.state, "request_hash", (None, b""))
    if known_access != access:
        known_hash = await _compute_hash(access, request)
        request.state.request_hash = (access, known_hash)
    return known_hash


async def _compute_hash(access: str, request: Request) -> bytes:
    target = f"{request.method} {request.url.path}?{request.url.query}\n"
    digest = hashlib.sha256(access.encode() + target.encode())
    body = await request.body()
    if len(body) < _LARGE_BYTES:
        digest.update(body)
    else:
        await asyncio.to_thread(digest.update, body)
    return digest.digest()


def _build_seal_context(work: Work, key: str) -> bytes:
    """Return user and key, with which an answer is sealed so that no other row can open it."""
    return f"{work.actor.user_id} {key}".encode()
