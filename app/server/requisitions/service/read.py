"""Reads requisitions, their signatures and their billing information."""

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import BillTo
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.catalog.models import Diagnosis
from app.server.catalog.schemas import DiagnosisShape, TestShape
from app.server.clients.models import Client
from app.server.images import format_data_url
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions import rules
from app.server.requisitions.loading import RequisitionRecord, load_record
from app.server.requisitions.models import (
    Requisition,
    RequisitionInsurance,
    RequisitionSignature,
)
from app.server.requisitions.repository import ADDITIONAL, MAIN, Parts, RequisitionRepository
from app.server.requisitions.rules import RequisitionState
from app.server.requisitions.schemas import (
    BillingInformation,
    ClientOfRequisition,
    CopyShape,
    DiagnosisOfTest,
    MedicationShape,
    PatientOfRequisition,
    RecordOfCode,
    RequisitionRead,
    RequisitionTestRead,
    RoomOfPatient,
    SignatureHistoryRead,
    SignatureRead,
    TreeTest,
)
from app.server.requisitions.service.header import get_answered_columns
from app.server.requisitions.states import build_state


async def get_requisition(work: Work, requisition_id: int, *, lock: bool = False) -> Requisition:
    """Return the requisition, or raise NotFound when it does not exist or is out of scope."""
    requisition = await work.build_repository(RequisitionRepository).find(requisition_id, lock=lock)
    if requisition is None:
        raise NotFound(messages.NOT_FOUND)
    return requisition


async def read_requisition(work: Work, requisition_id: int) -> RequisitionRead:
    """Return a requisition with all its parts, or raise NotFound."""
    record = await get_record(work, requisition_id)
    await work.audit("read", "requisition", [record.requisition.id])
    return build_requisition_read(work, record)


async def get_record(work: Work, requisition_id: int, *, lock: bool = False) -> RequisitionRecord:
    """Return a requisition's record with parts and related records, or raise NotFound."""
    loaded_record = await load_record(work, requisition_id, lock=lock)
    if loaded_record is None:
        raise NotFound(messages.NOT_FOUND)
    return loaded_record[0]


async def find_by_code(work: Work, code: str) -> RecordOfCode | None:
    """Return the requisition with a scanned or typed code, its own or its order's, or None."""
    normalized_code = code.strip().upper()
    is_order_code = normalized_code.startswith("L")
    repository = work.build_repository(RequisitionRepository)
    requisition = await repository.find_by_code(
        f"R{normalized_code[1:]}" if is_order_code else normalized_code
    )
    if requisition is None:
        return None
    order = await repository.find_order(requisition)
    if is_order_code and order is None:
        return None
    await work.audit("find", "requisition", [requisition.id])
    return RecordOfCode(
        requisition_id=requisition.id,
        requisition_code=requisition.code,
        order_id=order.id if order else None,
        order_code=order.code if order else None,
    )


async def read_signature(work: Work, requisition_id: int) -> SignatureRead:
    """Return the current signature, or raise NotFound."""
    requisition = await get_requisition(work, requisition_id)
    signatures = await work.build_repository(RequisitionRepository).load_current_signatures(
        [requisition]
    )
    signature = signatures.get(requisition.id)
    if signature is None:
        raise NotFound(messages.NOT_FOUND)
    await work.audit("read", "requisition-signature", [requisition.id])
    return _build_signature_read(signature)


async def read_signatures(work: Work, requisition_id: int) -> list[SignatureHistoryRead]:
    """Return all signatures, current and earlier, newest first, or raise NotFound."""
    requisition = await get_requisition(work, requisition_id)
    history = await work.build_repository(RequisitionRepository).list_signatures(requisition)
    await work.audit("read", "requisition-signature", [requisition.id])
    return [
        SignatureHistoryRead(
            id=row.id,
            image_signature=format_data_url(row.image) or "",
            user_name=row.user_name,
            signed_date_time=row.signed_at,
            removed_at=row.removed_at,
        )
        for row in history
    ]


async def read_billing_info(work: Work, requisition_id: int) -> list[BillingInformation]:
    """Return the billed insurance rows, as they were when they were chosen, or raise NotFound."""
    requisition = await get_requisition(work, requisition_id)
    await work.audit("read", "requisition", [requisition.id], {"fields": ["billing_info"]})
    repository = work.build_repository(RequisitionRepository)
    return _build_billing_information(
        (await repository.load_insurance([requisition]))[requisition.id]
    )


def build_requisition_read(work: Work, record: RequisitionRecord) -> RequisitionRead:
    """Build the answer from a requisition as loaded, or as the commit will store it."""
    requisition, signature, order = record.requisition, record.signature, record.order
    physician = record.physician
    return RequisitionRead(
        **get_answered_columns(requisition),
        bill_to=BillTo(requisition.bill_to).name.capitalize(),
        canceled_by_name=rules.find_canceler_name(work.actor, requisition.canceled_by_name),
        signature=_build_signature_read(signature) if signature else None,
        signed_by_me=bool(signature and signature.user_id == work.actor.user_id),
        patient=_build_patient(record),
        physician=PhysicianShape.model_validate(physician) if physician else None,
        tests=_build_test_tree(record.parts),
        tree_tests=_build_flat_tree(record.parts),
        diagnoses=[
            DiagnosisOfTest(id=row.id, code=row.code, description=row.description, test_id=test_id)
            for row, test_id in _select_diagnoses(record.parts, MAIN)
        ],
        additional_tests_dx_codes=[
            DiagnosisShape.of(d) for d, _ in _select_diagnoses(record.parts, ADDITIONAL)
        ],
        medications=[MedicationShape(name=name) for name in record.parts.medications],
        billing_information=_build_billing_information(record.insurance),
        additional_copies=[
            CopyShape(destination=copy.destination, type=copy.kind) for copy in record.copies
        ],
        order_id=order.id if order else None,
        order_code=order.code if order else None,
        **_build_permissions(
            work, build_state(requisition, signature, order.status if order else None)
        ),
    )


def _build_permissions(work: Work, state: RequisitionState) -> dict[str, Permission]:
    """Return the actor's permissions, by field of ``RequisitionRead``."""
    actor = work.actor
    errors = {
        "can_change": rules.judge_change(actor, state),
        "can_change_clinical": rules.judge_clinical_change(actor, state),
        "can_change_extras": rules.judge_editing(actor, state),
        "can_change_content": rules.judge_content_change(actor, state),
        "can_sign": rules.judge_signing(actor, state),
        "can_unsign": rules.judge_unsigning(actor, state),
        "can_cancel": rules.judge_canceling(actor, state),
        "can_receive": rules.judge_receiving(actor, state),
    }
    return {name: Permission.of(error) for name, error in errors.items()}


def _build_signature_read(signature: RequisitionSignature) -> SignatureRead:
    return SignatureRead(
        image_signature=format_data_url(signature.image) or "",
        user_name=signature.user_name,
        signed_date_time=signature.signed_at,
    )


def _build_patient(record: RequisitionRecord) -> PatientOfRequisition:
    # The patient's row adds only what the snapshot does not have.
    requisition, patient, primary = record.requisition, record.patient, record.primary_physician
    return PatientOfRequisition(
        id=requisition.patient_id,
        code=patient.code if patient else record.stored_patient_code,
        first_name=requisition.patient_first_name,
        middle_name=requisition.patient_middle_name,
        last_name=requisition.patient_last_name,
        birth_date=requisition.patient_birth_date,
        gender=requisition.patient_gender,
        client=_build_client(record.client),
        unit=RoomOfPatient(name=requisition.unit_name) if requisition.unit_name else None,
        room=RoomOfPatient(name=requisition.room_name) if requisition.room_name else None,
        bed=requisition.bed,
        primary_physician=PhysicianShape.model_validate(primary) if primary else None,
    )


def _build_client(client: Client | None) -> ClientOfRequisition | None:
    if client is None:
        return None
    bill_to = client.default_bill_to
    return ClientOfRequisition(
        id=client.id,
        code=client.code,
        name=client.name,
        web_access=client.web_access,
        default_bill_to=None if bill_to is None else BillTo(bill_to).name.capitalize(),
        requires_physician=client.requires_physician,
    )


def _build_test_tree(parts: Parts) -> list[RequisitionTestRead]:
    nodes: dict[int, RequisitionTestRead] = {}
    roots: list[RequisitionTestRead] = []
    for row, test in parts.tests:
        parent = None if row.parent_id is None else nodes[row.parent_id]
        node = RequisitionTestRead(
            child_id=row.id,
            parent_test_id=parent.test.id if parent else None,
            level=row.level,
            is_confidential=row.is_confidential,
            test=TestShape.of(test),
            children=[],
        )
        nodes[row.id] = node
        siblings = parent.children if parent else roots
        siblings.append(node)
    return roots


def _build_flat_tree(parts: Parts) -> list[TreeTest]:
    test_of_row = {row.id: row.test_id for row, _ in parts.tests}
    return [
        TreeTest(
            test_id=row.test_id,
            parent_test_id=test_of_row.get(row.parent_id) if row.parent_id else None,
            level=row.level,
        )
        for row, _ in parts.tests
    ]


def _select_diagnoses(parts: Parts, purpose: str) -> list[tuple[Diagnosis, int | None]]:
    return [
        (diagnosis, row.test_id) for row, diagnosis in parts.diagnoses if row.purpose == purpose
    ]


def _build_billing_information(rows: list[RequisitionInsurance]) -> list[BillingInformation]:
    return [
        BillingInformation.model_validate(
            {
                **row.snapshot,
                "id": row.id,
                "patientBillingInformationId": row.patient_insurance_id,
                "position": row.position,
            }
        )
        for row in rows
    ]
