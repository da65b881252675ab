"""Seals audit rows in order, in batches, and copies the seals to the anchor (ADR 66)."""

import time
from collections.abc import Callable
from dataclasses import replace

import structlog

from app.basics.clock import get_utc_now
from app.server.audit_seals.anchor import Anchor, AnchorEntry
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.repository import Connection, SealRepository
from app.server.audit_seals.rules import (
    FIRST_PREVIOUS,
    Seal,
    compute_key_id,
    digest_rows,
    digest_seal,
)

BATCH_ROWS = 10_000
_WAIT_LIMIT_SECONDS = 30.0
_PAUSE_SECONDS = 0.05
_log = structlog.get_logger("portal.audit")


def seal_rows(
    connection: Connection,
    keys: SealKeys,
    anchor: Anchor,
    *,
    batch: int = BATCH_ROWS,
    wait: Callable[[], bool] | None = None,
    ignored_writers: frozenset[str] = frozenset(),
) -> int:
    """Seal all rows whose transactions are over, and return how many rows were sealed.

    No later row can have an id in a sealed span. While an older transaction is open, nothing is
    sealed. ``wait`` waits for such transactions, and returns False after the time limit.
    ``ignored_writers`` are open transactions that are not waited for.
    """
    repository = SealRepository(connection)
    last_id = _find_final_id(repository, wait or _build_wait(), ignored_writers)
    sealed_count = 0
    while True:
        with connection.transaction():
            repository.lock()
            copy_to_anchor(repository, anchor)
            count = 0 if last_id is None else _seal_batch(repository, keys, last_id, batch)
        if not count:
            return sealed_count
        sealed_count += count


def copy_to_anchor(repository: SealRepository, anchor: Anchor) -> None:
    """Copy the seals that the anchor does not have; the caller has the lock."""
    while seals := repository.list_unanchored_seals():
        anchor.append([AnchorEntry(seal.id, seal.digest.hex()) for seal in seals])
        repository.mark_anchored(seals, get_utc_now())


def _find_final_id(
    repository: SealRepository, wait: Callable[[], bool], ignored_writers: frozenset[str]
) -> int | None:
    """Return an id up to which no new row can appear; None if a writer does not end.

    A transaction locks the table before it takes an id. A transaction that took an id up to
    the highest one is therefore among the writers, or its rows are visible already.
    """
    last_id = repository.find_last_taken_id()
    writers = repository.list_writers() - ignored_writers
    while writers:
        if not wait():
            _log.warning("audit rows not sealed: a transaction does not end", count=len(writers))
            return None
        writers &= repository.list_writers()
    return last_id


def _build_wait() -> Callable[[], bool]:
    deadline = time.monotonic() + _WAIT_LIMIT_SECONDS

    def wait() -> bool:
        time.sleep(_PAUSE_SECONDS)
        return time.monotonic() < deadline

    return wait


def _seal_batch(repository: SealRepository, keys: SealKeys, last_id: int, batch: int) -> int:
    before = repository.find_last_seal()
    first_id = before.last_id + 1 if before else 1
    rows = repository.list_rows(first_id, last_id, batch)
    if not rows:
        return 0
    key = keys.load_current()
    seal = Seal(
        id=before.id + 1 if before else 1,
        first_id=first_id,
        last_id=rows[-1].id if len(rows) == batch else last_id,
        row_count=len(rows),
        last_at=max(row.at for row in rows),
        rows_digest=digest_rows(key, (row.text for row in rows)),
        previous=before.digest if before else FIRST_PREVIOUS,
        digest=b"",
        key_id=compute_key_id(key),
        sealed_at=get_utc_now(),
    )
    seal = replace(seal, digest=digest_seal(key, seal))
    repository.insert(seal)
    # The application log thus has another copy of the chain.
    _log.info("audit rows sealed", seal=seal.id, rows=len(rows), digest=seal.digest.hex())
    return len(rows)
