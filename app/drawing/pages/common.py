"""Blocks that both documents show: who the patient is, who ordered, and for whom."""

from app.drawing.pages.facts import Party, PatientFacts

Block = tuple[str, str, list[tuple[str, str]]]


def patient_block(patient: PatientFacts) -> Block:
    """Name, identifiers, sex, birth date and place of the patient."""
    room = " - ".join(each for each in (patient.room, patient.bed) if each)
    rows = [
        ("Patient ID", patient.code),
        ("Birth date", f"{patient.birth_date:%m/%d/%Y}"),
        ("Sex", patient.gender),
        ("MRN", patient.medical_record_id or ""),
        ("Unit, room", ", ".join(each for each in (patient.unit, room) if each)),
        ("Address", patient.address or ""),
        ("Phone", patient.phone or ""),
    ]
    return "Patient", patient.name, rows


def party_block(heading: str, party: Party | None) -> Block:
    """A client or physician with the address to which results and urgent calls go."""
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
