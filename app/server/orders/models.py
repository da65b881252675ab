"""Orders and their tests."""

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import (
    ClinicalTime,
    CreatedAt,
    Id,
    Small,
    Table,
    UserId,
    Version,
    Words,
)
from app.server.database.scope import ENTERING_RESULTS, Rows, Through
from app.server.patients.snapshot import PatientSnapshot


class Order(PatientSnapshot, Table):
    """A received requisition, with the requisition's scope columns and patient snapshot."""

    __tablename__ = "orders"
    __scope__ = Rows(
        client="client_id",
        physician="physician_id",
        patient="patient_id",
        client_may="SU",
        client_writes=ENTERING_RESULTS,
        physician_may="S",
        patient_may="S",
    )
    __table_args__ = (
        Index(None, "client_id", "id"),
        Index(None, "physician_id", "id"),
        Index(None, "patient_id", "id"),
        # Covering: the page and the count of a date range come from the index alone.
        Index(None, "collection_date", "id", postgresql_include=["status"]),
        Index(None, "client_id", "collection_date", "id", postgresql_include=["status"]),
        Index(None, "physician_id", "collection_date", "id", postgresql_include=["status"]),
        Index(None, "test_ids", postgresql_using="gin"),
    )

    id: Mapped[Id]
    code: Mapped[Words] = mapped_column(unique=True)
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), unique=True
    )
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"))
    physician_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("physicians.id"))
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"))
    status: Mapped[Small]
    has_critical: Mapped[bool] = mapped_column(server_default=text("false"))
    has_abnormal: Mapped[bool] = mapped_column(server_default=text("false"))
    # The ordered tests, as the requisition has them.
    test_ids: Mapped[list[int]] = mapped_column(ARRAY(Integer), server_default=text("'{}'"))
    collection_date: Mapped[ClinicalTime]
    received_at: Mapped[ClinicalTime]
    received_by: Mapped[UserId | None]
    reported_at: Mapped[ClinicalTime | None]
    specimen_condition: Mapped[Words] = mapped_column(server_default=text("'ACCEPTABLE'"))
    report_comment: Mapped[Words | None]
    created_at: Mapped[CreatedAt]
    version: Mapped[Version]


class OrderTest(Table):
    """A test of an order, as the catalog described it when the requisition was received."""

    __tablename__ = "order_tests"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SIU",
        client_may="SU",
        client_writes=ENTERING_RESULTS,
        physician_may="S",
        patient_may="S",
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"), index=True)
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    parent_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("order_tests.id"))
    level: Mapped[Small]
    position: Mapped[Small]
    name: Mapped[Words]
    kind: Mapped[Words]
    is_panel: Mapped[bool]
    is_confidential: Mapped[bool] = mapped_column(server_default=text("false"))
    status: Mapped[Small]
