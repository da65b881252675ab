"""Builds the one SQL statement of a list page: rows, count and audit, answered as JSON.

The text depends only on the list, the kind of scope, which filters are present and the sort, so
it is kept; values are always parameters. Scoped callers get a LATERAL branch per id, so that
every branch walks its own index in sort order and stops after a page.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from app.contract.enumerations import ScopeKind
from app.contract.limits import TOTAL_COUNT_CAP
from app.server.audit.service import audit_insert
from app.server.lists.parsing import SortKey
from app.server.lists.spec import Condition, ListSpec
from app.server.lists.ways import Way, sees_everyone

_FROM_EDGE = (Way.EDGE, Way.YEARS)
_SHOWN = "coalesce((SELECT array_agg(page.id) FROM page), '{}')"
_NEAR = 20_000
_SAMPLE, _OFTEN = 200, 10


@dataclass(frozen=True)
class Shape:
    """Everything the text of the statement depends on."""

    spec: ListSpec
    kind: ScopeKind
    conditions: tuple[Condition, ...]
    sort: tuple[SortKey, ...]
    after: bool
    way: Way = Way.WALK
    bare: bool = False
    """The rows alone are asked for, as an array without the envelope."""


@lru_cache(maxsize=512)
def statement(shape: Shape) -> str:
    """The SQL text; parameters: ids, take, skip, reach (skip + take), k0.. (cursor), filters."""
    spec = shape.spec
    fields = [f"'{c.name}', page.{_quoted(c.name)}" for c in spec.columns if not c.hidden]
    fields += [f"'{name}', {expression}" for name, expression, _ in spec.joined]
    last = ", ".join(f"page.s{i}" for i in range(len(shape.sort)))
    texts = _by_text(shape)
    counted = "hits" if texts else f"{spec.table} t{_where(_conditions(shape))}"
    parts = []
    if _by_trigrams(shape):
        parts.append(f"sample AS MATERIALIZED ({_sample(shape)})")
    if texts:
        parts.append(f"hits AS MATERIALIZED ({_hits(shape)})")
    if texts and _is_walked(shape):
        parts.append(f"near AS MATERIALIZED ({_near(shape)})")
    parts += [
        "total AS MATERIALIZED (SELECT count(*) AS n FROM "
        f"(SELECT 1 FROM {counted} LIMIT {TOTAL_COUNT_CAP}) counted)",
        f"page AS MATERIALIZED ({_page(shape)})",
    ]
    if spec.audited:
        parts.append(f"seen AS ({audit_insert('list', spec.name, _SHOWN)})")
    data = (
        f"coalesce((SELECT json_agg(json_build_object({', '.join(fields)}) "
        f"ORDER BY {_order(shape, 'page')}) FROM page {spec.joins}), '[]'::json)"
    )
    answer = data
    if not shape.bare:
        answer = (
            f"json_build_object('data', {data}, 'totalCount', (SELECT n FROM total), "
            f"'totalIsCapped', (SELECT n FROM total) >= {TOTAL_COUNT_CAP})"
        )
    return (
        f"WITH {', '.join(parts)} SELECT ({answer})::text, "
        f"(SELECT json_build_array({last})::text FROM page "
        f"ORDER BY {_order(shape, 'page', backwards=True)} LIMIT 1), (SELECT n FROM total), "
        "(SELECT count(*) FROM page)"
    )


def is_bounded(sort: tuple[SortKey, ...]) -> bool:
    """Whether this order can only be had by sorting every row: its first key has no index. Where
    the first key has one, the rows come sorted by it and only equal ones are sorted further."""
    return sort[0].column.sort == "window"


def _per_id(shape: Shape) -> bool:
    """Whether the scope is one plain column, so that each id can have a branch of its own."""
    declared = shape.spec.scope.column(shape.kind) if shape.spec.scope else None
    return declared is not None and "{ids}" not in declared and declared != "id"


def _conditions(shape: Shape, *, with_scope: bool = True) -> list[str]:
    return [each.sql for each in shape.conditions] + _given(shape, with_scope=with_scope)


def _given(shape: Shape, *, with_scope: bool = True) -> list[str]:
    """What is not asked for and holds all the same."""
    spec = shape.spec
    conditions = [spec.always] if spec.always else []
    if with_scope and spec.scope and not sees_everyone(shape.kind):
        condition = spec.scope.condition(shape.kind, "%(ids)s::bigint[]", "t")
        conditions.append(condition or "false")
    return conditions


def _by_text(shape: Shape) -> bool:
    """Whether rows are asked for by a text, by those whose policy lets an index of it help.
    One look through what matches serves count and page then."""
    return sees_everyone(shape.kind) and any(each.looked_up for each in shape.conditions)


def _by_trigrams(shape: Shape) -> bool:
    return sees_everyone(shape.kind) and any(each.everywhere for each in shape.conditions)


def _hits(shape: Shape) -> str:
    """Ids and sort keys of all that matches; who reads it stops at the count's cap."""
    rows = f"SELECT t.id AS key, {_keys(shape)} FROM {shape.spec.table} t"
    asked, given = shape.conditions, _given(shape)
    looked_up = [each.looked_up or each.sql for each in asked]
    if not _by_trigrams(shape):
        return rows + _where(looked_up + given)
    if shape.way is Way.YEARS and not any(each.is_known for each in asked):
        # No index can be asked whether a condition is true: that of days would name years of rows.
        looked_up = [each.looked_up or f"({each.sql}) IS TRUE" for each in asked]
    looked_at = [each.everywhere or each.looked_up or each.sql for each in asked]
    often = "(SELECT often FROM sample)"
    rare = rows + _where([*looked_up, *given, f"NOT {often}"])
    return f"{rare} UNION ALL {rows}{_where([*looked_at, *given, often])}"


def _sample(shape: Shape) -> str:
    """Whether many of all rows hold the letters, by some rows that lie evenly among them: within
    row-level security PostgreSQL may not ask its statistics."""
    letters = " AND ".join(f"({each.sql})" for each in shape.conditions if each.everywhere)
    table = shape.spec.table
    return (
        f"SELECT count(*) >= {_OFTEN} AS often FROM generate_series(0, {_SAMPLE} - 1) n "
        f"CROSS JOIN LATERAL (SELECT {letters} AS fits FROM {table} t WHERE t.id >= "
        f"n * (SELECT max(t.id) FROM {table} t) / {_SAMPLE} ORDER BY t.id LIMIT 1) met "
        "WHERE met.fits"
    )


def _near(shape: Shape) -> str:
    """The page and what comes before it, as far as they are met on a walk of some thousand rows.
    Many may match and lie far away: those of one name in the order of names; those of some days
    when one of them was written years later, and moved their edge by years."""
    fits = " AND ".join(f"({condition})" for condition in _conditions(shape))
    bounds = [_from_edge(shape)] if shape.way in _FROM_EDGE else []
    bounds += [_beyond(shape.sort)] if shape.after else []
    return (
        f"SELECT * FROM (SELECT t.id AS key, {_keys(shape)}, {fits} AS fits "
        f"FROM {shape.spec.table} t{_where(bounds)} ORDER BY {_order(shape)} LIMIT {_NEAR}) met "
        f"WHERE met.fits ORDER BY {_order(shape, 'met')} LIMIT %(reach)s"
    )


def _page(shape: Shape) -> str:
    few = f"(SELECT n FROM total) < {TOTAL_COUNT_CAP}"
    if not _by_text(shape):
        # Without an index the sort reads every row, so it is only done for a bounded number.
        return _rows(shape) + (f" WHERE {few}" if is_bounded(shape.sort) else "")
    found = _with_columns(shape, _of(shape, "hits", beyond=shape.after))
    if is_bounded(shape.sort):
        return f"{found} WHERE {few}"
    if not _is_walked(shape):
        return found
    # Few are sorted; many are mostly met soon on a walk along the sort order.
    near = _with_columns(shape, _of(shape, "near"))
    met = "(SELECT count(*) FROM near) = %(reach)s"
    return f"{found} WHERE {few} OR NOT {met} UNION ALL {near} WHERE NOT {few} AND {met}"


def _is_walked(shape: Shape) -> bool:
    return shape.way is not Way.SORT and not is_bounded(shape.sort)


def _of(shape: Shape, rows: str, *, beyond: bool = False) -> str:
    """The page's own of these rows."""
    behind = f" WHERE {_beyond(shape.sort, rows)}" if beyond else ""
    order = _order(shape, rows)
    return f"SELECT * FROM {rows}{behind} ORDER BY {order} LIMIT %(take)s OFFSET %(skip)s"


def _rows(shape: Shape) -> str:
    """The page's rows, their ids and sort keys found by index alone where one covers them."""
    branches = _branches(shape)
    conditions = _conditions(shape, with_scope=not _per_id(shape))
    if shape.after:
        conditions.append(_beyond(shape.sort))
    if shape.way in _FROM_EDGE:
        conditions.append(_from_edge(shape))
    if branches:
        # The days of the branches say the same: twice, the planner would expect next to no rows.
        conditions = [each for each in conditions if each not in branches.instead_of]
        conditions.append(branches.condition)
    # OFFSET 0 keeps the planner from walking the sort order instead.
    fence = " OFFSET 0" if shape.way is Way.SORT else ""
    limit = "%(reach)s" if branches else "%(take)s"
    body = (
        f"SELECT * FROM (SELECT t.id AS key, {_keys(shape)} FROM {shape.spec.table} t"
        f"{_where(conditions)}{fence}) kept ORDER BY {_order(shape, 'kept')} LIMIT {limit}"
    )
    if branches:
        body = (
            f"SELECT * FROM (SELECT kept.* FROM ({branches.source}) branch "
            f"CROSS JOIN LATERAL ({body}) kept) branches "
            f"ORDER BY {_order(shape, 'branches')} LIMIT %(take)s OFFSET %(skip)s"
        )
    else:
        body += " OFFSET %(skip)s"
    return _with_columns(shape, body)


class _Branches(NamedTuple):
    """What a page is put together from: each row of ``source``, a table ``branch`` of one
    column, gives its own first rows, those that meet ``condition`` and, but for those
    ``instead_of`` which it is, the conditions of the list."""

    source: str
    condition: str
    instead_of: tuple[object, ...] = ()


def _branches(shape: Shape) -> _Branches | None:
    if _per_id(shape):
        assert shape.spec.scope is not None
        return _Branches(
            "SELECT DISTINCT unnest(%(ids)s::bigint[]) AS id",
            f"t.{shape.spec.scope.column(shape.kind)} = branch.id",
        )
    if shape.way is Way.DAYS:
        window = shape.spec.window
        assert window is not None
        bounds = [each for each in shape.spec.filters if each.name in (window.first, window.last)]
        return _Branches(
            _days(shape),
            f"{window.day} = branch.day",
            tuple(bound.sql for bound in bounds),
        )
    return None


def _from_edge(shape: Shape) -> str:
    """Where a walk along the ids begins: at the last one of all days, or the first."""
    spec, window = shape.spec, shape.spec.window
    assert window is not None
    order, side, outermost = (
        ("DESC", "<=", "max") if shape.sort[0].descending else ("ASC", ">=", "min")
    )
    of_day = (
        f"SELECT t.id FROM {spec.table} t WHERE {window.day} = branch.day ORDER BY t.id {order}"
    )
    edge = (
        f"SELECT {outermost}(of_day.id) FROM ({_days(shape)}) branch "
        f"CROSS JOIN LATERAL ({of_day} LIMIT 1) of_day"
    )
    return f"t.id {side} ({edge})"


def _days(shape: Shape) -> str:
    """A row ``day`` for each day that is asked for."""
    window = shape.spec.window
    assert window is not None
    first, last = (f"%(f_{name})s::date" for name in (window.first, window.last))
    return f"SELECT {first} + n AS day FROM generate_series(0, {last} - {first}) n"


def _with_columns(shape: Shape, body: str) -> str:
    """The list's columns for the ids and sort keys of ``body``."""
    columns = [f"{c.sql} AS {_quoted(c.name)}" for c in shape.spec.columns]
    columns += [f"found.s{i}" for i in range(len(shape.sort))]
    return (
        f"SELECT {', '.join(columns)} FROM ({body}) found "
        f"JOIN {shape.spec.table} t ON t.id = found.key"
    )


def _where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(f'({c})' for c in conditions)}" if conditions else ""


def _keys(shape: Shape) -> str:
    """What the sort compares, as s0, s1, ..."""
    return ", ".join(f"{key.column.sql} AS s{i}" for i, key in enumerate(shape.sort))


def _order(shape: Shape, rows: str = "", *, backwards: bool = False) -> str:
    """The sort, by the keys s0, s1, ... of ``rows``."""
    of = f"{rows}." if rows else ""
    return ", ".join(
        f"{of}s{i} {'DESC' if key.descending != backwards else 'ASC'}"
        for i, key in enumerate(shape.sort)
    )


def _beyond(sort: tuple[SortKey, ...], rows: str = "") -> str:
    """Those of ``rows``, or of the table, behind the cursor ``k0, k1, ...``; a row comparison where
    all keys run one way."""
    keys = [f"{rows}.s{i}" if rows else key.column.sql for i, key in enumerate(sort)]
    placeholders = [f"%(k{i})s" for i in range(len(sort))]
    if len({key.descending for key in sort}) == 1:
        left = ", ".join(keys)
        return f"({left}) {'<' if sort[0].descending else '>'} ({', '.join(placeholders)})"
    alternatives = []
    for i, key in enumerate(sort):
        equal = [f"{keys[j]} = {placeholders[j]}" for j in range(i)]
        further = f"{keys[i]} {'<' if key.descending else '>'} {placeholders[i]}"
        alternatives.append(" AND ".join([*equal, further]))
    return " OR ".join(f"({a})" for a in alternatives)


def _quoted(name: str) -> str:
    return f'"{name}"'
