"""Signatures and requisitions, tried by raw SQL: what somebody has signed stays as it was."""

from dataclasses import fields

import psycopg
import pytest

from app.server.database.scope import DATABASE_ROLES
from app.server.requisitions.models import SIGNED_COLUMNS
from app.server.requisitions.rules import SignedContent
from app.server.requisitions.schemas import RequisitionWrite
from app.server.requisitions.service.header import get_sent_columns
from tests.server.database.raw_sql import (
    FOREIGN,
    OWN,
    OWNER,
    STRANGER,
    SqlSession,
    build_insert,
    get_columns,
)

_SIGNERS = ("as_staff", "as_client", "as_physician", "as_patient")
_PENDING, _CANCELED, _DONE = 1, 2, 4
_SIGN = (
    "INSERT INTO requisition_signatures"
    " (requisition_id, user_id, user_name, image, content_hash, signed_at{more_columns})"
    f" VALUES ({OWN}, '{{user}}', 'DR. SOMEBODY ELSE', '', '', {{at}}{{more_values}})"
)
_MARK = f"UPDATE requisitions SET has_signature = {{}} WHERE id = {OWN}"
_END = f"UPDATE requisition_signatures SET removed_at = {{}} WHERE requisition_id = {OWN}"


def _sign(at: str = "now()", user: object = OWNER.user, more: tuple[str, str] = ("", "")) -> str:
    return _SIGN.format(at=at, user=user, more_columns=more[0], more_values=more[1])


def _build_state(
    *, is_signed: bool, status: int = _PENDING, order_status: int = 1
) -> tuple[str, ...]:
    """Return the statements that sign the requisition, or leave it unsigned."""
    removed_at = "NULL" if is_signed else "'2026-01-01'"
    return (
        f"UPDATE requisitions SET status = {status}, has_signature = {is_signed} WHERE id = {OWN}",
        f"UPDATE orders SET status = {order_status} WHERE id = {OWN}",
        _END.format(removed_at),
    )


class TestSigning:
    """A signature has the name of its account and the present time, and marks its requisition."""

    def test_changes_only_together_with_has_signature(self, session: SqlSession) -> None:
        for role in _SIGNERS:
            with session.run_in_state(*_build_state(is_signed=False)):
                session.act_as(role)
                assert session.try_texts(_sign(), _MARK.format(True)) == 1, role
                assert session.try_texts(_sign()) == "denied", "no mark"
                assert session.try_texts(_MARK.format(True)) == "denied", "no signature"

    def test_a_new_requisition_is_not_signed(self, session: SqlSession) -> None:
        for role in ("as_staff", "as_client"):
            session.act_as(role)
            allowed_columns = get_columns("requisitions", role, "INSERT") or ()
            row = {k: v for k, v in session.rows["requisitions"].items() if k in allowed_columns}
            row |= {"id": FOREIGN, "code": "ZZ-NEW"}
            for is_signed, outcome in ((False, 1), (True, "denied")):
                row["has_signature"] = is_signed
                statement = build_insert("requisitions", list(row))
                assert session.try_statement(statement, row) == outcome, role

    def test_ignores_a_given_time(self, session: SqlSession) -> None:
        for role in _SIGNERS:
            for at in ("'2001-01-01'", "'2999-01-01'", "now() - interval '3 hours'"):
                with session.run_in_state(*_build_state(is_signed=False)):
                    session.act_as(role)
                    row = session.fetch(f"{_sign(at)} RETURNING *")
                    assert row["signed_at"] == session.get_lab_time(), (role, at)

    def test_has_the_name_of_the_account(self, session: SqlSession) -> None:
        account = session.rows["users"]
        with session.run_in_state(*_build_state(is_signed=False)):
            session.act_as("as_client")
            row = session.fetch(f"{_sign()} RETURNING *")
            assert row["user_name"] == f"{account['first_name']} {account['last_name']}"

    def test_rejects_unknown_users_and_ended_signatures(self, session: SqlSession) -> None:
        for role in _SIGNERS:
            with session.run_in_state(*_build_state(is_signed=False)):
                session.act_as(role, STRANGER)
                session.connection.execute(
                    "SELECT set_config('app.ids', %s, true)", (f"{{{OWN}}}",)
                )
                unknown_signature = _sign(user=STRANGER.user)
                assert session.try_texts(unknown_signature, _MARK.format(True)) == "denied", role
                session.act_as(role)
                ended_signature = _sign(more=(", removed_at", ", now()"))
                assert session.try_texts(ended_signature) == "denied", role

    @pytest.mark.parametrize("is_signed", [False, True])
    def test_no_longer_changes_when_the_order_is_final_or_canceled(
        self, session: SqlSession, is_signed: bool
    ) -> None:
        texts = (
            (_END.format("now()"), _MARK.format(False))
            if is_signed
            else (_sign(), _MARK.format(True))
        )
        for status, order_status, outcome in (
            (_PENDING, 1, 1),
            (_DONE, 2, 1),
            (_DONE, 16, "denied"),
            (_DONE, 32, "denied"),
            (_CANCELED, 1, "denied"),
        ):
            state = _build_state(is_signed=is_signed, status=status, order_status=order_status)
            with session.run_in_state(*state):
                session.act_as("as_client")
                assert session.try_texts(*texts) == outcome, (status, order_status)


class TestUnsigning:
    """The signer ends a signature at the current time, together with the mark."""

    def test_has_the_current_time(self, session: SqlSession) -> None:
        with session.run_in_state(*_build_state(is_signed=True)):
            session.act_as("as_client")
            row = session.fetch(_END.format("'2001-01-01'") + " RETURNING removed_at, now() AS now")
            assert row["removed_at"] == row["now"]

    def test_ends_together_with_has_signature(self, session: SqlSession) -> None:
        for role in _SIGNERS:
            with session.run_in_state(*_build_state(is_signed=True)):
                session.act_as(role)
                assert session.try_texts(_END.format("now()"), _MARK.format(False)) == 1, role
                assert session.try_texts(_END.format("now()")) == "denied", role
                assert session.try_texts(_MARK.format(False)) == "denied", role


class TestSignedContent:
    """What a signature covers does not change."""

    def test_the_locked_columns_match_the_signed_content(self) -> None:
        # An empty body stands for all plain columns that a save writes.
        plain_fields = get_sent_columns(RequisitionWrite())
        attested_columns = {field.name for field in fields(SignedContent)} & set(SIGNED_COLUMNS)
        assert set(SIGNED_COLUMNS) == {*plain_fields, *attested_columns, "test_ids"}
        parts = {"tests", "diagnoses", "medications"}
        assert {field.name for field in fields(SignedContent)} == attested_columns | parts

    @pytest.mark.parametrize("column", SIGNED_COLUMNS)
    def test_no_role_changes_a_column(self, session: SqlSession, column: str) -> None:
        value = "ARRAY[1, 2]" if column == "test_ids" else "NULL"
        change = f"UPDATE requisitions SET {column} = {value} WHERE id = {OWN}"
        for role in DATABASE_ROLES:
            if column in (get_columns("requisitions", role, "UPDATE") or ()):
                with session.run_in_state(*_build_state(is_signed=True)):
                    session.act_as(role)
                    assert session.try_texts(change) == "denied", role

    def test_a_missing_physician_may_be_filled_in_after_the_receipt(
        self, session: SqlSession
    ) -> None:
        fill_in = f"UPDATE requisitions SET physician_id = {OWN} WHERE id = {OWN}"
        for status, outcome in ((_DONE, 1), (_PENDING, "denied")):
            with session.run_in_state(
                *_build_state(is_signed=True, status=status),
                f"UPDATE requisitions SET physician_id = NULL WHERE id = {OWN}",
            ):
                session.act_as("as_client")
                assert session.try_texts(fill_in) == outcome

    @pytest.mark.parametrize(
        "table", ["requisition_tests", "requisition_diagnoses", "requisition_medications"]
    )
    def test_parts_change_only_while_open_and_unsigned(
        self, session: SqlSession, table: str
    ) -> None:
        row = {**session.rows[table], "id": FOREIGN, "position": 77}
        for role in DATABASE_ROLES:
            for is_signed, status in ((False, _PENDING), (True, _PENDING), (False, _CANCELED)):
                is_open = not is_signed and status == _PENDING
                with session.run_in_state(*_build_state(is_signed=is_signed, status=status)):
                    session.act_as(role)
                    insert_outcome = session.try_statement(build_insert(table, list(row)), row)
                    delete_outcome = session.try_texts(
                        f"DELETE FROM {table} WHERE requisition_id = {OWN}"
                    )
                    if is_open and session.can_see(table, role, OWNER):
                        session.act_as(role)
                        may_change = get_columns(table, role, "INSERT") is not None
                        assert (insert_outcome, delete_outcome) == (
                            (1, 1) if may_change else ("denied", "denied")
                        ), role
                    else:
                        assert insert_outcome == "denied", (role, is_signed, status)
                        assert delete_outcome in (0, "denied"), (role, is_signed, status)

    @pytest.mark.parametrize("table", ["requisition_diagnoses", "requisition_medications"])
    def test_a_save_of_the_same_parts_changes_nothing(
        self, session: SqlSession, table: str
    ) -> None:
        """An earlier version of the portal deletes unchanged parts, and inserts them again."""
        row = {**session.rows[table], "id": FOREIGN}
        with session.run_in_state(*_build_state(is_signed=True)):
            session.act_as("as_client")
            remove = f"DELETE FROM {table} WHERE requisition_id = {OWN}"
            session.connection.execute(remove.encode())
            session.connection.execute(build_insert(table, list(row)), row)
            assert session.fetch(f"SELECT id FROM {table} WHERE requisition_id = {OWN}") == {
                "id": OWN
            }

    def test_a_missing_diagnosis_may_be_added_after_the_receipt(self, session: SqlSession) -> None:
        row = {**session.rows["requisition_diagnoses"], "id": FOREIGN, "purpose": "main"}
        statement = build_insert("requisition_diagnoses", list(row))
        remove = f"DELETE FROM requisition_diagnoses WHERE requisition_id = {OWN}"
        move = (
            "UPDATE requisition_diagnoses SET purpose = 'main', position = 5"
            f" WHERE requisition_id = {OWN}"
        )
        for status, texts, outcome in (
            (_DONE, (remove,), 1),
            (_PENDING, (remove,), "denied"),
            (_DONE, (move,), "denied"),
        ):
            with session.run_in_state(*_build_state(is_signed=True, status=status), *texts):
                session.act_as("as_client")
                assert session.try_statement(statement, row) == outcome, (status, texts)

    @pytest.mark.parametrize("table", ["requisition_insurance", "requisition_copies"])
    def test_billing_and_copies_stay_open_until_the_cancellation(
        self, session: SqlSession, table: str
    ) -> None:
        for status, outcome in ((_PENDING, 1), (_CANCELED, 0)):
            with session.run_in_state(*_build_state(is_signed=True, status=status)):
                session.act_as("as_client")
                remove = f"DELETE FROM {table} WHERE requisition_id = {OWN}"
                assert session.try_texts(remove) == outcome


class TestCanceling:
    """A cancellation has the name of the person who cancels, and the present time."""

    def test_has_the_name_and_the_time(self, session: SqlSession) -> None:
        account = session.rows["users"]
        for role in ("as_staff", "as_client"):
            with session.run_in_state(*_build_state(is_signed=False)):
                session.act_as(role)
                row = session.fetch(
                    "UPDATE requisitions SET status = 2, canceled_at = '2001-01-01',"
                    f" canceled_by_name = 'SOMEBODY ELSE' WHERE id = {OWN}"
                    " RETURNING canceled_at, canceled_by_name, now() AS now"
                )
                assert row["canceled_at"] == row["now"]
                name = f"{account['first_name']} {account['last_name']}"
                assert row["canceled_by_name"] == name


def test_the_owner_of_the_database_may_repair_signed_content(session: SqlSession) -> None:
    with session.run_in_state(*_build_state(is_signed=True)):
        repair = f"UPDATE requisitions SET priority = 'STAT' WHERE id = {OWN}"
        assert session.try_texts(repair) == 1
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            session.act_as("as_staff")
            session.connection.execute(repair.encode())
