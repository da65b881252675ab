"""The grids of the kinds, as remote operations."""

from functools import cache
from typing import Literal

from app.server.lab_data.kind import DataKind, Field, FieldType
from app.server.lab_data.statements import build_value
from app.server.lists import filters
from app.server.lists.lookups import quote_text
from app.server.lists.spec import Column, ListSpec, SortSupport

_TYPES = {
    "boolean": bool,
    "integer": int | None,
    "texts": list[str],
    "links": list[str],
}
_TEXTS = ("text", "choice", "lookup")
_KINDS: dict[FieldType, Literal["text", "boolean"]] = {
    "text": "text",
    "choice": "text",
    "lookup": "text",
    "boolean": "boolean",
}
"""The kinds of columns that can be filtered, by the type of the field."""


@cache
def build_list(kind: DataKind) -> ListSpec:
    """Build the list of a kind with all its fields; texts can be searched and sorted."""
    first = kind.identity[0]
    columns = [_build_column(field, is_first=field.name == first) for field in kind.fields]
    search_columns = [
        _build_upper(field) for field in kind.fields if field.type in ("text", "lookup")
    ]
    parent = kind.find_field(kind.parent)
    parent_filters = (filters.match_exact_text("parent", _build_upper(parent)),) if parent else ()
    return ListSpec(
        name=kind.audit_kind,
        table=kind.table,
        scope=None,
        columns=(Column("id", "t.id", int, sort="indexed", kind="number"), *columns),
        filters=(filters.match_text("search", *search_columns), *parent_filters),
        default_sort=",".join(kind.identity[:3]),
        is_audited=False,
    )


def _choose_sort(field: Field, *, is_first: bool) -> SortSupport:
    """Choose how a column is sorted; the tables are small, and do not grow with use."""
    if field.type in ("texts", "links"):
        return "no"
    return "indexed" if is_first else "window"


def _build_upper(field: Field) -> str:
    """Build SQL of what people read of a text, in upper case: they search for that."""
    value = build_value(field)
    return (
        f"upper(coalesce({value}, {quote_text(field.empty)}))" if field.empty else f"upper({value})"
    )


def _build_column(field: Field, *, is_first: bool) -> Column:
    sql = build_value(field)
    is_text = field.type in _TEXTS
    return Column(
        field.name,
        sql,
        _TYPES.get(field.type, str | None),
        sort=_choose_sort(field, is_first=is_first),
        kind=_KINDS.get(field.type),
        order_sql=f"t.{field.column}" if field.type == "number" else "",
        filter_sql=_build_upper(field) if is_text else "",
    )
