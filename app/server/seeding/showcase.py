"""A few of the demo's requisitions filled in as a nurse would: insurance to bill to, comments,
copies and a document (ADR 7). Through the services, so that all of it is what they make."""

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
_LOOKED_AT, _BILLED = 30, 8
_COMMENTS = (
    "<p><strong>Fragile veins</strong>: please use the left arm.</p>"
    "<ul><li><p>Butterfly needle, 23 gauge</p></li>"
    "<li><p>Call the unit before coming</p></li></ul>"
)
_COPIES = [
    CopyWrite(type=CopyType.EMAIL, destination="care.team@demo.lab"),
    CopyWrite(type=CopyType.FAX, destination="312-555-0148"),
]


async def dress(portal: Portal) -> int | None:
    """Fill the nurse's newest pending requisitions in, once; the id of the one that has it all.

    None: there is no demo nurse, or it was done before.
    """
    nurse = await _nurse(portal)
    if nurse is None:
        return None
    async with portal.database.transaction(nurse) as session:
        work = Work(nurse, session, portal, "demo")
        # A removed document leaves its row: whatever people did with the demo, this is done once.
        if await session.scalar(select(RequisitionDocument.id).limit(1)) is not None:
            return None
        insured = await _insured(work)
        if not insured:
            return None
        for requisition_id, rows in insured:
            named = [BillingInfoWrite(patient_billing_information_id=row) for row in rows]
            await save.update_requisition(
                work, requisition_id, RequisitionWrite(billing_info=named)
            )
        first = insured[0][0]
        extras = RequisitionWrite(comments=_COMMENTS, additional_copies=_COPIES)
        await save.update_requisition(work, first, extras)
        await documents.upload_document(work, first, _document())
    return first


async def _nurse(portal: Portal) -> Actor | None:
    async with portal.database.transaction(GATEKEEPER_ACTOR) as session:
        user = await session.scalar(select(User).where(User.email == NURSE))
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


async def _insured(work: Work) -> list[tuple[int, list[int]]]:
    """Pending, unsigned requisitions, the newest first, with their patients' insurance rows."""
    repository = work.repository(RequisitionRepository)
    patients = work.repository(PatientRepository)
    newest = await work.session.scalars(
        repository.select(Requisition)
        .where(
            Requisition.status == RequisitionStatus.PENDING,
            Requisition.bill_to == BillTo.INSURANCE,
            Requisition.has_signature.is_(False),
        )
        .order_by(Requisition.id.desc())
        .limit(_LOOKED_AT)
    )
    found: list[tuple[int, list[int]]] = []
    for requisition in newest.all():
        patient = await patients.find_patient(requisition.patient_id)
        if patient is None:
            continue
        rows = await billing.list_rows(work, patient.id, build_holder(patient))
        if rows:
            found.append((requisition.id, [row.id for row in rows]))
    return found[:_BILLED]


def _document() -> FileUpload:
    """A scanned note, drawn here."""
    page = Image.new("L", (640, 300), 255)
    pen = ImageDraw.Draw(page)
    pen.rectangle((12, 12, 627, 287), outline=120)
    for line, text in enumerate(("FACILITY ORDER (DEMO)", "Draw with the morning round.")):
        pen.text((36, 40 + 40 * line), text, fill=20)
    out = io.BytesIO()
    page.save(out, "PNG")
    return FileUpload(
        file_name="facility order.png", content=base64.b64encode(out.getvalue()).decode()
    )
