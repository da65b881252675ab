"""The stream of changes, which triggers on the watched tables write."""

from sqlalchemy import BigInteger, Identity, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import BigInt, CreatedAt, Table, TextColumn
from app.server.database.scope import Rows


class Change(Table):
    """A new version of a record, without its content.

    A trigger writes it in the transaction of the change, so no change is missed. Readers order
    changes by ``transaction_id``: an id may be allocated early and committed late, and a reader
    that ordered by id would skip it.
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
    kind: Mapped[TextColumn]
    record_id: Mapped[BigInt]
    version: Mapped[BigInt]
    client_id: Mapped[BigInt | None]
    physician_id: Mapped[BigInt | None]
    patient_id: Mapped[BigInt | None]
