"""Facts that several documents share: the lab, the client, the physician, the patient."""

from collections.abc import Sequence
from typing import Any

from app.drawing.pages import Lab, Party, PatientFacts
from app.server.access.work import Work
from app.server.addresses.models import ZipCode
from app.server.addresses.repository import ZipCodeRepository
from app.server.clients.models import Client
from app.server.database.repository import ScopedRepository
from app.server.lab_settings.repository import SettingRepository
from app.server.orders.models import Order
from app.server.patients.models import Patient
from app.server.physicians.models import Physician
from app.server.physicians.repository import PhysicianRepository
from app.server.requisitions.models import Requisition


async def lab(work: Work) -> Lab:
    """The performing laboratory, at the head of every page."""
    found = await work.repository(SettingRepository).group("report")
    return Lab(
        name=found.get("name") or "LABORATORY",
        address=found.get("address") or "",
        phone=found.get("phone"),
        fax=found.get("fax"),
        email=found.get("email"),
        url=found.get("url"),
    )


class Facts:
    """Who a document is about and who ordered it, read for many records by a few statements."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._repository = work.repository(ScopedRepository)
        self._patients: dict[int, Patient] = {}
        self._clients: dict[int, Client] = {}
        self._physicians: dict[int, Physician] = {}
        self._zip_codes: dict[int, ZipCode] = {}

    async def load(self, records: Sequence[Requisition | Order]) -> None:
        """Read what these records need and was not read before."""
        for known, table, ids in (
            (self._patients, Patient, {record.patient_id for record in records}),
            (self._clients, Client, {record.client_id for record in records}),
        ):
            known.update(await self._repository.many(table, sorted(ids - set(known))))  # type: ignore[arg-type]
        physicians = {record.physician_id for record in records if record.physician_id}
        missing = sorted(physicians - set(self._physicians))
        if missing:
            found = await self._work.repository(PhysicianRepository).physicians(missing)
            self._physicians.update({each.id: each for each in found})
        addressed: list[Any] = [
            *self._patients.values(),
            *self._clients.values(),
            *self._physicians.values(),
        ]
        zip_codes = {each.zip_code_id for each in addressed if each.zip_code_id}
        unread = sorted(zip_codes - set(self._zip_codes))
        places = await self._work.repository(ZipCodeRepository).zip_codes(unread)
        self._zip_codes.update({each.id: each for each in places})

    def client(self, client_id: int) -> Party:
        """The ordering facility; its name only where the actor may see no more."""
        found = self._clients.get(client_id)
        if found is None:
            return Party(name="")
        return Party(
            name=found.name,
            code=found.code,
            address=self._place(found.address, found.zip_code_id),
            phone=found.phone,
            fax=found.fax,
        )

    def doctor(self, physician_id: int | None) -> Party | None:
        """The ordering physician with address and NPI (42 CFR 493.1241(c)(1))."""
        found = self._physicians.get(physician_id) if physician_id else None
        if found is None:
            return None
        return Party(
            name=f"{found.last_name}, {found.first_name}",
            npi=found.npi,
            address=self._place(found.address, found.zip_code_id),
            phone=found.phone,
            fax=found.fax,
        )

    def patient(self, record: Requisition | Order) -> PatientFacts:
        """The patient as the record's snapshot has them, with the present address and phone."""
        found = self._patients.get(record.patient_id)
        name = f"{record.patient_last_name}, {record.patient_first_name}"
        if record.patient_middle_name:
            name += f" {record.patient_middle_name}"
        return PatientFacts(
            code=found.code if found else "",
            name=name,
            birth_date=record.patient_birth_date,
            gender=record.patient_gender,
            address=self._place(found.address, found.zip_code_id) if found else None,
            phone=found.phone if found else None,
            medical_record_id=found.medical_record_id if found else None,
            unit=record.unit_name,
            room=record.room_name,
            bed=record.bed,
        )

    def _place(self, address: str | None, zip_code_id: int | None) -> str | None:
        zip_row = self._zip_codes.get(zip_code_id) if zip_code_id else None
        place = f"{zip_row.city}, {zip_row.state} {zip_row.code}" if zip_row else None
        return "\n".join(part for part in (address, place) if part) or None
