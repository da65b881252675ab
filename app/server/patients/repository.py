"""SQL of one patient and of the places a patient may be in."""

from sqlalchemy import exists, func, select

from app.server.clients.models import Client, Room, Unit
from app.server.database.repository import ScopedRepository, in_scope
from app.server.patients.models import Patient, patient_codes
from app.server.patients.rules import Places


class PatientRepository(ScopedRepository):
    """Patients within the actor's scope."""

    async def patient(self, patient_id: int, *, lock: bool = False) -> Patient | None:
        """A patient, or None."""
        return await self.one(Patient, patient_id, lock=lock)

    async def client(self, client_id: int | None) -> Client | None:
        """A client, or None."""
        return await self.one(Client, client_id) if client_id is not None else None

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
            .where(Unit.id == unit_id, in_scope(Client, self.actor))
        )

    async def room(self, room_id: int | None) -> Room | None:
        """A room of a client in scope."""
        if room_id is None:
            return None
        return await self.session.scalar(
            select(Room)
            .join(Client, Client.id == Room.client_id)
            .where(Room.id == room_id, in_scope(Client, self.actor))
        )

    async def ssn_in_use(self, lookup: bytes, except_patient: int | None) -> bool:
        """Whether any patient of any client has this number; answers that one fact."""
        return bool(await self.session.scalar(select(func.ssn_in_use(lookup, except_patient))))

    async def next_code_number(self) -> int:
        """The number of the next patient code."""
        number: int | None = await self.session.scalar(select(patient_codes.next_value()))
        assert number is not None
        return number
