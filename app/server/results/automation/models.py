"""Rules of autoverification, and their trials on past results."""

from datetime import date
from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, Date, ForeignKey, Index, Numeric, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import ClinicalTime, Id, Small, Table, TextColumn, UserId, Version
from app.server.database.scope import Rows


class AutoverificationRule(Table):
    """The limits within which results of a test are released automatically; one rule per test.

    Only the lab sees a rule. Changed limits switch the rule off. A result waits for a person if its
    unit or method is not that of the rule.

    Attributes:
        delta_percent: the largest change since an earlier result.
        delta_days: how many days old the earlier result may be; None: any age.
        unit, method: those of the test when the limits were saved.
        version: raised by each change; each released result stores it.
    """

    __tablename__ = "autoverification_rules"
    __scope__ = Rows()
    __table_args__ = (CheckConstraint("low <= high", name="limits"),)

    id: Mapped[Id]
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"), unique=True)
    low: Mapped[Decimal] = mapped_column(Numeric)
    high: Mapped[Decimal] = mapped_column(Numeric)
    allows_abnormal: Mapped[bool] = mapped_column(server_default=text("false"))
    delta_percent: Mapped[Decimal | None] = mapped_column(Numeric)
    delta_days: Mapped[Small | None]
    unit: Mapped[TextColumn | None]
    method: Mapped[TextColumn | None]
    is_on: Mapped[bool] = mapped_column(server_default=text("false"))
    changed_by: Mapped[UserId | None]
    changed_at: Mapped[ClinicalTime]
    switched_by: Mapped[UserId | None]
    switched_at: Mapped[ClinicalTime | None]
    version: Mapped[Version]


class AutoverificationTrial(Table):
    """A trial of limits on the released results of a period.

    A rule can be switched on once exactly its limits have been tried out, in its unit and method.
    ``comparable`` is the number of results in that unit and by that method; a trial without any is
    not enough. ``corrected`` is the number of results that would have been released and were
    corrected or withdrawn later. Trials of earlier releases have neither unit nor method.
    """

    __tablename__ = "autoverification_trials"
    __scope__ = Rows(staff_may="SI")
    __table_args__ = (Index(None, "test_id", "id"),)

    id: Mapped[Id]
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    low: Mapped[Decimal] = mapped_column(Numeric)
    high: Mapped[Decimal] = mapped_column(Numeric)
    allows_abnormal: Mapped[bool]
    delta_percent: Mapped[Decimal | None] = mapped_column(Numeric)
    delta_days: Mapped[Small | None]
    unit: Mapped[TextColumn | None]
    method: Mapped[TextColumn | None]
    start_date: Mapped[date] = mapped_column(Date)
    end_date: Mapped[date] = mapped_column(Date)
    results: Mapped[int]
    comparable: Mapped[int] = mapped_column(server_default=text("0"))
    released: Mapped[int]
    corrected: Mapped[int]
    tried_by: Mapped[UserId]
    tried_at: Mapped[ClinicalTime]
