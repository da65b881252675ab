"""Drafts of requisitions."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Instant, Table, UserId
from app.server.database.scope import OwnRows


class RequisitionDraft(Table):
    """Content of a requisition form that a user has not saved.

    Only the writer sees a draft, and only while its patient is in the writer's scope. If the draft
    edits a requisition of the patient, it is enough that the requisition is in that scope: a
    physician may have a requisition of another physician's patient.

    ``content`` belongs to the form; the portal does not read it. It is None after the save: the row
    then records for a while which requisition the draft became.
    """

    __tablename__ = "requisition_drafts"
    __scope__ = OwnRows(
        may="SIUD",
        restriction="patient_id IS NULL OR EXISTS "
        "(SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS "
        "(SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id "
        "AND r.patient_id = requisition_drafts.patient_id)",
        worker_may="SD",
    )
    __table_args__ = (Index(None, "user_id", "saved_at"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UserId]
    requisition_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("requisitions.id"))
    patient_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("patients.id"))
    content: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    saved_at: Mapped[Instant]
