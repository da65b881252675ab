"""Clinical results, with all their versions."""

from sqlalchemy import BigInteger, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import ClinicalTime, Id, Small, Table, TextColumn, UserId
from app.server.database.scope import ENTERING_RESULTS, Through


class Result(Table):
    """A version of a test's result; a correction adds a version, and earlier ones stay.

    Only users who enter results see an unreleased version; the policies enforce it too.
    """

    __tablename__ = "results"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SIU",
        client_may="SIU",
        client_restriction=f"released_at IS NOT NULL OR {ENTERING_RESULTS}",
        client_writes=ENTERING_RESULTS,
        physician_may="S",
        patient_may="S",
        restriction="released_at IS NOT NULL",
    )
    __table_args__ = (
        Index(
            "uq_results_current",
            "order_test_id",
            unique=True,
            postgresql_where=text("is_current"),
        ),
        Index("uq_results_revision", "order_test_id", "revision", unique=True),
        Index(None, "order_id"),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    order_test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("order_tests.id"))
    revision: Mapped[Small]
    is_current: Mapped[bool] = mapped_column(server_default=text("true"))
    value: Mapped[TextColumn]
    comment: Mapped[TextColumn | None]
    flag: Mapped[TextColumn | None]
    unit: Mapped[TextColumn | None]
    reference_range: Mapped[TextColumn | None]
    range_comment: Mapped[TextColumn | None]
    entered_by: Mapped[UserId | None]
    entered_at: Mapped[ClinicalTime]
    released_by: Mapped[UserId | None]
    released_at: Mapped[ClinicalTime | None]
