"""Creating and updating requisitions (O 2.3, O 5)."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from app.basics.clock import lab_now, lab_time
from app.basics.errors import FieldError, NotFound, require_allowed, require_no_errors
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.server.access.work import Work
from app.server.catalog.schemas import DiagnosisWrite
from app.server.catalog.service import named_by
from app.server.database.records import record_of
from app.server.patients.models import Patient
from app.server.patients.snapshot import take_snapshot
from app.server.requisitions import rules
from app.server.requisitions.loading import (
    Known,
    Naming,
    RequisitionRecord,
    load_known,
    load_record,
    new_record,
)
from app.server.requisitions.models import Requisition
from app.server.requisitions.schemas import (
    DiagnosisOfTestWrite,
    IdOf,
    PartList,
    RequisitionRead,
    RequisitionWrite,
    TestWrite,
)
from app.server.requisitions.service.header import differs, sent_columns
from app.server.requisitions.service.parts import (
    CheckedParts,
    Present,
    checked,
    present_parts,
    store_parts,
)
from app.server.requisitions.service.read import shape_record
from app.server.requisitions.states import state_of
from app.server.requisitions.storing import insert_requisition, update_requisition


async def create(work: Work, body: RequisitionWrite) -> RequisitionRead:
    """Make a requisition; it begins Pending.

    Raises:
        Forbidden: the actor's role makes no requisitions.
        BadInput: no patient, no test, or invalid fields, each named.
    """
    require_allowed(rules.judge_creating(work.actor))
    body = _in_lab_time(work, body)
    known = await load_known(work, _naming(body))
    patient = known.patient
    errors = _patient_errors(patient)
    errors += rules.required_errors(
        collection_date=body.collection_date, fasting=body.fasting, priority=body.priority
    )
    errors += _physician_errors(known, body.physician_id)
    errors += [e for e in (rules.bill_to_error(body.bill_to),) if e]
    parts, wrong = await checked(
        work,
        body,
        set(RequisitionWrite.model_fields),
        Present(),
        known,
        client_id=patient.client_id if patient else None,
        day=body.collection_date.date() if body.collection_date else None,
    )
    require_no_errors(errors + wrong)
    assert patient is not None and body.collection_date is not None
    assert body.fasting is not None and body.priority is not None
    client = known.clients.get(patient.client_id)
    now = lab_now(work.portal.settings.time_zone)
    columns: dict[str, Any] = {
        "id": known.new_ids.requisition,
        "code": rules.requisition_code(known.new_ids.code_number, now.year),
        "status": RequisitionStatus.PENDING,
        "bill_to": (
            body.bill_to
            if body.bill_to is not None
            else rules.default_bill_to(client.default_bill_to if client else None)
        ),
        "comments": parts.comments,
        "created_by": work.actor.user_id,
        "has_signature": False,
        "version": 1,
        "cancel_comment": None,
        **sent_columns(body),
        **_place_of(known, patient),
    }
    requisition = record_of(Requisition, columns)
    insert_requisition(work.statements, requisition)
    record = new_record(requisition, known)
    store_parts(work.statements, record, parts, known)
    await work.audit("create", "requisition", [requisition.id])
    return shape_record(work, record)


async def update(work: Work, requisition_id: int, body: RequisitionWrite) -> RequisitionRead:
    """Change a requisition; what the body leaves out stays.

    Raises:
        NotFound, StaleVersion, BadInput.
        RequisitionReadOnly: it is done or canceled.
        RequisitionSigned: the change touches what the signature vouches for.
    """
    body = _in_lab_time(work, body)
    loaded = await load_record(work, requisition_id, _naming(body), lock=True)
    if loaded is None:
        raise NotFound(messages.NOT_FOUND)
    record, known = loaded
    requisition = record.requisition
    work.require_version(requisition)
    actor, state = work.actor, state_of(requisition)
    require_allowed(rules.judge_change(actor, state))
    given = frozenset(body.model_fields_set)
    before = record.content() if requisition.has_signature else None
    parts, changed = await _judge_change(work, record, known, body, given)
    is_content = differs(requisition, changed)
    for name, value in changed.items():
        setattr(requisition, name, value)
    requisition.version += 1
    update_requisition(work.statements, requisition, changed)
    store_parts(work.statements, record, parts, known)
    record.client = known.clients.get(requisition.client_id)
    record.physician = known.physicians.get(requisition.physician_id or 0)
    if before is not None and (is_content or before != record.content()):
        require_allowed(rules.judge_content_change(actor, state))
    await work.audit("change", "requisition", [requisition.id], {"fields": sorted(given)})
    return shape_record(work, record)


async def save_part(work: Work, requisition_id: int, body: PartList) -> RequisitionRead:
    """Replace one list of a requisition; raises what ``update`` raises."""
    lists = {name: getattr(body, name) for name in type(body).model_fields}
    return await update(work, requisition_id, RequisitionWrite(**lists))


def _in_lab_time(work: Work, body: RequisitionWrite) -> RequisitionWrite:
    """The body with a collection date that was sent with an offset on the lab's wall clock."""
    at = body.collection_date
    if at is None or at.tzinfo is None:
        return body
    in_lab = lab_time(at, work.portal.settings.time_zone)
    return body.model_copy(update={"collection_date": in_lab})


async def _judge_change(
    work: Work,
    record: RequisitionRecord,
    known: Known,
    body: RequisitionWrite,
    given: frozenset[str],
) -> tuple[CheckedParts, dict[str, Any]]:
    """The parts and the columns that a change writes; raises BadInput."""
    requisition, errors = record.requisition, []
    other = None
    if "patient_id" in given and body.patient_id != requisition.patient_id:
        other = known.patient if body.patient_id is not None else None
        errors += _patient_errors(other)
    if "physician_id" in given:
        errors += _physician_errors(known, body.physician_id)
    errors += rules.required_errors(
        collection_date=(
            body.collection_date if "collection_date" in given else requisition.collection_date
        ),
        fasting=body.fasting if "fasting" in given else requisition.fasting,
        priority=body.priority if "priority" in given else requisition.priority,
    )
    errors += [e for e in (rules.bill_to_error(body.bill_to),) if e]
    parts, wrong = await _checked(work, record, known, body, given, other)
    require_no_errors(errors + wrong)
    changed = _place_of(known, other) if other is not None else {}
    changed |= sent_columns(body, given)
    if "bill_to" in given and body.bill_to is not None:
        changed["bill_to"] = body.bill_to
    if "comments" in given:
        changed["comments"] = parts.comments
    return parts, changed


async def _checked(
    work: Work,
    record: RequisitionRecord,
    known: Known,
    body: RequisitionWrite,
    given: frozenset[str],
    other: Patient | None,
) -> tuple[CheckedParts, list[FieldError]]:
    """The parts that were sent, judged for the patient (``other``: a new one) that it will have."""
    requisition, present = record.requisition, present_parts(record)
    sent, client_id = set(given), requisition.client_id
    # What the requisition has already is known as well.
    known = replace(known, diagnoses=[*known.diagnoses, *(d for _, d in record.parts.diagnoses)])
    if other is not None:
        client_id = other.client_id
        # Insurance is a patient's own: another patient's requisition is not billed to it.
        present = replace(present, snapshots=())
        sent.add("billing_info")
        if other.client_id != requisition.client_id:
            # So are test lists a client's: what stays is judged like what comes.
            present = replace(present, kept=frozenset())
            if "tests" not in given:
                tests = [
                    TestWrite(test=IdOf(id=each), is_confidential=confidential)
                    for each, confidential in present.chosen
                ]
                body = body.model_copy(update={"tests": tests})
                sent.add("tests")
                known = await _with_tests(work, requisition.id, known, body)
    if body.tests and present.kept and _roots(body.tests) == present.chosen:
        # What was ordered stays as it is: the catalogue may have given a panel other members
        # since, which would be another order, and one that nobody signed.
        sent.discard("tests")
    day = (body.collection_date or requisition.collection_date).date()
    if day != requisition.collection_date.date():
        # A code is judged by the collection date: those that stay are judged anew.
        body = body.model_copy(update=_codes_that_stay(present, given))
        sent |= {"diagnoses", "additional_tests_dx_codes"}
    return await checked(work, body, sent, present, known, client_id=client_id, day=day)


def _roots(tests: list[TestWrite]) -> tuple[tuple[int, bool], ...]:
    return tuple((entry.test.id, entry.is_confidential) for entry in tests)


def _naming(body: RequisitionWrite) -> Naming:
    """The other records that the body names."""
    ids, codes = named_by([*(body.diagnoses or ()), *(body.additional_tests_dx_codes or ())])
    return Naming(
        patient_id=body.patient_id,
        physician_id=body.physician_id,
        test_ids=rules.unique(entry.test.id for entry in body.tests or ()),
        diagnosis_ids=ids,
        diagnosis_codes=codes,
        insurance_count=len(body.billing_info or ()),
    )


async def _with_tests(
    work: Work, requisition_id: int, known: Known, body: RequisitionWrite
) -> Known:
    """What is known, and the tests that the requisition has and the body did not name."""
    loaded = await load_record(work, requisition_id, _naming(body))
    assert loaded is not None
    more = loaded[1]
    return replace(known, trees=more.trees, outside_list=more.outside_list, new_ids=more.new_ids)


def _patient_errors(patient: Patient | None) -> list[FieldError]:
    if patient is None:
        return [FieldError("patientId", messages.REQUISITION_PATIENT_REQUIRED)]
    return []


def _physician_errors(known: Known, physician_id: int | None) -> list[FieldError]:
    if physician_id is not None and physician_id not in known.physicians:
        return [FieldError("physicianId", messages.NOT_FOUND)]
    return []


def _place_of(known: Known, patient: Patient) -> dict[str, Any]:
    """The requisition's columns that come from its patient."""
    return {
        "patient_id": patient.id,
        "client_id": patient.client_id,
        **take_snapshot(patient, known.unit_name, known.room_name),
    }


def _codes_that_stay(present: Present, given: Collection[str]) -> dict[str, list[DiagnosisWrite]]:
    """What a write would say that named the stored codes which it leaves as they are."""
    stored: dict[str, list[DiagnosisWrite]] = {
        "diagnoses": [
            DiagnosisOfTestWrite(id=each, test_id=test) for each, test in present.diagnoses
        ],
        "additional_tests_dx_codes": [DiagnosisWrite(id=each) for each in present.additional],
    }
    return {name: codes for name, codes in stored.items() if name not in given}
