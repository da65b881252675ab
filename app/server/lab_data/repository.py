"""SQL for lab data of any kind."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Table as SqlTable
from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from app.contract import messages
from app.contract.limits import LAB_DATA_HISTORY_MAX, LAB_DATA_OFFERS_MAX
from app.server.catalog.models import LabTest
from app.server.database.base import metadata
from app.server.database.repository import Repository, build_ids_condition
from app.server.lab_data import statements
from app.server.lab_data.errors import RowInUse
from app.server.lab_data.kind import DataKind, Field, Values
from app.server.lab_data.unit_limits import build_unit_limits_statement

_LOCK_CLASS = 5_701
_BATCH = 1_000
ResolvedKeys = Mapping[str, Mapping[str, tuple[str, Any]]]
"""By lookup and upper-case text: the stored text, and the value that refers to its record."""


@dataclass(frozen=True)
class StoredRow:
    """A row with its values on the wire; the version changes with any of them."""

    id: int
    values: Values

    @property
    def version(self) -> int:
        """A number below 2^48, made from the values because most tables have no version."""
        content = json.dumps(self.values, sort_keys=True)
        return int.from_bytes(sha256(content.encode()).digest()[:6])


class LabDataRepository(Repository):
    """Rows of any kind of data. Only staff members read and write them."""

    async def lock_kind(self, kind: DataKind) -> None:
        """Wait until nobody else changes rows of the kind; the lock ends with the transaction."""
        lock = func.pg_advisory_xact_lock(_LOCK_CLASS, func.hashtext(kind.key))
        await self.session.execute(select(lock))

    async def find_row(self, kind: DataKind, row_id: int) -> StoredRow | None:
        """Find a row by id."""
        rows = await self._fetch_rows(kind, "t.id = %(id)s", {"id": row_id})
        return rows[0] if rows else None

    async def load_text(self, kind: DataKind) -> str:
        """Load all rows as JSON text, which ``parse_rows`` parses."""
        row = await self.statements.fetch(statements.build_rows_statement(kind), {})
        assert row is not None
        return str(row[0])

    async def list_matching_rows(
        self, kind: DataKind, names: Iterable[str], values: Values
    ) -> list[StoredRow]:
        """List the rows with the same values in the named fields, ignoring case."""
        fields = [field for name in names if (field := kind.find_field(name))]
        condition = " AND ".join(
            f"upper(({statements.build_value(field)})::text) "
            f"IS NOT DISTINCT FROM upper(%(v{i})s::text)"
            for i, field in enumerate(fields)
        )
        parameters = {
            f"v{i}": None if values[field.name] is None else str(values[field.name])
            for i, field in enumerate(fields)
        }
        return await self._fetch_rows(kind, condition, parameters)

    async def _fetch_rows(
        self, kind: DataKind, condition: str, values: Mapping[str, Any]
    ) -> list[StoredRow]:
        statement = statements.build_rows_statement(kind, condition)
        row = await self.statements.fetch(statement, values, depends_on_values=True)
        assert row is not None
        return parse_rows(row[0])

    async def resolve_keys(self, keys: Mapping[str, Collection[str]]) -> ResolvedKeys:
        """Find the records to which texts refer, by lookup; unknown texts are left out."""
        resolved_keys: dict[str, dict[str, tuple[str, Any]]] = {}
        for name, texts in keys.items():
            parameters = {"keys": sorted({text.upper() for text in texts})}
            row = await self.statements.fetch(statements.build_resolve_statement(name), parameters)
            assert row is not None
            resolved_keys[name] = {key.upper(): (key, value) for key, value in row[0]}
        return resolved_keys

    async def load_units(self, kind: DataKind, keys: ResolvedKeys) -> dict[str, str | None]:
        """Load the units of the tests among resolved keys, by code, if rows have limits."""
        ids = [test_id for _, test_id in keys.get("lab-tests", {}).values()] if kind.limits else []
        if not ids:
            return {}
        rows = await self.session.execute(
            select(LabTest.code, LabTest.unit).where(build_ids_condition(LabTest.id, ids))
        )
        return {row.code: row.unit for row in rows}

    async def count_unit_limits(self, test_id: int) -> dict[str, int]:
        """Count the limits that are in the unit of a test and in use, by ``UNIT_LIMITS``."""
        row = await self.statements.fetch(build_unit_limits_statement(), {"id": test_id})
        assert row is not None
        counts: dict[str, int] = json.loads(row[0])
        return counts

    async def offer_records(self, lookup: str, letters: str) -> str:
        """Return the first records that match, as JSON."""
        parameters = {"letters": letters, "max_count": LAB_DATA_OFFERS_MAX}
        statement = statements.build_offer_statement(lookup)
        row = await self.statements.fetch(statement, parameters, depends_on_values=True)
        assert row is not None
        return str(row[0])

    async def load_names(self, lookup: str, keys: Sequence[str]) -> str:
        """Load the records with these keys, as JSON."""
        statement = statements.build_names_statement(lookup)
        row = await self.statements.fetch(statement, {"keys": list(keys)})
        assert row is not None
        return str(row[0])

    async def load_history(self, kind: DataKind, row_id: int) -> list[dict[str, Any]]:
        """Load the newest changes of a row from the audit log."""
        parameters = {"kind": kind.audit_kind, "id": row_id, "max_count": LAB_DATA_HISTORY_MAX}
        row = await self.statements.fetch(statements.HISTORY, parameters)
        assert row is not None
        changes: list[dict[str, Any]] = json.loads(row[0])
        return changes

    async def insert_rows(self, kind: DataKind, rows: Sequence[Mapping[str, Any]]) -> list[int]:
        """Insert rows, and return their ids in the same order.

        Raises:
            RowInUse: a row has the identity of another.
        """
        table = _get_table(kind.table)
        statement = insert(table).returning(table.c.id, sort_by_parameter_order=True)
        ids: list[int] = []
        try:
            for start in range(0, len(rows), _BATCH):
                batch = list(rows[start : start + _BATCH])
                ids += await self.session.scalars(statement, batch)
        except IntegrityError as error:
            raise RowInUse(messages.LAB_DATA_IN_USE) from error
        return ids

    async def change_rows(self, kind: DataKind, changes: Mapping[int, Mapping[str, Any]]) -> None:
        """Change columns of rows by id, with one statement for all with the same columns.

        Raises:
            RowInUse: a row then has the identity of another.
        """
        groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for row_id, columns in changes.items():
            if columns:
                groups.setdefault(tuple(sorted(columns)), []).append({"id": row_id, **columns})
        try:
            for names, rows in groups.items():
                statement = text(statements.build_change_statement(kind, names))
                await self.session.execute(statement, {"rows": json.dumps(rows, default=str)})
        except IntegrityError as error:
            raise RowInUse(messages.LAB_DATA_IN_USE) from error

    async def replace_links(self, field: Field, row_id: int, others: Sequence[int]) -> None:
        """Replace the links of a row with links to ``others``, in their order."""
        links = field.links
        assert links is not None
        table = _get_table(links.table)
        await self.session.execute(delete(table).where(table.c[links.own] == row_id))
        rows = []
        for position, other in enumerate(others, start=1):
            row = {links.own: row_id, links.other: other}
            if links.position:
                row[links.position] = position
            rows.append(row)
        if rows:
            await self.session.execute(insert(table), rows)


def parse_rows(content: str) -> list[StoredRow]:
    """Parse the JSON text of rows."""
    return [StoredRow(row_id, values) for row_id, values in json.loads(content)]


def _get_table(name: str) -> SqlTable:
    return metadata.tables[name]
