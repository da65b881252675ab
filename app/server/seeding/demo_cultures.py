"""The rows of the demo lab's cultures."""

from collections.abc import Sequence
from typing import Any

from app.server.results.entry.models import WITHHELD_COLUMNS
from app.server.results.microbiology.models import (
    CultureFinding,
    CultureOrganism,
    CultureSusceptibility,
    CultureVersion,
)
from app.server.results.microbiology.repository import build_part_rows
from seeds.demo.records import DemoCulture

_OMITTED_COLUMNS = frozenset({"entered_by", "released_by", "performing_lab", *WITHHELD_COLUMNS})
VERSION_COLUMNS = tuple(
    c.name for c in CultureVersion.__table__.columns if c.name not in _OMITTED_COLUMNS
)
PART_COLUMNS = {
    table.__tablename__: tuple(c.name for c in table.__table__.columns)
    for table in (CultureFinding, CultureOrganism, CultureSusceptibility)
}
"""The columns of the parts, by table."""


def build_version(order_id: int, order_test_id: int, culture: DemoCulture) -> Sequence[Any]:
    """Build the values of a version, without its id."""
    names = [name for name in VERSION_COLUMNS if name != "id"]
    values: dict[str, Any] = {"order_id": order_id, "order_test_id": order_test_id}
    for name in names:
        if name not in values:
            source = culture if hasattr(culture, name) else culture.content
            values[name] = getattr(source, name)
    return [values[name] for name in names]


def build_parts(culture_id: int, culture: DemoCulture) -> dict[str, list[list[Any]]]:
    """Build the rows of a version's parts, by table."""
    return {
        table: [
            [({"culture_id": culture_id} | row)[name] for name in PART_COLUMNS[table]]
            for row in rows
        ]
        for table, rows in build_part_rows(culture.content).items()
    }
