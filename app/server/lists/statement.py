"""Builds the SQL statement of a list page (ADR 20): ids, count, audit.

The text depends only on the list, the kind of scope, the filters in use, and the sort, so it is
cached; values are always parameters. Scoped actors get a LATERAL branch per id: each branch walks
its own index in sort order and stops after a page.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from app.contract.limits import TOTAL_COUNT_CAP
from app.server.audit.service import build_audit_insert
from app.server.lists.fragments import (
    PageShape,
    build_cursor_condition,
    build_days,
    build_edge_condition,
    build_keys,
    build_order,
    build_where,
)
from app.server.lists.parsing import SortKey
from app.server.lists.rows import build_page_settings
from app.server.lists.spec import ListSpec
from app.server.lists.strategy import Strategy, is_unscoped

_EDGE_STRATEGIES = (Strategy.EDGE, Strategy.YEARS)
_SHOWN_IDS = "coalesce((SELECT array_agg(page.id) FROM page), '{}')"
_NO_IDS = "'{}'::bigint[]"
_SHOWN_UUIDS = "SELECT json_build_object('ids', coalesce(json_agg(page.id), '[]')) FROM page"
_WALK_ROWS_MAX = 20_000
_SAMPLE_ROWS = 200
_FREQUENT_HITS = 10


@lru_cache(maxsize=512)
def build_statement(shape: PageShape) -> str:
    """Build the SQL text of a page, whose rows the next statement reads (``rows``).

    It fetches one id more than the page shows, to know whether there is a next page. Its
    parameters are ids, shown, take (shown + 1), skip, reach (skip + take), k0, k1, ... (the
    cursor), and those of the filters. Its row: the cursor's values, the total up to the cap,
    whether it reached the cap, and how many ids were fetched.
    """
    spec = shape.spec
    last_keys = ", ".join(f"page.s{i}" for i in range(len(shape.sort)))
    has_hits = _uses_text_index(shape) or _shares_scoped_hits(shape)
    source = "hits" if has_hits else f"{spec.table} t{build_where(_build_conditions(shape))}"
    parts = _build_hit_parts(shape, has_hits=has_hits)
    if _uses_text_index(shape) and _may_walk(shape):
        parts.append(f"walked AS MATERIALIZED ({_build_walk(shape)})")
    parts += [
        f"total AS MATERIALIZED ({_build_count(shape, source)})",
        f"fetched AS MATERIALIZED ({_build_page(shape)})",
        f"page AS MATERIALIZED (SELECT key AS id, {_list_keys(shape)} FROM fetched "
        f"ORDER BY {build_order(shape, 'fetched')} LIMIT %(shown)s)",
    ]
    if spec.is_audited:
        parts.append(f"seen AS ({_build_audit(spec)})")
    ids = (
        f"SELECT coalesce(array_agg(page.id ORDER BY {build_order(shape, 'page')}), '{{}}') "
        "FROM page"
    )
    return (
        f"WITH {', '.join(parts)} SELECT (SELECT json_build_array({last_keys})::text FROM page "
        f"ORDER BY {build_order(shape, 'page', is_backwards=True)} LIMIT 1), "
        f"(SELECT n FROM total), (SELECT n FROM total) >= {TOTAL_COUNT_CAP}, "
        f"(SELECT count(*) FROM fetched), {build_page_settings(ids)}"
    )


def _build_audit(spec: ListSpec) -> str:
    if spec.has_uuids:
        return build_audit_insert(spec.action, spec.name, _NO_IDS, detail=_SHOWN_UUIDS)
    return build_audit_insert(spec.action, spec.name, _SHOWN_IDS)


def _build_count(shape: PageShape, source: str) -> str:
    if shape.is_capped:
        return f"SELECT {TOTAL_COUNT_CAP}::bigint AS n"
    return f"SELECT count(*) AS n FROM (SELECT 1 FROM {source} LIMIT {TOTAL_COUNT_CAP}) counted"


@lru_cache(maxsize=256)
def build_group_statement(shape: PageShape) -> str:
    """Build the SQL text that counts the rows by the first sort key.

    It reads no more rows than the count of a page. Its row: the counts by value, as JSON, and how
    many rows were counted.
    """
    spec = shape.spec
    has_hits = _uses_text_index(shape)
    parts = _build_hit_parts(shape, has_hits=has_hits)
    source = "SELECT s0 FROM hits"
    if not has_hits:
        source = (
            f"SELECT {shape.sort[0].sql} AS s0 FROM {spec.table} t"
            f"{build_where(_build_conditions(shape))}"
        )
    parts.append(
        "groups AS MATERIALIZED (SELECT s0, count(*) AS n FROM "
        f"({source} LIMIT {TOTAL_COUNT_CAP}) counted GROUP BY s0)"
    )
    if spec.is_audited:
        parts.append(f"seen AS ({build_audit_insert('count', spec.name, _NO_IDS)})")
    return (
        f"WITH {', '.join(parts)} SELECT coalesce((SELECT json_object_agg(s0, n) FROM groups), "
        "'{}')::text, coalesce((SELECT sum(n) FROM groups), 0)::int"
    )


@lru_cache(maxsize=256)
def build_count_statement(shape: PageShape) -> str:
    """Build the SQL text that counts the rows up to ``%(max_count)s``; its row is the number."""
    spec = shape.spec
    has_hits = _uses_text_index(shape)
    parts = _build_hit_parts(shape, has_hits=has_hits)
    source = "hits" if has_hits else f"{spec.table} t{build_where(_build_conditions(shape))}"
    parts.append(
        "total AS MATERIALIZED (SELECT count(*) AS n FROM "
        f"(SELECT 1 FROM {source} LIMIT %(max_count)s::bigint) counted)"
    )
    if spec.is_audited:
        parts.append(f"seen AS ({build_audit_insert('count', spec.name, _NO_IDS)})")
    return f"WITH {', '.join(parts)} SELECT n FROM total"


def build_total(shape: PageShape) -> str:
    """Build the subquery that counts the rows up to the cap.

    It uses no index of texts: it serves the portal's own queries, which contain no letters.
    """
    return (
        f"(SELECT count(*)::int FROM (SELECT 1 FROM {shape.spec.table} t"
        f"{build_where(_build_conditions(shape))} LIMIT {TOTAL_COUNT_CAP}) counted)"
    )


def build_totals_statement(totals: Sequence[str], kind: str) -> str:
    """Build the SQL text of a row of totals, with one audit row of this kind."""
    audit_insert = build_audit_insert("count", kind, _NO_IDS)
    return f"WITH seen AS ({audit_insert}) SELECT {', '.join(totals)}"


def needs_full_sort(sort: tuple[SortKey, ...]) -> bool:
    """Whether all matching rows must be sorted, because the first key has no index.

    With an index on the first key the rows come in its order, and only equal rows are sorted.
    """
    return sort[0].column.sort == "window"


def _has_branch_per_id(shape: PageShape) -> bool:
    """Whether the scope is one plain column, so that each id can have its own branch."""
    column = shape.spec.scope.get_column(shape.kind) if shape.spec.scope else None
    return column is not None and "{ids}" not in column and column != "id"


def _build_conditions(shape: PageShape, *, with_scope: bool = True) -> list[str]:
    conditions = [condition.sql for condition in shape.conditions]
    return conditions + _build_fixed_conditions(shape, with_scope=with_scope)


def _build_fixed_conditions(shape: PageShape, *, with_scope: bool = True) -> list[str]:
    """Build the conditions of every query: those of the list, and of the scope."""
    spec = shape.spec
    conditions = [spec.base_condition] if spec.base_condition else []
    if with_scope and spec.scope and not is_unscoped(shape.kind):
        condition = spec.scope.build_condition(shape.kind, "%(ids)s::bigint[]", "t")
        conditions.append(condition or "false")
    return conditions


def _uses_text_index(shape: PageShape) -> bool:
    """Whether an index of texts serves the query; count and page then share its hits."""
    return is_unscoped(shape.kind) and any(c.indexed_sql for c in shape.conditions)


def _shares_scoped_hits(shape: PageShape) -> bool:
    """Whether count and page share one reading of the scope's rows.

    No index finds letters anywhere in a text within a scope, so each reading tests every row.
    """
    is_walk = shape.strategy is Strategy.WALK and not needs_full_sort(shape.sort)
    tests_rows = shape.spec.has_small_scopes or any(c.is_anywhere for c in shape.conditions)
    return is_walk and not is_unscoped(shape.kind) and tests_rows


def _uses_trigrams(shape: PageShape) -> bool:
    return is_unscoped(shape.kind) and any(c.unindexed_sql for c in shape.conditions)


def _build_hit_parts(shape: PageShape, *, has_hits: bool) -> list[str]:
    """Return the parts of a WITH clause that find the matches, if the query reads ``hits``."""
    parts = []
    if _uses_trigrams(shape):
        parts.append(f"sample AS MATERIALIZED ({_build_sample(shape)})")
    if has_hits:
        parts.append(f"hits AS MATERIALIZED ({_build_hits(shape)})")
    return parts


def _build_hits(shape: PageShape) -> str:
    """Return SQL of ids and sort keys of all matches; its readers stop at the count's cap."""
    rows = f"SELECT t.id AS key, {build_keys(shape)} FROM {shape.spec.table} t"
    conditions, fixed_conditions = shape.conditions, _build_fixed_conditions(shape)
    if _shares_scoped_hits(shape):
        return rows + build_where(_build_conditions(shape))
    if not _uses_trigrams(shape):
        indexed_conditions = [c.ordered_sql or c.indexed_sql or c.sql for c in conditions]
        return rows + build_where(indexed_conditions + fixed_conditions)
    indexed_conditions = [c.indexed_sql or c.sql for c in conditions]
    if shape.strategy is Strategy.YEARS and not any(c.is_date_ordered for c in conditions):
        # IS TRUE keeps the index of days out of the plan: it would return years of rows.
        indexed_conditions = [c.indexed_sql or f"({c.sql}) IS TRUE" for c in conditions]
    unindexed_conditions = [c.unindexed_sql or c.indexed_sql or c.sql for c in conditions]
    is_frequent = "(SELECT frequent FROM sample)"
    rare_hits = rows + build_where([*indexed_conditions, *fixed_conditions, f"NOT {is_frequent}"])
    frequent_hits = rows + build_where([*unindexed_conditions, *fixed_conditions, is_frequent])
    return f"{rare_hits} UNION ALL {frequent_hits}"


def _build_sample(shape: PageShape) -> str:
    """Estimate from evenly spaced rows whether the letters are frequent in the table.

    Under row-level security the planner may not use its statistics for this.
    """
    letters = " AND ".join(f"({c.sql})" for c in shape.conditions if c.unindexed_sql)
    table = shape.spec.table
    return (
        f"SELECT count(*) >= {_FREQUENT_HITS} AS frequent "
        f"FROM generate_series(0, {_SAMPLE_ROWS} - 1) n "
        f"CROSS JOIN LATERAL (SELECT {letters} AS matches FROM {table} t WHERE t.id >= "
        f"n * (SELECT max(t.id) FROM {table} t) / {_SAMPLE_ROWS} ORDER BY t.id LIMIT 1) sampled "
        "WHERE sampled.matches"
    )


def _build_walk(shape: PageShape) -> str:
    """Return SQL of the page and the rows before it, from a walk of some thousand rows.

    A walk can miss frequent rows that are far away. Sorted by name, it may end before it reaches
    the rows of one name. From the edge of a few days, it starts at the highest id of those days;
    the row with that id may have been written years later.
    """
    matches = " AND ".join(f"({condition})" for condition in _build_conditions(shape))
    bounds = [build_edge_condition(shape)] if shape.strategy in _EDGE_STRATEGIES else []
    bounds += [build_cursor_condition(shape.sort)] if shape.has_cursor else []
    return (
        f"SELECT * FROM (SELECT t.id AS key, {build_keys(shape)}, {matches} AS matches "
        f"FROM {shape.spec.table} t{build_where(bounds)} ORDER BY {build_order(shape)} "
        f"LIMIT {_WALK_ROWS_MAX}) candidates "
        f"WHERE candidates.matches ORDER BY {build_order(shape, 'candidates')} LIMIT %(reach)s"
    )


def _build_page(shape: PageShape) -> str:
    is_few = f"(SELECT n FROM total) < {TOTAL_COUNT_CAP}"
    if _shares_scoped_hits(shape):
        from_hits = _select_keys(shape, _build_slice(shape, "hits", after_cursor=shape.has_cursor))
        from_rows = f" WHERE {is_few} UNION ALL {_build_rows(shape)} WHERE NOT {is_few}"
        return from_hits + ("" if shape.spec.has_small_scopes else from_rows)
    if not _uses_text_index(shape):
        # Without an index the sort reads every row, so it is only done for a bounded number.
        return _build_rows(shape) + (f" WHERE {is_few}" if needs_full_sort(shape.sort) else "")
    from_hits = _select_keys(shape, _build_slice(shape, "hits", after_cursor=shape.has_cursor))
    if needs_full_sort(shape.sort):
        return f"{from_hits} WHERE {is_few}"
    if _has_ordered_hits(shape):
        from_index = _select_keys(shape, _build_ordered_slice(shape))
        return f"{from_hits} WHERE {is_few} UNION ALL {from_index} WHERE NOT {is_few}"
    if not _may_walk(shape):
        return from_hits
    # Few hits are sorted. With many hits, a walk along the sort order usually fills a page soon.
    from_walk = _select_keys(shape, _build_slice(shape, "walked"))
    is_complete = "(SELECT count(*) FROM walked) = %(reach)s"
    return (
        f"{from_hits} WHERE {is_few} OR NOT {is_complete} "
        f"UNION ALL {from_walk} WHERE NOT {is_few} AND {is_complete}"
    )


def _may_walk(shape: PageShape) -> bool:
    is_sorted = shape.strategy is Strategy.SORT or needs_full_sort(shape.sort)
    return not is_sorted and not _has_ordered_hits(shape)


def _has_ordered_hits(shape: PageShape) -> bool:
    """Whether an index returns the hits of a condition in the order of the sort."""
    return shape.sort[0].sql in {condition.ordered_by for condition in shape.conditions}


def _build_ordered_slice(shape: PageShape) -> str:
    """Return SQL of the rows of the page, by the index in the order of the sort."""
    conditions = [c.ordered_sql or c.sql for c in shape.conditions]
    conditions += _build_fixed_conditions(shape)
    if shape.has_cursor:
        conditions.append(build_cursor_condition(shape.sort))
    return (
        f"SELECT t.id AS key, {build_keys(shape)} FROM {shape.spec.table} t"
        f"{build_where(conditions)} ORDER BY {build_order(shape)} "
        "LIMIT %(take)s OFFSET %(skip)s"
    )


def _build_slice(shape: PageShape, rows: str, *, after_cursor: bool = False) -> str:
    """Return SQL of the rows of the page among ``rows``."""
    where = f" WHERE {build_cursor_condition(shape.sort, rows)}" if after_cursor else ""
    order = build_order(shape, rows)
    keys = f"key, {_list_keys(shape)}"
    return f"SELECT {keys} FROM {rows}{where} ORDER BY {order} LIMIT %(take)s OFFSET %(skip)s"


def _build_rows(shape: PageShape) -> str:
    """Return SQL of the rows of the page; an index on ids and sort keys is enough to find them."""
    branches = _build_branches(shape)
    conditions = _build_conditions(shape, with_scope=not _has_branch_per_id(shape))
    if shape.has_cursor:
        conditions.append(build_cursor_condition(shape.sort))
    if shape.strategy in _EDGE_STRATEGIES:
        conditions.append(build_edge_condition(shape))
    if branches:
        # The branches imply these conditions; if repeated, they make the planner expect no rows.
        conditions = [c for c in conditions if c not in branches.replaces]
        conditions.append(branches.condition)
    # OFFSET 0 keeps the planner from walking along the sort order instead.
    fence = " OFFSET 0" if shape.strategy is Strategy.SORT else ""
    limit = "%(reach)s" if branches else "%(take)s"
    body = (
        f"SELECT * FROM (SELECT t.id AS key, {build_keys(shape)} FROM {shape.spec.table} t"
        f"{build_where(conditions)}{fence}) matching "
        f"ORDER BY {build_order(shape, 'matching')} LIMIT {limit}"
    )
    if branches:
        body = (
            f"SELECT * FROM (SELECT first_rows.* FROM ({branches.source}) branch "
            f"CROSS JOIN LATERAL ({body}) first_rows) branches "
            f"ORDER BY {build_order(shape, 'branches')} LIMIT %(take)s OFFSET %(skip)s"
        )
    else:
        body += " OFFSET %(skip)s"
    return _select_keys(shape, body)


class _Branches(NamedTuple):
    """The branches that a page is merged from.

    Attributes:
        source: the query with a row, ``branch``, for each branch.
        condition: the condition on the rows of a branch, in addition to the list's conditions.
        replaces: the conditions of the list that the branch replaces.
    """

    source: str
    condition: str
    replaces: tuple[object, ...] = ()


def _build_branches(shape: PageShape) -> _Branches | None:
    if _has_branch_per_id(shape):
        assert shape.spec.scope is not None
        return _Branches(
            "SELECT DISTINCT unnest(%(ids)s::bigint[]) AS id",
            f"t.{shape.spec.scope.get_column(shape.kind)} = branch.id",
        )
    if shape.strategy is Strategy.DAYS:
        window = shape.spec.window
        assert window is not None
        names = (window.first, window.last)
        bounds = [list_filter for list_filter in shape.spec.filters if list_filter.name in names]
        return _Branches(
            build_days(shape),
            f"{window.day} = branch.day",
            tuple(bound.sql for bound in bounds),
        )
    return None


def _select_keys(shape: PageShape, body: str) -> str:
    """Return SQL of the ids and sort keys that ``body`` selects, to which a WHERE can be added."""
    return f"SELECT key, {_list_keys(shape)} FROM ({body}) selected"


def _list_keys(shape: PageShape) -> str:
    return ", ".join(f"s{i}" for i in range(len(shape.sort)))
