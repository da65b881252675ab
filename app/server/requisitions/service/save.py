"""Creating and updating requisitions (O 2.3, O 5)."""

from datetime import datetime

from app.basics.clock import lab_now
from app.basics.errors import BadInput, FieldError, StaleVersion
from app.basics.text import capitalise, clean
from app.contract import messages
from app.contract.enumerations import Priority, RequisitionStatus
from app.server.access.work import Work
from app.server.catalog.repository import CatalogRepository, TestNode
from app.server.catalog.schemas import DiagnosisWrite
from app.server.catalog.service import chosen_diagnoses
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.physicians.repository import physician
from app.server.requisitions import rules
from app.server.requisitions.errors import RequisitionReadOnly, RequisitionSigned
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import ADDITIONAL, MAIN, RequisitionRepository
from app.server.requisitions.schemas import RequisitionRead, RequisitionWrite
from app.server.requisitions.service.read import found, shape


async def create(work: Work, body: RequisitionWrite) -> RequisitionRead:
    """Make a requisition; it begins Pending.

    Raises:
        BadInput: no patient, no test, or invalid fields, each named.
    """
    repository = RequisitionRepository(work.session, work.actor)
    _priority(body)
    errors = rules.required_errors(
        collection_date=body.collection_date, fasting=body.fasting, priority=body.priority
    )
    patient = await _patient(work, body.patient_id, errors)
    tests = await _tests(work, body, errors)
    if not body.tests:
        errors.append(FieldError("tests", messages.REQUISITION_TEST_REQUIRED))
    await _physician(work, body.physician_id, errors)
    day = body.collection_date
    main = await _diagnoses(work, body.diagnoses, "diagnoses", day, errors)
    additional = await _diagnoses(
        work, body.additional_tests_dx_codes, "additionalTestsDxCodes", day, errors
    )
    _refuse(errors)
    assert patient is not None and body.collection_date is not None
    assert body.fasting is not None and body.priority is not None
    client = await PatientRepository(work.session, work.actor).client(patient.client_id)
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
        comments=clean(body.comments),
        physician_id=body.physician_id,
        created_by=work.actor.user_id,
        has_signature=False,
        version=1,
    )
    await _take_snapshot(work, requisition, patient)
    work.session.add(requisition)
    await work.session.flush()
    await repository.replace_tests(requisition.id, tests)
    await repository.replace_diagnoses(requisition.id, MAIN, main)
    await repository.replace_diagnoses(requisition.id, ADDITIONAL, additional)
    await repository.replace_medications(requisition.id, _medications(body))
    await work.audit("create", "requisition", [requisition.id])
    return await shape(work, requisition)


async def update(work: Work, requisition_id: int, body: RequisitionWrite) -> RequisitionRead:
    """Change a requisition; what the body leaves out stays.

    Raises:
        NotFound, StaleVersion, BadInput.
        RequisitionReadOnly: it is done or canceled.
        RequisitionSigned: the change touches what the signature vouches for.
    """
    repository = RequisitionRepository(work.session, work.actor)
    requisition = await found(work, requisition_id, lock=True)
    if work.expected_version not in (None, requisition.version):
        raise StaleVersion(messages.VERSION_STALE)
    _refuse_read_only(requisition)
    given = body.model_fields_set
    before = (await repository.content(requisition)).digest()
    await _apply(work, repository, requisition, body, given)
    after = (await repository.content(requisition)).digest()
    if requisition.has_signature and before != after:
        raise RequisitionSigned(messages.REQUISITION_SIGNED_CONTENT.format(code=requisition.code))
    requisition.version += 1
    await work.session.flush()
    await work.audit("change", "requisition", [requisition.id], {"fields": sorted(given)})
    return await shape(work, requisition)


async def _apply(
    work: Work,
    repository: RequisitionRepository,
    requisition: Requisition,
    body: RequisitionWrite,
    given: set[str],
) -> None:
    _priority(body)
    errors: list[FieldError] = []
    patient = None
    if "patient_id" in given and body.patient_id != requisition.patient_id:
        patient = await _patient(work, body.patient_id, errors)
    if "physician_id" in given:
        await _physician(work, body.physician_id, errors)
    errors += rules.required_errors(
        collection_date=(
            body.collection_date if "collection_date" in given else requisition.collection_date
        ),
        fasting=body.fasting if "fasting" in given else requisition.fasting,
        priority=body.priority if "priority" in given else requisition.priority,
    )
    tests = None
    if "tests" in given:
        tests = await _tests(work, body, errors)
        if not body.tests:
            errors.append(FieldError("tests", messages.REQUISITION_TEST_REQUIRED))
    day = body.collection_date or requisition.collection_date
    main = await _diagnoses(work, body.diagnoses, "diagnoses", day, errors)
    additional = await _diagnoses(
        work, body.additional_tests_dx_codes, "additionalTestsDxCodes", day, errors
    )
    _refuse(errors)
    if patient is not None:
        await _take_snapshot(work, requisition, patient)
    _assign(requisition, body, given)
    await work.session.flush()
    if tests is not None:
        await repository.replace_tests(requisition.id, tests)
    if "diagnoses" in given:
        await repository.replace_diagnoses(requisition.id, MAIN, main)
    if "additional_tests_dx_codes" in given:
        await repository.replace_diagnoses(requisition.id, ADDITIONAL, additional)
    if "medications" in given:
        await repository.replace_medications(requisition.id, _medications(body))


def _assign(requisition: Requisition, body: RequisitionWrite, given: set[str]) -> None:
    for name in ("physician_id", "collection_date", "fasting", "priority"):
        if name in given:
            setattr(requisition, name, getattr(body, name))
    if "bill_to" in given and body.bill_to is not None:
        requisition.bill_to = body.bill_to
    if "comments" in given:
        requisition.comments = clean(body.comments)


def _refuse(errors: list[FieldError]) -> None:
    if errors:
        # The first message stands for all where a screen shows only one (O 8: the two toasts).
        raise BadInput(errors[0].message, errors=tuple(errors))


def _refuse_read_only(requisition: Requisition) -> None:
    status = RequisitionStatus(requisition.status)
    if status in rules.READ_ONLY:
        raise RequisitionReadOnly(
            messages.REQUISITION_READ_ONLY.format(code=requisition.code, status=status.name)
        )


def _priority(body: RequisitionWrite) -> None:
    if body.priority is not None:
        text = body.priority.strip().upper().replace("_", "-")
        body.priority = text or None
    elif "priority" not in body.model_fields_set:
        body.priority = Priority.ROUTINE


async def _patient(work: Work, patient_id: int | None, errors: list[FieldError]) -> Patient | None:
    if patient_id is not None:
        patients = PatientRepository(work.session, work.actor)
        patient = await patients.patient(patient_id)
        if patient is not None:
            return patient
    errors.insert(0, FieldError("patientId", messages.REQUISITION_PATIENT_REQUIRED))
    return None


async def _physician(work: Work, physician_id: int | None, errors: list[FieldError]) -> None:
    if physician_id is not None and await physician(work.session, physician_id) is None:
        errors.append(FieldError("physicianId", messages.NOT_FOUND))


async def _tests(
    work: Work, body: RequisitionWrite, errors: list[FieldError]
) -> list[tuple[TestNode, bool]]:
    wanted = {entry.test.id: entry.is_confidential for entry in body.tests or []}
    trees = await CatalogRepository(work.session).trees(list(wanted))
    chosen: list[tuple[TestNode, bool]] = []
    for i, (test_id, confidential) in enumerate(wanted.items()):
        node = trees.get(test_id)
        if node is None or not node.test.orderable:
            errors.append(FieldError(f"tests.{i}.test.id", messages.TEST_UNKNOWN))
        else:
            chosen.append((node, confidential))
    return chosen


async def _diagnoses(
    work: Work,
    wanted: list[DiagnosisWrite] | None,
    field: str,
    collected: datetime | None,
    errors: list[FieldError],
) -> list[int]:
    chosen, found = await chosen_diagnoses(
        work.session,
        wanted,
        field=field,
        day=collected.date() if collected else None,
        ended=messages.DIAGNOSIS_NOT_BILLABLE,
    )
    errors += found
    return chosen


def _medications(body: RequisitionWrite) -> list[str]:
    names = (capitalise(entry.name) for entry in body.medications or [])
    return list(dict.fromkeys(name for name in names if name))


async def _take_snapshot(work: Work, requisition: Requisition, patient: Patient) -> None:
    patients = PatientRepository(work.session, work.actor)
    unit = await patients.unit(patient.unit_id)
    room = await patients.room(patient.room_id)
    requisition.patient_id = patient.id
    requisition.client_id = patient.client_id
    requisition.patient_last_name = patient.last_name
    requisition.patient_first_name = patient.first_name
    requisition.patient_middle_name = patient.middle_name
    requisition.patient_birth_date = patient.birth_date
    requisition.patient_gender = patient.gender
    requisition.unit_id = patient.unit_id
    requisition.unit_name = unit.name if unit else None
    requisition.room_name = room.name if room else None
    requisition.bed = patient.bed
