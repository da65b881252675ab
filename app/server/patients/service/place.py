"""Moves a patient: client, unit, room, bed and primary physician (O 2.5, 'Update Patient')."""

from app.basics.errors import BadInput, FieldError
from app.basics.text import capitalise
from app.contract import messages
from app.server.access.work import Work
from app.server.patients import rules
from app.server.patients.lookup_schemas import PlaceWrite
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.schemas import PatientRead
from app.server.patients.service.changes import note_changes, state
from app.server.patients.service.read import found_to_change, shape
from app.server.physicians.repository import PhysicianRepository


async def change_place(work: Work, body: PlaceWrite) -> PatientRead:
    """Change where a patient is and who looks after them; absent fields stay.

    Another client has other units and rooms: what is not sent with it is cleared (O 4).

    Raises:
        NotFound, StaleVersion, BadInput.
    """
    patient = await found_to_change(work, body.id)
    place = _asked(patient, body)
    patients = work.repository(PatientRepository)
    errors: list[FieldError] = []
    if place.client_id is None:
        errors.append(FieldError("clientId", messages.CLIENT_REQUIRED))
    else:
        if await patients.client(place.client_id) is None:
            errors.append(FieldError("clientId", messages.NOT_FOUND))
        places = await patients.places(place.client_id, place.unit_id, place.room_id)
        given = body.model_fields_set
        unit_id = rules.unit_of_room(
            place.client_id,
            place.unit_id,
            places,
            room_decides="room_id" in given and "unit_id" not in given,
        )
        if unit_id != place.unit_id:
            place.unit_id = unit_id
            places = await patients.places(place.client_id, unit_id, place.room_id)
        errors += rules.place_errors(place.client_id, unit_id, place.room_id, places)
    doctors = work.repository(PhysicianRepository)
    if place.physician_id is not None and not await doctors.physician(place.physician_id):
        errors.append(FieldError("physicianId", messages.NOT_FOUND))
    errors += rules.format_errors({"bed": place.bed})
    if errors or place.client_id is None:
        raise BadInput(messages.VALIDATION_ERROR, errors=tuple(errors))
    before = await state(work, patient)
    if place.client_id != patient.client_id:
        # The address was the old client's and stays the patient's until somebody changes it.
        patient.same_as_client_address = False
    patient.client_id = place.client_id
    patient.unit_id, patient.room_id, patient.bed = place.unit_id, place.room_id, place.bed
    patient.primary_physician_id = place.physician_id
    patient.version += 1
    await work.repository(PatientRepository).flush()
    await note_changes(work, patient, before)
    return await shape(work, patient)


def _asked(patient: Patient, body: PlaceWrite) -> PlaceWrite:
    """The whole place as it would be: what was sent, and of the rest what can stay."""
    given = body.model_fields_set
    moves = "client_id" in given and body.client_id != patient.client_id
    stays = {
        "client_id": patient.client_id,
        "physician_id": patient.primary_physician_id,
        "unit_id": None if moves else patient.unit_id,
        "room_id": None if moves else patient.room_id,
        "bed": None if moves else patient.bed,
    }
    asked = body.model_copy(update={n: v for n, v in stays.items() if n not in given})
    asked.bed = capitalise(asked.bed)
    return asked
