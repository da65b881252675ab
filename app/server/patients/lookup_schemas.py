"""HTTP shapes of calls about patients beyond the record itself (O 7)."""

from datetime import date

from app.contract.enumerations import LookAlikeReason
from app.server.access.schemas import RecordId, Shape, Text, WireDate


class PlaceWrite(Shape):
    """Where a patient is and who looks after them; absent fields stay."""

    id: RecordId
    client_id: RecordId | None = None
    physician_id: RecordId | None = None
    unit_id: RecordId | None = None
    room_id: RecordId | None = None
    bed: Text = None


class LookAlikeQuery(Shape):
    """What has been typed of a patient so far; ``patient_id`` is the one being edited."""

    last_name: Text = None
    first_name: Text = None
    birth_date: WireDate = None
    social_security_number: Text = None
    patient_id: RecordId | None = None


class LookAlike(Shape):
    """A patient who may be the one being typed, and why; ``ssn`` is masked."""

    id: int
    code: str
    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date
    gender: str
    client_name: str | None
    ssn: str | None
    reasons: list[LookAlikeReason]
