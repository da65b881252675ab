"""Requisitions with their parts, documents and signatures."""

from datetime import date
from typing import Any

from sqlalchemy import (
    BigInteger,
    Computed,
    Date,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Sequence,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.contract.enumerations import RequisitionStatus, ScopeKind
from app.server.database.base import (
    ClinicalTime,
    CreatedAt,
    Id,
    Instant,
    Small,
    Table,
    TextColumn,
    UserId,
    Version,
    metadata,
)
from app.server.database.scope import ACTOR_USER, ACTOR_USER_NOW, Rows, Through
from app.server.database.writes import Lock, Writes
from app.server.patients.search_indexes import build_search_indexes
from app.server.patients.snapshot import PatientSnapshot

SIGNED_COLUMNS = (
    "patient_id",
    "patient_last_name",
    "patient_first_name",
    "patient_middle_name",
    "patient_birth_date",
    "patient_gender",
    "physician_id",
    "collection_date",
    "fasting",
    "priority",
    "test_ids",
)
"""The columns of a requisition that a signature covers."""

_NOT_CANCELED = f"p.status <> {RequisitionStatus.CANCELED:d}"
_UNSIGNED_CONDITION = f"NOT p.has_signature AND {_NOT_CANCELED}"

requisition_codes = Sequence("requisition_codes", metadata=metadata)
"""Numbers of requisition codes ('R', two-digit year, seven digits)."""


class Requisition(PatientSnapshot, Table):
    """A request for tests, with its scope columns and a snapshot of the patient.

    When a patient moves to another client, earlier requisitions stay with the old client, and
    signed content does not change. A requisition can move to another client only while it is
    pending and unsigned.
    """

    __tablename__ = "requisitions"
    __scope__ = Rows(
        client="client_id",
        physician="physician_id",
        patient="patient_id",
        physician_may="SU",
        patient_may="SU",
    )
    __writes__ = Writes(
        all_but=("code", "changed_by"),
        by={
            ScopeKind.PHYSICIAN: (
                "bill_to",
                "comments",
                "has_signature",
                "physician_id",
                "version",
            ),
            ScopeKind.PATIENT: ("has_signature", "version"),
        },
    )
    __locks__ = (
        Lock(
            "client",
            when=f"(OLD.status <> {RequisitionStatus.PENDING:d} OR OLD.has_signature)",
            columns=("client_id", "patient_id"),
        ),
        # Otherwise, a role could undo the status or signature first, and then move the row.
        Lock("status", when=f"OLD.status <> {RequisitionStatus.PENDING:d}", columns=("status",)),
        Lock(
            "signed",
            when="OLD.has_signature AND is_signed(OLD.id)",
            columns=("has_signature",),
        ),
        Lock(
            "unsigned",
            when="NOT OLD.has_signature",
            change="NEW.has_signature AND NOT is_signed(OLD.id)",
            columns=("has_signature",),
        ),
        Lock(
            "content",
            when="OLD.has_signature",
            columns=tuple(
                name
                for name in SIGNED_COLUMNS
                if name not in ("physician_id", "patient_birth_date")
            ),
        ),
        # What an order lacks may be filled in after the signature (ADR 40).
        Lock(
            "physician",
            when="OLD.has_signature AND (OLD.physician_id IS NOT NULL"
            f" OR OLD.status <> {RequisitionStatus.DONE:d})",
            columns=("physician_id",),
        ),
        Lock(
            "birth_date",
            when="OLD.has_signature AND (OLD.patient_birth_date IS NOT NULL"
            f" OR OLD.status <> {RequisitionStatus.DONE:d})",
            columns=("patient_birth_date",),
        ),
        Lock("canceled", when=f"OLD.status = {RequisitionStatus.CANCELED:d}"),
    )
    __table_args__ = (
        *build_search_indexes("requisitions", ["status", "has_signature"]),
        # For the tests that a physician orders most often at a client.
        Index(None, "client_id", "physician_id", "id"),
        # For filters by status and signature, with or without dates. Without a status, PostgreSQL
        # 18 and later skips through the few values.
        Index(None, "status", "has_signature", "collection_date", "id"),
    )

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"))
    physician_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("physicians.id"))
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"))
    status: Mapped[Small]
    collection_date: Mapped[ClinicalTime]
    # A column instead of an expression: with row-level security, only a leakproof comparison lets
    # the planner use the index's order of ids within a day.
    collection_day: Mapped[date] = mapped_column(
        Date, Computed("collection_date::date", persisted=True), deferred=True
    )
    fasting: Mapped[Small]
    priority: Mapped[TextColumn]
    bill_to: Mapped[Small]
    comments: Mapped[TextColumn | None]
    cancel_comment: Mapped[TextColumn | None]
    canceled_at: Mapped[Instant | None]
    canceled_by_name: Mapped[TextColumn | None]
    has_signature: Mapped[bool] = mapped_column(server_default=text("false"))
    # The ordered tests without members of panels, for the grid. Integers keep its indexes small.
    test_ids: Mapped[list[int]] = mapped_column(ARRAY(Integer), server_default=text("'{}'"))
    created_at: Mapped[CreatedAt]
    created_by: Mapped[UserId | None]
    # Who made the current version; a trigger writes it (``schema/functions.sql``).
    changed_by: Mapped[UserId | None]
    version: Mapped[Version]


class RequisitionTest(Table):
    """A test or panel of a requisition; the members of a panel name it as their parent."""

    __tablename__ = "requisition_tests"
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        inserts_under=_UNSIGNED_CONDITION,
        deletes_under=_UNSIGNED_CONDITION,
    )
    __writes__ = Writes(only=())
    # For the private tests that an actor may read (``schema/functions.sql``).
    __table_args__ = (Index(None, "test_id"),)

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), index=True
    )
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    parent_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("requisition_tests.id", ondelete="CASCADE"), index=True
    )
    level: Mapped[Small]
    position: Mapped[Small]
    is_confidential: Mapped[bool] = mapped_column(server_default=text("false"))


class RequisitionDiagnosis(Table):
    """A diagnosis of a requisition.

    Attributes:
        purpose: 'main', or 'additional' for additional tests.
        test_id: the ordered test that it supports; None when it supports all tests.
    """

    __tablename__ = "requisition_diagnoses"
    # A trigger decides which rows a signed requisition accepts (``schema/functions.sql``).
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        physician_may="SID",
        inserts_under=_NOT_CANCELED,
        deletes_under=_UNSIGNED_CONDITION,
    )
    __writes__ = Writes(only=())

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), index=True
    )
    diagnosis_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("diagnoses.id"))
    test_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    purpose: Mapped[TextColumn] = mapped_column(server_default=text("'main'"))
    position: Mapped[Small]


class RequisitionMedication(Table):
    """A medication that the patient takes, as free text."""

    __tablename__ = "requisition_medications"
    # A trigger decides which rows a signed requisition accepts (``schema/functions.sql``).
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        physician_may="SID",
        inserts_under=_NOT_CANCELED,
        deletes_under=_UNSIGNED_CONDITION,
    )
    __writes__ = Writes(only=())

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), index=True
    )
    name: Mapped[TextColumn]
    position: Mapped[Small]


class RequisitionInsurance(Table):
    """An insurance row to which a requisition is billed.

    Attributes:
        position: starts at 1.
        snapshot: the row in its wire form as it was when it was chosen, because patients change and
            billed content must not.
    """

    __tablename__ = "requisition_insurance"
    __scope__ = Through(
        "requisitions", "requisition_id", inserts_under=_NOT_CANCELED, deletes_under=_NOT_CANCELED
    )
    __writes__ = Writes(only=("position", "snapshot"))
    __table_args__ = (UniqueConstraint("requisition_id", "patient_insurance_id"),)

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("requisitions.id"))
    patient_insurance_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("patient_insurance.id")
    )
    position: Mapped[Small]
    snapshot: Mapped[dict[str, Any]] = mapped_column(JSONB)


class RequisitionCopy(Table):
    """An additional recipient of final results; ``kind`` is EMAIL or FAX."""

    __tablename__ = "requisition_copies"
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        physician_may="SID",
        inserts_under=_NOT_CANCELED,
        deletes_under=_NOT_CANCELED,
    )
    __writes__ = Writes(only=())

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), index=True
    )
    kind: Mapped[TextColumn]
    destination: Mapped[TextColumn]
    position: Mapped[Small]


class RequisitionDocument(Table):
    """A file attached to a requisition; ``key`` finds its bytes in the file store.

    Removing a document hides it; the row and the bytes stay, since nothing clinical is
    hard-deleted (42 CFR 493.1105). No database role may delete a row.
    """

    __tablename__ = "requisition_documents"
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        staff_may="SIU",
        client_may="SIU",
        physician_may="SIU",
    )
    __writes__ = Writes(only=("removed_at", "removed_by"))
    __table_args__ = (
        Index(
            "uq_requisition_documents_name",
            "requisition_id",
            "name",
            unique=True,
            postgresql_where=text("removed_at IS NULL"),
        ),
        Index(None, "requisition_id"),
    )

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("requisitions.id"))
    name: Mapped[TextColumn]
    media_type: Mapped[TextColumn]
    key: Mapped[TextColumn] = mapped_column(unique=True)
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
    created_by: Mapped[UserId | None]
    removed_at: Mapped[Instant | None]
    removed_by: Mapped[UserId | None]


class RequisitionSignature(Table):
    """A signature over a requisition's content; unsigning ends it, and the row stays.

    Only the signer can end it, and nobody can sign in another's name.
    """

    __tablename__ = "requisition_signatures"
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        staff_may="SIU",
        client_may="SIU",
        physician_may="SIU",
        patient_may="SIU",
        inserts=f"user_id = {ACTOR_USER}",
    )
    __writes__ = Writes(only=("removed_at",))
    __locks__ = (
        Lock("ended", when="OLD.removed_at IS NOT NULL"),
        Lock("signer", when=f"OLD.user_id IS DISTINCT FROM {ACTOR_USER_NOW}"),
    )
    __table_args__ = (
        Index(
            "uq_requisition_signatures_current",
            "requisition_id",
            unique=True,
            postgresql_where=text("removed_at IS NULL"),
        ),
        Index(None, "requisition_id"),
    )

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("requisitions.id"))
    user_id: Mapped[UserId]
    user_name: Mapped[TextColumn]
    image: Mapped[bytes] = mapped_column(LargeBinary)
    content_hash: Mapped[bytes] = mapped_column(LargeBinary)
    signed_at: Mapped[ClinicalTime]
    removed_at: Mapped[Instant | None]
