"""Counts the limits in the unit of a test; in another unit they no longer apply (ADR 102)."""

from functools import cache
from typing import NamedTuple

from app.server.lab_data.kind import DataKind
from app.server.lab_data.kinds import KINDS
from app.server.lab_data.kinds.tests import BOUNDS

_TESTS = KINDS["lab-tests"]
_LIMITED_KINDS = tuple(kind for kind in KINDS.values() if kind.limits)
_BOUNDS_KEY, _AUTOVERIFICATION_KEY = "bounds", "autoverification"


class LimitNames(NamedTuple):
    """What people call the limits of a kind: one of them, and several."""

    key: str
    singular: str
    title: str


UNIT_LIMITS = (
    *(LimitNames(kind.key, kind.singular, kind.title) for kind in _LIMITED_KINDS),
    LimitNames(_BOUNDS_KEY, "Bound", "Bounds"),
    LimitNames(_AUTOVERIFICATION_KEY, "Autoverification Rule", "Autoverification Rules"),
)
"""The limits that are counted, in their order on the screen."""


@cache
def build_unit_limits_statement() -> str:
    """Return SQL that counts the limits of the test ``%(id)s`` by key, as one JSON text.

    It counts the limits that are in use and in the present unit of the test. Zero bounds do not
    count, because zero is the same in every unit. While an autoverification rule is in another
    unit, results wait for a person.
    """
    pairs = [f"'{kind.key}', {_count_rows(kind)}" for kind in _LIMITED_KINDS]
    pairs.append(f"'{_BOUNDS_KEY}', num_nonnulls({', '.join(map(_omit_zero, BOUNDS))})")
    pairs.append(
        f"'{_AUTOVERIFICATION_KEY}', (SELECT count(*) FROM autoverification_rules r "
        "WHERE r.test_id = t.id AND r.is_on AND r.unit IS NOT DISTINCT FROM t.unit)"
    )
    return (
        f"SELECT json_build_object({', '.join(pairs)})::text FROM {_TESTS.table} t "
        "WHERE t.id = %(id)s"
    )


def _count_rows(kind: DataKind) -> str:
    columns = ", ".join(f"r.{_get_column(kind, name)}" for name in kind.limits)
    is_active = f" AND r.{kind.active}" if kind.active else ""
    return (
        f"(SELECT count(*) FROM {kind.table} r WHERE r.test_id = t.id "
        f"AND num_nonnulls({columns}) > 0 AND r.unit IS NOT DISTINCT FROM t.unit{is_active})"
    )


def _omit_zero(bound: str) -> str:
    return f"nullif(t.{_get_column(_TESTS, bound)}, 0)"


def _get_column(kind: DataKind, name: str) -> str:
    field = kind.find_field(name)
    assert field is not None, name
    return field.column
