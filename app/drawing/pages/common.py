"""Blocks of the requisition form and the result report: patient, physician, and client."""

from app.drawing.pages.facts import Party, PatientFacts
from app.drawing.pages.sheet import format_day

Block = tuple[str, str, list[tuple[str, str]]]


def build_heading(code: str, patient: PatientFacts) -> str:
    """Return what identifies the patient on every page, even on a loose one."""
    parts = (code, patient.name, format_day(patient.birth_date))
    return "   ".join(part for part in parts if part)


def build_patient_block(patient: PatientFacts) -> Block:
    """Return the patient's name, identifiers, sex, birth date, and place."""
    room = " - ".join(part for part in (patient.room, patient.bed) if part)
    rows = [
        ("Patient ID", patient.code),
        ("Birth date", format_day(patient.birth_date)),
        ("Sex", patient.gender),
        ("MRN", patient.medical_record_id or ""),
        ("Unit, room", ", ".join(part for part in (patient.unit, room) if part)),
        ("Address", patient.address or ""),
        ("Phone", patient.phone or ""),
    ]
    return "Patient", patient.name, rows


def build_party_block(heading: str, party: Party | None) -> Block:
    """Return a client or physician with the contacts for results and urgent calls."""
    if party is None:
        return heading, "Not stated", []
    rows = [
        ("NPI", party.npi or ""),
        ("Client no.", party.code or ""),
        ("Address", party.address or ""),
        ("Phone", party.phone or ""),
        ("Fax", party.fax or ""),
    ]
    return heading, party.name, rows
