"""HTTP shapes of live changes."""

from app.server.access.schemas import Shape


class ChangeEvent(Shape):
    """Event ``change``: a record that the subscriber may see has this version now.

    ``patient_id`` lets a page that shows values of other orders of the patient follow them.
    """

    kind: str
    id: int
    version: int
    patient_id: int | None
