"""Reads and fills in the missing information of an order (R 2.4; DECISIONS, Results)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.basics.clock import get_lab_today
from app.basics.errors import FieldError, NotFound, require_allowed, require_no_errors
from app.contract import messages
from app.contract.enumerations import BillTo, OrderStatus
from app.server.access.schemas import Permission
from app.server.access.work import Work, require_expected_version
from app.server.addresses.repository import ZipCodeRepository
from app.server.billing import service as billing
from app.server.billing.schemas import InsuranceRow
from app.server.catalog.service import collect_keys
from app.server.drawing_pool import DrawingPool
from app.server.orders import completeness, rules
from app.server.orders.billing_schemas import CompletionRead, OrderBillingRead, OrderBillingWrite
from app.server.orders.completeness import BillingState, find_missing_parts
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.orders.rules import CompletionState, judge_completing
from app.server.orders.service.completions import build_completion
from app.server.orders.service.read import get_order
from app.server.orders.service.status import build_state
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.rules import validate_birth_date
from app.server.patients.service.read import build_holder, build_parties
from app.server.patients.service.records import ValidLists, complete_patient, validate_lists
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.loading import (
    References,
    RelatedRecords,
    RequisitionRecord,
    load_record,
)
from app.server.requisitions.repository import MAIN
from app.server.requisitions.schemas import RequisitionWrite
from app.server.requisitions.service.parts import (
    ValidatedParts,
    build_current_parts,
    store_parts,
    validate_parts,
)
from app.server.requisitions.service.read import build_requisition_read, get_record
from app.server.requisitions.storing import update_requisition
from app.server.rich_text import sanitize_in_turn

_LISTS = ("insurance_information", "responsible_parties")


@dataclass(frozen=True)
class _Subject:
    """An order to fill in, with its requisition and the patient, if in the actor's scope."""

    order: Order
    record: RequisitionRecord
    patient: Patient | None

    @property
    def birth_date(self) -> date | None:
        """The birth date of the patient, or of the order's snapshot."""
        return self.patient.birth_date if self.patient else self.order.patient_birth_date

    @property
    def gender(self) -> str:
        """The gender of the patient, or of the order's snapshot."""
        return self.patient.gender if self.patient else self.order.patient_gender

    @property
    def lacks_birth_date(self) -> bool:
        """Whether the patient or the order's snapshot has no birth date."""
        return self.birth_date is None or self.order.patient_birth_date is None

    @property
    def state(self) -> CompletionState:
        """The data that decide the permissions."""
        return CompletionState(
            order=build_state(self.order),
            is_signed=self.record.requisition.has_signature,
            has_physician=self.order.physician_id is not None,
            has_diagnosis=_has_diagnosis(self.record),
            has_birth_date=self.birth_date is not None,
            has_entry_alert=self.order.entry_alert is not None,
            sees_patient=self.patient is not None,
        )


async def read_billing_information(work: Work, order_id: int) -> OrderBillingRead:
    """Return the missing-information form of an order, or raise NotFound."""
    order = await get_order(work, order_id)
    await work.audit("read", "order", [order.id], {"fields": ["billing_information"]})
    return await _build_read(work, order)


async def save_billing_information(
    work: Work, order_id: int, body: OrderBillingWrite
) -> OrderBillingRead:
    """Fill in an order and its patient, in one transaction.

    Rows of insurance and responsible parties that were not sent stay with the patient. The order
    bills the sent insurance rows. A signature stays, and the completion is noted beside it.

    Raises:
        NotFound: the order, or the patient that the body names, is not in the actor's scope.
        StaleVersion: somebody changed the order or the patient since they were read.
        Forbidden, OrderReadOnly, InformationLocked: the actor may not change what the body changes.
        BadInput: fields are invalid.
    """
    if body.comments is not None:
        comments = await sanitize_in_turn(
            work.portal.get_part(DrawingPool), work.actor.user_text, body.comments
        )
        body = body.model_copy(update={"comments": comments})
    order = await get_order(work, order_id)
    require_allowed(judge_completing(work.actor, build_state(order)))
    if _get_sent_lists(body):
        # Judged first: new rows get ids from a sequence that the database denies to physicians.
        initial_state = CompletionState(build_state(order))
        require_allowed(rules.judge_billing_change(work.actor, initial_state))
    subject, related = await _lock_subject(work, order, body)
    _require_versions(work, subject, body)
    sent_fields = body.model_fields_set
    lists, parts = await _validate_body(work, subject, related, body)
    changed_parts = _list_changes(subject, parts, lists, body)
    _require_allowed_changes(work, subject, changed_parts)
    record, requisition = subject.record, subject.record.requisition
    columns = ["physician_id"]
    if completeness.BIRTH_DATE in changed_parts and requisition.patient_birth_date is None:
        requisition.patient_birth_date = body.birth_date
        columns.append("patient_birth_date")
    new_birth_date = body.birth_date if subject.birth_date is None else None
    if lists.insurance is not None or lists.parties is not None or new_birth_date is not None:
        assert subject.patient is not None
        await complete_patient(work, subject.patient, lists, new_birth_date)
        if lists.insurance is not None:
            rows = await billing.list_rows(work, subject.patient.id, build_holder(subject.patient))
            # ``complete_patient`` puts the sent rows first.
            parts.insurance = [
                (row.id, row.model_dump(mode="json", by_alias=True, exclude={"id"}))
                for row in rows[: len(lists.insurance)]
            ]
    if completeness.PHYSICIAN in changed_parts:
        requisition.physician_id = body.physician_id
    requisition.version += 1
    update_requisition(work.statements, requisition, columns)
    store_parts(work.statements, record, parts, related)
    if changed_parts:
        completion = build_completion(
            work,
            order.id,
            changed_parts,
            _build_billing_state(record),
            physician_id=requisition.physician_id,
            comment=parts.comments if "comments" in sent_fields else order.billing_comment,
            was_signed=requisition.has_signature,
            birth_date=body.birth_date if completeness.BIRTH_DATE in changed_parts else None,
        )
        work.build_repository(OrderRepository).create_completions([completion])
    await work.audit("complete", "order", [order.id], {"fields": changed_parts})
    # Send the changes now, so that the answer shows them.
    await work.statements.send()
    await work.session.refresh(order)
    return await _build_read(work, order)


async def _lock_subject(
    work: Work, order: Order, body: OrderBillingWrite
) -> tuple[_Subject, RelatedRecords]:
    """Lock the requisition and, if it changes, the patient; return what to change.

    The order is not locked, because people outside the lab cannot lock it. Its requisition's lock
    makes concurrent requests wait.
    """
    ids, codes = collect_keys(body.diagnoses or ())
    references = References(
        physician_id=body.physician_id,
        diagnosis_ids=ids,
        diagnosis_codes=codes,
        insurance_count=len(body.insurance_information or ()),
    )
    loaded_record = await load_record(work, order.requisition_id, references, lock=True)
    if loaded_record is None:
        raise NotFound(messages.NOT_FOUND)
    record, related = loaded_record
    # The order may have changed while this request waited for the requisition's lock.
    await work.session.refresh(order)
    patients = work.build_repository(PatientRepository)
    patient = await patients.find_patient(order.patient_id)
    subject = _Subject(order, record, patient)
    fills_birth_date = body.birth_date is not None and subject.birth_date is None
    if fills_birth_date:
        require_allowed(rules.judge_birth_date_change(work.actor, subject.state))
    if _get_sent_lists(body):
        require_allowed(rules.judge_billing_change(work.actor, subject.state))
    if _get_sent_lists(body) or fills_birth_date:
        patient = await patients.find_patient(order.patient_id, lock=True)
    return replace(subject, patient=patient), related


def _get_sent_lists(body: OrderBillingWrite) -> list[str]:
    return [name for name in _LISTS if name in body.model_fields_set]


def _require_versions(work: Work, subject: _Subject, body: OrderBillingWrite) -> None:
    work.require_version(subject.order)
    patient = subject.patient
    if {body.order_id, body.patient_id} - {None, subject.order.id, subject.order.patient_id}:
        raise NotFound(messages.NOT_FOUND)
    if patient:
        require_expected_version(patient, body.patient_version)


async def _validate_body(
    work: Work, subject: _Subject, related: RelatedRecords, body: OrderBillingWrite
) -> tuple[ValidLists, ValidatedParts]:
    """Return the patient's lists and the requisition's parts to store, or raise BadInput."""
    errors = _validate_person(work, subject, body)
    errors += _validate_physician(subject, related, body)
    record = subject.record
    fields = {"comments", "diagnoses"} & body.model_fields_set
    if _selects_stored_diagnoses(record, body):
        fields.discard("diagnoses")
    parts, part_errors = await validate_parts(
        work,
        RequisitionWrite(diagnoses=body.diagnoses, comments=body.comments),
        fields,
        build_current_parts(record),
        # Current diagnoses may be sent again by their codes.
        replace(related, diagnoses=[*related.diagnoses, *(d for _, d in record.parts.diagnoses)]),
        client_id=record.requisition.client_id,
        day=record.requisition.collection_date.date(),
    )
    sent_lists = {name: getattr(body, name) or [] for name in _get_sent_lists(body)}
    lists, list_errors = await validate_lists(work, sent_lists, subject.patient)
    require_no_errors([*errors, *part_errors, *list_errors])
    return lists, parts


def _validate_person(work: Work, subject: _Subject, body: OrderBillingWrite) -> list[FieldError]:
    """Validate birth date and gender, which are locked where the patient has them (R 4)."""
    required_values = (
        ("birth_date", "birthDate", rules.DATE_OF_BIRTH, messages.DATE_OF_BIRTH_REQUIRED),
        ("gender", "gender", "Gender", messages.GENDER_REQUIRED),
    )
    errors = []
    for name, field, label, required_message in required_values:
        if name not in body.model_fields_set:
            continue
        value, current_value = getattr(body, name), getattr(subject, name)
        if not value:
            errors.append(FieldError(field, required_message))
        elif current_value is not None and value != current_value:
            text = messages.MISSING_INFO_PERSON.format(label=label)
            errors.append(FieldError(field, text))
    if body.birth_date is not None and subject.birth_date is None:
        errors += _validate_new_birth_date(work, subject, body.birth_date)
    return errors


def _validate_new_birth_date(work: Work, subject: _Subject, value: date) -> list[FieldError]:
    today = get_lab_today(work.portal.settings.time_zone)
    if error := validate_birth_date(value, today):
        return [error]
    if value > subject.order.collection_date.date():
        return [FieldError("birthDate", messages.MISSING_INFO_COLLECTED_BEFORE)]
    return []


def _validate_physician(
    subject: _Subject, related: RelatedRecords, body: OrderBillingWrite
) -> list[FieldError]:
    physician_id = subject.order.physician_id
    if "physician_id" in body.model_fields_set:
        physician_id = body.physician_id
    if physician_id is None:
        return [FieldError("physicianId", messages.PHYSICIAN_REQUIRED)]
    is_known = physician_id in related.physicians or physician_id == subject.order.physician_id
    return [] if is_known else [FieldError("physicianId", messages.NOT_FOUND)]


def _selects_stored_diagnoses(record: RequisitionRecord, body: OrderBillingWrite) -> bool:
    """Whether the body has exactly the stored diagnoses, by id or code, with their tests."""
    sent_rows = [(row.id, row.code, row.test_id) for row in body.diagnoses or ()]
    stored_rows = [
        (diagnosis.id, diagnosis.code, row.test_id)
        for row, diagnosis in record.parts.diagnoses
        if row.purpose == MAIN
    ]
    if len(sent_rows) != len(stored_rows):
        return False
    for sent_row, stored_row in zip(sent_rows, stored_rows, strict=True):
        sent_id, sent_code, sent_test_id = sent_row
        stored_id, stored_code, stored_test_id = stored_row
        has_same_code = sent_id is None and sent_code == stored_code
        if sent_test_id != stored_test_id or not (sent_id == stored_id or has_same_code):
            return False
    return True


def _list_changes(
    subject: _Subject, parts: ValidatedParts, lists: ValidLists, body: OrderBillingWrite
) -> list[str]:
    """Return the parts of the form that the body changes."""
    sent_fields, order = body.model_fields_set, subject.order
    changes = (
        (
            completeness.PHYSICIAN,
            "physician_id" in sent_fields and body.physician_id != order.physician_id,
        ),
        (completeness.DIAGNOSES, parts.diagnoses is not None),
        (completeness.INSURANCE, lists.insurance is not None),
        (completeness.PARTIES, lists.parties is not None),
        (completeness.BIRTH_DATE, body.birth_date is not None and subject.lacks_birth_date),
        (
            completeness.COMMENT,
            "comments" in sent_fields and parts.comments != order.billing_comment,
        ),
    )
    return [name for name, is_changed in changes if is_changed]


def _require_allowed_changes(work: Work, subject: _Subject, changed_parts: Sequence[str]) -> None:
    judges = {
        completeness.PHYSICIAN: rules.judge_physician_change,
        completeness.DIAGNOSES: rules.judge_diagnoses_change,
        # The patient may have the birth date that the order's snapshot lacks.
        completeness.BIRTH_DATE: rules.judge_billing_change,
        completeness.COMMENT: rules.judge_comment_change,
    }
    for name in changed_parts:
        if name in judges:
            require_allowed(judges[name](work.actor, subject.state))


def _has_diagnosis(record: RequisitionRecord) -> bool:
    return any(row.purpose == MAIN for row, _ in record.parts.diagnoses)


def _build_billing_state(record: RequisitionRecord) -> BillingState:
    return BillingState(
        has_physician=record.requisition.physician_id is not None,
        has_diagnosis=_has_diagnosis(record),
        bill_to=BillTo(record.requisition.bill_to),
        insurance=[row.snapshot for row in record.insurance],
    )


async def _build_read(work: Work, order: Order) -> OrderBillingRead:
    repository = work.build_repository(OrderRepository)
    patients = work.build_repository(PatientRepository)
    record = await get_record(work, order.requisition_id)
    patient = await patients.find_patient(order.patient_id)
    zip_code = await work.build_repository(ZipCodeRepository).find_zip_code_by_id(
        patient.zip_code_id if patient else None
    )
    requisition = build_requisition_read(work, record)
    physician = PhysicianShape.model_validate(record.physician) if record.physician else None
    subject = _Subject(order, record, patient)
    state, actor = subject.state, work.actor
    is_open = order.status != OrderStatus.CANCELED
    return OrderBillingRead(
        order_id=order.id,
        order_code=order.code,
        version=order.version,
        bill_to=requisition.bill_to,
        missing=find_missing_parts(_build_billing_state(record)) if is_open else [],
        patient_id=order.patient_id,
        patient_version=patient.version if patient else None,
        last_name=order.patient_last_name,
        first_name=order.patient_first_name,
        middle_name=order.patient_middle_name,
        birth_date=subject.birth_date,
        gender=subject.gender,
        address=patient.address if patient else None,
        phone=patient.phone if patient else None,
        zip_code_name=zip_code.code if zip_code else None,
        zip_code_plus4=patient.zip_code_plus4 if patient else None,
        physician=physician,
        ordering_physician=physician,
        tests=requisition.tests,
        collection_date=order.collection_date,
        diagnoses=requisition.diagnoses,
        insurance_information=await _list_insurance(work, subject),
        responsible_parties=await build_parties(patients, patient) if patient else [],
        comment=order.billing_comment,
        completions=[
            CompletionRead.model_validate(row) for row in await repository.list_completions(order)
        ],
        can_change=Permission.of(judge_completing(actor, state.order)),
        can_change_physician=Permission.of(rules.judge_physician_change(actor, state)),
        can_change_diagnoses=Permission.of(rules.judge_diagnoses_change(actor, state)),
        can_change_billing=Permission.of(rules.judge_billing_change(actor, state)),
        can_change_birth_date=Permission.of(rules.judge_birth_date_change(actor, state)),
        can_change_comment=Permission.of(rules.judge_comment_change(actor, state)),
    )


async def _list_insurance(work: Work, subject: _Subject) -> list[InsuranceRow]:
    """Return the patient's rows that the order bills, in its order; all rows if it bills none."""
    if subject.patient is None:
        return []
    rows = await billing.list_rows(work, subject.patient.id, build_holder(subject.patient))
    by_id = {row.id: row for row in rows}
    billed_ids = [row.patient_insurance_id for row in subject.record.insurance]
    billed_rows = [by_id[i] for i in billed_ids if i in by_id] or rows
    return [
        row.model_copy(update={"order": order}) for order, row in enumerate(billed_rows, start=1)
    ]
