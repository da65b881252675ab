"""Requisitions, what they order, and the history of their signatures."""

from datetime import date
from typing import Any

from sqlalchemy import (
    BigInteger,
    Computed,
    Date,
    ForeignKey,
    Index,
    LargeBinary,
    Sequence,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import (
    ClinicalTime,
    CreatedAt,
    Id,
    Instant,
    Small,
    Table,
    UserId,
    Version,
    Words,
    metadata,
    trigram_index,
)
from app.server.database.scope import Rows, Through
from app.server.patients.snapshot import PatientSnapshot

requisition_codes = Sequence("requisition_codes", metadata=metadata)
"""Numbers of requisition codes ('R', two-digit year, seven digits)."""

_STATE = ["status", "has_signature"]
_TEXTS = ["code", "unit_name", "room_name", "bed"]
_FILTER_ROW = ["patient_last_name", "patient_first_name", "collection_date", *_STATE, *_TEXTS]


class Requisition(PatientSnapshot, Table):
    """An order for tests. It carries its scope columns and a snapshot of the patient.

    A patient who moves to another client neither takes old requisitions along nor changes what
    was signed.
    """

    __tablename__ = "requisitions"
    __scope__ = Rows(
        client="client_id",
        physician="physician_id",
        patient="patient_id",
        physician_may="SU",
        patient_may="SU",
    )
    __table_args__ = (
        # With the names: within a scope the database's second lock keeps letters anywhere from
        # being found by the trigram index, and they are looked for in these instead of in the
        # rows, alone or with what is asked for beside them.
        Index(None, "client_id", "id", postgresql_include=_FILTER_ROW),
        Index(None, "physician_id", "id", postgresql_include=_FILTER_ROW),
        Index(None, "patient_id", "id"),
        # What a physician orders most at a client is read from their last few there.
        Index(None, "client_id", "physician_id", "id"),
        # Covering: a window's page and count are answered from the index alone.
        Index(None, "collection_date", "id", postgresql_include=_STATE),
        # Each day in the order of the grid: the page of a year is put together from its days.
        Index(None, "collection_day", "id", postgresql_include=_STATE),
        # What is in a state, pending or not signed, of any days or of all. PostgreSQL goes through
        # the few states one by one where none is asked for (from version 18 on).
        Index(None, "status", "has_signature", "collection_date", "id"),
        Index(None, "client_id", "collection_date", "id", postgresql_include=_STATE),
        Index(None, "physician_id", "collection_date", "id", postgresql_include=_STATE),
        Index(None, "patient_birth_date", "collection_date", "id"),
        # What else the filter row asks for in everybody's rows, by letters.
        trigram_index("ix_requisitions_texts_trgm", *_TEXTS),
        # From a name (of ``patient_names``) to everybody's rows, of any days.
        Index(
            None,
            "patient_last_name",
            "collection_date",
            "id",
            postgresql_include=["patient_first_name", *_STATE],
        ),
        Index(
            None,
            "patient_first_name",
            "collection_date",
            "id",
            postgresql_include=["patient_last_name", *_STATE],
        ),
    )

    id: Mapped[Id]
    code: Mapped[Words] = mapped_column(unique=True)
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"))
    physician_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("physicians.id"))
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"))
    status: Mapped[Small]
    collection_date: Mapped[ClinicalTime]
    # A column and no expression: only a leakproof comparison tells the planner that the rows of
    # one day lie in the index in the order of their ids.
    collection_day: Mapped[date] = mapped_column(
        Date, Computed("collection_date::date", persisted=True), deferred=True
    )
    fasting: Mapped[Small]
    priority: Mapped[Words]
    bill_to: Mapped[Small]
    comments: Mapped[Words | None]
    cancel_comment: Mapped[Words | None]
    has_signature: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[CreatedAt]
    created_by: Mapped[UserId | None]
    version: Mapped[Version]


class RequisitionTest(Table):
    """A test or panel of a requisition; panels bring their members as children."""

    __tablename__ = "requisition_tests"
    __scope__ = Through("requisitions", "requisition_id")

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
    """A diagnosis of a requisition. ``purpose`` 'additional' marks the additional-test codes.

    ``test_id`` is the ordered test that it supports; None: it supports all of them.
    """

    __tablename__ = "requisition_diagnoses"
    __scope__ = Through("requisitions", "requisition_id")

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), index=True
    )
    diagnosis_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("diagnoses.id"))
    test_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    purpose: Mapped[Words] = mapped_column(server_default=text("'main'"))
    position: Mapped[Small]


class RequisitionMedication(Table):
    """A medication the patient takes, as free text."""

    __tablename__ = "requisition_medications"
    __scope__ = Through("requisitions", "requisition_id")

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), index=True
    )
    name: Mapped[Words]
    position: Mapped[Small]


class RequisitionInsurance(Table):
    """An insurance row of the patient to which a requisition is billed, from ``position`` 1 on.

    ``snapshot`` is the row as it was when it was chosen, in its wire form: patients change, and
    what was billed has to keep saying what it said.
    """

    __tablename__ = "requisition_insurance"
    __scope__ = Through("requisitions", "requisition_id")
    __table_args__ = (UniqueConstraint("requisition_id", "patient_insurance_id"),)

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("requisitions.id"))
    patient_insurance_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("patient_insurance.id")
    )
    position: Mapped[Small]
    snapshot: Mapped[dict[str, Any]] = mapped_column(JSONB)


class RequisitionCopy(Table):
    """Who else gets the results when they are final; ``kind`` is EMAIL or FAX."""

    __tablename__ = "requisition_copies"
    __scope__ = Through("requisitions", "requisition_id")

    id: Mapped[Id]
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), index=True
    )
    kind: Mapped[Words]
    destination: Mapped[Words]
    position: Mapped[Small]


class RequisitionDocument(Table):
    """A file attached to a requisition; ``key`` is where the file store has its bytes.

    A removed document is hidden and kept, and so are its bytes: nothing clinical is hard-deleted
    (42 CFR 493.1105). The database grants no one the right to delete one.
    """

    __tablename__ = "requisition_documents"
    __scope__ = Through("requisitions", "requisition_id", staff_may="SIU", client_may="SIU")
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
    name: Mapped[Words]
    media_type: Mapped[Words]
    key: Mapped[Words] = mapped_column(unique=True)
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
    created_by: Mapped[UserId | None]
    removed_at: Mapped[Instant | None]
    removed_by: Mapped[UserId | None]


class RequisitionSignature(Table):
    """A signature over the requisition's content; unsigning ends it and keeps it."""

    __tablename__ = "requisition_signatures"
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        staff_may="SIU",
        client_may="SIU",
        physician_may="SIU",
        patient_may="SIU",
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
    user_name: Mapped[Words]
    image: Mapped[bytes] = mapped_column(LargeBinary)
    content_hash: Mapped[bytes] = mapped_column(LargeBinary)
    signed_at: Mapped[ClinicalTime]
    removed_at: Mapped[Instant | None]
