"""The lab's rules of reflex tests."""

from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Numeric, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Id, Table, TextColumn
from app.server.database.scope import Reference


class ReflexRule(Table):
    """A rule: a released result of ``test_id`` that meets the condition adds ``added_test_id``.

    ``condition`` is a ``rules.ConditionKind``. It uses ``flags``, ``words``, or the limits ``low``
    and ``high`` in the unit of the test. ``source`` says where the rule comes from. Rules of our
    reference data are inactive until the lab approves them.
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
    source: Mapped[TextColumn]
    is_active: Mapped[bool] = mapped_column(server_default=text("false"))
