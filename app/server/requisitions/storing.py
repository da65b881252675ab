"""Statements that write a requisition; the commit runs them (ADR 22)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.server.catalog.models import LabTest
from app.server.catalog.repository import TestNode
from app.server.database.records import parse_record
from app.server.database.statements import Statements, build_insert, build_update, format_rows
from app.server.requisitions.models import (
    Requisition,
    RequisitionDiagnosis,
    RequisitionInsurance,
    RequisitionTest,
)
from app.server.requisitions.rules import Copy, SignedContent

CANCELLATION = ("cancel_comment", "canceled_at", "canceled_by_name")
_NOT_INSERTED = frozenset({"collection_day", "created_at", "changed_by", *CANCELLATION})
_INSERTED_COLUMNS = tuple(
    c.name for c in Requisition.__table__.columns if c.name not in _NOT_INSERTED
)
_TEST = ("id", "requisition_id", "test_id", "parent_id", "level", "position", "is_confidential")
_DIAGNOSIS = ("requisition_id", "diagnosis_id", "test_id", "purpose", "position")
_MEDICATION = ("requisition_id", "name", "position")
_INSURANCE = ("id", "requisition_id", "patient_insurance_id", "position", "snapshot")
_DELETE_DIAGNOSES = (
    "DELETE FROM requisition_diagnoses "
    "WHERE requisition_id = %(requisition)s AND purpose = %(purpose)s"
)
_DELETE_INSURANCE = (
    "DELETE FROM requisition_insurance WHERE requisition_id = %(requisition)s "
    "AND id <> ALL(%(remaining)s::bigint[])"
)
_OR_UPDATE = (
    "ON CONFLICT (requisition_id, patient_insurance_id) "
    "DO UPDATE SET position = excluded.position, snapshot = excluded.snapshot"
)
_SIGN = (
    "INSERT INTO requisition_signatures "
    "(requisition_id, user_id, user_name, image, content_hash, signed_at) "
    "SELECT n.id, %(user)s::uuid, %(name)s, %(image)s::bytea, decode(n.hash, 'hex'), "
    "%(at)s::timestamp FROM json_to_recordset(%(rows)s::json) AS n (id bigint, hash text)"
)
_UNSIGN = (
    "UPDATE requisition_signatures SET removed_at = %(at)s::timestamptz "
    "WHERE requisition_id = %(requisition)s AND removed_at IS NULL"
)
_COPY = ("requisition_id", "kind", "destination", "position")


def insert_requisition(statements: Statements, requisition: Requisition) -> None:
    """Insert a new requisition."""
    _insert_rows(
        statements,
        "requisitions",
        _INSERTED_COLUMNS,
        [_select_values(requisition, _INSERTED_COLUMNS)],
    )


def update_requisition(
    statements: Statements, requisition: Requisition, columns: Iterable[str]
) -> None:
    """Update these columns of a requisition that this transaction has locked."""
    update_requisitions(statements, [requisition], tuple(sorted({"version", *columns})))


def update_requisitions(
    statements: Statements, requisitions: Iterable[Requisition], columns: tuple[str, ...]
) -> None:
    """Update these columns of requisitions that this transaction has locked."""
    rows = [_select_values(requisition, ("id", *columns)) for requisition in requisitions]
    statements.add(build_update("requisitions", columns), {"rows": format_rows(rows)})


def insert_signatures(
    statements: Statements,
    contents: Mapping[int, SignedContent],
    *,
    user_name: str,
    image: bytes,
    signed_at: datetime,
) -> None:
    """Insert the actor's signature of each requisition; the image is sent to the database once."""
    rows = [
        {"id": id_, "hash": content.compute_digest().hex()} for id_, content in contents.items()
    ]
    values = {"name": user_name, "image": image, "at": signed_at, "rows": format_rows(rows)}
    statements.add(_SIGN, values)


def end_signature(statements: Statements, requisition_id: int, at: datetime) -> None:
    """End the current signature; its row stays."""
    statements.add(_UNSIGN, {"requisition": requisition_id, "at": at})


def insert_tests(
    statements: Statements,
    requisition_id: int,
    roots: Iterable[tuple[TestNode, bool]],
    ids: Iterable[int],
) -> list[tuple[RequisitionTest, LabTest]]:
    """Insert tests with their members under their panels; return the rows in order."""
    rows: list[dict[str, Any]] = []
    tests: list[LabTest] = []
    unused_ids = iter(ids)

    def add(node: TestNode, parent_id: int | None, level: int, is_confidential: bool) -> None:
        row_id = next(unused_ids)
        values = (
            row_id,
            requisition_id,
            node.test.id,
            parent_id,
            level,
            len(rows),
            is_confidential,
        )
        rows.append(dict(zip(_TEST, values, strict=True)))
        tests.append(node.test)
        for child in node.children:
            add(child, row_id, level + 1, is_confidential)

    for root, is_confidential in roots:
        add(root, None, 0, is_confidential)
    _insert_rows(statements, "requisition_tests", _TEST, rows)
    return list(zip((parse_record(RequisitionTest, row) for row in rows), tests, strict=True))


def insert_diagnoses(
    statements: Statements,
    requisition_id: int,
    purpose: str,
    diagnoses: Iterable[tuple[int, int | None]],
) -> list[RequisitionDiagnosis]:
    """Insert diagnoses of a purpose, each with the test that it supports."""
    rows = [
        dict(zip(_DIAGNOSIS, (requisition_id, diagnosis_id, test_id, purpose, i), strict=True))
        for i, (diagnosis_id, test_id) in enumerate(diagnoses)
    ]
    _insert_rows(statements, "requisition_diagnoses", _DIAGNOSIS, rows)
    return [parse_record(RequisitionDiagnosis, row) for row in rows]


def insert_medications(statements: Statements, requisition_id: int, names: Iterable[str]) -> None:
    """Insert medications."""
    rows = [
        dict(zip(_MEDICATION, (requisition_id, name, i), strict=True))
        for i, name in enumerate(names)
    ]
    _insert_rows(statements, "requisition_medications", _MEDICATION, rows)


def replace_insurance(
    statements: Statements,
    requisition_id: int,
    current_rows: Iterable[RequisitionInsurance],
    insurance: Iterable[tuple[int, dict[str, Any]]],
    ids: Iterable[int],
) -> list[RequisitionInsurance]:
    """Replace the insurance rows, each with its snapshot; a row that stays keeps its id."""
    current_ids = {row.patient_insurance_id: row.id for row in current_rows}
    unused_ids = iter(ids)
    rows = [
        {
            "id": current_ids.get(insurance_id) or next(unused_ids),
            "requisition_id": requisition_id,
            "patient_insurance_id": insurance_id,
            "position": position,
            "snapshot": snapshot,
        }
        for position, (insurance_id, snapshot) in enumerate(insurance, start=1)
    ]
    if current_ids:
        remaining_ids = [row["id"] for row in rows]
        statements.add(
            _DELETE_INSURANCE, {"requisition": requisition_id, "remaining": remaining_ids}
        )
    if rows:
        text = f"{build_insert('requisition_insurance', _INSURANCE)} {_OR_UPDATE}"
        statements.add(text, {"rows": format_rows(rows)})
    return [parse_record(RequisitionInsurance, row) for row in rows]


def insert_copies(statements: Statements, requisition_id: int, copies: Iterable[Copy]) -> None:
    """Insert the additional recipients of results."""
    rows = [
        dict(zip(_COPY, (requisition_id, copy.kind, copy.destination, i), strict=True))
        for i, copy in enumerate(copies)
    ]
    _insert_rows(statements, "requisition_copies", _COPY, rows)


def delete_parts(statements: Statements, table: str, requisition_id: int) -> None:
    """Delete a requisition's rows of a table of parts."""
    statements.add(
        f"DELETE FROM {table} WHERE requisition_id = %(requisition)s",
        {"requisition": requisition_id},
    )


def delete_diagnoses(statements: Statements, requisition_id: int, purpose: str) -> None:
    """Delete a requisition's diagnoses of a purpose."""
    values = {"requisition": requisition_id, "purpose": purpose}
    statements.add(_DELETE_DIAGNOSES, values)


def _insert_rows(
    statements: Statements,
    table: str,
    columns: tuple[str, ...],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    if rows:
        statements.add(build_insert(table, columns), {"rows": format_rows(rows)})


def _select_values(record: Requisition, columns: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in columns}
