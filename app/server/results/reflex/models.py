"""The lab's rules of reflex tests."""

from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Numeric, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Id, Table, TextColumn
from app.server.database.scope import Reference


class ReflexRule(Table):
    """A rule that adds a test when a released result of another test meets a condition.

    Rules of our reference data are inactive until the lab approves them.

    Attributes:
        test_id: the test whose released result is compared.
        added_test_id: the test that is added.
        condition: a ``rules.ConditionKind``; it uses ``flags``, ``words``, or the limits.
        low, high: the limits.
        unit: the unit of the limits; results in another one do not meet them (ADR 102).
        source: where the rule comes from.
    """

    __tablename__ = "reflex_rules"
    __scope__ = Reference()
    __table_args__ = (CheckConstraint("test_id <> added_test_id", name="added_test"),)

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"), index=True)
    added_test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"))
    condition: Mapped[TextColumn]
    flags: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    words: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    low: Mapped[Decimal | None] = mapped_column(Numeric)
    high: Mapped[Decimal | None] = mapped_column(Numeric)
    unit: Mapped[TextColumn | None]
    source: Mapped[TextColumn]
    is_active: Mapped[bool] = mapped_column(server_default=text("false"))
