"""Facts that several documents share: the lab, the client, the physician, the patient."""

from app.drawing.pages import Lab, Party, PatientFacts
from app.server.access.work import Work
from app.server.addresses.models import ZipCode
from app.server.clients.models import Client
from app.server.database.repository import ScopedRepository
from app.server.lab_settings.service import setting
from app.server.orders.models import Order
from app.server.patients.models import Patient
from app.server.physicians.repository import physician
from app.server.requisitions.models import Requisition


async def lab(work: Work) -> Lab:
    """The performing laboratory, at the head of every page."""
    found = await setting(work.session, "report")
    return Lab(
        name=found.get("name") or "LABORATORY",
        address=found.get("address") or "",
        phone=found.get("phone"),
        fax=found.get("fax"),
        email=found.get("email"),
        url=found.get("url"),
    )


async def client(work: Work, client_id: int) -> Party:
    """The ordering facility; its name only where the actor may see no more."""
    found = await ScopedRepository(work.session, work.actor).one(Client, client_id)
    if found is None:
        return Party(name="")
    return Party(
        name=found.name,
        code=found.code,
        address=await _place(work, found.address, found.zip_code_id),
        phone=found.phone,
        fax=found.fax,
    )


async def doctor(work: Work, physician_id: int | None) -> Party | None:
    """The ordering physician with address and NPI (42 CFR 493.1241(c)(1))."""
    found = await physician(work.session, physician_id)
    if found is None:
        return None
    return Party(
        name=f"{found.last_name}, {found.first_name}",
        npi=found.npi,
        address=await _place(work, found.address, found.zip_code_id),
        phone=found.phone,
        fax=found.fax,
    )


async def patient(work: Work, record: Requisition | Order) -> PatientFacts:
    """The patient as the record's snapshot has them, with the present address and phone."""
    found = await ScopedRepository(work.session, work.actor).one(Patient, record.patient_id)
    name = f"{record.patient_last_name}, {record.patient_first_name}"
    if record.patient_middle_name:
        name += f" {record.patient_middle_name}"
    return PatientFacts(
        code=found.code if found else "",
        name=name,
        birth_date=record.patient_birth_date,
        gender=record.patient_gender,
        address=await _place(work, found.address, found.zip_code_id) if found else None,
        phone=found.phone if found else None,
        medical_record_id=found.medical_record_id if found else None,
        unit=record.unit_name,
        room=record.room_name,
        bed=record.bed,
    )


async def _place(work: Work, address: str | None, zip_code_id: int | None) -> str | None:
    zip_row = await work.session.get(ZipCode, zip_code_id) if zip_code_id else None
    place = f"{zip_row.city}, {zip_row.state} {zip_row.code}" if zip_row else None
    return "\n".join(part for part in (address, place) if part) or None
