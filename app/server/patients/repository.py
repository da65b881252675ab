"""SQL of one patient, of the places a patient may be in, and of what is known besides."""

from collections.abc import Sequence

from sqlalchemy import delete, exists, func, select
from sqlalchemy.exc import IntegrityError

from app.server.addresses.models import ZipCode
from app.server.catalog.models import Diagnosis
from app.server.clients.models import Client, Room, Unit
from app.server.database.repository import ScopedRepository, scope_predicate
from app.server.patients.errors import ssn_in_use
from app.server.patients.models import (
    Patient,
    PatientDiagnosis,
    PatientMedication,
    ResponsibleParty,
    patient_codes,
)
from app.server.patients.rules import Party, Places

_SSN_INDEX = "uq_patients_ssn_hash"


class PatientRepository(ScopedRepository):
    """Patients within the actor's scope."""

    async def patient(self, patient_id: int, *, lock: bool = False) -> Patient | None:
        """A patient, or None."""
        return await self.find_one(Patient, patient_id, lock=lock)

    async def flush(self) -> None:
        """Write what was changed now. Two who save the same social security number at the same
        moment meet at its index.

        Raises:
            SocialSecurityNumberInUse: another patient has the number.
        """
        try:
            await super().flush()
        except IntegrityError as error:
            diagnosis = getattr(error.orig, "diag", None)
            if getattr(diagnosis, "constraint_name", None) == _SSN_INDEX:
                raise ssn_in_use() from None
            raise

    async def client(self, client_id: int | None) -> Client | None:
        """A client, or None."""
        return await self.find_one(Client, client_id) if client_id is not None else None

    async def places(
        self, client_id: int | None, unit_id: int | None, room_id: int | None
    ) -> Places:
        """Whether the client has units, and where the chosen unit and room belong."""
        has_units = await self.session.scalar(select(exists().where(Unit.client_id == client_id)))
        unit = await self.unit(unit_id)
        room = await self.room(room_id)
        return Places(
            client_has_units=bool(has_units),
            unit_client_id=unit.client_id if unit else None,
            room_client_id=room.client_id if room else None,
            room_unit_id=room.unit_id if room else None,
        )

    async def unit(self, unit_id: int | None) -> Unit | None:
        """A unit of a client in scope."""
        if unit_id is None:
            return None
        return await self.session.scalar(
            select(Unit)
            .join(Client, Client.id == Unit.client_id)
            .where(Unit.id == unit_id, scope_predicate(Client, self.actor))
        )

    async def room(self, room_id: int | None) -> Room | None:
        """A room of a client in scope."""
        if room_id is None:
            return None
        return await self.session.scalar(
            select(Room)
            .join(Client, Client.id == Room.client_id)
            .where(Room.id == room_id, scope_predicate(Client, self.actor))
        )

    async def ssn_in_use(self, lookup: bytes, except_patient: int | None) -> bool:
        """Whether any patient of any client has this number; answers that one fact."""
        return bool(await self.session.scalar(select(func.ssn_in_use(lookup, except_patient))))

    async def next_code_number(self) -> int:
        """The number of the next patient code."""
        number: int | None = await self.session.scalar(select(patient_codes.next_value()))
        assert number is not None
        return number

    async def parties(self, patient: Patient) -> list[tuple[ResponsibleParty, ZipCode]]:
        """The patient's responsible parties with their places, in order."""
        found = await self.session.execute(
            select(ResponsibleParty, ZipCode)
            .join(ZipCode, ZipCode.id == ResponsibleParty.zip_code_id)
            .where(ResponsibleParty.patient_id == patient.id)
            .order_by(ResponsibleParty.position, ResponsibleParty.id)
        )
        return [(row.ResponsibleParty, row.ZipCode) for row in found]

    async def replace_parties(self, patient: Patient, parties: Sequence[tuple[Party, int]]) -> None:
        """Put these parties, each with its ZIP code's id, in place of the present ones."""
        present = {row.id: row for row, _ in await self.parties(patient)}
        for position, (party, zip_code_id) in enumerate(parties, start=1):
            row = present.pop(party.id, None) if party.id is not None else None
            if row is None:
                row = ResponsibleParty(patient_id=patient.id)
                self.session.add(row)
            row.position = position
            row.zip_code_id = zip_code_id
            for name, value in (
                ("last_name", party.last_name),
                ("first_name", party.first_name),
                ("address", party.address.line),
                ("zip_code_plus4", party.address.plus4),
                ("country", party.country),
                ("phone", party.phone),
                ("mobile", party.mobile),
                ("fax", party.fax),
            ):
                setattr(row, name, value)
        for gone in present.values():
            await self.session.delete(gone)
        await self.session.flush()

    async def diagnoses(self, patient: Patient) -> list[Diagnosis]:
        """The patient's diagnoses, in order."""
        found = await self.session.scalars(
            select(Diagnosis)
            .join(PatientDiagnosis, PatientDiagnosis.diagnosis_id == Diagnosis.id)
            .where(PatientDiagnosis.patient_id == patient.id)
            .order_by(PatientDiagnosis.position, PatientDiagnosis.id)
        )
        return list(found)

    async def replace_diagnoses(self, patient: Patient, diagnosis_ids: Sequence[int]) -> None:
        """Put these diagnoses in place of the present ones."""
        await self.session.execute(
            delete(PatientDiagnosis).where(PatientDiagnosis.patient_id == patient.id)
        )
        self.session.add_all(
            PatientDiagnosis(patient_id=patient.id, diagnosis_id=found, position=position)
            for position, found in enumerate(diagnosis_ids, start=1)
        )
        await self.session.flush()

    async def medications(self, patient: Patient) -> list[PatientMedication]:
        """The patient's medications, in order."""
        found = await self.session.scalars(
            select(PatientMedication)
            .where(PatientMedication.patient_id == patient.id)
            .order_by(PatientMedication.position, PatientMedication.id)
        )
        return list(found)

    async def replace_medications(self, patient: Patient, names: Sequence[str]) -> None:
        """Put these medications in place of the present ones; a name that stays keeps its id."""
        present = {row.name: row for row in await self.medications(patient)}
        for position, name in enumerate(names, start=1):
            row = present.pop(name, None)
            if row is None:
                row = PatientMedication(patient_id=patient.id, name=name)
                self.session.add(row)
            row.position = position
        for gone in present.values():
            await self.session.delete(gone)
        await self.session.flush()
