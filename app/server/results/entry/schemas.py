"""HTTP shapes that all families of result entry share."""

from datetime import date

from app.server.access.schemas import Permission, Shape
from app.server.requisitions.schemas import ClinicalTime


class EntryPatient(Shape):
    """The patient on the result entry screen, as known when the requisition was saved.

    ``code`` is None if the patient is no longer in the actor's scope.
    """

    code: str | None
    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date
    gender: str


class EntryHeader(Shape):
    """The order and patient of a result entry screen."""

    order_id: int
    code_value: str
    version: int
    status: int
    client_name: str
    collection_date: ClinicalTime
    specimen_condition: str
    awaits_collection: bool
    patient: EntryPatient
    can_enter_results: Permission
    can_release: Permission
