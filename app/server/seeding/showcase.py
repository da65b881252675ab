"""Completes a few demo requisitions: insurance, comments, copies and a document (ADR 7).

It calls the services as a nurse, so the records are the same as those that the portal creates.
"""

import base64
import io

from PIL import Image, ImageDraw
from sqlalchemy import select

from app.contract.enumerations import BillTo, CopyType, RequisitionStatus, Role, ScopeKind
from app.server.access.work import Work
from app.server.accounts.models import User
from app.server.actor import GATEKEEPER_ACTOR, Actor
from app.server.attachments.schemas import FileUpload
from app.server.billing import service as billing
from app.server.patients.repository import PatientRepository
from app.server.patients.service.read import build_holder
from app.server.portal import Portal
from app.server.requisitions.models import Requisition, RequisitionDocument
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import BillingInfoWrite, CopyWrite, RequisitionWrite
from app.server.requisitions.service import documents, save

NURSE = "clientbasic@demo.lab"
_CANDIDATES_MAX, _BILLED_MAX = 30, 8
_COMMENTS = (
    "<p><strong>Fragile veins</strong>: please use the left arm.</p>"
    "<ul><li><p>Butterfly needle, 23 gauge</p></li>"
    "<li><p>Call the unit before coming</p></li></ul>"
)
_COPIES = [
    CopyWrite(type=CopyType.EMAIL, destination="care.team@demo.lab"),
    CopyWrite(type=CopyType.FAX, destination="312-555-0148"),
]


async def complete_demo_requisitions(portal: Portal) -> int | None:
    """Complete the nurse's newest pending requisitions, and return the id of the fullest.

    Returns None if there is no demo nurse, or if it has been done before.
    """
    nurse = await _find_nurse(portal)
    if nurse is None:
        return None
    async with portal.database.transaction(nurse) as transaction:
        work = Work(transaction, portal, "demo")
        # Rows of removed documents stay, so this happens only once, whatever people do with them.
        if await work.session.scalar(select(RequisitionDocument.id).limit(1)) is not None:
            return None
        insured_requisitions = await _list_insured_requisitions(work)
        if not insured_requisitions:
            return None
        for requisition_id, rows in insured_requisitions:
            billing_info = [BillingInfoWrite(patient_billing_information_id=row) for row in rows]
            await save.update_requisition(
                work, requisition_id, RequisitionWrite(billing_info=billing_info)
            )
        requisition_id = insured_requisitions[0][0]
        extras = RequisitionWrite(comments=_COMMENTS, additional_copies=_COPIES)
        await save.update_requisition(work, requisition_id, extras)
        await documents.upload_document(work, requisition_id, _draw_document())
    return requisition_id


async def _find_nurse(portal: Portal) -> Actor | None:
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        user = await transaction.session.scalar(select(User).where(User.email == NURSE))
    if user is None:
        return None
    return Actor(
        kind=ScopeKind.CLIENT,
        user_id=user.id,
        name=f"{user.first_name} {user.last_name}",
        email=user.email,
        role=Role.CLIENT_BASIC,
        ids=tuple(user.client_ids),
    )


async def _list_insured_requisitions(work: Work) -> list[tuple[int, list[int]]]:
    """Return pending, unsigned requisitions, newest first, each with its insurance rows' ids."""
    repository = work.build_repository(RequisitionRepository)
    patients = work.build_repository(PatientRepository)
    newest = await work.session.scalars(
        repository.select(Requisition)
        .where(
            Requisition.status == RequisitionStatus.PENDING,
            Requisition.bill_to == BillTo.INSURANCE,
            Requisition.has_signature.is_(False),
        )
        .order_by(Requisition.id.desc())
        .limit(_CANDIDATES_MAX)
    )
    insured_requisitions: list[tuple[int, list[int]]] = []
    for requisition in newest.all():
        patient = await patients.find_patient(requisition.patient_id)
        if patient is None:
            continue
        rows = await billing.list_rows(work, patient.id, build_holder(patient))
        if rows:
            insured_requisitions.append((requisition.id, [row.id for row in rows]))
    return insured_requisitions[:_BILLED_MAX]


def _draw_document() -> FileUpload:
    """Draw an image that looks like a scanned note."""
    page = Image.new("L", (640, 300), 255)
    pen = ImageDraw.Draw(page)
    pen.rectangle((12, 12, 627, 287), outline=120)
    for line, text in enumerate(("FACILITY ORDER (DEMO)", "Draw with the morning round.")):
        pen.text((36, 40 + 40 * line), text, fill=20)
    file = io.BytesIO()
    page.save(file, "PNG")
    return FileUpload(
        file_name="facility order.png", content=base64.b64encode(file.getvalue()).decode()
    )
