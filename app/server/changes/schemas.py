"""HTTP shapes of live changes."""

from app.server.access.schemas import Shape


class ChangeEvent(Shape):
    """Event ``change``: a record that the subscriber may see has this version now."""

    kind: str
    id: int
    version: int
