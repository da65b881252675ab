"""Builds the SQL statement of the rows of a list page (ADR 119).

The statement of the page finds ids and keeps them within the transaction; this one makes the rows
of these ids. Its plan depends on no value, so PostgreSQL plans it once per connection.
"""

import re
from functools import lru_cache

from app.contract.enumerations import ScopeKind
from app.server.database.statements import SET_PLAN_ONCE
from app.server.lists.fragments import build_where, quote_name
from app.server.lists.spec import Column, ListSpec
from app.server.lists.strategy import is_unscoped

_PAGE_SETTING = "app.page"


def build_page_settings(ids: str) -> str:
    """Build SQL that keeps the ids of a page for the statement of its rows.

    ``ids`` is SQL of their array, in the order of the page. The rest of the transaction plans its
    statements without their values.
    """
    return f"set_config('{_PAGE_SETTING}', ({ids})::text, true), {SET_PLAN_ONCE}"


@lru_cache(maxsize=512)
def build_rows_statement(spec: ListSpec, kind: ScopeKind) -> str:
    """Build the SQL text of the rows of a page: one row, with the JSON array.

    Each kind of scope has its own text, because PostgreSQL plans a statement again whenever another
    role runs it.
    """
    fields = [f"'{c.name}', page.{quote_name(c.name)}" for c in spec.columns if not c.is_hidden]
    for joined in spec.joined_values:
        has_staff_sql = kind is ScopeKind.STAFF and joined.staff_sql
        fields.append(f"'{joined.name}', {joined.staff_sql if has_staff_sql else joined.sql}")
    columns = [f"{c.sql} AS {quote_name(c.name)}" for c in _list_read_columns(spec)]
    ids = f"current_setting('{_PAGE_SETTING}')::{_get_id_type(spec)}[]"
    return (
        f"WITH page AS MATERIALIZED (SELECT {', '.join(columns)}, shown.page_order "
        f"FROM unnest({ids}) WITH ORDINALITY AS shown (key, page_order) "
        f"JOIN {spec.table} t ON t.id = shown.key{build_where(_build_scope(spec, kind))}) "
        f"SELECT coalesce(json_agg(json_build_object({', '.join(fields)}) "
        f"ORDER BY page.page_order), '[]'::json)::text FROM page {spec.joins}"
    )


def _build_scope(spec: ListSpec, kind: ScopeKind) -> list[str]:
    if spec.scope is None or is_unscoped(kind):
        return []
    return [spec.scope.build_condition(kind, "%(ids)s::bigint[]", "t") or "false"]


def _get_id_type(spec: ListSpec) -> str:
    if spec.has_uuids:
        return "uuid"
    return "bigint" if spec.columns[0].value_type is int else "text"


def _list_read_columns(spec: ListSpec) -> list[Column]:
    """Return the columns that the answer or its joins read; the others only sort and filter."""
    joined_sql = " ".join([spec.joins, *(f"{v.sql} {v.staff_sql}" for v in spec.joined_values)])
    read_names = set(re.findall(r'\bpage\."?(\w+)', joined_sql))
    return [c for c in spec.columns if not c.is_hidden or c.name in read_names]
