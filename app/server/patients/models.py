"""Patients, with their responsible parties, diagnoses and medications."""

from datetime import date

from sqlalchemy import (
    BigInteger,
    Date,
    ForeignKey,
    Index,
    LargeBinary,
    Sequence,
    UniqueConstraint,
    literal_column,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import (
    CreatedAt,
    Id,
    Small,
    Table,
    TextColumn,
    UserId,
    Version,
    build_trigram_index,
    metadata,
)
from app.server.database.scope import Rows, Through
from app.server.database.writes import Writes

patient_codes = Sequence("patient_codes", metadata=metadata)
"""Numbers of patient codes ('P' and seven digits)."""


def build_birth_order(column: str) -> str:
    """Build the SQL that sorts rows by a birth date, those without one first.

    With row-level security, a cursor could not use an index of the shorter ``coalesce``, which
    PostgreSQL does not consider leakproof.
    """
    return f"CASE WHEN {column} IS NULL THEN '0001-01-01'::date ELSE {column} END"


class Patient(Table):
    """A patient of one client. All text is stored in upper case.

    The social security number is encrypted with a key outside the database. A keyed hash serves
    searches, and the last four digits serve lists (DECISIONS, Ordering).
    """

    __tablename__ = "patients"
    __scope__ = Rows(client="client_id", physician="primary_physician_id", patient="id")
    __writes__ = Writes(all_but=("code",))
    __table_args__ = (
        Index(None, "client_id", "last_name", "first_name", "id"),
        Index(None, "last_name", "first_name", "id"),
        Index(None, "birth_date"),
        # A cursor needs a value for patients without a birth date.
        Index(
            "ix_patients_birth_order", literal_column(f"({build_birth_order('birth_date')})"), "id"
        ),
        Index(
            "ix_patients_client_id_birth_order",
            "client_id",
            literal_column(f"({build_birth_order('birth_date')})"),
            "id",
        ),
        Index(None, "primary_physician_id"),
        Index("uq_patients_ssn_hash", "ssn_hash", unique=True),
        Index(None, "client_id", "birth_date", "id"),
        Index(None, "client_id", "first_name", "id"),
        Index(None, "first_name", "id"),
        build_trigram_index("ix_patients_code_trgm", "code"),
    )

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"))
    unit_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("units.id"))
    room_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("rooms.id"))
    bed: Mapped[TextColumn | None]
    medical_record_id: Mapped[TextColumn | None]
    primary_physician_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("physicians.id")
    )
    last_name: Mapped[TextColumn]
    first_name: Mapped[TextColumn]
    middle_name: Mapped[TextColumn | None]
    # None until somebody fills in what the lab's feed left out (ADR 89).
    birth_date: Mapped[date | None] = mapped_column(Date)
    gender: Mapped[TextColumn]
    ssn_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    ssn_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    ssn_last4: Mapped[TextColumn | None]
    sexual_orientation_id: Mapped[TextColumn | None]
    gender_identity_id: Mapped[TextColumn | None]
    race: Mapped[TextColumn | None]
    ethnicity: Mapped[Small | None]
    address: Mapped[TextColumn | None]
    zip_code_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("zip_codes.id"))
    zip_code_plus4: Mapped[TextColumn | None]
    same_as_client_address: Mapped[bool] = mapped_column(server_default=text("false"))
    phone: Mapped[TextColumn | None]
    mobile: Mapped[TextColumn | None]
    email: Mapped[TextColumn | None]
    created_at: Mapped[CreatedAt]
    created_by: Mapped[UserId | None]
    version: Mapped[Version]


class PatientName(Table):
    """A distinct first or last name that a patient has or had.

    A search for letters across all clients scans these few rows, and an index leads from a name to
    the patients. Triggers on the tables with names fill this table with its owner's rights.
    """

    __tablename__ = "patient_names"
    __scope__ = Rows(staff_may="S")
    __table_args__ = (build_trigram_index("ix_patient_names_trgm", "name"),)

    name: Mapped[TextColumn] = mapped_column(primary_key=True)


class ResponsibleParty(Table):
    """A person responsible for a patient's bills, in the order of ``position`` (from 1)."""

    __tablename__ = "patient_responsible_parties"
    __scope__ = Through("patients", "patient_id")

    id: Mapped[Id]
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"), index=True)
    position: Mapped[Small]
    last_name: Mapped[TextColumn]
    first_name: Mapped[TextColumn]
    address: Mapped[TextColumn]
    country: Mapped[TextColumn | None]
    zip_code_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("zip_codes.id"))
    zip_code_plus4: Mapped[TextColumn]
    phone: Mapped[TextColumn]
    mobile: Mapped[TextColumn | None]
    fax: Mapped[TextColumn | None]


class PatientDiagnosis(Table):
    """A diagnosis of a patient; new requisitions copy these."""

    __tablename__ = "patient_diagnoses"
    __scope__ = Through("patients", "patient_id")
    __table_args__ = (UniqueConstraint("patient_id", "diagnosis_id"),)

    id: Mapped[Id]
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"))
    diagnosis_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("diagnoses.id"))
    position: Mapped[Small]


class PatientMedication(Table):
    """A medication that a patient takes, as free text."""

    __tablename__ = "patient_medications"
    __scope__ = Through("patients", "patient_id")
    __table_args__ = (UniqueConstraint("patient_id", "name"),)

    id: Mapped[Id]
    patient_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("patients.id"))
    name: Mapped[TextColumn]
    position: Mapped[Small]
