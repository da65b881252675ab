"""Results, tried by raw SQL: who may release and withhold them, and that none disappears."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from psycopg import sql

from app.server.database.base import declared_locks
from app.server.database.scope import DATABASE_ROLES
from tests.server.database.raw_sql import (
    FOREIGN,
    OWN,
    OWNER,
    STRANGER,
    SqlSession,
    build_insert,
    get_columns,
)

_VERSIONED_TABLES = ("results", "cultures", "toxicology_results", "pathology_reports")
_KINDS = dict(
    zip(_VERSIONED_TABLES, ("clinical", "microbiology", "toxicology", "pathology"), strict=True)
)
_MARK = f"UPDATE order_tests SET withheld = {{}}, withheld_at = '2001-01-01' WHERE id = {OWN}"
_LIES = ("'2001-01-01'", "'2999-01-01'", "now() AT TIME ZONE 'UTC' + interval '3 hours'")

_in_each_family = pytest.mark.parametrize("table", _VERSIONED_TABLES)


def _quote_id(user: UUID | None) -> str:
    return f"'{user}'" if user else "NULL"


@contextmanager
def _run_in_state(session: SqlSession, table: str, *changes: str) -> Iterator[str]:
    """Make the row a visible current version, change it, and yield a condition to find it."""
    key = session.build_row_condition(table)
    with session.run_in_state(
        f"UPDATE {table} SET is_current = true, released_at = '2026-01-01', withheld = NULL,"
        f" withheld_by = NULL, revision = 5 WHERE {key}",
        f"UPDATE order_tests SET withheld = NULL, kind = '{_KINDS[table]}', status = 16"
        f" WHERE id = {OWN}",
        *(f"UPDATE {table} SET {change} WHERE {key}" for change in changes),
    ):
        yield key


def _build_version(session: SqlSession, table: str, **values: Any) -> dict[str, Any]:
    """Build an unreleased, newer version of the table's row, entered by the owner of all rows."""
    version = {
        "id": FOREIGN,
        "revision": 99,
        "is_current": False,
        "released_at": None,
        "released_by": None,
        "withheld": None,
        "verified_at": None,
        "verified_by": None,
        "autoverified_version": None,
    }
    row = {**session.rows[table], **version, **values}
    return {name: value for name, value in row.items() if name in session.rows[table]}


def _hide(table: str) -> str:
    return f"UPDATE {table} SET is_current = false WHERE id = {OWN}"


def _insert(session: SqlSession, table: str, role: str, row: dict[str, Any]) -> int | str:
    if get_columns(table, role, "INSERT") is None:
        return "denied"
    session.enter_results_as(role)
    return session.try_statement(build_insert(table, list(row)), row)


@_in_each_family
class TestReleasing:
    """Only the lab releases a result, in the releasing person's name and at the present time."""

    def _list_releasers(self, table: str, role: str) -> list[tuple[UUID | None, int | str]]:
        """Return in whose name a role may release, and the outcome of each statement."""
        is_lab = role == "as_staff"
        by_rule = is_lab and table == "results"
        return [
            (OWNER.user, 1 if is_lab else "denied"),
            (STRANGER.user, "denied"),
            (None, 1 if by_rule else "denied"),
        ]

    def test_only_the_lab_inserts_a_released_version(self, session: SqlSession, table: str) -> None:
        for role in DATABASE_ROLES:
            for releaser, outcome in self._list_releasers(table, role):
                row = _build_version(
                    session,
                    table,
                    released_at=datetime(2026, 1, 1),  # noqa: DTZ001  the lab's clock
                    released_by=releaser,
                    autoverified_version=None if releaser else 1,
                )
                assert _insert(session, table, role, row) == outcome, (role, releaser)

    def test_only_the_lab_releases_an_entered_version(
        self, session: SqlSession, table: str
    ) -> None:
        rule = ", autoverified_version = {}" if table == "results" else ""
        for role in DATABASE_ROLES:
            if "released_by" not in (get_columns(table, role, "UPDATE") or ()):
                continue
            for releaser, outcome in self._list_releasers(table, role):
                with _run_in_state(session, table, "released_at = NULL") as key:
                    session.enter_results_as(role)
                    release = (
                        f"UPDATE {table} SET released_at = now(),"
                        f" released_by = {_quote_id(releaser)}"
                        f"{rule.format('NULL' if releaser else '1')} WHERE {key}"
                    )
                    assert session.try_texts(release) == outcome, (role, releaser)

    def test_a_release_has_the_time_and_the_name_of_the_account(
        self, session: SqlSession, table: str
    ) -> None:
        has_name = "released_by_name" in session.rows[table]
        account = session.rows["users"]
        for lie in _LIES:
            changes = ["released_at = NULL"]
            if table == "results":
                changes.append("autoverified_version = NULL")
            with _run_in_state(session, table, *changes) as key:
                session.act_as("as_staff")
                name = ", released_by_name = 'DR. SOMEBODY ELSE'" if has_name else ""
                row = session.fetch(
                    f"UPDATE {table} SET released_at = {lie}, released_by = {_quote_id(OWNER.user)}"
                    f"{name} WHERE {key} RETURNING *"
                )
                assert row["released_at"] == session.get_lab_time(), lie
                if has_name:
                    name = f"{account['first_name']} {account['last_name']}"
                    assert row["released_by_name"] == name


@_in_each_family
class TestEntering:
    """An entry or verification has the name of the person who acts, and the present time."""

    def test_an_entry_has_the_actor_and_the_time(self, session: SqlSession, table: str) -> None:
        for role in ("as_staff", "as_client"):
            for user, outcome in ((OWNER.user, 1), (STRANGER.user, "denied"), (None, "denied")):
                row = _build_version(session, table, entered_by=user)
                assert _insert(session, table, role, row) == outcome, (role, user)
            row = _build_version(session, table)
            with session.connection.transaction(force_rollback=True):
                session.enter_results_as(role)
                session.connection.execute(build_insert(table, list(row)), row)
                stored_value = session.fetch(f"SELECT entered_at FROM {table} WHERE id = {FOREIGN}")
            assert stored_value["entered_at"] == session.get_lab_time()

    def test_nobody_changes_an_entry_in_another_name(self, session: SqlSession, table: str) -> None:
        locks = {lock.name: lock for lock in declared_locks[table]}
        if "entry" not in locks:
            assert "comment" not in (get_columns(table, "as_staff", "UPDATE") or ())
            return
        for role in ("as_staff", "as_client"):
            with _run_in_state(
                session, table, "released_at = NULL", f"entered_by = {_quote_id(STRANGER.user)}"
            ) as key:
                session.enter_results_as(role)
                text = f"UPDATE {table} SET flag = 'H' WHERE {key}"
                if table == "toxicology_results":
                    text = f"UPDATE {table} SET value = 'NONE' WHERE {key}"
                assert session.try_texts(text) == "denied", role
                in_own_name = text.replace(
                    " WHERE", f", entered_by = {_quote_id(OWNER.user)} WHERE"
                )
                assert session.try_texts(in_own_name) == 1, role


class TestClinicalResults:
    """Verification and release by rules, which only clinical results have."""

    def test_only_the_lab_verifies_in_its_own_name(self, session: SqlSession) -> None:
        for role, user, outcome in (
            ("as_staff", OWNER.user, 1),
            ("as_staff", STRANGER.user, "denied"),
            ("as_staff", None, "denied"),
            ("as_client", OWNER.user, "denied"),
        ):
            with _run_in_state(
                session, "results", "released_at = NULL, verified_at = NULL, verified_by = NULL"
            ) as key:
                session.enter_results_as(role)
                verify = (
                    f"UPDATE results SET verified_by = {_quote_id(user)},"
                    f" verified_at = '2001-01-01' WHERE {key}"
                )
                assert session.try_texts(verify) == outcome, (role, user)

    def test_a_verification_has_the_time_at_which_it_is_made(self, session: SqlSession) -> None:
        for lie in _LIES:
            with _run_in_state(session, "results", "released_at = NULL") as key:
                session.act_as("as_staff")
                row = session.fetch(
                    f"UPDATE results SET verified_by = {_quote_id(OWNER.user)}, verified_at = {lie}"
                    f" WHERE {key} RETURNING *"
                )
                assert row["verified_at"] == session.get_lab_time(), lie

    def test_an_unknown_time_zone_allows_the_times_of_all_zones(self, session: SqlSession) -> None:
        zone = "Mars/Olympus"
        plausible_time = "now() AT TIME ZONE 'UTC' + interval '7 hours 30 minutes'"
        store = (
            "INSERT INTO lab_settings (name, value) VALUES ('time-zone',"
            f""" '{{"name": "{zone}"}}') ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
        )
        for value, expected in (
            (plausible_time, plausible_time),
            ("'2001-01-01'", "now() AT TIME ZONE 'UTC' - interval '12 hours'"),
            ("'2999-01-01'", "now() AT TIME ZONE 'UTC' + interval '14 hours'"),
        ):
            with (
                session.run_in_state(store),
                _run_in_state(session, "results", "released_at = NULL") as key,
            ):
                session.act_as("as_staff")
                row = session.fetch(
                    f"UPDATE results SET verified_by = {_quote_id(OWNER.user)},"
                    f" verified_at = {value} WHERE {key}"
                    f" RETURNING verified_at = ({expected})::timestamp(0) AS is_equal"
                )
                assert row["is_equal"], value

    def test_a_rule_releases_with_its_own_version(self, session: SqlSession) -> None:
        for version, releaser, outcome in (
            ("3", "NULL", 1),
            ("4", "NULL", "denied"),
            ("3", _quote_id(OWNER.user), "denied"),
        ):
            with _run_in_state(session, "results", "released_at = NULL") as key:
                rule = session.build_row_condition("autoverification_rules")
                change = f"UPDATE autoverification_rules SET version = 3 WHERE {rule}"
                session.connection.execute(change.encode())
                session.act_as("as_staff")
                release = (
                    f"UPDATE results SET released_at = now(), released_by = {releaser},"
                    f" autoverified_version = {version} WHERE {key}"
                )
                assert session.try_texts(release) == outcome, (version, releaser)


@_in_each_family
class TestWithholding:
    """Only the lab withholds released results, together with their test, in the person's name."""

    def _build_withholding(self, table: str, key: str, kind: str, by: UUID = OWNER.user) -> str:
        return (
            f"UPDATE {table} SET withheld = {kind}, withheld_by = '{by}',"
            f" withheld_at = '2001-01-01' WHERE {key}"
        )

    def test_no_other_role_withholds_or_shows(self, session: SqlSession, table: str) -> None:
        for role in DATABASE_ROLES:
            if role == "as_staff" or "withheld" not in (get_columns(table, role, "UPDATE") or ()):
                continue
            with _run_in_state(session, table) as key:
                session.enter_results_as(role)
                assert (
                    session.try_texts(self._build_withholding(table, key, "'review'")) == "denied"
                ), role
            with _run_in_state(session, table, "withheld = 'review'") as key:
                session.enter_results_as(role)
                show = f"UPDATE {table} SET withheld = NULL"
                assert session.try_texts(show) in ("denied", 0), role

    def test_no_other_role_marks_a_test(self, session: SqlSession, table: str) -> None:
        for role in DATABASE_ROLES:
            if role != "as_staff" and get_columns("order_tests", role, "UPDATE"):
                with _run_in_state(session, table):
                    session.enter_results_as(role)
                    assert session.try_texts(_MARK.format("'review'")) in ("denied", 0), role

    def test_the_lab_withholds_a_result_together_with_its_test(
        self, session: SqlSession, table: str
    ) -> None:
        for kind in ("'review'", "'withdrawn'"):
            with _run_in_state(session, table) as key:
                session.act_as("as_staff")
                own, mark = self._build_withholding(table, key, kind), _MARK.format(kind)
                assert session.try_texts(own, mark) == 1
                assert session.try_texts(own) == "denied", "the test is not marked"
                assert session.try_texts(mark) == "denied", "the result is not withheld"
                in_other_name = self._build_withholding(table, key, kind, STRANGER.user)
                assert session.try_texts(in_other_name, mark) == "denied"
                assert session.fetch(f"{own} RETURNING *")["withheld_at"] == session.get_lab_time()
                assert session.fetch(f"{mark} RETURNING *")["withheld_at"] == session.get_lab_time()

    def test_an_earlier_version_does_not_appear_instead(
        self, session: SqlSession, table: str
    ) -> None:
        with _run_in_state(session, table) as key:
            older = {**session.rows[table], "id": FOREIGN, "revision": 1, "withheld": None}
            older["is_current"] = table == "pathology_reports"
            session.connection.execute(build_insert(table, list(older)), older)
            session.act_as("as_staff")
            mark = _MARK.format("'review'")
            assert (
                session.try_texts(self._build_withholding(table, key, "'review'"), mark) == "denied"
            )
            both = key.replace(f"= {OWN}", f"IN ({OWN}, {FOREIGN})")
            assert session.try_texts(self._build_withholding(table, both, "'review'"), mark) == 1

    def test_the_lab_shows_a_result_again_only_after_a_review(
        self, session: SqlSession, table: str
    ) -> None:
        for kind, outcome in (("'review'", 1), ("'withdrawn'", "denied")):
            with _run_in_state(session, table, f"withheld = {kind}") as key:
                withhold = f"UPDATE order_tests SET withheld = {kind} WHERE id = {OWN}"
                session.connection.execute(withhold.encode())
                session.act_as("as_staff")
                show = f"UPDATE {table} SET withheld = NULL"
                mark = _MARK.format("NULL")
                assert session.try_texts(f"{show} WHERE {key}", mark) == outcome, kind
                other = f"{show}, withheld_reason = 'X' WHERE {key}"
                assert session.try_texts(other, mark) == "denied", "the reason of the review stays"
                assert session.try_texts(mark) == "denied", "the result is still withheld"

    def test_an_unreleased_version_is_not_withheld(self, session: SqlSession, table: str) -> None:
        with _run_in_state(session, table, "released_at = NULL") as key:
            session.act_as("as_staff")
            assert session.try_texts(self._build_withholding(table, key, "'review'")) == "denied"
        for role in ("as_staff", "as_client"):
            row = _build_version(session, table, withheld="review")
            assert _insert(session, table, role, row) == "denied", role


@_in_each_family
class TestCurrentVersions:
    """No released result disappears behind another version or a cancellation."""

    def test_no_role_hides_a_released_version(self, session: SqlSession, table: str) -> None:
        reached_count = 0
        for role in DATABASE_ROLES:
            if "is_current" in (get_columns(table, role, "UPDATE") or ()):
                reached_count += 1
                with _run_in_state(session, table):
                    session.enter_results_as(role)
                    assert session.try_texts(_hide(table)) == "denied", role
        assert reached_count > 0

    def test_a_new_version_is_the_newest(self, session: SqlSession, table: str) -> None:
        with _run_in_state(session, table):
            for role in ("as_staff", "as_client"):
                row = _build_version(session, table)
                assert _insert(session, table, role, row) == 1
                assert _insert(session, table, role, {**row, "revision": 4}) == "denied"

    def test_a_new_version_belongs_to_the_order_of_its_test(
        self, session: SqlSession, table: str
    ) -> None:
        with _run_in_state(session, table):
            for name, values in (("requisitions", {}), ("orders", {"requisition_id": FOREIGN})):
                other = {**session.rows[name], "id": FOREIGN, "code": "ZZ-OTHER", **values}
                session.connection.execute(build_insert(name, list(other)), other)
            row = {**_build_version(session, table), "order_id": FOREIGN}
            for role in ("as_staff", "as_client"):
                assert _insert(session, table, role, row) == "denied", role

    def test_a_test_with_a_visible_result_is_not_canceled(
        self, session: SqlSession, table: str
    ) -> None:
        others = [
            f"UPDATE {other} SET released_at = NULL WHERE {session.build_row_condition(other)}"
            for other in _VERSIONED_TABLES
            if other != table
        ]
        cancel = sql.SQL(f"UPDATE order_tests SET status = 32 WHERE id = {OWN}")
        for role, changes, outcome in (
            ("as_staff", (), "denied"),
            ("as_staff", ("withheld = 'review'",), "denied"),
            ("as_staff", ("withheld = 'withdrawn'",), 1),
            ("as_staff", ("released_at = NULL",), 1),
            ("as_client", ("released_at = NULL",), "denied"),
        ):
            with _run_in_state(session, table, *changes):
                for text in others:
                    session.connection.execute(text.encode())
                session.enter_results_as(role)
                assert session.try_statement(cancel) == outcome, (role, changes)


@pytest.mark.parametrize("table", _VERSIONED_TABLES[:3])
class TestVersionsInEntry:
    """An entered version replaces the released one; every pathology report is current."""

    def test_a_withdrawn_version_leaves_the_released_one(
        self, session: SqlSession, table: str
    ) -> None:
        for role in ("as_staff", "as_client"):
            with _run_in_state(session, table):
                session.enter_results_as(role)
                row = _build_version(session, table, is_current=True)
                session.connection.execute(_hide(table).encode())
                session.connection.execute(build_insert(table, list(row)), row)
                session.connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
                session.connection.execute("SET CONSTRAINTS ALL DEFERRED")
                withdraw = f"UPDATE {table} SET is_current = false WHERE id = {FOREIGN}"
                restore = f"UPDATE {table} SET is_current = true WHERE id = {OWN}"
                assert session.try_texts(withdraw) == "denied", "nothing is current"
                assert session.try_texts(withdraw, restore) == 1

    def test_an_older_version_does_not_replace_the_released_one(
        self, session: SqlSession, table: str
    ) -> None:
        with _run_in_state(session, table):
            older = {**session.rows[table], "id": FOREIGN, "revision": 1, "is_current": False}
            session.connection.execute(build_insert(table, list(older)), older)
            for role in ("as_staff", "as_client"):
                session.enter_results_as(role)
                take = f"UPDATE {table} SET is_current = true WHERE id = {FOREIGN}"
                assert session.try_texts(_hide(table), take) == "denied", role
