"""HTTP shape of a physician."""

from app.server.access.schemas import Shape


class PhysicianShape(Shape):
    """A physician as other records name them."""

    id: int
    first_name: str
    last_name: str
    npi: str
