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
from app.server.lists.parsing import SortKey
from app.server.lists.spec import ListSpec
from app.server.lists.ways import Way, has_letters, sees_everyone


@dataclass(frozen=True)
class Shape:
    """Everything the text of the statement depends on."""

    spec: ListSpec
    kind: ScopeKind
    conditions: tuple[str, ...]
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
    fields += [f"'{name}', {expression}" for name, expression in spec.joined]
    last = ", ".join(f"page.s{i}" for i in range(len(shape.sort)))
    letters = _by_letters(shape)
    counted = "hits" if letters else _matches(shape)
    parts = [f"hits AS MATERIALIZED ({_hits(shape)})"] if letters else []
    parts += [
        "total AS MATERIALIZED (SELECT count(*) AS n FROM "
        f"(SELECT 1 FROM {counted} LIMIT {TOTAL_COUNT_CAP}) counted)",
        f"page AS MATERIALIZED ({_page(shape)})",
    ]
    if spec.audited:
        parts.append(
            "seen AS (INSERT INTO audit_events (user_id, role, action, kind, record_ids, "
            "request_id) SELECT nullif(%(user)s, '')::uuid, %(role_name)s, 'list', "
            f"'{spec.name}', coalesce((SELECT array_agg(page.id) FROM page), '{{}}'), "
            "%(request_id)s)"
        )
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


def _conditions(shape: Shape, *, with_scope: bool) -> list[str]:
    spec = shape.spec
    conditions = list(shape.conditions)
    if spec.always:
        conditions.append(spec.always)
    if with_scope and spec.scope and not sees_everyone(shape.kind):
        condition = spec.scope.condition(shape.kind, "%(ids)s::bigint[]", "t")
        conditions.append(condition or "false")
    return conditions


def _by_letters(shape: Shape) -> bool:
    """Whether rows are asked for by letters anywhere, by those whose policy lets an index help.
    One look through what matches serves count and page then."""
    return sees_everyone(shape.kind) and any(map(has_letters, shape.conditions))


def _hits(shape: Shape) -> str:
    """Ids and sort keys of all that matches; who reads it stops at the count's cap.

    With the place in the table, which no index holds: PostgreSQL can not know how many rows hold
    some letters, and would rather read a whole index of names than look the letters up.
    """
    keys = ", ".join(f"{key.column.sql} AS s{i}" for i, key in enumerate(shape.sort))
    if shape.way is not Way.LETTERS:
        return f"SELECT t.id AS key, {keys}, t.ctid FROM {_matches(shape)}"
    conditions = _conditions(shape, with_scope=True)
    letters = [each for each in conditions if has_letters(each)]
    others = [each for each in conditions if not has_letters(each)]
    table = f"(SELECT t.*, t.ctid FROM {shape.spec.table} t{_where(letters)} OFFSET 0) t"
    return f"SELECT t.id AS key, {keys}, t.ctid FROM {table}{_where(others)}"


def _page(shape: Shape) -> str:
    few = f"(SELECT n FROM total) < {TOTAL_COUNT_CAP}"
    direct = _rows(shape)
    if not _by_letters(shape):
        # Without an index the sort reads every row, so it is only done for a bounded number.
        return f"{direct} WHERE {few}" if is_bounded(shape.sort) else direct
    beyond = f" WHERE {_beyond(shape.sort, hits=True)}" if shape.after else ""
    found = _with_columns(
        shape,
        f"SELECT * FROM hits{beyond} ORDER BY {_order(shape, 'hits')} "
        "LIMIT %(take)s OFFSET %(skip)s",
    )
    if is_bounded(shape.sort):
        return f"{found} WHERE {few}"
    if shape.way is not Way.WALK:
        return found
    # Few are sorted, many are met soon on a walk along the sort order.
    return f"{found} WHERE {few} UNION ALL {direct} WHERE NOT {few}"


def _rows(shape: Shape) -> str:
    """The page's rows, their ids and sort keys found by index alone where one covers them."""
    keys = ", ".join(f"{key.column.sql} AS s{i}" for i, key in enumerate(shape.sort))
    branches = _branches(shape)
    conditions = _conditions(shape, with_scope=not _per_id(shape))
    if shape.after:
        conditions.append(_beyond(shape.sort))
    if branches:
        # The days of the branches say the same: twice, the planner would expect next to no rows.
        conditions = [each for each in conditions if each not in branches.instead_of]
        conditions.append(branches.condition)
    # OFFSET 0 keeps the planner from walking the sort order instead.
    fence = " OFFSET 0" if shape.way is Way.SORT else ""
    limit = "%(reach)s" if branches else "%(take)s"
    body = (
        f"SELECT * FROM (SELECT t.id AS key, {keys} FROM {shape.spec.table} t"
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
        first, last = (f"%(f_{name})s::date" for name in (window.first, window.last))
        return _Branches(
            f"SELECT {first} + n AS day FROM generate_series(0, {last} - {first}) n",
            f"{window.day} = branch.day",
            tuple(bound.sql for bound in bounds),
        )
    return None


def _with_columns(shape: Shape, body: str) -> str:
    """The list's columns for the ids and sort keys of ``body``."""
    columns = [f"{c.sql} AS {_quoted(c.name)}" for c in shape.spec.columns]
    columns += [f"found.s{i}" for i in range(len(shape.sort))]
    return (
        f"SELECT {', '.join(columns)} FROM ({body}) found "
        f"JOIN {shape.spec.table} t ON t.id = found.key"
    )


def _matches(shape: Shape) -> str:
    """The table and all conditions that its rows are counted by."""
    return f"{shape.spec.table} t{_where(_conditions(shape, with_scope=True))}"


def _where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(f'({c})' for c in conditions)}" if conditions else ""


def _order(shape: Shape, rows: str, *, backwards: bool = False) -> str:
    """The sort, by the keys s0, s1, ... of ``rows``."""
    return ", ".join(
        f"{rows}.s{i} {'DESC' if key.descending != backwards else 'ASC'}"
        for i, key in enumerate(shape.sort)
    )


def _beyond(sort: tuple[SortKey, ...], *, hits: bool = False) -> str:
    """Rows behind the cursor ``k0, k1, ...``; a row comparison where all keys run one way."""
    keys = [f"hits.s{i}" if hits else key.column.sql for i, key in enumerate(sort)]
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
