"""HTTP shapes of the worklist."""

from pydantic import Field

from app.contract.limits import TAKE_MAX
from app.server.access.schemas import RecordId, Shape


class ReleaseManyRequest(Shape):
    """The orders to release; ``versions`` are those that the user has seen, by id."""

    ids: list[RecordId] = Field(default=[], max_length=TAKE_MAX)
    versions: dict[int, int] = Field(default={}, max_length=TAKE_MAX)


class ReleasedOrder(Shape):
    """An order whose results were released; ``left`` says why entered ones were not."""

    id: int
    version: int
    status: int
    left: list[str]


class ReleasedOrders(Shape):
    """The released orders, in the order of the request."""

    data: list[ReleasedOrder]
