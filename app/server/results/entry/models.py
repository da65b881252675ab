"""What the tables of all families share: columns, scope, and indexes; and holds on tests."""

from sqlalchemy import BigInteger, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.contract.enumerations import OrderStatus
from app.server.database.base import ClinicalTime, Id, Small, Table, TextColumn, UserId
from app.server.database.scope import ENTERING_RESULTS, Rows, Through
from app.server.database.writes import Writes

VISIBLE = "released_at IS NOT NULL AND withheld IS NULL"
"""SQL: whether people outside the lab see a version of a result."""
CONCERNS_ORDER = (
    "(h.order_id = o.id OR (h.order_id IS NULL AND coalesce(h.lifted_at >= o.received_at, true) "
    f"AND (o.status NOT IN ({OrderStatus.FINAL.value}, {OrderStatus.CANCELED.value}) "
    "OR h.placed_at <= o.reported_at)))"
)
"""SQL: whether a hold ``h`` kept the order ``o``, which has its test, from being released.

A hold in every order concerns the orders that were in the lab while it lasted.
"""


class Releasable:
    """Columns of a version that is released, and may be put under review or withdrawn later.

    ``withheld`` is a ``Withholding``, and None as long as a released version is visible outside the
    lab. The other columns show the lab who withheld it last, when, and why.
    """

    released_at: Mapped[ClinicalTime | None]
    withheld: Mapped[TextColumn | None]
    withheld_reason: Mapped[TextColumn | None]
    withheld_words: Mapped[TextColumn | None]
    withheld_by: Mapped[UserId | None]
    withheld_at: Mapped[ClinicalTime | None]


WITHHELD_COLUMNS = (
    "withheld",
    "withheld_reason",
    "withheld_words",
    "withheld_by",
    "withheld_at",
)


class ResultVersion(Releasable):
    """Columns that say which version of which result of an order a row is.

    They are the first columns of each table.
    """

    id: Mapped[Id] = mapped_column(sort_order=-1)
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"), sort_order=-1)
    order_test_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("order_tests.id"), sort_order=-1
    )
    revision: Mapped[Small] = mapped_column(sort_order=-1)
    is_current: Mapped[bool] = mapped_column(server_default=text("true"), sort_order=-1)


VERSION_SCOPE = Through(
    "orders",
    "order_id",
    staff_may="SIU",
    client_may="SIU",
    client_restriction=f"({VISIBLE}) OR {ENTERING_RESULTS}",
    client_writes=ENTERING_RESULTS,
    physician_may="S",
    patient_may="S",
    restriction=VISIBLE,
)
"""The scope of versions: people outside the lab see released ones that are not withheld.

A user of a client who enters results sees and writes unreleased ones, too.
"""


def build_version_indexes(
    table: str, *, unique_name: str = "current", unique_where: str = "is_current"
) -> tuple[Index, ...]:
    """Build the indexes of a table of versions.

    Of the versions of a test, only one may fulfill ``unique_where``; ``unique_name`` ends the name
    of that index.
    """
    return (
        Index(
            f"uq_{table}_{unique_name}",
            "order_test_id",
            unique=True,
            postgresql_where=text(unique_where),
        ),
        Index(f"uq_{table}_revision", "order_test_id", "revision", unique=True),
        Index(None, "order_id"),
    )


class ResultHold(Table):
    """A hold on a test, in one order or (without ``order_id``) in all.

    Results of a held test cannot be released until somebody lifts the hold, for example because a
    quality control failed. Only the lab sees it.
    """

    __tablename__ = "result_holds"
    __scope__ = Rows()
    __writes__ = Writes(only=("lifted_at", "lifted_by", "lifted_words"))
    __table_args__ = (
        Index(None, "test_id", postgresql_where=text("lifted_at IS NULL")),
        Index(None, "order_id"),
    )

    id: Mapped[Id]
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    order_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("orders.id"))
    reason: Mapped[TextColumn]
    words: Mapped[TextColumn | None]
    placed_by: Mapped[UserId]
    placed_at: Mapped[ClinicalTime]
    lifted_by: Mapped[UserId | None]
    lifted_at: Mapped[ClinicalTime | None]
    lifted_words: Mapped[TextColumn | None]
