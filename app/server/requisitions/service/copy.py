"""Builds the initial content of a requisition's copy, without saving it (ADR 14)."""

from app.basics.clock import get_lab_today
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import BillTo
from app.server.access.work import Work
from app.server.catalog.models import Diagnosis
from app.server.catalog.repository import is_valid_on
from app.server.catalog.schemas import DiagnosisShape, build_tree
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.loading import (
    References,
    RelatedRecords,
    RequisitionRecord,
    load_record,
)
from app.server.requisitions.repository import ADDITIONAL, MAIN
from app.server.requisitions.schemas import (
    CopiedTest,
    CopyRead,
    DiagnosisOfTest,
    IdOf,
    MedicationShape,
    TestWrite,
)
from app.server.requisitions.service.parts import CurrentParts, collect_test_ids, validate_tests
from app.server.requisitions.service.read import get_record


async def get_copy(work: Work, requisition_id: int) -> CopyRead:
    """Return the parts of a requisition that a new requisition may have today.

    The answer names the others: tests that can no longer be ordered, diagnoses that have expired,
    and insurance that the patient no longer has.

    Raises:
        NotFound: the requisition or its patient is out of scope.
    """
    record = await get_record(work, requisition_id)
    requisition, patient, parts = record.requisition, record.patient, record.parts
    if patient is None:
        raise NotFound(messages.REQUISITION_COPY_NO_PATIENT.format(code=requisition.code))
    roots = [(row, test) for row, test in parts.tests if row.parent_id is None]
    references = References(
        test_ids=[test.id for _, test in roots], insurance_count=len(record.insurance)
    )
    loaded_record = await load_record(work, requisition.id, references)
    assert loaded_record is not None
    _, related = loaded_record
    omitted_parts: list[str] = []

    requested_tests = [
        TestWrite(test=IdOf(id=test.id), is_confidential=row.is_confidential) for row, test in roots
    ]
    copied_tests, _ = validate_tests(
        work, requested_tests, CurrentParts(), related, patient.client_id
    )
    copied_ids = {node.test.id for node, _ in copied_tests}
    omitted_parts += [f"test {test.code}" for _, test in roots if test.id not in copied_ids]

    day, ordered_ids = get_lab_today(work.portal.settings.time_zone), collect_test_ids(copied_tests)
    usable_diagnoses: list[tuple[str, Diagnosis, int | None]] = []
    for row, diagnosis in parts.diagnoses:
        # A diagnosis that supports one test is left out together with that test.
        if is_valid_on(diagnosis, day) and row.test_id in (None, *ordered_ids):
            usable_diagnoses.append((row.purpose, diagnosis, row.test_id))
        else:
            omitted_parts.append(f"diagnosis {diagnosis.code}")

    insurance_ids = _select_insurance(record, related, omitted_parts)
    await work.audit("read", "requisition", [requisition.id], {"for": "copy"})
    return CopyRead(
        id=requisition.id,
        code=requisition.code,
        patient_id=patient.id,
        physician=PhysicianShape.model_validate(record.physician) if record.physician else None,
        bill_to=BillTo(requisition.bill_to).name.capitalize(),
        comments=requisition.comments,
        tests=[
            CopiedTest(is_confidential=is_confidential, test=build_tree(node))
            for node, is_confidential in copied_tests
        ],
        diagnoses=[
            DiagnosisOfTest(
                id=diagnosis.id,
                code=diagnosis.code,
                description=diagnosis.description,
                test_id=test_id,
            )
            for purpose, diagnosis, test_id in usable_diagnoses
            if purpose == MAIN
        ],
        additional_tests_dx_codes=[
            DiagnosisShape.of(diagnosis)
            for purpose, diagnosis, _ in usable_diagnoses
            if purpose == ADDITIONAL
        ],
        medications=[MedicationShape(name=name) for name in parts.medications],
        billing_info=insurance_ids,
        left=omitted_parts,
    )


def _select_insurance(
    record: RequisitionRecord, related: RelatedRecords, omitted_parts: list[str]
) -> list[int]:
    """Return the billed rows that the patient still has; add the others to ``omitted_parts``."""
    current_ids = {row.id for row in related.insurance}
    copied_ids = []
    for row in record.insurance:
        if row.patient_insurance_id in current_ids:
            copied_ids.append(row.patient_insurance_id)
        else:
            omitted_parts.append(f"insurance {row.snapshot.get('payer') or row.position}")
    return copied_ids
