"""The columns of the advanced search, declared once: their labels, SQL, and roles.

Conditions on results see only released results, for everybody (ADR 43). A condition must not reveal
what its user cannot read.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from app.contract.enumerations import Role
from app.server.order_search.columns.cultures import CULTURE_COLUMNS
from app.server.order_search.columns.follow_up import FOLLOW_UP_COLUMNS
from app.server.order_search.columns.order import ORDER_COLUMNS
from app.server.order_search.columns.ordered_tests import TEST_COLUMNS
from app.server.order_search.columns.people import PEOPLE_COLUMNS
from app.server.order_search.columns.results import RESULT_COLUMNS
from app.server.order_search.columns.spec import SearchColumn, Source

__all__ = ["COLUMNS", "DEFAULT_COLUMNS", "SearchColumn", "Source", "get_columns"]

COLUMNS: tuple[SearchColumn, ...] = (
    *ORDER_COLUMNS,
    *PEOPLE_COLUMNS,
    *TEST_COLUMNS,
    *RESULT_COLUMNS,
    *CULTURE_COLUMNS,
    *FOLLOW_UP_COLUMNS,
)
DEFAULT_COLUMNS = (
    "hasAlert",
    "status",
    "code",
    "collectionDate",
    "lastName",
    "firstName",
    "birthDate",
    "client",
    "orderedTest",
)
"""The columns that are shown unless a search names others."""


@cache
def get_columns(role: Role | None) -> Mapping[str, SearchColumn]:
    """Return the columns that a role may use, by name."""
    return MappingProxyType({c.name: c for c in COLUMNS if role in c.roles})
