"""HTTP shapes of favorite panels."""

from pydantic import Field

from app.contract.limits import BULK_IDS_MAX
from app.server.access.schemas import RecordId, Shape, Text
from app.server.catalog.schemas import TestShape


class TestOfFavorite(Shape):
    """A reference to a test by id."""

    __test__ = False

    id: RecordId


class FavoriteWrite(Shape):
    """A favorite panel as sent; absent fields stay unchanged."""

    name: Text = None
    tests: list[TestOfFavorite] | None = Field(default=None, max_length=BULK_IDS_MAX)


class FavoriteRead(Shape):
    """A favorite panel.

    Attributes:
        tests: the tests that the requested client can order now.
        unavailable: tests that are withdrawn, private to another client, or not on the client's
            list.
    """

    id: int
    version: int
    name: str
    tests: list[TestShape]
    unavailable: list[TestShape]
