"""What people typed and have not saved yet."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Instant, Table, UserId
from app.server.database.scope import OwnRows


class RequisitionDraft(Table):
    """What a person typed into a requisition form and has not saved yet.

    Its writer alone sees it, and only while the patient in it is one they may see. ``content``
    is the form's own; the portal keeps it and reads nothing from it. None once it is saved: the
    row then says for a while which requisition came of it.
    """

    __tablename__ = "requisition_drafts"
    __scope__ = OwnRows(
        may="SIUD",
        besides="patient_id IS NULL OR EXISTS "
        "(SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id)",
        worker_may="SD",
    )
    __table_args__ = (Index(None, "user_id", "saved_at"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UserId]
    requisition_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("requisitions.id"))
    patient_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("patients.id"))
    content: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    saved_at: Mapped[Instant]
