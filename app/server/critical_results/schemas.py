"""HTTP shapes of critical results."""

from datetime import date, datetime

from app.contract.enumerations import TellingMethod
from app.server.access.schemas import Permission, Shape, Text
from app.server.requisitions.schemas import ClinicalTime


class CriticalItemSummary(Shape):
    """A critical result in the list.

    Attributes:
        is_replaced: whether clients see something else now.
        replaced_by: what they see instead; None while the result is under review or withdrawn.
        corrects: the earlier result that the client knows.
    """

    name: str
    result: str
    flag: str | None
    is_replaced: bool
    replaced_by: str | None
    corrects: str | None


class CriticalItemRead(CriticalItemSummary):
    """A critical result as it was released."""

    released_at: ClinicalTime


class CriticalContactRead(Shape):
    """A person at the client to notify, in order of ``position``.

    Attributes:
        is_open: whether the hours of the contact include the present time.
    """

    position: int
    name: str
    duty: str | None
    phone: str | None
    email: str | None
    hours: str | None
    is_open: bool


class CriticalCallRead(Shape):
    """An attempt by the lab to notify somebody."""

    told_name: str
    method: TellingMethod
    is_told: bool
    has_read_back: bool
    note: str | None
    made_by: str
    made_at: datetime


class CriticalAlertRead(Shape):
    """An e-mail to a contact; ``email`` is None for one without an address, whom the lab calls.

    ``position`` and ``name`` are those that the contact had then.
    """

    position: int
    name: str
    email: str | None
    created_at: datetime
    sent_at: datetime | None
    has_failed: bool


class CriticalResultRead(Shape):
    """A critical notice with everything that the lab needs for its call.

    Attributes:
        items, contacts, alerts: empty outside the lab.
    """

    id: int
    version: int
    order_id: int
    code_value: str
    client_name: str
    client_phone: str | None
    patient_last_name: str
    patient_first_name: str
    patient_birth_date: date | None
    physician_name: str | None
    collection_date: ClinicalTime
    opened_at: datetime
    due_at: datetime
    is_overdue: bool
    told_at: datetime | None
    closed_at: datetime | None
    closed_by: str | None
    closing_note: str | None
    items: list[CriticalItemRead]
    contacts: list[CriticalContactRead]
    calls: list[CriticalCallRead]
    alerts: list[CriticalAlertRead]
    can_tell: Permission


class CallWrite(Shape):
    """A call to record."""

    told_name: Text = None
    method: TellingMethod | None = None
    is_told: bool = False
    has_read_back: bool = False
    note: Text = None


class CloseWrite(Shape):
    """The closing of a notice. Without a read-back it needs a note."""

    note: Text = None
