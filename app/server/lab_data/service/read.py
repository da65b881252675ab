"""Reads kinds, rows, and their history."""

from collections.abc import Sequence

from app.basics.errors import NotFound
from app.basics.text import to_upper_case
from app.contract import messages
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.lab_data import rules
from app.server.lab_data.kind import DataKind, Values
from app.server.lab_data.kinds import KINDS
from app.server.lab_data.lookups import LOOKUPS
from app.server.lab_data.repository import LabDataRepository, StoredRow
from app.server.lab_data.schemas import (
    FieldChange,
    LabDataChange,
    LabDataField,
    LabDataKind,
    LabDataLimits,
    LabDataRead,
)
from app.server.lab_data.service.kinds import get_kind
from app.server.lab_data.unit_limits import UNIT_LIMITS
from app.server.lab_data.values import describe_row, format_value

_TESTS = "lab-tests"


def list_kinds(work: Work) -> list[LabDataKind]:
    """List the kinds with their fields, and whether the actor may change them."""
    return [
        LabDataKind(
            key=kind.key,
            title=kind.title,
            singular=kind.singular,
            group=kind.group,
            fields=[
                LabDataField(
                    name=field.name,
                    label=field.label,
                    type=field.type,
                    required=field.required,
                    upper=field.upper,
                    max_length=field.max_length,
                    choices=list(field.choices),
                    empty=field.empty or None,
                    lookup=field.lookup or None,
                    fixed=field.fixed,
                    in_grid=field.in_grid,
                    default=field.default,
                )
                for field in kind.fields
            ],
            identity=list(kind.identity),
            parent=kind.parent or None,
            children=list(kind.children),
            can_change=_judge_change(work, kind),
        )
        for kind in KINDS.values()
    ]


async def read_row(work: Work, key: str, row_id: int) -> LabDataRead:
    """Return a row, or raise NotFound."""
    kind = get_kind(key)
    return await build_read(work, kind, await _get_row(work, kind, row_id))


async def read_history(work: Work, key: str, row_id: int) -> list[LabDataChange]:
    """Return who changed a row, newest first, or raise NotFound."""
    kind = get_kind(key)
    await _get_row(work, kind, row_id)
    repository = work.build_repository(LabDataRepository)
    return [
        LabDataChange(
            at=change["at"],
            user=change["user"],
            action=change["action"],
            fields=[
                FieldChange(
                    label=field.label if (field := kind.find_field(name)) else name,
                    old="" if values["old"] is None else format_value(values["old"]),
                    new=format_value(values["new"]),
                )
                for name, values in (change["detail"] or {}).items()
            ],
        )
        for change in await repository.load_history(kind, row_id)
    ]


async def offer_records(work: Work, lookup: str, search: str, keys: Sequence[str]) -> str:
    """Return the first records that match the search, or those with the keys, as JSON.

    Raises:
        NotFound: there is no such lookup.
    """
    if lookup not in LOOKUPS:
        raise NotFound(messages.NOT_FOUND)
    if keys:
        return await work.build_repository(LabDataRepository).load_names(lookup, keys)
    letters = to_upper_case(search) or ""
    return await work.build_repository(LabDataRepository).offer_records(lookup, letters)


async def build_read(work: Work, kind: DataKind, row: StoredRow) -> LabDataRead:
    """Build the answer about a row, with the limits that are in its unit."""
    counts = {}
    if kind.key == _TESTS:
        counts = await work.build_repository(LabDataRepository).count_unit_limits(row.id)
    return LabDataRead(
        id=row.id,
        name=describe_row(kind, row.values),
        values=dict(row.values),
        notes=_build_notes(kind, row.values),
        version=row.version,
        can_change=_judge_change(work, kind),
        unit_limits=[
            LabDataLimits(singular=name.singular, title=name.title, count=counts[name.key])
            for name in UNIT_LIMITS
            if counts.get(name.key)
        ],
    )


def _build_notes(kind: DataKind, values: Values) -> dict[str, str]:
    notes = {}
    for field in kind.fields:
        value = values[field.name]
        stored_text = value if isinstance(value, str) else None
        if field.note and (text := field.note(stored_text)):
            notes[field.name] = text
    return notes


async def _get_row(work: Work, kind: DataKind, row_id: int) -> StoredRow:
    row = await work.build_repository(LabDataRepository).find_row(kind, row_id)
    if row is None:
        raise NotFound(messages.NOT_FOUND)
    return row


def _judge_change(work: Work, kind: DataKind) -> Permission:
    return Permission.of(rules.judge_changing(work.actor, kind.editors))
