"""Creating and updating requisitions (O 2.3, O 5)."""

from collections.abc import Collection
from dataclasses import replace

from app.basics.clock import lab_now, lab_time
from app.basics.errors import FieldError, require_no_errors
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.server.access.work import Work
from app.server.catalog.schemas import DiagnosisWrite
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.snapshot import take_snapshot
from app.server.physicians.repository import physician
from app.server.requisitions import rules
from app.server.requisitions.errors import RequisitionReadOnly, RequisitionSigned
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import (
    DiagnosisOfTestWrite,
    IdOf,
    PartList,
    RequisitionRead,
    RequisitionWrite,
    TestWrite,
)
from app.server.requisitions.service.parts import (
    CheckedParts,
    Present,
    checked,
    keep,
    present_parts,
)
from app.server.requisitions.service.read import found, shape


async def create(work: Work, body: RequisitionWrite) -> RequisitionRead:
    """Make a requisition; it begins Pending.

    Raises:
        BadInput: no patient, no test, or invalid fields, each named.
    """
    body = _in_lab_time(work, body)
    repository = work.repository(RequisitionRepository)
    errors: list[FieldError] = []
    patient = await _patient(work, body.patient_id, errors)
    errors += rules.required_errors(
        collection_date=body.collection_date, fasting=body.fasting, priority=body.priority
    )
    errors += await _physician_errors(work, body.physician_id)
    errors += [e for e in (rules.bill_to_error(body.bill_to),) if e]
    parts, wrong = await checked(
        work,
        body,
        set(RequisitionWrite.model_fields),
        Present(),
        patient=patient,
        client_id=patient.client_id if patient else None,
        day=body.collection_date.date() if body.collection_date else None,
    )
    require_no_errors(errors + wrong)
    assert patient is not None and body.collection_date is not None
    assert body.fasting is not None and body.priority is not None
    client = await work.repository(PatientRepository).client(patient.client_id)
    now = lab_now(work.portal.settings.time_zone)
    requisition = Requisition(
        code=rules.requisition_code(await repository.next_code_number(), now.year),
        status=RequisitionStatus.PENDING,
        collection_date=body.collection_date,
        fasting=body.fasting,
        priority=body.priority,
        bill_to=(
            body.bill_to
            if body.bill_to is not None
            else rules.default_bill_to(client.default_bill_to if client else None)
        ),
        comments=parts.comments,
        physician_id=body.physician_id,
        created_by=work.actor.user_id,
        has_signature=False,
        version=1,
    )
    await _take_snapshot(work, requisition, patient)
    work.session.add(requisition)
    await work.session.flush()
    await keep(repository, requisition.id, parts)
    await work.audit("create", "requisition", [requisition.id])
    return await shape(work, requisition)


async def update(work: Work, requisition_id: int, body: RequisitionWrite) -> RequisitionRead:
    """Change a requisition; what the body leaves out stays.

    Raises:
        NotFound, StaleVersion, BadInput.
        RequisitionReadOnly: it is done or canceled.
        RequisitionSigned: the change touches what the signature vouches for.
    """
    body = _in_lab_time(work, body)
    repository = work.repository(RequisitionRepository)
    requisition = await found(work, requisition_id, lock=True)
    work.require_version(requisition)
    refuse_read_only(requisition)
    given = frozenset(body.model_fields_set)
    before = (await repository.content(requisition)).digest()
    await _apply(work, repository, requisition, body, given)
    after = (await repository.content(requisition)).digest()
    if requisition.has_signature and before != after:
        raise RequisitionSigned(messages.REQUISITION_SIGNED_CONTENT.format(code=requisition.code))
    requisition.version += 1
    await work.session.flush()
    await work.audit("change", "requisition", [requisition.id], {"fields": sorted(given)})
    return await shape(work, requisition)


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


def refuse_read_only(requisition: Requisition) -> None:
    """Raises RequisitionReadOnly when it is done or canceled (O 4)."""
    status = RequisitionStatus(requisition.status)
    if status in rules.READ_ONLY:
        raise RequisitionReadOnly(
            messages.REQUISITION_READ_ONLY.format(code=requisition.code, status=status.name)
        )


async def _apply(
    work: Work,
    repository: RequisitionRepository,
    requisition: Requisition,
    body: RequisitionWrite,
    given: frozenset[str],
) -> None:
    errors: list[FieldError] = []
    other = None
    if "patient_id" in given and body.patient_id != requisition.patient_id:
        other = await _patient(work, body.patient_id, errors)
    if "physician_id" in given:
        errors += await _physician_errors(work, body.physician_id)
    errors += rules.required_errors(
        collection_date=(
            body.collection_date if "collection_date" in given else requisition.collection_date
        ),
        fasting=body.fasting if "fasting" in given else requisition.fasting,
        priority=body.priority if "priority" in given else requisition.priority,
    )
    errors += [e for e in (rules.bill_to_error(body.bill_to),) if e]
    parts, wrong = await _checked(work, repository, requisition, body, given, other)
    require_no_errors(errors + wrong)
    if other is not None:
        await _take_snapshot(work, requisition, other)
    _assign(requisition, body, given, parts)
    await work.session.flush()
    await keep(repository, requisition.id, parts)


async def _checked(
    work: Work,
    repository: RequisitionRepository,
    requisition: Requisition,
    body: RequisitionWrite,
    given: frozenset[str],
    other: Patient | None,
) -> tuple[CheckedParts, list[FieldError]]:
    """The parts that were sent, judged for the patient (``other``: a new one) that it will have."""
    present = await present_parts(repository, requisition)
    sent = set(given)
    if other is None:
        patient, client_id = None, requisition.client_id
        if "billing_info" in given:
            # None when the patient has moved out of the actor's sight since.
            patients = work.repository(PatientRepository)
            patient = await patients.patient(requisition.patient_id)
    else:
        patient, client_id = other, other.client_id
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
    if body.tests and present.kept and _roots(body.tests) == present.chosen:
        # What was ordered stays as it is: the catalogue may have given a panel other members
        # since, which would be another order, and one that nobody signed.
        sent.discard("tests")
    day = (body.collection_date or requisition.collection_date).date()
    if day != requisition.collection_date.date():
        # A code is judged by the collection date: those that stay are judged anew.
        body = body.model_copy(update=_codes_that_stay(present, given))
        sent |= {"diagnoses", "additional_tests_dx_codes"}
    return await checked(work, body, sent, present, patient=patient, client_id=client_id, day=day)


def _roots(tests: list[TestWrite]) -> tuple[tuple[int, bool], ...]:
    return tuple((entry.test.id, entry.is_confidential) for entry in tests)


def _assign(
    requisition: Requisition, body: RequisitionWrite, given: frozenset[str], parts: CheckedParts
) -> None:
    for name in ("physician_id", "collection_date", "fasting", "priority"):
        if name in given:
            setattr(requisition, name, getattr(body, name))
    if "bill_to" in given and body.bill_to is not None:
        requisition.bill_to = body.bill_to
    if "comments" in given:
        requisition.comments = parts.comments


async def _patient(work: Work, patient_id: int | None, errors: list[FieldError]) -> Patient | None:
    if patient_id is not None:
        patients = work.repository(PatientRepository)
        patient = await patients.patient(patient_id)
        if patient is not None:
            return patient
    errors.insert(0, FieldError("patientId", messages.REQUISITION_PATIENT_REQUIRED))
    return None


async def _physician_errors(work: Work, physician_id: int | None) -> list[FieldError]:
    if physician_id is not None and await physician(work.session, physician_id) is None:
        return [FieldError("physicianId", messages.NOT_FOUND)]
    return []


async def _take_snapshot(work: Work, requisition: Requisition, patient: Patient) -> None:
    patients = work.repository(PatientRepository)
    unit = await patients.unit(patient.unit_id)
    room = await patients.room(patient.room_id)
    requisition.patient_id = patient.id
    requisition.client_id = patient.client_id
    names = unit.name if unit else None, room.name if room else None
    for column, value in take_snapshot(patient, *names).items():
        setattr(requisition, column, value)


def _codes_that_stay(present: Present, given: Collection[str]) -> dict[str, list[DiagnosisWrite]]:
    """What a write would say that named the stored codes which it leaves as they are."""
    stored: dict[str, list[DiagnosisWrite]] = {
        "diagnoses": [
            DiagnosisOfTestWrite(id=each, test_id=test) for each, test in present.diagnoses
        ],
        "additional_tests_dx_codes": [DiagnosisWrite(id=each) for each in present.additional],
    }
    return {name: codes for name, codes in stored.items() if name not in given}
