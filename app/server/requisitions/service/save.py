"""Creates and updates requisitions (O 2.3, O 5)."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from app.basics.clock import get_lab_now, get_lab_today, place_on_lab_clock
from app.basics.errors import FieldError, NotFound, require_allowed, require_no_errors
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.server.access.work import Work
from app.server.catalog.schemas import DiagnosisWrite
from app.server.catalog.service import collect_keys
from app.server.database.records import build_record
from app.server.patients.models import Patient
from app.server.patients.snapshot import take_snapshot
from app.server.requisitions import rules, storing
from app.server.requisitions.loading import (
    References,
    RelatedRecords,
    RequisitionRecord,
    build_new_record,
    load_record,
    load_related_records,
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
from app.server.requisitions.service.header import (
    OPEN_TO_EDITORS,
    changes_header_or_billing,
    get_sent_columns,
    has_header_changes,
)
from app.server.requisitions.service.parts import (
    CurrentParts,
    ValidatedParts,
    build_current_parts,
    get_root_ids,
    sanitize_comments,
    store_parts,
    validate_parts,
)
from app.server.requisitions.service.read import build_requisition_read
from app.server.requisitions.service.versions import require_version
from app.server.requisitions.states import build_state

_NOT_OPEN_TO_EDITORS = dict.fromkeys(("patient_id", "physician_id", "tests", "billing_info"), None)
"""Empty values for the references that only people who create requisitions may change."""


async def create_requisition(work: Work, body: RequisitionWrite) -> RequisitionRead:
    """Create a requisition with the status Pending.

    Raises:
        Forbidden: the actor's role may not create requisitions.
        BadInput: the patient or the tests are missing, or fields are invalid.
    """
    require_allowed(rules.judge_creating(work.actor))
    body = await sanitize_comments(work, body)
    body = _convert_to_lab_time(work, body)
    related = await load_related_records(work, _collect_references(body))
    patient = related.patient
    errors = _validate_patient(patient, body.patient_id)
    errors += rules.validate_header(
        collection_date=body.collection_date, fasting=body.fasting, priority=body.priority
    )
    if body.collection_date is not None and patient is not None:
        errors += _validate_collection(work, body.collection_date, patient.birth_date)
    errors += _validate_physician(related, body.physician_id)
    errors += _validate_ordering_physician(
        related, patient.client_id if patient else None, body.physician_id
    )
    if error := rules.validate_bill_to(body.bill_to):
        errors.append(error)
    parts, part_errors = await validate_parts(
        work,
        body,
        set(RequisitionWrite.model_fields),
        CurrentParts(),
        related,
        client_id=patient.client_id if patient else None,
        day=body.collection_date.date() if body.collection_date else None,
    )
    require_no_errors(errors + part_errors)
    assert patient is not None and body.collection_date is not None
    assert body.fasting is not None and body.priority is not None
    client = related.clients.get(patient.client_id)
    now = get_lab_now(work.portal.settings.time_zone)
    columns: dict[str, Any] = {
        "id": related.new_ids.requisition,
        "code": rules.format_requisition_code(related.new_ids.code_number, now.year),
        "status": RequisitionStatus.PENDING,
        "bill_to": (
            body.bill_to
            if body.bill_to is not None
            else rules.choose_default_bill_to(client.default_bill_to if client else None)
        ),
        "comments": parts.comments,
        "created_by": work.actor.user_id,
        "has_signature": False,
        "test_ids": get_root_ids(parts),
        "version": 1,
        "cancel_comment": None,
        "canceled_at": None,
        "canceled_by_name": None,
        **get_sent_columns(body),
        **_build_patient_columns(related, patient),
    }
    requisition = build_record(Requisition, columns)
    storing.insert_requisition(work.statements, requisition)
    record = build_new_record(requisition, related)
    store_parts(work.statements, record, parts, related)
    await work.audit("create", "requisition", [requisition.id])
    return build_requisition_read(work, record)


async def update_requisition(
    work: Work, requisition_id: int, body: RequisitionWrite
) -> RequisitionRead:
    """Update a requisition; fields that the body leaves out stay unchanged.

    Raises:
        NotFound, StaleVersion, BadInput.
        Forbidden: the actor's role may not change what the body changes.
        RequisitionReadOnly: the requisition is done or canceled.
        RequisitionSigned: the change affects signed content.
    """
    body = await sanitize_comments(work, body)
    actor, body = work.actor, _convert_to_lab_time(work, body)
    fields = frozenset(body.model_fields_set)
    if rules.judge_creating(actor) is None:
        references = _collect_references(body)
    else:
        references = _collect_references(body.model_copy(update=_NOT_OPEN_TO_EDITORS))
    loaded_record = await load_record(work, requisition_id, references, lock=True)
    if loaded_record is None:
        raise NotFound(messages.NOT_FOUND)
    record, related = loaded_record
    requisition = record.requisition
    await require_version(work, requisition)
    state = build_state(requisition)
    require_allowed(rules.judge_editing(actor, state))
    if changes_header_or_billing(record, body, fields):
        require_allowed(rules.judge_change(actor, state))
    elif rules.judge_change(actor, state) is not None:
        fields &= OPEN_TO_EDITORS
    signed_content = record.build_signed_content() if requisition.has_signature else None
    parts, columns, related = await _validate_change(work, record, related, body, fields)
    is_header_changed = has_header_changes(requisition, columns)
    if parts.tests is not None:
        columns["test_ids"] = get_root_ids(parts)
    for name, value in columns.items():
        setattr(requisition, name, value)
    requisition.version += 1
    storing.update_requisition(work.statements, requisition, columns)
    store_parts(work.statements, record, parts, related)
    record.client = related.clients.get(requisition.client_id)
    record.physician = related.physicians.get(requisition.physician_id or 0)
    if signed_content is not None and (
        is_header_changed or signed_content != record.build_signed_content()
    ):
        require_allowed(rules.judge_clinical_change(actor, state))
    await work.audit("change", "requisition", [requisition.id], {"fields": sorted(fields)})
    return build_requisition_read(work, record)


async def save_part(work: Work, requisition_id: int, body: PartList) -> RequisitionRead:
    """Replace one list of a requisition; errors are those of ``update_requisition``."""
    lists = {name: getattr(body, name) for name in type(body).model_fields}
    return await update_requisition(work, requisition_id, RequisitionWrite(**lists))


def _convert_to_lab_time(work: Work, body: RequisitionWrite) -> RequisitionWrite:
    """Return the body with its collection date in lab time, even if it was sent with an offset."""
    if body.collection_date is None:
        return body
    collection_date = place_on_lab_clock(body.collection_date, work.portal.settings.time_zone)
    return body.model_copy(update={"collection_date": collection_date})


async def _validate_change(
    work: Work,
    record: RequisitionRecord,
    related: RelatedRecords,
    body: RequisitionWrite,
    fields: frozenset[str],
) -> tuple[ValidatedParts, dict[str, Any], RelatedRecords]:
    """Return the parts, columns, and related records of an update, or raise BadInput.

    The related records include those of parts that were not sent and are stored again.
    """
    requisition, errors = record.requisition, []
    new_patient = None
    is_other_patient = "patient_id" in fields and body.patient_id != requisition.patient_id
    if is_other_patient or body.refresh_patient:
        is_cleared = is_other_patient and body.patient_id is None
        new_patient = None if is_cleared else related.patient
        patient_id = None if is_cleared else body.patient_id or requisition.patient_id
        errors += _validate_patient(new_patient, patient_id)
    physician_id = requisition.physician_id
    if "physician_id" in fields:
        physician_id = body.physician_id
        errors += _validate_physician(related, physician_id)
    # An older requisition without a physician can be edited as long as it stays with its client.
    client_id = new_patient.client_id if new_patient else requisition.client_id
    if physician_id != requisition.physician_id or client_id != requisition.client_id:
        errors += _validate_ordering_physician(related, client_id, physician_id)
    errors += rules.validate_header(
        collection_date=(
            body.collection_date if "collection_date" in fields else requisition.collection_date
        ),
        fasting=body.fasting if "fasting" in fields else requisition.fasting,
        priority=body.priority if "priority" in fields else requisition.priority,
    )
    sent_date = body.collection_date if "collection_date" in fields else None
    collection_date = sent_date or requisition.collection_date
    # An older requisition whose date is invalid today can be edited as long as the date stays.
    if collection_date != requisition.collection_date or new_patient is not None:
        birth_date = new_patient.birth_date if new_patient else requisition.patient_birth_date
        errors += _validate_collection(work, collection_date, birth_date)
    if error := rules.validate_bill_to(body.bill_to):
        errors.append(error)
    parts, part_errors, related = await _validate_sent_parts(
        work, record, related, body, fields, new_patient
    )
    require_no_errors(errors + part_errors)
    columns = _build_patient_columns(related, new_patient) if new_patient is not None else {}
    columns |= get_sent_columns(body, fields)
    if "bill_to" in fields and body.bill_to is not None:
        columns["bill_to"] = body.bill_to
    if "comments" in fields:
        columns["comments"] = parts.comments
    return parts, columns, related


async def _validate_sent_parts(
    work: Work,
    record: RequisitionRecord,
    related: RelatedRecords,
    body: RequisitionWrite,
    sent_fields: frozenset[str],
    new_patient: Patient | None,
) -> tuple[ValidatedParts, list[FieldError], RelatedRecords]:
    """Validate the sent parts; without ``new_patient``, the requisition keeps its snapshot."""
    requisition, current_parts = record.requisition, build_current_parts(record)
    fields, client_id = set(sent_fields), requisition.client_id
    # The requisition's current diagnoses may be sent again by their codes.
    related = replace(
        related, diagnoses=[*related.diagnoses, *(d for _, d in record.parts.diagnoses)]
    )
    if new_patient is not None:
        client_id = new_patient.client_id
        if new_patient.id != requisition.patient_id:
            # Insurance belongs to a patient, so the previous patient's rows cannot stay.
            current_parts = replace(current_parts, snapshots=())
            fields.add("billing_info")
        if new_patient.client_id != requisition.client_id:
            # Each client has its own test list, so tests that stay are validated like new ones.
            current_parts = replace(current_parts, retained_ids=frozenset())
            if "tests" not in sent_fields:
                tests = [
                    TestWrite(test=IdOf(id=test_id), is_confidential=is_confidential)
                    for test_id, is_confidential in current_parts.tests
                ]
                body = body.model_copy(update={"tests": tests})
                fields.add("tests")
                related = await _add_current_tests(work, requisition.id, related, body)
    if (
        body.tests
        and current_parts.retained_ids
        and _select_tests(body.tests) == current_parts.tests
    ):
        # Unchanged tests stay as stored. The catalog may have changed a panel's members since, and
        # storing the new members would change what somebody has signed.
        fields.discard("tests")
    day = (body.collection_date or requisition.collection_date).date()
    if day != requisition.collection_date.date():
        # Codes must be valid on the collection date, so those that stay are validated again.
        body = body.model_copy(update=_build_unsent_codes(current_parts, sent_fields))
        fields |= {"diagnoses", "additional_tests_dx_codes"}
    parts, errors = await validate_parts(
        work, body, fields, current_parts, related, client_id=client_id, day=day
    )
    return parts, errors, related


def _select_tests(tests: list[TestWrite]) -> tuple[tuple[int, bool], ...]:
    return tuple((item.test.id, item.is_confidential) for item in tests)


def _collect_references(body: RequisitionWrite) -> References:
    """Collect the ids and codes of other records in the body."""
    ids, codes = collect_keys([*(body.diagnoses or ()), *(body.additional_tests_dx_codes or ())])
    return References(
        patient_id=body.patient_id,
        physician_id=body.physician_id,
        test_ids=rules.deduplicate_ids(item.test.id for item in body.tests or ()),
        diagnosis_ids=ids,
        diagnosis_codes=codes,
        insurance_count=len(body.billing_info or ()),
    )


async def _add_current_tests(
    work: Work, requisition_id: int, related: RelatedRecords, body: RequisitionWrite
) -> RelatedRecords:
    """Return the related records with the current tests, which were added to the body."""
    loaded_record = await load_record(work, requisition_id, _collect_references(body))
    assert loaded_record is not None
    _, test_records = loaded_record
    return replace(
        related,
        trees=test_records.trees,
        outside_list=test_records.outside_list,
        new_ids=test_records.new_ids,
    )


def _validate_patient(patient: Patient | None, patient_id: int | None) -> list[FieldError]:
    if patient is not None:
        return []
    is_missing = patient_id is None
    message = messages.REQUISITION_PATIENT_REQUIRED if is_missing else messages.NOT_FOUND
    return [FieldError("patientId", message)]


def _validate_collection(
    work: Work, collection_date: datetime, birth_date: date | None
) -> list[FieldError]:
    today = get_lab_today(work.portal.settings.time_zone)
    return rules.validate_collection_day(collection_date.date(), birth_date=birth_date, today=today)


def _validate_physician(related: RelatedRecords, physician_id: int | None) -> list[FieldError]:
    if physician_id is not None and physician_id not in related.physicians:
        return [FieldError("physicianId", messages.NOT_FOUND)]
    return []


def _validate_ordering_physician(
    related: RelatedRecords, client_id: int | None, physician_id: int | None
) -> list[FieldError]:
    client = related.clients.get(client_id or 0)
    is_required = client is not None and client.requires_physician
    return rules.validate_ordering_physician(physician_id, is_required=is_required)


def _build_patient_columns(related: RelatedRecords, patient: Patient) -> dict[str, Any]:
    """Build the columns of a requisition that come from its patient."""
    return {
        "patient_id": patient.id,
        "client_id": patient.client_id,
        **take_snapshot(patient, related.unit_name, related.room_name),
    }


def _build_unsent_codes(
    current_parts: CurrentParts, sent_fields: Collection[str]
) -> dict[str, list[DiagnosisWrite]]:
    """Build the stored diagnoses that the body leaves out, as a body would send them."""
    stored_lists: dict[str, list[DiagnosisWrite]] = {
        "diagnoses": [
            DiagnosisOfTestWrite(id=diagnosis_id, test_id=test_id)
            for diagnosis_id, test_id in current_parts.diagnoses
        ],
        "additional_tests_dx_codes": [
            DiagnosisWrite(id=diagnosis_id) for diagnosis_id in current_parts.additional
        ],
    }
    return {name: codes for name, codes in stored_lists.items() if name not in sent_fields}
