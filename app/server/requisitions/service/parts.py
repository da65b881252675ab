"""Validates and stores the parts of a requisition.

Parts are tests, diagnoses, medications, insurance, copies and comments. All parts are validated
before any is stored, so that a person sees all errors at once. A part that was not sent is None
and stays as it is.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.basics.errors import FieldError
from app.basics.text import to_upper_case
from app.contract import messages
from app.contract.limits import COMMENTS_MAX_LENGTH
from app.server.access.work import Work
from app.server.catalog.repository import TestNode
from app.server.catalog.rules import TestOffer, judge_ordering
from app.server.catalog.service import match_diagnoses
from app.server.database.statements import Statements
from app.server.drawing_pool import DrawingPool
from app.server.patients.rules import MEDICATION_MAX
from app.server.requisitions import rules, storing
from app.server.requisitions.loading import RelatedRecords, RequisitionRecord
from app.server.requisitions.repository import ADDITIONAL, MAIN
from app.server.requisitions.rules import BilledInsurance, Copy
from app.server.requisitions.schemas import (
    BillingInfoWrite,
    DiagnosisOfTestWrite,
    RequisitionMedicationWrite,
    RequisitionWrite,
    TestWrite,
)
from app.server.rich_text import sanitize_in_turn

Snapshot = dict[str, Any]
"""An insurance row in its wire form, as it was when it was chosen."""


@dataclass
class ValidatedParts:
    """Parts that are ready to be stored; None when a part was not sent and stays."""

    tests: list[tuple[TestNode, bool]] | None = None
    diagnoses: list[tuple[int, int | None]] | None = None
    additional: list[tuple[int, int | None]] | None = None
    medications: list[str] | None = None
    insurance: list[tuple[int, Snapshot]] | None = None
    copies: list[Copy] | None = None
    comments: str | None = None


@dataclass(frozen=True)
class CurrentParts:
    """The parts of a requisition before a write; empty for a new requisition.

    Attributes:
        tests: (test id, is confidential) of each test, without members of panels.
        test_ids: the ids of the tests and of the members of panels.
        retained_ids: the tests that may stay even if they can no longer be ordered.
    """

    tests: tuple[tuple[int, bool], ...] = ()
    test_ids: frozenset[int] = frozenset()
    retained_ids: frozenset[int] = frozenset()
    diagnoses: tuple[tuple[int, int | None], ...] = ()
    additional: tuple[int, ...] = ()
    snapshots: tuple[tuple[int, Snapshot], ...] = ()


def build_current_parts(record: RequisitionRecord) -> CurrentParts:
    """Return the parts of a stored requisition."""
    parts = record.parts
    roots = [row for row, _ in parts.tests if row.parent_id is None]
    return CurrentParts(
        tests=tuple((row.test_id, row.is_confidential) for row in roots),
        test_ids=frozenset(row.test_id for row, _ in parts.tests),
        retained_ids=frozenset(row.test_id for row in roots),
        diagnoses=tuple(
            (row.diagnosis_id, row.test_id) for row, _ in parts.diagnoses if row.purpose == MAIN
        ),
        additional=tuple(
            row.diagnosis_id for row, _ in parts.diagnoses if row.purpose == ADDITIONAL
        ),
        snapshots=tuple((row.patient_insurance_id, row.snapshot) for row in record.insurance),
    )


async def sanitize_comments(work: Work, body: RequisitionWrite) -> RequisitionWrite:
    """Return the body with harmless comments; called before the transaction has a connection."""
    if body.comments is None:
        return body
    comments = await sanitize_in_turn(
        work.portal.get_part(DrawingPool), work.actor.user_text, body.comments
    )
    return body.model_copy(update={"comments": comments})


async def validate_parts(
    work: Work,
    body: RequisitionWrite,
    fields: Collection[str],
    current_parts: CurrentParts,
    related: RelatedRecords,
    *,
    client_id: int | None,
    day: date | None,
) -> tuple[ValidatedParts, list[FieldError]]:
    """Validate the sent parts; return those to store, and all errors.

    Args:
        fields: names of the sent fields.
        related: the records that ``body`` refers to, with the patient of the requisition.
        client_id: the client whose test list applies; None when unknown.
        day: the collection date, on which diagnoses must be valid.
    """
    parts, errors = ValidatedParts(), []
    if "tests" in fields:
        parts.tests, part_errors = validate_tests(
            work, body.tests or [], current_parts, related, client_id
        )
        errors += part_errors
        if not body.tests:
            errors.append(FieldError("tests", messages.REQUISITION_TEST_REQUIRED))
    test_ids = collect_test_ids(parts.tests) if parts.tests is not None else current_parts.test_ids
    if "diagnoses" in fields:
        parts.diagnoses, part_errors = _validate_diagnoses(
            related, body.diagnoses or [], test_ids, day
        )
        errors += part_errors
    elif parts.tests is not None:
        errors += _find_orphaned_diagnoses(current_parts, test_ids)
    if "additional_tests_dx_codes" in fields:
        diagnoses, part_errors = match_diagnoses(
            body.additional_tests_dx_codes or (),
            related.diagnoses,
            field="additionalTestsDxCodes",
            day=day,
            expired_message=messages.DIAGNOSIS_NOT_BILLABLE,
        )
        ids = dict.fromkeys(row.id for row in diagnoses if row is not None)
        parts.additional = [(diagnosis_id, None) for diagnosis_id in ids]
        errors += part_errors
    if "medications" in fields:
        parts.medications, part_errors = _validate_medications(body.medications or [])
        errors += part_errors
    if "billing_info" in fields:
        parts.insurance, part_errors = _validate_insurance(
            related, body.billing_info or [], current_parts
        )
        errors += part_errors
    if "additional_copies" in fields:
        parts.copies, part_errors = _validate_copies(body)
        errors += part_errors
    if "comments" in fields and body.comments is not None:
        parts.comments = body.comments
        if (count := len(parts.comments or "")) > COMMENTS_MAX_LENGTH:
            text = messages.COMMENTS_TOO_LONG.format(max=COMMENTS_MAX_LENGTH, count=count)
            errors.append(FieldError("comments", text))
    return parts, errors


def store_parts(
    statements: Statements,
    record: RequisitionRecord,
    parts: ValidatedParts,
    related: RelatedRecords,
) -> None:
    """Replace the record's parts with validated ones, and add the statements for the commit.

    Comments are not stored here: they are a column of the requisition.
    """
    requisition_id, current_parts, ids = record.requisition.id, record.parts, related.new_ids
    diagnoses = {d.id: d for d in related.diagnoses} | {d.id: d for _, d in current_parts.diagnoses}
    if parts.tests is not None:
        if current_parts.tests:
            storing.delete_parts(statements, "requisition_tests", requisition_id)
        current_parts.tests[:] = storing.insert_tests(
            statements, requisition_id, parts.tests, ids.tests
        )
    for purpose, chosen_diagnoses in ((ADDITIONAL, parts.additional), (MAIN, parts.diagnoses)):
        if chosen_diagnoses is None:
            continue
        other_rows = [
            (row, diagnosis) for row, diagnosis in current_parts.diagnoses if row.purpose != purpose
        ]
        if len(other_rows) < len(current_parts.diagnoses):
            storing.delete_diagnoses(statements, requisition_id, purpose)
        rows = storing.insert_diagnoses(statements, requisition_id, purpose, chosen_diagnoses)
        new_rows = [(row, diagnoses[row.diagnosis_id]) for row in rows]
        current_parts.diagnoses[:] = (
            new_rows + other_rows if purpose == ADDITIONAL else other_rows + new_rows
        )
    if parts.medications is not None:
        if current_parts.medications:
            storing.delete_parts(statements, "requisition_medications", requisition_id)
        storing.insert_medications(statements, requisition_id, parts.medications)
        current_parts.medications[:] = parts.medications
    if parts.insurance is not None:
        record.insurance = storing.replace_insurance(
            statements, requisition_id, record.insurance, parts.insurance, ids.insurance
        )
    if parts.copies is not None:
        if record.copies:
            storing.delete_parts(statements, "requisition_copies", requisition_id)
        storing.insert_copies(statements, requisition_id, parts.copies)
        record.copies = list(parts.copies)


def validate_tests(
    work: Work,
    items: list[TestWrite],
    current_parts: CurrentParts,
    related: RelatedRecords,
    client_id: int | None,
) -> tuple[list[tuple[TestNode, bool]], list[FieldError]]:
    """Return the trees of the tests that the actor may order, and errors for the others.

    Another client's private test looks like an unknown test.
    """
    unlisted_ids = related.outside_list.get(client_id, ()) if client_id is not None else ()
    chosen_tests: dict[int, tuple[TestNode, bool]] = {}
    errors: list[FieldError] = []
    for i, item in enumerate(items):
        node = related.trees.get(item.test.id)
        field = f"tests.{i}.test.id"
        if node is None:
            errors.append(FieldError(field, messages.TEST_UNKNOWN))
            continue
        test = node.test
        offer = TestOffer(test.code, test.orderable, test.client_id, test.id in unlisted_ids)
        reason = judge_ordering(
            work.actor, client_id, offer, is_on_record=test.id in current_parts.retained_ids
        )
        if reason is not None:
            errors.append(FieldError(field, reason))
        else:
            chosen_tests[test.id] = (node, item.is_confidential)
    return list(chosen_tests.values()), errors


def get_root_ids(parts: ValidatedParts) -> list[int]:
    """Return the ids of the chosen tests, without members of panels."""
    return [node.test.id for node, _ in parts.tests or ()]


def collect_test_ids(tests: list[tuple[TestNode, bool]]) -> frozenset[int]:
    """Return the ids of the chosen tests and of all their members."""
    ids: set[int] = set()
    open_nodes = [node for node, _ in tests]
    while open_nodes:
        node = open_nodes.pop()
        ids.add(node.test.id)
        open_nodes += node.children
    return frozenset(ids)


def _validate_diagnoses(
    related: RelatedRecords,
    items: list[DiagnosisOfTestWrite],
    test_ids: Collection[int],
    day: date | None,
) -> tuple[list[tuple[int, int | None]], list[FieldError]]:
    diagnoses, errors = match_diagnoses(
        items,
        related.diagnoses,
        field="diagnoses",
        day=day,
        expired_message=messages.DIAGNOSIS_NOT_BILLABLE,
    )
    chosen_diagnoses: list[tuple[int, int | None]] = []
    for i, (item, row) in enumerate(zip(items, diagnoses, strict=True)):
        if row is None:
            continue
        if item.test_id is not None and item.test_id not in test_ids:
            message = messages.DIAGNOSIS_TEST_NOT_ORDERED.format(code=row.code)
            errors.append(FieldError(f"diagnoses.{i}.testId", message))
        chosen_diagnoses.append((row.id, item.test_id))
    return list(dict.fromkeys(chosen_diagnoses)), errors


def _find_orphaned_diagnoses(
    current_parts: CurrentParts, test_ids: Collection[int]
) -> list[FieldError]:
    """Return errors for stored diagnoses of a test that the write removes."""
    return [
        FieldError(f"diagnoses.{i}.testId", messages.VALUE_INVALID)
        for i, (_, test_id) in enumerate(current_parts.diagnoses)
        if test_id is not None and test_id not in test_ids
    ]


def _validate_medications(
    items: list[RequisitionMedicationWrite],
) -> tuple[list[str], list[FieldError]]:
    """Return the normalized names without duplicates, and errors for those that are too long."""
    names = [to_upper_case(item.name) for item in items]
    too_long_message = messages.VALUE_TOO_LONG.format(max=MEDICATION_MAX)
    errors = [
        FieldError(f"medications.{i}.name", too_long_message)
        for i, name in enumerate(names)
        if name and len(name) > MEDICATION_MAX
    ]
    return list(dict.fromkeys(name for name in names if name)), errors


def _validate_insurance(
    related: RelatedRecords, items: list[BillingInfoWrite], current_parts: CurrentParts
) -> tuple[list[tuple[int, Snapshot]], list[FieldError]]:
    """Return the insurance rows with their snapshots, and errors.

    A row that the patient no longer has may stay on the requisition, with its old snapshot.
    """
    snapshots = dict(current_parts.snapshots)
    snapshots |= {
        row.id: row.model_dump(mode="json", by_alias=True, exclude={"id"})
        for row in related.insurance
    }
    chosen_rows = [
        BilledInsurance(item.patient_billing_information_id, item.position) for item in items
    ]
    errors = [
        FieldError(f"billingInfo.{error.field}", error.message)
        for error in rules.validate_billing(chosen_rows, snapshots)
    ]
    if errors:
        return [], errors
    return [(row_id, snapshots[row_id]) for row_id in rules.sort_billing(chosen_rows)], []


def _validate_copies(body: RequisitionWrite) -> tuple[list[Copy], list[FieldError]]:
    copies = [
        rules.normalize_copy(item.type, item.destination) for item in body.additional_copies or []
    ]
    errors = [
        FieldError(f"additionalCopies.{i}.{error.field}", error.message)
        for i, copy in enumerate(copies)
        for error in rules.validate_copy(copy)
    ]
    return rules.deduplicate_copies(copies), errors
