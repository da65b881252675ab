"""Changes a patient's client, unit, room, bed and physician (O 2.5, 'Update Patient')."""

from app.basics.errors import BadInput, FieldError
from app.basics.text import to_upper_case
from app.contract import messages
from app.server.access.work import Work
from app.server.patients import rules
from app.server.patients.lookup_schemas import PlaceWrite
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.schemas import PatientRead
from app.server.patients.service.changes import audit_changes, load_state
from app.server.patients.service.read import build_patient_read, get_patient_for_change
from app.server.physicians.repository import PhysicianRepository


async def change_place(work: Work, body: PlaceWrite) -> PatientRead:
    """Change a patient's place and primary physician; absent fields stay unchanged.

    Changing the client clears unit, room and bed unless they are sent with it (O 4).

    Raises:
        NotFound, StaleVersion, BadInput.
    """
    patient = await get_patient_for_change(work, body.id)
    place = _merge_place(patient, body)
    patients = work.build_repository(PatientRepository)
    errors: list[FieldError] = []
    if place.client_id is None:
        errors.append(FieldError("clientId", messages.CLIENT_REQUIRED))
    else:
        if await patients.find_client(place.client_id) is None:
            errors.append(FieldError("clientId", messages.NOT_FOUND))
        places = await patients.load_places(place.client_id, place.unit_id, place.room_id)
        sent_fields = body.model_fields_set
        unit_id = rules.infer_unit(
            place.client_id,
            place.unit_id,
            places,
            room_decides="room_id" in sent_fields and "unit_id" not in sent_fields,
        )
        if unit_id != place.unit_id:
            place.unit_id = unit_id
            places = await patients.load_places(place.client_id, unit_id, place.room_id)
        errors += rules.validate_place(place.client_id, unit_id, place.room_id, places)
    physicians = work.build_repository(PhysicianRepository)
    if place.physician_id is not None and not await physicians.find_physician(place.physician_id):
        errors.append(FieldError("physicianId", messages.NOT_FOUND))
    errors += rules.validate_formats({"bed": place.bed})
    if errors or place.client_id is None:
        raise BadInput(messages.VALIDATION_ERROR, errors=tuple(errors))
    before = await load_state(work, patient)
    if place.client_id != patient.client_id:
        # The patient keeps the old client's address as their own until somebody changes it.
        patient.same_as_client_address = False
    patient.client_id = place.client_id
    patient.unit_id, patient.room_id, patient.bed = place.unit_id, place.room_id, place.bed
    patient.primary_physician_id = place.physician_id
    patient.version += 1
    await work.build_repository(PatientRepository).flush()
    await audit_changes(work, patient, before)
    return await build_patient_read(work, patient)


def _merge_place(patient: Patient, body: PlaceWrite) -> PlaceWrite:
    """Merge the sent fields with the patient's current place."""
    sent_fields = body.model_fields_set
    changes_client = "client_id" in sent_fields and body.client_id != patient.client_id
    current_place = {
        "client_id": patient.client_id,
        "physician_id": patient.primary_physician_id,
        "unit_id": None if changes_client else patient.unit_id,
        "room_id": None if changes_client else patient.room_id,
        "bed": None if changes_client else patient.bed,
    }
    place = body.model_copy(
        update={name: value for name, value in current_place.items() if name not in sent_fields}
    )
    place.bed = to_upper_case(place.bed)
    return place
