"""HTTP shapes of calls about patients beyond the record itself (O 7)."""

from datetime import date

from app.contract.enumerations import LookAlikeReason
from app.server.access.schemas import RecordId, Shape, Text, WireDate


class PlaceWrite(Shape):
    """A patient's place and primary physician; absent fields stay unchanged."""

    id: RecordId
    client_id: RecordId | None = None
    physician_id: RecordId | None = None
    unit_id: RecordId | None = None
    room_id: RecordId | None = None
    bed: Text = None


class LookAlikeQuery(Shape):
    """The typed values of a patient; ``patient_id`` names the patient being edited, if any."""

    last_name: Text = None
    first_name: Text = None
    birth_date: WireDate = None
    social_security_number: Text = None
    patient_id: RecordId | None = None


class LookAlike(Shape):
    """A patient who looks like the one being typed, and why; ``ssn`` is masked."""

    id: int
    code: str
    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date | None
    gender: str
    client_name: str | None
    ssn: str | None
    reasons: list[LookAlikeReason]
