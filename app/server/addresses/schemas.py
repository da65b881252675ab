"""HTTP shapes of addresses."""

from app.server.access.schemas import Shape


class ZipCodeShape(Shape):
    """A ZIP code with its place."""

    id: int
    code: str
    city: str
    state: str
