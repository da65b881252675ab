"""Tests, panels, reference ranges, diagnoses, and medications."""

from datetime import date
from decimal import Decimal

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Numeric,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import (
    Ended,
    Id,
    Numbered,
    Small,
    Table,
    TextColumn,
    build_trigram_index,
)
from app.server.database.scope import Reference, Rows, SharedReference


class LabTest(Table):
    """A test or panel that can be ordered, or a member of a panel.

    A result outside the possible limits is rejected, and one outside the plausible limits needs a
    confirmation.

    Attributes:
        is_confidential: whether it is ordered as confidential, unless a person decides otherwise.
        search_text: code, name, and alternate names in upper case, for substring search.
        delta_percent: the largest usual change within ``delta_days``.
        limits_invented: whether the limits are our own, which no lab approved.
        formula: the name of the formula (``results.clinical.formulas``) that calculates the test.
        formula_inputs: the codes of the tests that it is calculated from, in the formula's order.
        formula_source: where the formula comes from.
        required_ml: the specimen to collect for the test, in mL; None if any volume will do.
        client_id: the client of a private test, the only one that may order it. People who see a
            record with the test, or a record of that client, can read the row, so that records show
            the test's name even after a requisition has moved or a physician has left the client.
    """

    __tablename__ = "lab_tests"
    __scope__ = SharedReference(otherwise="sees_private_test(id, client_id)")
    __table_args__ = (build_trigram_index("ix_lab_tests_search_text", "search_text"),)

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    name: Mapped[TextColumn]
    alternate_names: Mapped[TextColumn] = mapped_column(server_default=text("''"))
    search_text: Mapped[TextColumn]
    is_panel: Mapped[bool] = mapped_column(server_default=text("false"))
    orderable: Mapped[bool] = mapped_column(server_default=text("true"))
    is_confidential: Mapped[bool] = mapped_column(server_default=text("false"))
    kind: Mapped[TextColumn]
    loinc: Mapped[TextColumn | None]
    specimen: Mapped[TextColumn | None]
    container: Mapped[TextColumn | None]
    unit: Mapped[TextColumn | None]
    result_type: Mapped[Small]
    choices: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    normal_choices: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    critical_choices: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    decimals: Mapped[Small | None]
    method: Mapped[TextColumn | None]
    possible_low: Mapped[Decimal | None] = mapped_column(Numeric)
    possible_high: Mapped[Decimal | None] = mapped_column(Numeric)
    plausible_low: Mapped[Decimal | None] = mapped_column(Numeric)
    plausible_high: Mapped[Decimal | None] = mapped_column(Numeric)
    delta_percent: Mapped[Decimal | None] = mapped_column(Numeric)
    delta_days: Mapped[Small | None]
    limits_invented: Mapped[bool] = mapped_column(server_default=text("false"))
    formula: Mapped[TextColumn | None]
    formula_inputs: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    formula_source: Mapped[TextColumn | None]
    required_ml: Mapped[Decimal | None] = mapped_column(Numeric)
    client_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("clients.id"), index=True)


class Container(Numbered, Table):
    """A container with the volume that it holds.

    A test may name a container without a row here. Its volume is unknown, and one container is
    enough for all its tests.
    """

    __tablename__ = "containers"
    __scope__ = Reference()
    __table_args__ = (CheckConstraint("volume_ml > 0", name="volume_ml"),)

    name: Mapped[TextColumn] = mapped_column(primary_key=True)
    volume_ml: Mapped[Decimal] = mapped_column(Numeric)


class TestCode(Ended, Table):
    """Another code by which a test is found: a client's own, or one that the lab used before.

    ``client_id`` is the client that uses the code; None for all of them. A code may lead to
    several tests.
    """

    __test__ = False
    __tablename__ = "test_codes"
    __scope__ = SharedReference(
        otherwise="EXISTS (SELECT 1 FROM clients c WHERE c.id = test_codes.client_id)"
    )
    __table_args__ = (
        UniqueConstraint("code", "test_id", "client_id", postgresql_nulls_not_distinct=True),
    )

    id: Mapped[Id]
    code: Mapped[TextColumn]
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"), index=True)
    client_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("clients.id"), index=True)


class ClientTest(Table):
    """A test on a client's own list. A client without a list has the whole catalog."""

    __tablename__ = "client_tests"
    __scope__ = Rows(
        client="client_id",
        physician="{t}client_id IN (SELECT l.client_id FROM client_physicians l "
        "WHERE l.physician_id = ANY({ids}))",
        patient="{t}client_id IN (SELECT p.client_id FROM patients p WHERE p.id = ANY({ids}))",
        staff_may="SID",
        client_may="S",
    )

    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"), primary_key=True)
    test_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("lab_tests.id"), primary_key=True, index=True
    )


class PanelMember(Table):
    """A member of a panel, in printing order."""

    __tablename__ = "panel_members"
    __scope__ = Reference(staff_may="SIUD")

    panel_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"), primary_key=True)
    test_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("lab_tests.id"), primary_key=True, index=True
    )
    position: Mapped[Small]


AGES_END = 60_000
"""The upper bound, in days, of a range without an age limit."""


class ReferenceRange(Ended, Table):
    """The reference range of a test by sex and age; ``age_to_days`` is exclusive.

    ``unit`` is the unit of the limits. While the test has another unit, the limits judge nothing
    (ADR 102).
    """

    __tablename__ = "reference_ranges"
    __scope__ = Reference()

    id: Mapped[Id]
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"), index=True)
    gender: Mapped[TextColumn | None]
    age_from_days: Mapped[int]
    age_to_days: Mapped[int]
    low: Mapped[float | None] = mapped_column(Numeric)
    high: Mapped[float | None] = mapped_column(Numeric)
    critical_low: Mapped[float | None] = mapped_column(Numeric)
    critical_high: Mapped[float | None] = mapped_column(Numeric)
    words: Mapped[TextColumn | None]
    unit: Mapped[TextColumn | None]
    invented: Mapped[bool] = mapped_column(server_default=text("false"))

    @property
    def has_limits(self) -> bool:
        """Whether the range judges numbers; these must be in the unit of the range."""
        limits = (self.low, self.high, self.critical_low, self.critical_high)
        return any(limit is not None for limit in limits)

    @property
    def has_age_limit(self) -> bool:
        """Whether the range is limited to some ages."""
        return self.age_from_days > 0 or self.age_to_days < AGES_END


class Diagnosis(Table):
    """A billable ICD-10-CM leaf code with its period of validity."""

    __tablename__ = "diagnoses"
    __scope__ = Reference()
    __table_args__ = (build_trigram_index("ix_diagnoses_search_text", "search_text"),)

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    description: Mapped[TextColumn]
    search_text: Mapped[TextColumn]
    valid_from: Mapped[date]
    valid_to: Mapped[date | None]
    release: Mapped[TextColumn]


class DiagnosisTerm(Numbered, Ended, Table):
    """An everyday word or abbreviation for a diagnosis ('UTI'), which the search offers first."""

    __tablename__ = "diagnosis_terms"
    __scope__ = Reference()

    term: Mapped[TextColumn] = mapped_column(primary_key=True)
    diagnosis_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("diagnoses.id"), index=True)


class Medication(Ended, Table):
    """A medication name offered while typing."""

    __tablename__ = "medications"
    __scope__ = Reference()

    id: Mapped[Id]
    name: Mapped[TextColumn] = mapped_column(unique=True)
