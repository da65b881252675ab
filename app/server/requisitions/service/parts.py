"""Checks what belongs to a requisition: tests, diagnoses, insurance, copies, comments.

Everything is checked before anything is kept, so that a person sees all that is wrong at once.
A part that was not sent is None and stays as it is.
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.basics.errors import FieldError
from app.basics.text import capitalise
from app.contract import messages
from app.contract.limits import COMMENTS_MAX_LENGTH
from app.server.access.work import Work
from app.server.catalog.repository import TestNode
from app.server.catalog.rules import TestOffer, judge_ordering
from app.server.catalog.service import judge_diagnoses
from app.server.database.statements import Statements
from app.server.patients.rules import MEDICATION_MAX
from app.server.requisitions import rules, storing
from app.server.requisitions.loading import Known, RequisitionRecord
from app.server.requisitions.repository import ADDITIONAL, MAIN
from app.server.requisitions.rules import Billed, Copy
from app.server.requisitions.schemas import (
    BillingInfoWrite,
    DiagnosisOfTestWrite,
    RequisitionMedicationWrite,
    RequisitionWrite,
    TestWrite,
)
from app.server.rich_text import sanitised

Snapshot = dict[str, Any]
_SHORT = 500
"""Letters of a comment that take no longer to clean (2 ms at worst) than a thread to be asked."""


@dataclass
class CheckedParts:
    """Parts that may be kept; None: that part was not sent and stays."""

    tests: list[tuple[TestNode, bool]] | None = None
    diagnoses: list[tuple[int, int | None]] | None = None
    additional: list[tuple[int, int | None]] | None = None
    medications: list[str] | None = None
    insurance: list[tuple[int, Snapshot]] | None = None
    copies: list[Copy] | None = None
    comments: str | None = None


@dataclass(frozen=True)
class Present:
    """What the requisition has before this write; a new one has nothing.

    ``chosen`` are its tests with whether they are confidential, ``ordered`` also their members.
    ``kept`` are tests that may stay though they could not be chosen anew.
    """

    chosen: tuple[tuple[int, bool], ...] = ()
    ordered: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    diagnoses: tuple[tuple[int, int | None], ...] = ()
    additional: tuple[int, ...] = ()
    snapshots: tuple[tuple[int, Snapshot], ...] = ()


def present_parts(record: RequisitionRecord) -> Present:
    """What a stored requisition has."""
    parts = record.parts
    roots = [row for row, _ in parts.tests if row.parent_id is None]
    return Present(
        chosen=tuple((row.test_id, row.is_confidential) for row in roots),
        ordered=frozenset(row.test_id for row, _ in parts.tests),
        kept=frozenset(row.test_id for row in roots),
        diagnoses=tuple(
            (row.diagnosis_id, row.test_id) for row, _ in parts.diagnoses if row.purpose == MAIN
        ),
        additional=tuple(
            row.diagnosis_id for row, _ in parts.diagnoses if row.purpose == ADDITIONAL
        ),
        snapshots=tuple((row.patient_insurance_id, row.snapshot) for row in record.insurance),
    )


async def checked(
    work: Work,
    body: RequisitionWrite,
    given: Collection[str],
    present: Present,
    known: Known,
    *,
    client_id: int | None,
    day: date | None,
) -> tuple[CheckedParts, list[FieldError]]:
    """The parts as they may be kept, and everything that is wrong with them.

    Args:
        given: names of the fields that were sent.
        known: the records that ``body`` names; its patient is whose requisition it is to be.
        client_id: whose test list counts; None when that is not known.
        day: the collection date, on which diagnoses have to be valid.
    """
    parts, errors = CheckedParts(), []
    if "tests" in given:
        parts.tests, found = chosen_tests(work, body.tests or [], present, known, client_id)
        errors += found
        if not body.tests:
            errors.append(FieldError("tests", messages.REQUISITION_TEST_REQUIRED))
    ordered = with_members(parts.tests) if parts.tests is not None else present.ordered
    if "diagnoses" in given:
        parts.diagnoses, found = _diagnoses(known, body.diagnoses or [], ordered, day)
        errors += found
    elif parts.tests is not None:
        errors += _orphaned(present, ordered)
    if "additional_tests_dx_codes" in given:
        named, found = judge_diagnoses(
            body.additional_tests_dx_codes or (),
            known.diagnoses,
            field="additionalTestsDxCodes",
            day=day,
            ended=messages.DIAGNOSIS_NOT_BILLABLE,
        )
        ids = dict.fromkeys(row.id for row in named if row is not None)
        parts.additional = [(each, None) for each in ids]
        errors += found
    if "medications" in given:
        parts.medications, found = _medications(body.medications or [])
        errors += found
    if "billing_info" in given:
        parts.insurance, found = _insurance(known, body.billing_info or [], present)
        errors += found
    if "additional_copies" in given:
        parts.copies, found = _copies(body)
        errors += found
    if "comments" in given and body.comments is not None:
        if len(body.comments) <= _SHORT:
            parts.comments = sanitised(body.comments)
        else:
            parts.comments = await asyncio.to_thread(sanitised, body.comments)
        if (count := len(parts.comments or "")) > COMMENTS_MAX_LENGTH:
            text = messages.COMMENTS_TOO_LONG.format(max=COMMENTS_MAX_LENGTH, count=count)
            errors.append(FieldError("comments", text))
    return parts, errors


def store_parts(
    statements: Statements, record: RequisitionRecord, parts: CheckedParts, known: Known
) -> None:
    """Write checked parts in place of the record's present ones, in the database with the commit
    and in the record at once; comments are a column of their own."""
    requisition_id, present, ids = record.requisition.id, record.parts, known.new_ids
    diagnoses = {d.id: d for d in known.diagnoses} | {d.id: d for _, d in present.diagnoses}
    if parts.tests is not None:
        if present.tests:
            storing.delete_parts(statements, "requisition_tests", requisition_id)
        present.tests[:] = storing.insert_tests(statements, requisition_id, parts.tests, ids.tests)
    for purpose, chosen in ((ADDITIONAL, parts.additional), (MAIN, parts.diagnoses)):
        if chosen is None:
            continue
        others = [each for each in present.diagnoses if each[0].purpose != purpose]
        if len(others) < len(present.diagnoses):
            storing.delete_diagnoses(statements, requisition_id, purpose)
        rows = storing.insert_diagnoses(statements, requisition_id, purpose, chosen)
        of_purpose = [(row, diagnoses[row.diagnosis_id]) for row in rows]
        present.diagnoses[:] = of_purpose + others if purpose == ADDITIONAL else others + of_purpose
    if parts.medications is not None:
        if present.medications:
            storing.delete_parts(statements, "requisition_medications", requisition_id)
        storing.insert_medications(statements, requisition_id, parts.medications)
        present.medications[:] = parts.medications
    if parts.insurance is not None:
        record.insurance = storing.replace_insurance(
            statements, requisition_id, record.insurance, parts.insurance, ids.insurance
        )
    if parts.copies is not None:
        if record.copies:
            storing.delete_parts(statements, "requisition_copies", requisition_id)
        storing.insert_copies(statements, requisition_id, parts.copies)
        record.copies = list(parts.copies)


def chosen_tests(
    work: Work, sent: list[TestWrite], present: Present, known: Known, client_id: int | None
) -> tuple[list[tuple[TestNode, bool]], list[FieldError]]:
    """The trees that were chosen, and what is wrong with the others. Another client's private
    test is refused like an unknown one."""
    outside = known.outside_list.get(client_id, ()) if client_id is not None else ()
    chosen: dict[int, tuple[TestNode, bool]] = {}
    errors: list[FieldError] = []
    for i, entry in enumerate(sent):
        node = known.trees.get(entry.test.id)
        field = f"tests.{i}.test.id"
        if node is None:
            errors.append(FieldError(field, messages.TEST_UNKNOWN))
            continue
        test = node.test
        offer = TestOffer(test.code, test.orderable, test.client_id, test.id in outside)
        reason = judge_ordering(work.actor, client_id, offer, is_kept=test.id in present.kept)
        if reason is not None:
            errors.append(FieldError(field, reason))
        else:
            chosen[test.id] = (node, entry.is_confidential)
    return list(chosen.values()), errors


def with_members(chosen: list[tuple[TestNode, bool]]) -> frozenset[int]:
    """The ids of chosen tests and of all their members."""
    found: set[int] = set()
    open_nodes = [node for node, _ in chosen]
    while open_nodes:
        node = open_nodes.pop()
        found.add(node.test.id)
        open_nodes += node.children
    return frozenset(found)


def _diagnoses(
    known: Known, sent: list[DiagnosisOfTestWrite], ordered: Collection[int], day: date | None
) -> tuple[list[tuple[int, int | None]], list[FieldError]]:
    named, errors = judge_diagnoses(
        sent, known.diagnoses, field="diagnoses", day=day, ended=messages.DIAGNOSIS_NOT_BILLABLE
    )
    chosen: list[tuple[int, int | None]] = []
    for i, (entry, row) in enumerate(zip(sent, named, strict=True)):
        if row is None:
            continue
        if entry.test_id is not None and entry.test_id not in ordered:
            message = messages.DIAGNOSIS_TEST_NOT_ORDERED.format(code=row.code)
            errors.append(FieldError(f"diagnoses.{i}.testId", message))
        chosen.append((row.id, entry.test_id))
    return list(dict.fromkeys(chosen)), errors


def _orphaned(present: Present, ordered: Collection[int]) -> list[FieldError]:
    """Diagnoses that stay and would name a test that goes."""
    return [
        FieldError(f"diagnoses.{i}.testId", messages.VALUE_INVALID)
        for i, (_, test_id) in enumerate(present.diagnoses)
        if test_id is not None and test_id not in ordered
    ]


def _medications(sent: list[RequisitionMedicationWrite]) -> tuple[list[str], list[FieldError]]:
    """The names as they are kept, once each; those are what has to be short enough."""
    names = [capitalise(entry.name) for entry in sent]
    too_long = messages.VALUE_TOO_LONG.format(max=MEDICATION_MAX)
    errors = [
        FieldError(f"medications.{i}.name", too_long)
        for i, name in enumerate(names)
        if name and len(name) > MEDICATION_MAX
    ]
    return list(dict.fromkeys(name for name in names if name)), errors


def _insurance(
    known: Known, sent: list[BillingInfoWrite], present: Present
) -> tuple[list[tuple[int, Snapshot]], list[FieldError]]:
    """The rows with what they say now. One that the patient no longer has may stay on the
    requisition that has it, saying what it said."""
    snapshots = dict(present.snapshots)
    snapshots |= {
        row.id: row.model_dump(mode="json", by_alias=True, exclude={"id"})
        for row in known.insurance
    }
    wanted = [Billed(entry.patient_billing_information_id, entry.position) for entry in sent]
    errors = [
        FieldError(f"billingInfo.{error.field}", error.message)
        for error in rules.billing_errors(wanted, snapshots)
    ]
    if errors:
        return [], errors
    return [(each, snapshots[each]) for each in rules.billing_order(wanted)], []


def _copies(body: RequisitionWrite) -> tuple[list[Copy], list[FieldError]]:
    copies = [
        rules.normalised_copy(entry.type, entry.destination)
        for entry in body.additional_copies or []
    ]
    errors = [
        FieldError(f"additionalCopies.{i}.{error.field}", error.message)
        for i, copy in enumerate(copies)
        for error in rules.copy_errors(copy)
    ]
    return rules.different_copies(copies), errors
