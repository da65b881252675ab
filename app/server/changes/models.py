"""The stream of changes, written by triggers on the tables whose records are watched."""

from sqlalchemy import BigInteger, Identity, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import BigInt, CreatedAt, Table, Words
from app.server.database.scope import Rows


class Change(Table):
    """A record has a new version; nothing of its content is said.

    A trigger writes it in the transaction of the change, so none can be forgotten.
    ``transaction_id`` orders changes by what a reader can have seen: an id may be taken early and
    be committed late, and a reader that went by ids would step over it.
    """

    __tablename__ = "changes"
    __scope__ = Rows(
        client="client_id",
        physician="physician_id",
        patient="patient_id",
        staff_may="S",
        client_may="S",
        worker_may="SD",
    )
    __table_args__ = (Index(None, "transaction_id", "id"), Index(None, "at"))

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    transaction_id: Mapped[BigInt] = mapped_column(
        server_default=text("(pg_current_xact_id()::text::bigint)")
    )
    at: Mapped[CreatedAt]
    kind: Mapped[Words]
    record_id: Mapped[BigInt]
    version: Mapped[BigInt]
    client_id: Mapped[BigInt | None]
    physician_id: Mapped[BigInt | None]
    patient_id: Mapped[BigInt | None]
