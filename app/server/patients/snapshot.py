"""The snapshot of a patient in a record: identity and place when the record was made."""

from datetime import date
from typing import Any

from sqlalchemy import BigInteger, Date
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import TextColumn
from app.server.patients.models import Patient


class PatientSnapshot:
    """The columns of the snapshot, which later changes to the patient do not affect."""

    patient_last_name: Mapped[TextColumn]
    patient_first_name: Mapped[TextColumn]
    patient_middle_name: Mapped[TextColumn | None]
    patient_birth_date: Mapped[date | None] = mapped_column(Date)
    patient_gender: Mapped[TextColumn]
    unit_id: Mapped[int | None] = mapped_column(BigInteger)
    unit_name: Mapped[TextColumn | None]
    room_name: Mapped[TextColumn | None]
    bed: Mapped[TextColumn | None]


SNAPSHOT = tuple(PatientSnapshot.__annotations__)
"""The names of the snapshot's columns."""


def take_snapshot(patient: Patient, unit_name: str | None, room_name: str | None) -> dict[str, Any]:
    """Return the values of the snapshot's columns for the patient as it is now."""
    return {
        "patient_last_name": patient.last_name,
        "patient_first_name": patient.first_name,
        "patient_middle_name": patient.middle_name,
        "patient_birth_date": patient.birth_date,
        "patient_gender": patient.gender,
        "unit_id": patient.unit_id,
        "unit_name": unit_name,
        "room_name": room_name,
        "bed": patient.bed,
    }
