"""SQL for a patient, the patient's lists, and the patient's client, unit, and room."""

from collections.abc import Sequence

from sqlalchemy import ARRAY, BigInteger, bindparam, delete, exists, func, select
from sqlalchemy.exc import IntegrityError

from app.contract.enumerations import ScopeKind
from app.server.addresses.models import ZipCode
from app.server.audit.models import AuditEvent
from app.server.catalog.models import Diagnosis
from app.server.clients.models import Client, Room, Unit
from app.server.database.repository import ScopedRepository, build_scope_predicate
from app.server.patients.errors import build_ssn_in_use_error
from app.server.patients.models import (
    Patient,
    PatientDiagnosis,
    PatientMedication,
    ResponsibleParty,
    patient_codes,
)
from app.server.patients.rules import Party, Places

_SSN_INDEX = "uq_patients_ssn_hash"
_CANDIDATES_MAX = 200
# Few patients share a birth date, but thousands may share a placeholder date. Of those, the
# patients with the most similar names are taken.
_LOOK_ALIKES = """
WITH candidates AS (
    SELECT p.id FROM patients p WHERE p.ssn_hash = %(ssn)s::bytea {scope}
    UNION
    (SELECT p.id FROM patients p WHERE p.birth_date = %(birth_date)s::date {scope}
     ORDER BY similarity(p.last_name || ' ' || p.first_name, %(name)s) DESC
     LIMIT {max_candidates})
)
SELECT coalesce(json_agg(json_build_object(
    'id', p.id, 'code', p.code, 'lastName', p.last_name, 'firstName', p.first_name,
    'middleName', p.middle_name, 'birthDate', p.birth_date, 'gender', p.gender,
    'clientName', c.name, 'last4', p.ssn_last4,
    'sameSsn', coalesce(p.ssn_hash = %(ssn)s::bytea, false))), '[]'::json)
FROM candidates JOIN patients p ON p.id = candidates.id LEFT JOIN clients c ON c.id = p.client_id
WHERE p.id IS DISTINCT FROM %(patient)s::bigint
"""


def build_look_alike_statement(kind: ScopeKind) -> str:
    """Build the statement that loads the patients who may look like the typed one, as JSON."""
    scope = Patient.__scope__.build_predicate(kind, "p")
    return _LOOK_ALIKES.format(scope=f"AND {scope}", max_candidates=_CANDIDATES_MAX)


class PatientRepository(ScopedRepository):
    """Patients within the actor's scope."""

    async def find_patient(self, patient_id: int, *, lock: bool = False) -> Patient | None:
        """Find a patient; None when it does not exist or is out of scope."""
        return await self.find_one(Patient, patient_id, lock=lock)

    async def load_codes(self, patient_ids: Sequence[int]) -> dict[int, str]:
        """Load codes of patients by id; the actor must see the patient, or a record of theirs."""
        requested_ids = func.unnest(
            bindparam("ids", list(patient_ids), ARRAY(BigInteger))
        ).column_valued()
        rows = await self.session.execute(
            select(requested_ids, func.code_of_patient(requested_ids))
        )
        return {patient_id: code for patient_id, code in rows if code is not None}

    async def flush(self) -> None:
        """Write changed records now.

        Raises:
            SocialSecurityNumberInUse: another patient got the same social security number, maybe
                after it was checked.
        """
        try:
            await super().flush()
        except IntegrityError as error:
            diagnostics = getattr(error.orig, "diag", None)
            if getattr(diagnostics, "constraint_name", None) == _SSN_INDEX:
                raise build_ssn_in_use_error() from None
            raise

    async def find_last_editor(self, patient: Patient) -> str | None:
        """Find the name of the user who changed the patient last; None when unknown."""
        statement = (
            select(func.name_of_user(AuditEvent.user_id))
            .where(AuditEvent.record_ids[1] == patient.id)
            .where(AuditEvent.kind == "patient", AuditEvent.action == "change")
            .order_by(AuditEvent.id.desc())
            .limit(1)
        )
        name: str | None = await self.session.scalar(statement)
        return name

    async def find_client(self, client_id: int | None) -> Client | None:
        """Find a client; None when it does not exist or is out of scope."""
        return await self.find_one(Client, client_id) if client_id is not None else None

    async def load_places(
        self, client_id: int | None, unit_id: int | None, room_id: int | None
    ) -> Places:
        """Load whether the client has units, and the owners of the chosen unit and room."""
        has_units = await self.session.scalar(
            select(exists().where(Unit.client_id == client_id, Unit.active))
        )
        unit = await self.find_unit(unit_id)
        room = await self.find_room(room_id)
        return Places(
            client_has_units=bool(has_units),
            unit_client_id=unit.client_id if unit else None,
            room_client_id=room.client_id if room else None,
            room_unit_id=room.unit_id if room else None,
        )

    async def find_unit(self, unit_id: int | None) -> Unit | None:
        """Find a unit of a client in scope."""
        if unit_id is None:
            return None
        return await self.session.scalar(
            select(Unit)
            .join(Client, Client.id == Unit.client_id)
            .where(Unit.id == unit_id, build_scope_predicate(Client, self.actor))
        )

    async def find_room(self, room_id: int | None) -> Room | None:
        """Find a room of a client in scope."""
        if room_id is None:
            return None
        return await self.session.scalar(
            select(Room)
            .join(Client, Client.id == Room.client_id)
            .where(Room.id == room_id, build_scope_predicate(Client, self.actor))
        )

    async def is_ssn_in_use(self, ssn_hash: bytes, except_patient: int | None) -> bool:
        """Whether a patient of any client has this number, in scope or not."""
        return bool(await self.session.scalar(select(func.ssn_in_use(ssn_hash, except_patient))))

    async def allocate_code_number(self) -> int:
        """Take the number of the next patient code from its sequence."""
        number: int | None = await self.session.scalar(select(patient_codes.next_value()))
        assert number is not None
        return number

    async def list_parties(self, patient: Patient) -> list[tuple[ResponsibleParty, ZipCode]]:
        """Return the patient's responsible parties with their ZIP codes, in order."""
        rows = await self.session.execute(
            select(ResponsibleParty, ZipCode)
            .join(ZipCode, ZipCode.id == ResponsibleParty.zip_code_id)
            .where(ResponsibleParty.patient_id == patient.id)
            .order_by(ResponsibleParty.position, ResponsibleParty.id)
        )
        return [(row.ResponsibleParty, row.ZipCode) for row in rows]

    async def replace_parties(self, patient: Patient, parties: Sequence[tuple[Party, int]]) -> None:
        """Replace the patient's parties with these, each with the id of its ZIP code."""
        rows_by_id = {row.id: row for row, _ in await self.list_parties(patient)}
        for position, (party, zip_code_id) in enumerate(parties, start=1):
            row = rows_by_id.pop(party.id, None) if party.id is not None else None
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
        for removed_party in rows_by_id.values():
            await self.session.delete(removed_party)
        await self.session.flush()

    async def list_diagnoses(self, patient: Patient) -> list[Diagnosis]:
        """Return the patient's diagnoses, in order."""
        diagnoses = await self.session.scalars(
            select(Diagnosis)
            .join(PatientDiagnosis, PatientDiagnosis.diagnosis_id == Diagnosis.id)
            .where(PatientDiagnosis.patient_id == patient.id)
            .order_by(PatientDiagnosis.position, PatientDiagnosis.id)
        )
        return list(diagnoses)

    async def replace_diagnoses(self, patient: Patient, diagnosis_ids: Sequence[int]) -> None:
        """Replace the patient's diagnoses."""
        await self.session.execute(
            delete(PatientDiagnosis).where(PatientDiagnosis.patient_id == patient.id)
        )
        self.session.add_all(
            PatientDiagnosis(patient_id=patient.id, diagnosis_id=diagnosis_id, position=position)
            for position, diagnosis_id in enumerate(diagnosis_ids, start=1)
        )
        await self.session.flush()

    async def list_medications(self, patient: Patient) -> list[PatientMedication]:
        """Return the patient's medications, in order."""
        medications = await self.session.scalars(
            select(PatientMedication)
            .where(PatientMedication.patient_id == patient.id)
            .order_by(PatientMedication.position, PatientMedication.id)
        )
        return list(medications)

    async def replace_medications(self, patient: Patient, names: Sequence[str]) -> None:
        """Replace the patient's medications; a name that stays keeps its row."""
        rows_by_name = {row.name: row for row in await self.list_medications(patient)}
        for position, name in enumerate(names, start=1):
            row = rows_by_name.pop(name, None)
            if row is None:
                row = PatientMedication(patient_id=patient.id, name=name)
                self.session.add(row)
            row.position = position
        for removed_medication in rows_by_name.values():
            await self.session.delete(removed_medication)
        await self.session.flush()
