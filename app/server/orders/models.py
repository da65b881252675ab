"""Orders and their tests."""

from datetime import date

from sqlalchemy import (
    BigInteger,
    Computed,
    Date,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.contract.enumerations import OrderStatus, ResultStatus, ScopeKind
from app.server.database.base import (
    BigInt,
    ClinicalTime,
    CreatedAt,
    Id,
    Instant,
    Small,
    Table,
    TextColumn,
    UserId,
    Version,
)
from app.server.database.scope import ACTOR_USER, ENTERING_RESULTS, Rows, Through
from app.server.database.writes import Lock, Writes
from app.server.patients.search_indexes import build_search_indexes
from app.server.patients.snapshot import PatientSnapshot

HAS_MISSING_INFO = f"{{table}}lacks_info AND {{table}}status <> {OrderStatus.CANCELED:d}"
"""SQL: whether the order shows the mark of missing information."""


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
    __writes__ = Writes(
        all_but=("code", "requisition_id", "client_id", "patient_id", "received_at", "received_by")
    )
    __table_args__ = (
        *build_search_indexes("orders", ["status", "has_critical"]),
        # Filters by status read the first rows of each day, and count them, from this index alone.
        Index(
            "ix_orders_status_days",
            "status",
            "collection_day",
            "id",
            postgresql_include=["collection_date", "has_critical"],
        ),
        # Critical orders are few.
        Index(
            "ix_orders_critical",
            "collection_day",
            "id",
            postgresql_include=["status", "collection_date"],
            postgresql_where=text("has_critical"),
        ),
        Index(
            "ix_orders_alerts",
            "collection_day",
            "id",
            postgresql_include=["status", "collection_date"],
            postgresql_where=text("has_critical OR has_unexpected_positive"),
        ),
        # Orders with unread results are few.
        Index(
            "ix_orders_unread",
            "collection_day",
            "id",
            postgresql_include=["status", "collection_date"],
            postgresql_where=text("is_unread"),
        ),
        # Orders that wait for a new collection are few.
        Index(
            "ix_orders_awaits_collection",
            "collection_day",
            "id",
            postgresql_include=["status", "collection_date"],
            postgresql_where=text("awaits_collection"),
        ),
        Index(
            "ix_orders_unread_by_physician",
            "collection_day",
            "id",
            postgresql_include=["status", "collection_date"],
            postgresql_where=text("is_unread_by_physician"),
        ),
        # Orders that lack what a claim needs are few; canceled ones are not billed.
        Index(
            "ix_orders_missing_info",
            "collection_day",
            "id",
            postgresql_include=["status", "collection_date"],
            postgresql_where=text(HAS_MISSING_INFO.format(table="")),
        ),
        Index(None, "received_at", "id"),
    )

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), unique=True
    )
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"))
    physician_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("physicians.id"))
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"))
    status: Mapped[Small]
    has_critical: Mapped[bool] = mapped_column(server_default=text("false"))
    has_abnormal: Mapped[bool] = mapped_column(server_default=text("false"))
    # The families with a released critical or abnormal result, as a mask (rules.FAMILY_BITS).
    critical_kinds: Mapped[Small] = mapped_column(server_default=text("0"))
    abnormal_kinds: Mapped[Small] = mapped_column(server_default=text("0"))
    has_unexpected_positive: Mapped[bool] = mapped_column(server_default=text("false"))
    # The ordered tests, as the requisition has them, and those that the lab's rules added.
    test_ids: Mapped[list[int]] = mapped_column(ARRAY(Integer), server_default=text("'{}'"))
    collection_date: Mapped[ClinicalTime]
    collection_day: Mapped[date] = mapped_column(
        Date, Computed("collection_date::date", persisted=True), deferred=True
    )
    received_at: Mapped[ClinicalTime]
    received_by: Mapped[UserId | None]
    reported_at: Mapped[ClinicalTime | None]
    # What the report says about the specimens, in the lab's words at that time.
    specimen_condition: Mapped[TextColumn] = mapped_column(server_default=text("'ACCEPTABLE'"))
    # Whether a specimen of a test was rejected and not replaced yet.
    awaits_collection: Mapped[bool] = mapped_column(server_default=text("false"))
    collection_sites: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    # What the order lacks, in the lab's words at reception (R 4).
    entry_alert: Mapped[TextColumn | None]
    report_comment: Mapped[TextColumn | None]
    # When the comment was last changed after a release, and by whom.
    comment_changed_at: Mapped[ClinicalTime | None]
    comment_changed_by: Mapped[TextColumn | None]
    # What somebody wrote when they filled in missing information (R 2.4).
    billing_comment: Mapped[TextColumn | None]
    # Whether ``completeness.find_missing_parts`` found something, whatever the status is.
    lacks_info: Mapped[bool] = mapped_column(server_default=text("false"))
    # The version that last changed what people outside the lab see.
    shown_version: Mapped[BigInt] = mapped_column(server_default=text("0"))
    # Written by the trigger of ``order_acknowledgments``, and by releases.
    is_unread: Mapped[bool] = mapped_column(server_default=text("false"))
    is_unread_by_physician: Mapped[bool] = mapped_column(server_default=text("false"))
    acknowledged_at: Mapped[ClinicalTime | None]
    acknowledged_by_name: Mapped[TextColumn | None]
    created_at: Mapped[CreatedAt]
    version: Mapped[Version]


class OrderAcknowledgment(Table):
    """Somebody's acknowledgment of an order's results.

    A trigger marks the order as read (``schema/functions.sql``, 9), because physicians cannot
    write orders.

    Attributes:
        version: the version of the order that was acknowledged.
        reopened_at: the time of the next change that people outside the lab see.
    """

    __tablename__ = "order_acknowledgments"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SU",
        client_may="SI",
        client_writes="NOT by_physician",
        physician_may="SI",
        patient_may="",
        inserts=f"user_id = {ACTOR_USER}",
    )
    __writes__ = Writes(only=("reopened_at", "reopened_by"))
    __table_args__ = (Index(None, "order_id"),)

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    user_id: Mapped[UserId]
    user_name: Mapped[TextColumn]
    by_physician: Mapped[bool]
    version: Mapped[BigInt]
    acknowledged_at: Mapped[ClinicalTime]
    reopened_at: Mapped[ClinicalTime | None]
    # A ``Reopening``; None if the results changed while somebody acknowledged them.
    reopened_by: Mapped[TextColumn | None]


class OrderCompletion(Table):
    """Missing information that somebody filled in; it explains later differences.

    A trigger stores physician, comment, birth date, and ``lacks_info`` with the order
    (``schema/functions.sql``, 10), because people outside the lab cannot write orders.

    Attributes:
        parts: the changed parts of the form.
        birth_date: fills in the order's empty one; None if it was not filled in.
    """

    __tablename__ = "order_completions"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SI",
        client_may="SI",
        physician_may="SI",
        patient_may="",
        inserts=f"user_id = {ACTOR_USER}",
    )
    __table_args__ = (Index(None, "order_id"),)

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    user_id: Mapped[UserId]
    user_name: Mapped[TextColumn]
    parts: Mapped[list[str]] = mapped_column(ARRAY(Text))
    # Whether the order was signed then; the signature stays.
    was_signed: Mapped[bool]
    physician_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("physicians.id"))
    comment: Mapped[TextColumn | None]
    birth_date: Mapped[date | None] = mapped_column(Date)
    lacks_info: Mapped[bool]
    completed_at: Mapped[ClinicalTime]


class OrderComment(Table):
    """A version of the comment on an order, which the lab wrote (ADR 97).

    The order has the current comment, and when it was last changed after a release. Only the lab
    reads earlier versions.

    Attributes:
        comment: None if the comment was removed.
        was_reported: whether results of the order had been released before.
    """

    __tablename__ = "order_comments"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SI",
        client_may="",
        physician_may="",
        patient_may="",
        inserts=f"user_id = {ACTOR_USER}",
    )
    __table_args__ = (Index(None, "order_id"),)

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    user_id: Mapped[UserId]
    user_name: Mapped[TextColumn]
    comment: Mapped[TextColumn | None]
    was_reported: Mapped[bool]
    written_at: Mapped[ClinicalTime]


class OrderDocument(Table):
    """A file attached to an order; ``key`` finds its bytes in the file store.

    Removing a document hides it; the row and the bytes stay (42 CFR 493.1105).
    """

    __tablename__ = "order_documents"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SIU",
        client_may="SIU",
        physician_may="SIU",
    )
    __writes__ = Writes(only=("removed_at", "removed_by"))
    __table_args__ = (
        Index(
            "uq_order_documents_name",
            "order_id",
            "name",
            unique=True,
            postgresql_where=text("removed_at IS NULL"),
        ),
        Index(None, "order_id"),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    name: Mapped[TextColumn]
    media_type: Mapped[TextColumn]
    key: Mapped[TextColumn] = mapped_column(unique=True)
    size: Mapped[BigInt]
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
    created_by: Mapped[UserId]
    removed_at: Mapped[Instant | None]
    removed_by: Mapped[UserId | None]


class OrderTest(Table):
    """A test of an order, as the catalog described it when the requisition was received.

    Attributes:
        withheld: set while its released result is under review or withdrawn. Everybody who sees the
            order sees this, but only the lab sees the result.
        withheld_at: since when the result is withheld.
        awaits_collection: whether its specimen was rejected and not replaced yet.
        canceled_status: the status before the cancellation, in case the test is reinstated.
    """

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
    __writes__ = Writes(
        all_but=(
            "order_id",
            "test_id",
            "parent_id",
            "level",
            "position",
            "name",
            "kind",
            "is_panel",
        ),
        by={ScopeKind.CLIENT: ("status",)},
    )
    __locks__ = (
        # A client user enters results, and cancels nothing.
        Lock(
            "cancellation",
            when=f"OLD.status <> {ResultStatus.CANCELED:d}",
            change=f"NEW.status = {ResultStatus.CANCELED:d}"
            " AND (current_user = 'as_client' OR has_shown_result(OLD.id))",
            columns=("status",),
        ),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"), index=True)
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    parent_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("order_tests.id"))
    level: Mapped[Small]
    position: Mapped[Small]
    name: Mapped[TextColumn]
    kind: Mapped[TextColumn]
    is_panel: Mapped[bool]
    is_confidential: Mapped[bool] = mapped_column(server_default=text("false"))
    status: Mapped[Small]
    withheld: Mapped[TextColumn | None]
    withheld_at: Mapped[ClinicalTime | None]
    awaits_collection: Mapped[bool] = mapped_column(server_default=text("false"))
    canceled_status: Mapped[Small | None]
    cancel_reason: Mapped[TextColumn | None]
    cancel_words: Mapped[TextColumn | None]
    canceled_by: Mapped[UserId | None]
    canceled_at: Mapped[ClinicalTime | None]

    @property
    def needs_specimen(self) -> bool:
        """Whether its specimen must be collected again, which a canceled test does not need."""
        return self.awaits_collection and self.status != ResultStatus.CANCELED


class OrderAddition(Table):
    """A test that a rule of the lab added to an order because of a released result (ADR 49).

    A rule adds to an order once, whatever happens later. The result that led to the test is not
    copied here, so that a withheld result stays inside the lab.

    Attributes:
        order_test_id: the row of the added test or panel.
        trigger_test_id: the row of the test whose result led to it.
        trigger_revision: the version of that result.
        is_reason_gone: whether a later release or withdrawal removed the reason.
    """

    __tablename__ = "order_additions"
    __scope__ = Through("orders", "order_id", staff_may="SIU", client_may="S")
    __writes__ = Writes(only=("is_reason_gone",))
    __table_args__ = (
        UniqueConstraint("order_test_id"),
        UniqueConstraint("order_id", "rule_id"),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    order_test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("order_tests.id"))
    rule_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("reflex_rules.id"))
    trigger_test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("order_tests.id"))
    trigger_revision: Mapped[Small]
    # Who released the result; None if it was released automatically.
    added_by: Mapped[UserId | None]
    added_at: Mapped[ClinicalTime]
    is_reason_gone: Mapped[bool] = mapped_column(server_default=text("false"))
