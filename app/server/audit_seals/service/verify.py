"""Verifies the seals, the rows that they cover, and the anchor (ADR 66)."""

from dataclasses import dataclass
from datetime import datetime

from app.basics.clock import get_utc_now
from app.server.audit_seals.anchor import Anchor, collect_digests
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.repository import Connection, SealRepository
from app.server.audit_seals.rules import Seal, find_anchor_fault, find_link_fault, find_rows_fault


@dataclass
class Verification:
    """The verified range, and the first break of the chain; None if there is none."""

    seals: int = 0
    rows: int = 0
    removed_seals: int = 0
    last_id: int = 0
    unsealed_rows: int = 0
    unsealed_since: datetime | None = None
    trouble: str | None = None


def verify_log(
    connection: Connection, keys: SealKeys, anchor: Anchor, *, now: datetime | None = None
) -> Verification:
    """Verify the whole log, up to the first break."""
    repository, now = SealRepository(connection), now or get_utc_now()
    stored_keys, anchored_digests = keys.load_all(), collect_digests(anchor.read())
    result = Verification()
    before: Seal | None = None
    for seal in repository.list_seals():
        result.trouble = _find_fault(repository, seal, before, stored_keys, anchored_digests, now)
        if result.trouble is not None:
            return result
        result.seals += 1
        if seal.removed_at is None:
            result.rows += seal.row_count
        else:
            result.removed_seals += 1
        result.last_id = seal.last_id
        before = seal
    last = max(anchored_digests, default=0)
    if last > result.seals:
        result.trouble = (
            f"seals {result.seals + 1} to {last}, which the anchor has, are missing in the "
            "database: its end was removed"
        )
    result.unsealed_rows, result.unsealed_since = repository.count_unsealed(result.last_id)
    return result


def record_verification(connection: Connection, result: Verification) -> None:
    """Record a verification for the operations page."""
    SealRepository(connection).add_verification(result.seals, result.rows, result.trouble)


def check_seal(repository: SealRepository, seal: Seal, key: bytes) -> str | None:
    """Return what is wrong with the rows of a seal, or None."""
    # Read more rows than were sealed, to find inserted rows.
    rows = repository.list_rows(seal.first_id, seal.last_id, seal.row_count + 1_000)
    return find_rows_fault(seal, [row.text for row in rows], key)


def _find_fault(
    repository: SealRepository,
    seal: Seal,
    before: Seal | None,
    keys: dict[str, bytes],
    anchored_digests: dict[int, str],
    now: datetime,
) -> str | None:
    key = keys.get(seal.key_id)
    if key is None:
        return f"the key {seal.key_id} of seal {seal.id} is not in the key folder"
    return (
        find_link_fault(seal, before, key)
        or find_anchor_fault(seal, anchored_digests.get(seal.id), now)
        or check_seal(repository, seal, key)
    )
