"""Digests of the hash chain (ADR 66): pure functions of bytes."""

import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

FIRST_PREVIOUS = b"\0" * 32
"""The predecessor of the first seal."""
UNANCHORED_MAX = timedelta(hours=1)
"""How long a seal may exist only in the database."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_KEY_ID_LENGTH = 16


@dataclass(frozen=True)
class Seal:
    """A seal; see ``models.AuditSeal``."""

    id: int
    first_id: int
    last_id: int
    row_count: int
    last_at: datetime
    rows_digest: bytes
    previous: bytes
    digest: bytes
    key_id: str
    sealed_at: datetime
    anchored_at: datetime | None = None
    removed_at: datetime | None = None
    removal: bytes | None = None


def compute_key_id(key: bytes) -> str:
    """Return the name of a key, which does not reveal the key."""
    return _sign_content(key, b"name of the key").hex()[:_KEY_ID_LENGTH]


def digest_rows(key: bytes, rows: Iterable[str]) -> bytes:
    """Return the digest of rows in order, each in its canonical text."""
    digest = hmac.new(key, digestmod=sha256)
    for row in rows:
        row_bytes = row.encode()
        digest.update(len(row_bytes).to_bytes(8))
        digest.update(row_bytes)
    return digest.digest()


def digest_seal(key: bytes, seal: Seal) -> bytes:
    """Return the digest of a seal's values, which include the digest of the seal before it."""
    values = [
        seal.id,
        seal.first_id,
        seal.last_id,
        seal.row_count,
        (seal.last_at - _EPOCH) // _MICROSECOND,
        (seal.sealed_at - _EPOCH) // _MICROSECOND,
        seal.rows_digest.hex(),
        seal.previous.hex(),
        seal.key_id,
    ]
    return _sign_content(key, json.dumps(values).encode())


def sign_removal(key: bytes, seal: Seal) -> bytes:
    """Return the proof that the portal removed the rows of a seal."""
    return _sign_content(key, b"removed " + seal.digest)


def find_link_fault(seal: Seal, before: Seal | None, key: bytes) -> str | None:
    """Return what is wrong with a seal, or with its link to the one before it, or None."""
    expected_id, expected_first = (before.id + 1, before.last_id + 1) if before else (1, 1)
    if seal.id != expected_id:
        return f"seal {expected_id} is missing"
    previous = before.digest if before else FIRST_PREVIOUS
    is_linked = seal.first_id == expected_first and hmac.compare_digest(seal.previous, previous)
    if not is_linked or not hmac.compare_digest(seal.digest, digest_seal(key, seal)):
        return f"seal {seal.id} was changed"
    return None


def find_rows_fault(seal: Seal, rows: list[str], key: bytes) -> str | None:
    """Return how the rows of a seal differ from those that were sealed, or None."""
    span = f"rows {seal.first_id} to {seal.last_id} (seal {seal.id})"
    if seal.removed_at is not None:
        if seal.removal is None or not hmac.compare_digest(seal.removal, sign_removal(key, seal)):
            return f"{span}: rows were removed, but not by the portal"
        return f"{span}: rows were inserted after the removal" if rows else None
    if len(rows) < seal.row_count:
        removed_count = seal.row_count - len(rows)
        verb = "was" if removed_count == 1 else "were"
        return f"{span}: {removed_count} of {seal.row_count} rows {verb} removed"
    if len(rows) > seal.row_count:
        inserted_count = len(rows) - seal.row_count
        noun_and_verb = "row was" if inserted_count == 1 else "rows were"
        return f"{span}: {inserted_count} {noun_and_verb} inserted"
    if not hmac.compare_digest(digest_rows(key, rows), seal.rows_digest):
        return f"{span}: a row was changed"
    return None


def find_anchor_fault(seal: Seal, anchored_digest: str | None, now: datetime) -> str | None:
    """Return what is wrong with the copy of a seal in the anchor, or None."""
    if anchored_digest is None:
        is_due = seal.anchored_at is not None or seal.sealed_at < now - UNANCHORED_MAX
        return f"seal {seal.id} is missing in the anchor" if is_due else None
    if anchored_digest != seal.digest.hex():
        return f"seal {seal.id} differs from the anchor"
    return None


def _sign_content(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, sha256).digest()
