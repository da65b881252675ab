"""Sealing audit rows, and detecting each attack on the database (ADR 66)."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from fastapi import FastAPI
from obstore.store import LocalStore

from app.server.audit_command import describe_verification
from app.server.audit_seals import tasks
from app.server.audit_seals.anchor import (
    Anchor,
    AnchorEntry,
    BucketAnchor,
    FileAnchor,
    collect_digests,
)
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.repository import Connection
from app.server.audit_seals.rules import compute_key_id
from app.server.audit_seals.service.retain import remove_expired_rows
from app.server.audit_seals.service.seal import seal_rows
from app.server.audit_seals.service.verify import verify_log

_INSERT = (
    "INSERT INTO audit_events (at, role, action, kind, record_ids, request_id, detail)"
    " SELECT coalesce(%s, now()), 'tester', 'read', 'patient', ARRAY[n], '', '{\"n\": 1}'"
    " FROM generate_series(1, %s) n"
)


class AuditLog:
    """A log with seals of ten rows, in a transaction that is rolled back at the end."""

    def __init__(self, connection: Connection, folder: Path) -> None:
        self.connection = connection
        self.keys = SealKeys(folder / "keys")
        self.anchor = FileAnchor(folder / "anchor.jsonl")

    def add_rows(self, count: int, at: datetime | None = None) -> None:
        """Add audit rows."""
        self.connection.execute(_INSERT, (at, count))

    def seal(self, batch: int = 10) -> int:
        """Seal all rows; this transaction is the only writer."""
        return seal_rows(
            self.connection,
            self.keys,
            self.anchor,
            batch=batch,
            ignored_writers=_get_own_transaction(self),
        )

    def find_trouble(self, keys: SealKeys | None = None, anchor: Anchor | None = None) -> str:
        """Verify, and return what is wrong."""
        result = verify_log(self.connection, keys or self.keys, anchor or self.anchor)
        return result.trouble or ""

    def attack(self, statement: str) -> None:
        """Run a statement as the owner of the database."""
        assert self.connection.execute(statement.encode()).rowcount > 0


def _get_own_transaction(log: AuditLog) -> frozenset[str]:
    row = log.connection.execute(
        "SELECT virtualtransaction FROM pg_locks WHERE pid = pg_backend_pid() LIMIT 1"
    ).fetchone()
    assert row is not None
    return frozenset({str(row[0])})


@pytest.fixture
def log(owner_url: str, tmp_path: Path) -> Iterator[AuditLog]:
    """An empty log."""
    with psycopg.connect(owner_url) as connection:
        connection.execute("DELETE FROM audit_seals")
        connection.execute("DELETE FROM audit_events")
        yield AuditLog(connection, tmp_path)
        connection.rollback()


@pytest.fixture
def sealed_log(log: AuditLog) -> AuditLog:
    """A log of fifty rows in five seals; the first also covers the ids of removed rows."""
    log.add_rows(50)
    assert log.seal() == 50
    assert log.find_trouble() == ""
    return log


_LAST = "(SELECT max(id) FROM audit_events)"


class TestAttacks:
    """Changes by somebody who owns the database, but not the keys and the anchor."""

    @pytest.mark.parametrize(
        ("statement", "trouble"),
        [
            (f"UPDATE audit_events SET role = 'x' WHERE id = {_LAST} - 25", "a row was changed"),
            (f"UPDATE audit_events SET at = now() - interval '1 h' WHERE id = {_LAST} - 25",
             "a row was changed"),
            (f"UPDATE audit_events SET detail = NULL WHERE id = {_LAST} - 25", "a row was changed"),
            (f"DELETE FROM audit_events WHERE id = {_LAST} - 25", "1 of 10 rows was removed"),
            ("DELETE FROM audit_events WHERE id = (SELECT min(id) FROM audit_events)",
             "(seal 1): 1 of 10 rows was removed"),
            ("INSERT INTO audit_events (id, role, action, kind, record_ids, request_id)"
             " VALUES (1, 'x', 'read', 'patient', '{}', '')", "1 row was inserted"),
            ("DELETE FROM audit_seals WHERE id = 3", "seal 3 is missing"),
            ("UPDATE audit_seals SET row_count = 9 WHERE id = 3", "seal 3 was changed"),
            ("UPDATE audit_seals SET sealed_at = sealed_at - interval '1 d' WHERE id = 3",
             "seal 3 was changed"),
            ("DELETE FROM audit_seals WHERE id = 5",
             "seals 5 to 5, which the anchor has, are missing in the database"),
            ("UPDATE audit_seals SET removed_at = now(), removal = digest WHERE id = 3",
             "rows were removed, but not by the portal"),
        ],
    )  # fmt: skip
    def test_detects_and_names_each_attack(
        self, sealed_log: AuditLog, statement: str, trouble: str
    ) -> None:
        sealed_log.attack(statement)
        assert trouble in sealed_log.find_trouble()

    def test_the_first_broken_span_is_named_with_its_rows(self, sealed_log: AuditLog) -> None:
        sealed_log.attack(f"UPDATE audit_events SET role = 'x' WHERE id > {_LAST} - 25")
        row = sealed_log.connection.execute(
            "SELECT first_id, last_id FROM audit_seals WHERE id = 3"
        ).fetchone()
        assert row is not None
        expected = f"rows {row[0]} to {row[1]} (seal 3): a row was changed"
        result = verify_log(sealed_log.connection, sealed_log.keys, sealed_log.anchor)
        assert result.trouble == expected
        assert describe_verification(result)[-1] == f"BROKEN: {expected}."

    def test_a_removed_end_is_noticed_by_the_anchor(self, sealed_log: AuditLog) -> None:
        sealed_log.attack("DELETE FROM audit_events e USING audit_seals s"
                      " WHERE s.id >= 4 AND e.id >= s.first_id")  # fmt: skip
        sealed_log.attack("DELETE FROM audit_seals WHERE id >= 4")
        assert "its end was removed" in sealed_log.find_trouble()

    def test_a_removed_end_is_noticed_after_new_rows(self, sealed_log: AuditLog) -> None:
        sealed_log.attack("DELETE FROM audit_seals WHERE id = 5")
        sealed_log.seal()
        assert "seal 5 differs from the anchor" in sealed_log.find_trouble()

    def test_the_log_of_another_key_is_noticed(self, sealed_log: AuditLog, tmp_path: Path) -> None:
        other = SealKeys(tmp_path / "other")
        other.load_current()
        assert "of seal 1 is not in the key folder" in sealed_log.find_trouble(keys=other)

    def test_a_missing_anchor_is_noticed(self, sealed_log: AuditLog, tmp_path: Path) -> None:
        empty_anchor = FileAnchor(tmp_path / "empty.jsonl")
        assert sealed_log.find_trouble(anchor=empty_anchor) == "seal 1 is missing in the anchor"

    def test_a_seal_whose_copy_is_overdue_is_noticed(
        self, sealed_log: AuditLog, tmp_path: Path
    ) -> None:
        sealed_log.attack("UPDATE audit_seals SET anchored_at = NULL")
        empty_anchor = FileAnchor(tmp_path / "empty.jsonl")
        assert sealed_log.find_trouble(anchor=empty_anchor) == ""
        later = datetime.now(UTC) + timedelta(hours=2)
        result = verify_log(sealed_log.connection, sealed_log.keys, empty_anchor, now=later)
        assert result.trouble == "seal 1 is missing in the anchor"


class TestKeys:
    """A new key."""

    def test_a_new_key_seals_and_older_seals_stay_valid(self, sealed_log: AuditLog) -> None:
        old_id, new_id = sealed_log.keys.rotate()
        sealed_log.add_rows(5)
        sealed_log.seal()
        ids = sealed_log.connection.execute("SELECT DISTINCT key_id FROM audit_seals").fetchall()
        assert {row[0] for row in ids} == {old_id, new_id}
        assert compute_key_id(sealed_log.keys.load_current()) == new_id
        assert sealed_log.find_trouble() == ""


class TestSpans:
    """The rows that a seal covers."""

    def test_spans_follow_each_other_without_a_gap(self, sealed_log: AuditLog) -> None:
        sealed_log.connection.execute(
            "SELECT nextval('audit_events_id_seq') FROM generate_series(1,9)"
        )
        sealed_log.add_rows(1)
        sealed_log.seal()
        rows = sealed_log.connection.execute(
            "SELECT first_id, last_id FROM audit_seals ORDER BY id"
        ).fetchall()
        assert rows[0][0] == 1
        assert all(rows[i][0] == rows[i - 1][1] + 1 for i in range(1, len(rows)))

    def test_an_empty_log_gets_no_seal(self, sealed_log: AuditLog) -> None:
        assert sealed_log.seal() == 0

    def test_unsealed_rows_are_counted(self, sealed_log: AuditLog) -> None:
        sealed_log.add_rows(3)
        result = verify_log(sealed_log.connection, sealed_log.keys, sealed_log.anchor)
        assert (result.seals, result.rows, result.unsealed_rows) == (5, 50, 3)
        assert "Not sealed yet: 3 rows" in " ".join(describe_verification(result))


class TestWriters:
    """Open transactions, whose rows have ids but are not visible yet."""

    @pytest.fixture
    def open_transaction(self, owner_url: str) -> Iterator[Connection]:
        """A transaction with a new row, whose id is lower than those of later rows."""
        with psycopg.connect(owner_url) as connection:
            connection.execute(_INSERT, (None, 1))
            yield connection
            connection.rollback()

    def test_seals_no_rows_before_concurrent_writers_end(
        self, log: AuditLog, open_transaction: Connection
    ) -> None:
        log.add_rows(2)
        waits: list[int] = []

        def wait() -> bool:
            waits.append(1)
            return len(waits) < 3

        own = _get_own_transaction(log)
        sealed_count = seal_rows(
            log.connection, log.keys, log.anchor, wait=wait, ignored_writers=own
        )
        assert (sealed_count, len(waits)) == (0, 3)

    def test_seals_rows_of_concurrent_writers_after_they_end(
        self, log: AuditLog, open_transaction: Connection
    ) -> None:
        log.add_rows(2)

        def wait() -> bool:
            open_transaction.execute("DELETE FROM audit_events WHERE role = 'tester'")
            open_transaction.rollback()
            return True

        own = _get_own_transaction(log)
        sealed_count = seal_rows(
            log.connection, log.keys, log.anchor, wait=wait, ignored_writers=own
        )
        assert sealed_count == 2
        assert log.find_trouble() == ""


class TestRetention:
    """Rows that are older than the lab's retention."""

    @pytest.fixture
    def old_log(self, log: AuditLog) -> AuditLog:
        """A log with two seals of eight years ago, and one of six and a half."""
        now = datetime.now(UTC)
        log.add_rows(20, now - timedelta(days=365 * 8))
        log.add_rows(10, now - timedelta(days=int(365 * 6.5)))
        log.seal()
        return log

    def test_removes_the_rows_of_expired_seals_and_keeps_the_seals(self, old_log: AuditLog) -> None:
        assert remove_expired_rows(old_log.connection, old_log.keys, datetime.now(UTC)) == 20
        result = verify_log(old_log.connection, old_log.keys, old_log.anchor)
        assert result.trouble is None
        assert (result.seals, result.removed_seals, result.rows) == (3, 2, 10)
        row = old_log.connection.execute(
            "SELECT detail->>'rows' FROM audit_events WHERE kind = 'audit-log' ORDER BY id LIMIT 1"
        ).fetchone()
        assert row == ("10",)

    def test_removes_rows_after_the_years_of_the_setting(self, old_log: AuditLog) -> None:
        old_log.attack(
            "INSERT INTO lab_settings (name, value) VALUES ('audit', '{\"retentionYears\": 6}')"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        assert remove_expired_rows(old_log.connection, old_log.keys, datetime.now(UTC)) == 30

    def test_broken_seals_stay(self, old_log: AuditLog) -> None:
        old_log.attack("UPDATE audit_events SET role = 'x'"
                   " WHERE id = (SELECT min(id) FROM audit_events)")  # fmt: skip
        assert remove_expired_rows(old_log.connection, old_log.keys, datetime.now(UTC)) == 10
        assert "(seal 1): a row was changed" in old_log.find_trouble()

    def test_rows_that_come_back_are_noticed(self, old_log: AuditLog) -> None:
        remove_expired_rows(old_log.connection, old_log.keys, datetime.now(UTC))
        old_log.attack("INSERT INTO audit_events (id, role, action, kind, record_ids, request_id)"
                   " VALUES (1, 'x', 'read', 'patient', '{}', '')")  # fmt: skip
        assert "rows were inserted after the removal" in old_log.find_trouble()

    def test_the_database_removes_no_rows_of_the_last_six_years(self, sealed_log: AuditLog) -> None:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            sealed_log.connection.execute("SELECT remove_sealed_events(1, '')")


@pytest.fixture(params=["file", "bucket"])
def anchor(request: pytest.FixtureRequest, tmp_path: Path) -> Anchor:
    """Each kind of anchor."""
    factories: dict[str, Callable[[], Anchor]] = {
        "file": lambda: FileAnchor(tmp_path / "below" / "anchor.jsonl"),
        "bucket": lambda: BucketAnchor(LocalStore(tmp_path)),
    }
    return factories[request.param]()


class TestAnchor:
    """Both kinds of anchors."""

    def test_keeps_entries_in_order(self, anchor: Anchor) -> None:
        assert list(anchor.read()) == []
        entries = [AnchorEntry(n, f"{n:064x}") for n in range(1, 5)]
        anchor.append(entries[:3])
        anchor.append(entries[3:])
        assert list(anchor.read()) == entries

    def test_uses_the_first_of_repeated_entries(self, anchor: Anchor) -> None:
        anchor.append([AnchorEntry(1, "aa"), AnchorEntry(1, "aa"), AnchorEntry(1, "bb")])
        assert collect_digests(anchor.read()) == {1: "aa"}

    def test_a_restore_sets_later_entries_aside(self, anchor: Anchor) -> None:
        anchor.append([AnchorEntry(1, "aa"), AnchorEntry(2, "bb")])
        anchor.append([AnchorEntry(1, "aa", is_restored=True), AnchorEntry(2, "cc")])
        assert collect_digests(anchor.read()) == {1: "aa", 2: "cc"}

    def test_a_crash_within_a_line_loses_that_line_only(self, tmp_path: Path) -> None:
        file = tmp_path / "anchor.jsonl"
        file.write_text('{"seal": 1, "digest": "aa"}\n{"seal": 2, "di')
        FileAnchor(file).append([AnchorEntry(2, "bb")])
        assert collect_digests(FileAnchor(file).read()) == {1: "aa", 2: "bb"}


class TestJobs:
    """The periodic jobs, as the worker runs them."""

    async def test_jobs_seal_and_verify_the_log(self, portal_app: FastAPI, owner_url: str) -> None:
        portal = portal_app.state.portal
        # Other portals of these tests share the database and may have sealed with their own keys.
        (portal.settings.data_dir / "audit-anchor.jsonl").unlink(missing_ok=True)
        with psycopg.connect(owner_url) as connection:
            connection.execute("DELETE FROM audit_seals")
            connection.execute(_INSERT, (None, 1))
        await tasks.seal_audit_rows(portal)
        await tasks.verify_audit_rows(portal)
        await tasks.remove_old_audit_rows(portal)
        with psycopg.connect(owner_url) as connection:
            row = connection.execute(
                "SELECT trouble, seals FROM audit_verifications ORDER BY id DESC LIMIT 1"
            ).fetchone()
        assert row is not None
        assert row[0] is None
        assert row[1] > 0
