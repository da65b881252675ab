"""Facts that documents share: the lab, the client, the physician and the patient."""

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
from app.server.patients.repository import PatientRepository
from app.server.physicians.models import Physician
from app.server.physicians.repository import PhysicianRepository
from app.server.requisitions.models import Requisition


async def load_lab(work: Work) -> Lab:
    """Load the performing laboratory, for the header of every page."""
    settings = await work.build_repository(SettingRepository).load_group("report")
    return Lab(
        name=settings.get("name") or "LABORATORY",
        address=settings.get("address") or "",
        phone=settings.get("phone"),
        fax=settings.get("fax"),
        email=settings.get("email"),
        url=settings.get("url"),
        director=settings.get("director"),
        clia=settings.get("clia"),
    )


class Facts:
    """Patients, clients and physicians of documents; a few statements load many of them."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._repository = work.build_repository(ScopedRepository)
        self._patients: dict[int, Patient] = {}
        self._patient_codes: dict[int, str] = {}
        self._clients: dict[int, Client] = {}
        self._physicians: dict[int, Physician] = {}
        self._zip_codes: dict[int, ZipCode] = {}

    async def load(self, records: Sequence[Requisition | Order]) -> None:
        """Load the facts of these records that are not loaded yet."""
        for records_by_id, table, ids in (
            (self._patients, Patient, {record.patient_id for record in records}),
            (self._clients, Client, {record.client_id for record in records}),
        ):
            missing_ids = sorted(ids - set(records_by_id))
            records_by_id.update(await self._repository.load_in_scope(table, missing_ids))  # type: ignore[arg-type]
        hidden_ids = sorted({record.patient_id for record in records} - set(self._patients))
        if hidden_ids:
            codes = await self._work.build_repository(PatientRepository).load_codes(hidden_ids)
            self._patient_codes.update(codes)
        physician_ids = {record.physician_id for record in records if record.physician_id}
        missing_ids = sorted(physician_ids - set(self._physicians))
        if missing_ids:
            physicians = await self._work.build_repository(PhysicianRepository).list_physicians(
                missing_ids
            )
            self._physicians.update({physician.id: physician for physician in physicians})
        parties: list[Any] = [
            *self._patients.values(),
            *self._clients.values(),
            *self._physicians.values(),
        ]
        zip_code_ids = {party.zip_code_id for party in parties if party.zip_code_id}
        missing_ids = sorted(zip_code_ids - set(self._zip_codes))
        zip_codes = await self._work.build_repository(ZipCodeRepository).find_zip_codes(missing_ids)
        self._zip_codes.update({zip_code.id: zip_code for zip_code in zip_codes})

    def build_client(self, client_id: int) -> Party:
        """Build the ordering client; empty when it is out of scope."""
        client = self._clients.get(client_id)
        if client is None:
            return Party(name="")
        return Party(
            name=client.name,
            code=client.code,
            address=self._format_address(client.address, client.zip_code_id, client.zip_code_plus4),
            phone=client.phone,
            fax=client.fax,
        )

    def build_physician(self, physician_id: int | None) -> Party | None:
        """Build the ordering physician with address and NPI (42 CFR 493.1241(c)(1))."""
        physician = self._physicians.get(physician_id) if physician_id else None
        if physician is None:
            return None
        return Party(
            name=f"{physician.last_name}, {physician.first_name}",
            npi=physician.npi,
            address=self._format_address(physician.address, physician.zip_code_id),
            phone=physician.phone,
            fax=physician.fax,
        )

    def build_patient(self, record: Requisition | Order) -> PatientFacts:
        """Build the patient from the record's snapshot, with the current address and phone."""
        patient = self._patients.get(record.patient_id)
        name = f"{record.patient_last_name}, {record.patient_first_name}"
        if record.patient_middle_name:
            name += f" {record.patient_middle_name}"
        return PatientFacts(
            code=patient.code if patient else self._patient_codes.get(record.patient_id, ""),
            name=name,
            birth_date=record.patient_birth_date,
            gender=record.patient_gender,
            address=(
                self._format_address(patient.address, patient.zip_code_id, patient.zip_code_plus4)
                if patient
                else None
            ),
            phone=patient.phone if patient else None,
            medical_record_id=patient.medical_record_id if patient else None,
            unit=record.unit_name,
            room=record.room_name,
            bed=record.bed,
        )

    def _format_address(
        self, address: str | None, zip_code_id: int | None, plus4: str | None = None
    ) -> str | None:
        zip_code = self._zip_codes.get(zip_code_id) if zip_code_id else None
        city = None
        if zip_code:
            code = "-".join(part for part in (zip_code.code, plus4) if part)
            city = f"{zip_code.city}, {zip_code.state} {code}"
        return "\n".join(line for line in (address, city) if line) or None
