"""Reads a patient's timeline within the actor's scope."""

import json

from app.basics.errors import NotFound
from app.contract import messages
from app.server.access.reader import Reader
from app.server.patient_timeline import rules
from app.server.patient_timeline.repository import build_timeline_statement
from app.server.patients.lookup_schemas import PlaceWrite
from app.server.patients.schemas import PatientWrite

_TITLES = json.dumps(rules.TITLES)
_LABELS = json.dumps(
    rules.build_field_labels((*PatientWrite.model_fields, *PlaceWrite.model_fields)), sort_keys=True
)


async def load_timeline(
    reader: Reader,
    patient_id: int,
    *,
    skip: int,
    take: int,
    time_zone: str,
) -> bytes:
    """Load a page of a patient's events as JSON, newest first; ``time_zone`` is the lab's.

    Raises:
        NotFound: the patient does not exist or is out of scope.
    """
    values = {
        "patient": patient_id,
        "skip": skip,
        "take": take,
        "zone": time_zone,
        "autoverification": messages.AUTOVERIFICATION,
        "titles": _TITLES,
        "labels": _LABELS,
    }
    (body,) = await reader.fetch_row(build_timeline_statement(reader.actor.kind), values)
    if body is None:
        raise NotFound(messages.NOT_FOUND)
    text: str = body
    return text.encode()
