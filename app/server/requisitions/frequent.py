"""The tests that a client orders most often, a physician's most frequent ones first.

One statement reads only the last few hundred requisitions, by an index (ADR 0015).
"""

from functools import lru_cache

from app.contract.enumerations import ScopeKind
from app.contract.limits import FREQUENT_REQUISITIONS_MAX, FREQUENT_TESTS
from app.server.access.reader import Reader
from app.server.catalog.orderable import ON_A_LIST, ORDERABLE_FOR_CLIENTS
from app.server.catalog.rules import is_bound_to_list
from app.server.requisitions.models import Requisition

# Canceled requisitions count too: skipping them before the limit could read without end.
_STATEMENT = """
WITH by_physician AS MATERIALIZED (
    SELECT r.test_ids FROM requisitions r
    WHERE r.client_id = %(client)s AND r.physician_id = %(physician)s {scope}
    ORDER BY r.id DESC LIMIT %(requisitions)s
), by_client AS MATERIALIZED (
    SELECT r.test_ids FROM requisitions r WHERE r.client_id = %(client)s {scope}
    ORDER BY r.id DESC LIMIT %(requisitions)s
), counted AS (
    SELECT o.test_id, count(*) FILTER (WHERE o.is_of_physician) AS of_physician, count(*) AS total
    FROM (
        SELECT unnest(test_ids) AS test_id, true AS is_of_physician FROM by_physician
        UNION ALL
        SELECT unnest(test_ids), false FROM by_client
    ) o GROUP BY o.test_id
), offered AS (
    SELECT t.*,
        row_number() OVER (ORDER BY c.of_physician DESC, c.total DESC, t.code) AS position
    FROM counted c JOIN lab_tests t ON t.id = c.test_id
    WHERE {orderable} AND (%(all_tests)s OR {on_list})
    ORDER BY position LIMIT %(take)s
)
SELECT coalesce(json_agg(json_build_object(
    'id', o.id, 'code', o.code, 'name', o.name, 'alternateNames', o.alternate_names,
    'type', CASE WHEN o.is_panel THEN 'PANEL' ELSE 'TEST' END,
    'specimen', o.specimen, 'container', o.container
) ORDER BY o.position), '[]'::json)::text FROM offered o
"""


async def load_frequent_tests(
    reader: Reader, client_id: int, physician_id: int | None, *, all_tests: bool
) -> bytes:
    """Return test rows as JSON: the physician's most frequent first, then the client's.

    Args:
        all_tests: include tests outside the client's list, if the actor may order them.
    """
    values = {
        "client": client_id,
        "clients": [client_id],
        "physician": physician_id,
        "all_tests": all_tests and not is_bound_to_list(reader.actor),
        "requisitions": FREQUENT_REQUISITIONS_MAX,
        "take": FREQUENT_TESTS,
    }
    (body,) = await reader.fetch_row(_build_statement(reader.actor.kind), values)
    text: str = body
    return text.encode()


@lru_cache(maxsize=8)
def _build_statement(kind: ScopeKind) -> str:
    scope = Requisition.__scope__.build_predicate(kind, "r")
    return _STATEMENT.format(
        scope=f"AND {scope}", orderable=ORDERABLE_FOR_CLIENTS, on_list=ON_A_LIST
    )
