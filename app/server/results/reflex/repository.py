"""SQL of reflex tests: the tests that rules add, with their members."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.server.catalog.models import LabTest
from app.server.database.records import build_row_json, parse_record
from app.server.database.repository import Repository

_SEARCH_TEXT = frozenset({"search_text"})
# A panel comes before its members, which are in printing order. Ids are reserved here, so that the
# commit can send all rows at once.
_TREES = (
    "WITH RECURSIVE tree AS ("
    "SELECT c.id AS test_id, c.id AS root_id, 0 AS level, ARRAY[c.position] AS path, "
    "NULL::bigint[] AS panel "
    "FROM unnest(%(tests)s::bigint[]) WITH ORDINALITY c(id, position) UNION ALL "
    "SELECT m.test_id, t.root_id, t.level + 1, t.path || ARRAY[m.position::bigint, m.test_id], "
    "t.path FROM tree t JOIN panel_members m ON m.panel_id = t.test_id), "
    "numbered AS MATERIALIZED (SELECT t.*, nextval('order_tests_id_seq') AS id FROM tree t) "
    "SELECT coalesce(json_agg(json_build_object('id', x.id, 'parent_id', p.id, "
    "'root_id', x.root_id, 'level', x.level, "
    f"'test', {build_row_json(LabTest, 'l', without=_SEARCH_TEXT)}) ORDER BY x.path), '[]'::json) "
    "FROM numbered x LEFT JOIN numbered p ON p.path = x.panel JOIN lab_tests l ON l.id = x.test_id"
)


@dataclass(frozen=True)
class NewTest:
    """A test or panel to add, or a member of it, with the reserved id of its row."""

    id: int
    parent_id: int | None
    root_id: int
    level: int
    test: LabTest


class ReflexRepository(Repository):
    """The catalog's tests that rules add."""

    async def load_new_tests(self, test_ids: Sequence[int]) -> list[NewTest]:
        """Load these tests with their members, panels before their members."""
        row = await self.statements.fetch(_TREES, {"tests": list(test_ids)})
        assert row is not None
        return [
            NewTest(
                item["id"],
                item["parent_id"],
                item["root_id"],
                item["level"],
                parse_record(LabTest, item["test"]),
            )
            for item in row[0]
        ]
