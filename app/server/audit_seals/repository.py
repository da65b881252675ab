"""SQL for seals, on a separate connection: sealing takes longer than a request may."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import psycopg
from psycopg.rows import class_row

from app.server.audit_seals.rules import Seal

Connection = psycopg.Connection[tuple[Any, ...]]
_LOCK = 6_601
"""The advisory lock of sealing and removing."""
_PAGE = 1_000
_SEALS = """
SELECT id, first_id, last_id, row_count, last_at, rows_digest, previous, digest, key_id, sealed_at,
    anchored_at, removed_at, removal
FROM audit_seals
"""
# The canonical text of a row. It must never change, because years of seals depend on it. For a new
# column, add a second text for later seals.
_ROW_TEXT = """
jsonb_build_array(id, (extract(epoch FROM at) * 1000000)::bigint, user_id, role, action, kind,
    record_ids, request_id, detail)::text
"""
# A transaction locks the table before it takes the id of a row.
_WRITERS = """
SELECT l.virtualtransaction FROM pg_locks l
WHERE l.relation = 'audit_events'::regclass AND l.mode = 'RowExclusiveLock' AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class SealedRow(NamedTuple):
    """An audit row in its canonical text."""

    id: int
    at: datetime
    text: str


class SealRepository:
    """Seals, and the rows that they cover.

    No ``Transaction`` builds it: it works in a thread, over a blocking connection that lasts for
    several transactions.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock(self) -> None:
        """Wait until nobody else seals or removes; the lock ends with the transaction."""
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))

    def find_last_taken_id(self) -> int:
        """Return the highest id that any transaction has taken; 0 if there is none."""
        row = self._connection.execute(
            "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM audit_events_id_seq"
        ).fetchone()
        assert row is not None
        return int(row[0])

    def list_writers(self) -> frozenset[str]:
        """Return the transactions that may have taken ids of rows that nobody sees yet."""
        return frozenset(str(row[0]) for row in self._connection.execute(_WRITERS))

    def find_last_seal(self) -> Seal | None:
        """Find the newest seal."""
        return next(self._select("ORDER BY id DESC LIMIT 1"), None)

    def list_seals(self) -> Iterator[Seal]:
        """Yield all seals in order."""
        after = 0
        while page := list(self._select("WHERE id > %s ORDER BY id LIMIT %s", after, _PAGE)):
            yield from page
            after = page[-1].id

    def list_unanchored_seals(self) -> list[Seal]:
        """List the seals that the anchor may not have."""
        return list(self._select("WHERE anchored_at IS NULL ORDER BY id LIMIT %s", _PAGE))

    def list_expired_seals(self, before: datetime) -> list[Seal]:
        """List some seals whose rows are all older than ``before``, and not removed yet."""
        condition = "WHERE removed_at IS NULL AND last_at < %s ORDER BY id LIMIT %s"
        return list(self._select(condition, before, _PAGE))

    def list_rows(self, first_id: int, last_id: int, limit: int | None = None) -> list[SealedRow]:
        """List rows in order, at most ``limit``."""
        statement = (
            f"SELECT id, at, {_ROW_TEXT} FROM audit_events WHERE id BETWEEN %s AND %s"
            " ORDER BY id LIMIT %s"
        )
        values = (first_id, last_id, limit)
        return [SealedRow(*row) for row in self._connection.execute(statement, values)]

    def count_unsealed(self, after: int) -> tuple[int, datetime | None]:
        """Return the number of rows that no seal covers yet, and the time of the oldest."""
        row = self._connection.execute(
            "SELECT count(*), min(at) FROM audit_events WHERE id > %s", (after,)
        ).fetchone()
        assert row is not None
        return row[0], row[1]

    def insert(self, seal: Seal) -> None:
        """Insert a seal."""
        self._connection.execute(
            "INSERT INTO audit_seals (id, first_id, last_id, row_count, last_at, rows_digest,"
            " previous, digest, key_id, sealed_at) VALUES (%(id)s, %(first_id)s, %(last_id)s,"
            " %(row_count)s, %(last_at)s, %(rows_digest)s, %(previous)s, %(digest)s, %(key_id)s,"
            " %(sealed_at)s)",
            vars(seal),
        )

    def mark_anchored(self, seals: Sequence[Seal], now: datetime) -> None:
        """Note that the anchor has these seals."""
        self._connection.execute(
            "UPDATE audit_seals SET anchored_at = %s WHERE id = ANY(%s)",
            (now, [seal.id for seal in seals]),
        )

    def remove_rows(self, seal: Seal, proof: bytes) -> int:
        """Remove the rows of a seal, and return their number."""
        row = self._connection.execute(
            "SELECT remove_sealed_events(%s, %s)", (seal.id, proof)
        ).fetchone()
        assert row is not None
        return int(row[0])

    def audit(self, action: str, detail: str) -> None:
        """Add an audit row of the worker."""
        self._connection.execute(
            "INSERT INTO audit_events (role, action, kind, record_ids, request_id, detail)"
            " VALUES ('worker', %s, 'audit-log', '{}', '', %s::jsonb)",
            (action, detail),
        )

    def load_retention_years(self, default: int) -> int:
        """Load the lab's retention of audit rows."""
        row = self._connection.execute(
            "SELECT (value->>'retentionYears')::int FROM lab_settings WHERE name = 'audit'"
        ).fetchone()
        return default if row is None or row[0] is None else int(row[0])

    def add_verification(self, seals: int, rows: int, trouble: str | None) -> None:
        """Record a verification."""
        self._connection.execute(
            "INSERT INTO audit_verifications (seals, rows, trouble) VALUES (%s, %s, %s)",
            (seals, rows, trouble),
        )

    def _select(self, condition: str, *values: object) -> Iterator[Seal]:
        with self._connection.cursor(row_factory=class_row(Seal)) as cursor:
            yield from cursor.execute(f"{_SEALS} {condition}", values).fetchall()


def subtract_years(now: datetime, years: int) -> datetime:
    """Return the moment this many years ago, or up to two days earlier."""
    return now - timedelta(days=365.25 * years + 1)
