"""The same write sent twice is done once: the first answer is kept and given again.

The key's row is written first in the request's own transaction. A second request with the same
key waits for that row, so it finds either the first one's answer or (if that failed) nothing.
"""

import hashlib
import json

from fastapi import Request, Response
from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from app.basics.errors import BadInput, Conflict
from app.contract import messages
from app.server.access.models import IdempotencyKey
from app.server.access.work import Work

_KEPT_HEADERS = ("etag", "location", "content-type")


class IdempotencyKeyReused(Conflict):
    """409: this key belongs to another request."""

    code = "idempotency_key_reused"


async def earlier_answer(work: Work, request: Request, key: str) -> Response | None:
    """Claim the key, or return the answer given to the request that had it before.

    Raises:
        IdempotencyKeyReused: the key was used for another method, path or body.
        BadInput: the key is empty or longer than 200 characters.
    """
    if not 0 < len(key) <= 200:
        raise BadInput(messages.PARAMETER_INVALID.format(name="Idempotency-Key"))
    fingerprint = _fingerprint(request, await request.body())
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
        content=kept.body,
        status_code=kept.status or 200,
        headers={**json.loads(kept.headers or "{}"), "idempotent-replayed": "true"},
    )


async def keep_answer(work: Work, key: str, response: Response) -> None:
    """Keep the answer beside the key, in the same transaction as what it answers."""
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    await work.session.execute(
        update(IdempotencyKey)
        .where(IdempotencyKey.user_id == work.actor.user_id, IdempotencyKey.key == key)
        .values(status=response.status_code, headers=json.dumps(headers), body=bytes(response.body))
    )


def _fingerprint(request: Request, body: bytes) -> bytes:
    start = f"{request.method} {request.url.path}?{request.url.query}\n".encode()
    return hashlib.sha256(start + body).digest()
