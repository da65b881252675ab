"""Bill types, payers, and the insurance rows of patients."""

from datetime import date

from sqlalchemy import BigInteger, Date, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Ended, Id, Instant, Small, Table, TextColumn
from app.server.database.scope import Reference, Through


class BillType(Ended, Table):
    """A kind of coverage (MEDICARE, COMMERCIAL, ...), not to be confused with bill-to."""

    __tablename__ = "bill_types"
    __scope__ = Reference()

    id: Mapped[Id]
    name: Mapped[TextColumn] = mapped_column(unique=True)
    position: Mapped[Small]


class Payer(Ended, Table):
    """An insurance payer. ``bill_type_id`` is empty only until reference data is loaded."""

    __tablename__ = "payers"
    __scope__ = Reference()

    id: Mapped[Id]
    name: Mapped[TextColumn] = mapped_column(unique=True)
    medicare_part_b: Mapped[bool] = mapped_column(server_default=text("false"))
    bill_type_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("bill_types.id"), index=True
    )


class PatientInsurance(Table):
    """An insurance row of a patient, in the order of ``position`` (from 1).

    Values that a row copies from its patient (``rules.fill_from_holder``) are not stored, so they
    cannot be outdated. Rows are never deleted, because requisitions may refer to them.
    """

    __tablename__ = "patient_insurance"
    __scope__ = Through("patients", "patient_id", staff_may="SIU", client_may="SIU")
    __table_args__ = (
        Index(None, "patient_id", "position", postgresql_where=text("removed_at IS NULL")),
    )

    id: Mapped[Id]
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"))
    position: Mapped[Small]
    bill_type_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("bill_types.id"))
    payer_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("payers.id"))
    insurance_id: Mapped[TextColumn]
    group_number: Mapped[TextColumn | None]
    relationship: Mapped[TextColumn | None]
    different_than_patient: Mapped[bool] = mapped_column(server_default=text("false"))
    last_name: Mapped[TextColumn | None]
    first_name: Mapped[TextColumn | None]
    middle_name: Mapped[TextColumn | None]
    birth_date: Mapped[date | None] = mapped_column(Date)
    gender: Mapped[TextColumn | None]
    phone: Mapped[TextColumn | None]
    address: Mapped[TextColumn | None]
    zip_code_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("zip_codes.id"))
    zip_code_plus4: Mapped[TextColumn | None]
    removed_at: Mapped[Instant | None]
