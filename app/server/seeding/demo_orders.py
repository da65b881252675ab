"""The demo lab's requisitions, signatures, orders and results."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from PIL import Image

from app.server.patients.snapshot import SNAPSHOT
from app.server.requisitions.rules import SignedContent
from app.server.results.pathology.rules import compute_next_number
from app.server.seeding import demo_cultures, demo_toxicology
from app.server.seeding.copying import Connection, advance_sequences, copy_rows
from app.server.seeding.loaded_ids import LoadedIds
from seeds.demo.records import (
    DemoLab,
    DemoOrder,
    DemoPatient,
    DemoRequisition,
    DemoRequisitionTest,
)

_LAB_ZONE = ZoneInfo("America/Chicago")
Rows = list[Sequence[Any]]


def insert_requisitions(connection: Connection, lab: DemoLab, ids: LoadedIds) -> None:
    """Insert every requisition with its tests, signature, order and results."""
    rows = _RowCollector(lab, ids)
    requisitions = (*lab.history.requisitions, *lab.requisitions)
    for requisition_id, requisition in enumerate(requisitions, start=1):
        rows.add(requisition_id, requisition)
    for table, columns in _COLUMNS.items():
        copy_rows(connection, table, columns, rows.by_table[table])
    for table, columns in demo_cultures.PART_COLUMNS.items():
        copy_rows(connection, table, columns, rows.by_table[table])
    advance_sequences(connection, *_COLUMNS)
    last = max(r.number for r in requisitions)
    connection.execute("SELECT setval('requisition_codes', %s)", (last,))


class _RowCollector:
    """Collects the rows to insert, by table."""

    def __init__(self, lab: DemoLab, ids: LoadedIds) -> None:
        self.by_table: dict[str, Rows] = {table: [] for table in _COLUMNS}
        self._ids = ids
        self._patients = {p.index: p for p in (*lab.patients, lab.history.patient)}
        self._images = {a.email: a.sign_image for a in lab.accounts}
        self.by_table |= {table: [] for table in demo_cultures.PART_COLUMNS}
        self._next_ids: dict[str, Iterator[int]] = {table: count(1) for table in _COLUMNS}
        self._blank = _draw_blank_image()

    def add(self, requisition_id: int, requisition: DemoRequisition) -> None:
        patient = self._patients[requisition.patient_index]
        snapshot = self._build_snapshot(requisition, patient)
        self.by_table["requisitions"].append(
            (
                requisition_id,
                requisition.code,
                *snapshot,
                int(requisition.status),
                requisition.collection_date,
                int(requisition.fasting),
                requisition.priority,
                int(requisition.bill_to),
                requisition.comments,
                requisition.cancel_comment,
                requisition.signature is not None,
                self._list_test_ids(requisition),
                requisition.created_at.replace(tzinfo=_LAB_ZONE),
            )
        )
        tests = self._add_tests(requisition_id, requisition.tests)
        diagnoses = [self._ids.diagnoses[code] for code in requisition.diagnoses]
        for position, diagnosis in enumerate(diagnoses):
            self._add_row("requisition_diagnoses", requisition_id, diagnosis, "main", position)
        for position, name in enumerate(requisition.medications):
            self._add_row("requisition_medications", requisition_id, name, position)
        if requisition.signature:
            content = SignedContent(
                patient_id=self._ids.patients[patient.index],
                patient_last_name=patient.last_name,
                patient_first_name=patient.first_name,
                patient_middle_name=patient.middle_name,
                patient_birth_date=patient.birth_date,
                patient_gender=patient.gender,
                physician_id=self._ids.physicians[requisition.physician_npi],
                collection_date=requisition.collection_date,
                fasting=requisition.fasting,
                priority=requisition.priority,
                tests=tests,
                diagnoses=tuple(("main", diagnosis) for diagnosis in diagnoses),
                medications=requisition.medications,
            )
            self._add_row(
                "requisition_signatures",
                requisition_id,
                self._ids.users[requisition.signature.email],
                requisition.signature.name,
                self._images[requisition.signature.email] or self._blank,
                content.compute_digest(),
                requisition.signature.signed_at,
            )
        if requisition.order:
            self._add_order(requisition_id, requisition, requisition.order, snapshot)

    def _build_snapshot(
        self, requisition: DemoRequisition, patient: DemoPatient
    ) -> tuple[Any, ...]:
        ids, unit = self._ids, requisition.unit
        return (
            ids.clients[requisition.client_code],
            ids.physicians[requisition.physician_npi],
            ids.patients[patient.index],
            patient.last_name,
            patient.first_name,
            patient.middle_name,
            patient.birth_date,
            patient.gender,
            ids.units.get((requisition.client_code, unit)) if unit else None,
            unit,
            requisition.room,
            requisition.bed,
        )

    def _list_test_ids(self, requisition: DemoRequisition) -> list[int]:
        """Return the ids of the ordered tests, without members of panels."""
        return [self._ids.tests[test.code] for test in requisition.tests if test.parent is None]

    def _add_tests(
        self, requisition_id: int, tests: tuple[DemoRequisitionTest, ...]
    ) -> tuple[tuple[int, int, bool], ...]:
        row_ids: dict[int, int] = {}
        signed_tests: list[tuple[int, int, bool]] = []
        for test in tests:
            row_ids[test.position] = self._add_row(
                "requisition_tests",
                requisition_id,
                self._ids.tests[test.code],
                row_ids[test.parent] if test.parent is not None else None,
                test.level,
                test.position,
                test.is_confidential,
            )
            signed_tests.append((test.level, self._ids.tests[test.code], test.is_confidential))
        return tuple(signed_tests)

    def _add_order(
        self,
        requisition_id: int,
        requisition: DemoRequisition,
        order: DemoOrder,
        snapshot: tuple[Any, ...],
    ) -> None:
        order_id = self._add_row(
            "orders",
            order.code,
            requisition_id,
            *snapshot,
            int(order.status),
            order.has_critical,
            order.has_abnormal,
            order.critical_kinds,
            order.abnormal_kinds,
            order.assessment is not None and order.assessment.has_unexpected_positive,
            self._list_test_ids(requisition),
            requisition.collection_date,
            order.received_at,
            order.reported_at,
            order.specimen_condition,
            order.report_comment,
        )
        lab_user_id = self._ids.users[_LAB_EMAIL]
        row_ids: dict[int, int] = {}
        for test in order.tests:
            row_ids[test.position] = row_id = self._add_row(
                "order_tests",
                order_id,
                self._ids.tests[test.code],
                row_ids[test.parent] if test.parent is not None else None,
                test.level,
                test.position,
                test.name.upper(),
                test.kind,
                test.is_panel,
                test.is_confidential,
                int(test.status),
            )
            for result in test.results:
                self._add_row(
                    "results",
                    order_id,
                    row_id,
                    result.revision,
                    result.is_current,
                    result.value,
                    result.sign,
                    result.number,
                    result.comment,
                    result.flag,
                    result.unit,
                    result.reference_range,
                    result.low,
                    result.high,
                    result.reason,
                    result.entered_at,
                    result.released_at,
                    result.method,
                    lab_user_id if result.released_at else None,
                    lab_user_id if result.released_at else None,
                )
            kinds = [report.kind for report in test.reports]
            for index, report in enumerate(test.reports):
                number = compute_next_number(report.kind, kinds[:index])
                self._add_row(
                    "pathology_reports",
                    order_id,
                    row_id,
                    report.revision,
                    int(report.kind),
                    number if report.released_at else None,
                    report.content,
                    report.flag,
                    report.signed_out_by,
                    report.reason_code,
                    report.reason,
                    report.explanation,
                    report.entered_at,
                    report.released_at,
                    report.released_by_name,
                )
            for culture in test.cultures:
                culture_id = self._add_row(
                    "cultures", *demo_cultures.build_version(order_id, row_id, culture)
                )
                for table, rows in demo_cultures.build_parts(culture_id, culture).items():
                    self.by_table[table] += rows

            for version in test.toxicology:
                self._add_row(
                    "toxicology_results", *demo_toxicology.build_result(order_id, row_id, version)
                )
        if order.assessment is not None:
            self._add_row(
                "toxicology_assessments",
                *demo_toxicology.build_assessment(order_id, order.assessment, row_ids),
            )

    def _add_row(self, table: str, *values: Any) -> int:
        row_id = next(self._next_ids[table])
        self.by_table[table].append((row_id, *values))
        return row_id


_LAB_EMAIL = "laboratory@demo.lab"
_SNAPSHOT_COLUMNS = (
    "client_id",
    "physician_id",
    "patient_id",
    *SNAPSHOT,
)
_COLUMNS: dict[str, tuple[str, ...]] = {
    "requisitions": (
        "id",
        "code",
        *_SNAPSHOT_COLUMNS,
        "status",
        "collection_date",
        "fasting",
        "priority",
        "bill_to",
        "comments",
        "cancel_comment",
        "has_signature",
        "test_ids",
        "created_at",
    ),
    "requisition_tests": (
        "id",
        "requisition_id",
        "test_id",
        "parent_id",
        "level",
        "position",
        "is_confidential",
    ),
    "requisition_diagnoses": ("id", "requisition_id", "diagnosis_id", "purpose", "position"),
    "requisition_medications": ("id", "requisition_id", "name", "position"),
    "requisition_signatures": (
        "id",
        "requisition_id",
        "user_id",
        "user_name",
        "image",
        "content_hash",
        "signed_at",
    ),
    "orders": (
        "id",
        "code",
        "requisition_id",
        *_SNAPSHOT_COLUMNS,
        "status",
        "has_critical",
        "has_abnormal",
        "critical_kinds",
        "abnormal_kinds",
        "has_unexpected_positive",
        "test_ids",
        "collection_date",
        "received_at",
        "reported_at",
        "specimen_condition",
        "report_comment",
    ),
    "order_tests": (
        "id",
        "order_id",
        "test_id",
        "parent_id",
        "level",
        "position",
        "name",
        "kind",
        "is_panel",
        "is_confidential",
        "status",
    ),
    "results": (
        "id",
        "order_id",
        "order_test_id",
        "revision",
        "is_current",
        "value",
        "sign",
        "number",
        "comment",
        "flag",
        "unit",
        "reference_range",
        "low",
        "high",
        "reason",
        "entered_at",
        "released_at",
        "method",
        "entered_by",
        "released_by",
    ),
    "pathology_reports": (
        "id",
        "order_id",
        "order_test_id",
        "revision",
        "kind",
        "number",
        "content",
        "flag",
        "signed_out_by",
        "reason_code",
        "reason",
        "explanation",
        "entered_at",
        "released_at",
        "released_by_name",
    ),
    "cultures": demo_cultures.VERSION_COLUMNS,
    "toxicology_results": demo_toxicology.RESULT,
    "toxicology_assessments": demo_toxicology.ASSESSMENT,
}


def _draw_blank_image() -> bytes:
    file = io.BytesIO()
    Image.new("RGBA", (1, 1), (0, 0, 0, 0)).save(file, "PNG")
    return file.getvalue()
