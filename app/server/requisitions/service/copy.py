"""What a copy of a requisition begins with (ADR 14). Nothing is saved here."""

from app.basics.clock import lab_today
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import BillTo
from app.server.access.work import Work
from app.server.catalog.models import Diagnosis
from app.server.catalog.repository import is_valid_on
from app.server.catalog.schemas import DiagnosisShape, tree_of
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.loading import Known, Naming, RequisitionRecord, load_record
from app.server.requisitions.repository import ADDITIONAL, MAIN
from app.server.requisitions.schemas import (
    CopiedTest,
    CopyRead,
    DiagnosisOfTest,
    IdOf,
    MedicationShape,
    TestWrite,
)
from app.server.requisitions.service.parts import Present, chosen_tests, with_members
from app.server.requisitions.service.read import get_record


async def copied(work: Work, requisition_id: int) -> CopyRead:
    """The parts of a requisition that a new one may have today; ``left`` names the others: tests
    that can not be ordered any more, diagnoses that have ended, insurance that the patient lost.

    Raises:
        NotFound: the requisition, or its patient, is not the actor's.
    """
    record = await get_record(work, requisition_id)
    requisition, patient, parts = record.requisition, record.patient, record.parts
    if patient is None:
        raise NotFound(messages.REQUISITION_COPY_NO_PATIENT.format(code=requisition.code))
    roots = [(row, test) for row, test in parts.tests if row.parent_id is None]
    naming = Naming(test_ids=[test.id for _, test in roots], insurance_count=len(record.insurance))
    loaded = await load_record(work, requisition.id, naming)
    assert loaded is not None
    known = loaded[1]
    left: list[str] = []

    sent = [
        TestWrite(test=IdOf(id=test.id), is_confidential=row.is_confidential) for row, test in roots
    ]
    chosen, _ = chosen_tests(work, sent, Present(), known, patient.client_id)
    kept = {node.test.id for node, _ in chosen}
    left += [f"test {test.code}" for _, test in roots if test.id not in kept]

    day, ordered = lab_today(work.portal.settings.time_zone), with_members(chosen)
    usable: list[tuple[str, Diagnosis, int | None]] = []
    for row, diagnosis in parts.diagnoses:
        # What supported a test that does not come along has nothing to say about the others.
        if is_valid_on(diagnosis, day) and row.test_id in (None, *ordered):
            usable.append((row.purpose, diagnosis, row.test_id))
        else:
            left.append(f"diagnosis {diagnosis.code}")

    rows = _insurance(record, known, left)
    await work.audit("read", "requisition", [requisition.id], {"for": "copy"})
    return CopyRead(
        id=requisition.id,
        code=requisition.code,
        patient_id=patient.id,
        physician=PhysicianShape.model_validate(record.physician) if record.physician else None,
        bill_to=BillTo(requisition.bill_to).name.capitalize(),
        comments=requisition.comments,
        tests=[CopiedTest(is_confidential=secret, test=tree_of(node)) for node, secret in chosen],
        diagnoses=[
            DiagnosisOfTest(
                id=diagnosis.id,
                code=diagnosis.code,
                description=diagnosis.description,
                test_id=test_id,
            )
            for purpose, diagnosis, test_id in usable
            if purpose == MAIN
        ],
        additional_tests_dx_codes=[
            DiagnosisShape.of(diagnosis)
            for purpose, diagnosis, _ in usable
            if purpose == ADDITIONAL
        ],
        medications=[MedicationShape(name=name) for name in parts.medications],
        billing_info=rows,
        left=left,
    )


def _insurance(record: RequisitionRecord, known: Known, left: list[str]) -> list[int]:
    """The patient's rows to which the requisition is billed, in its order."""
    present = {row.id for row in known.insurance}
    rows = []
    for row in record.insurance:
        if row.patient_insurance_id in present:
            rows.append(row.patient_insurance_id)
        else:
            left.append(f"insurance {row.snapshot.get('payer') or row.position}")
    return rows
