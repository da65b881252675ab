"""The seals of the audit log, and when it was verified (ADR 66)."""

from sqlalchemy import BigInteger, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import BigInt, CreatedAt, Id, Instant, Table, TextColumn
from app.server.database.scope import Rows
from app.server.database.writes import Writes


class AuditSeal(Table):
    """A seal over the audit rows from one id to another.

    Attributes:
        row_count: how many audit rows there are from ``first_id`` to ``last_id``.
        previous: the digest of the seal before.
        digest: covers the other values and ``previous``, with the key ``key_id``.
        anchored_at: when the seal was copied outside the database.
        removed_at: when the rows were removed after their retention.
        removal: the proof that the portal removed them.
    """

    __tablename__ = "audit_seals"
    __scope__ = Rows(staff_may="S", worker_may="SIU")
    __writes__ = Writes(only=("anchored_at",))
    __table_args__ = (
        Index("ix_audit_seals_not_anchored", "id", postgresql_where=text("anchored_at IS NULL")),
        Index("ix_audit_seals_last_at", "last_at", postgresql_where=text("removed_at IS NULL")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    first_id: Mapped[BigInt]
    last_id: Mapped[BigInt]
    row_count: Mapped[BigInt]
    last_at: Mapped[Instant]
    rows_digest: Mapped[bytes] = mapped_column(LargeBinary)
    previous: Mapped[bytes] = mapped_column(LargeBinary)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    key_id: Mapped[TextColumn]
    sealed_at: Mapped[Instant]
    anchored_at: Mapped[Instant | None]
    removed_at: Mapped[Instant | None]
    removal: Mapped[bytes | None] = mapped_column(LargeBinary)


class AuditVerification(Table):
    """A verification of the whole log: how much it covered, and what is wrong, if anything."""

    __tablename__ = "audit_verifications"
    __scope__ = Rows(staff_may="S", worker_may="SI")
    __writes__ = Writes(only=(), insert_all_but=("id", "at"))

    id: Mapped[Id]
    at: Mapped[CreatedAt]
    seals: Mapped[BigInt]
    rows: Mapped[BigInt]
    trouble: Mapped[TextColumn | None]
