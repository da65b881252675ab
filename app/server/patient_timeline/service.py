"""Reads a patient's timeline, within the actor's scope."""

import json

from app.basics.errors import NotFound
from app.contract import messages
from app.server.access.reading import Reading
from app.server.patient_timeline import rules
from app.server.patient_timeline.repository import statement
from app.server.patients.lookup_schemas import PlaceWrite
from app.server.patients.schemas import PatientWrite

_TITLES = json.dumps(rules.TITLES)
_LABELS = json.dumps(
    rules.field_labels((*PatientWrite.model_fields, *PlaceWrite.model_fields)), sort_keys=True
)


async def timeline(
    reading: Reading,
    patient_id: int,
    *,
    skip: int,
    take: int,
    time_zone: str,
) -> bytes:
    """A page of what happened to a patient, newest first, as JSON; ``time_zone`` is the lab's.

    Raises:
        NotFound: the patient does not exist or is not the actor's.
    """
    values = {
        "patient": patient_id,
        "skip": skip,
        "take": take,
        "zone": time_zone,
        "titles": _TITLES,
        "labels": _LABELS,
    }
    (body,) = await reading.row(statement(reading.actor.kind), values)
    if body is None:
        raise NotFound(messages.NOT_FOUND)
    answer: str = body
    return answer.encode()
