"""Creates and changes rows of a kind, with old and new values in the audit log."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from app.basics.errors import BadInput, FieldError, NotFound, require_no_errors
from app.contract import messages
from app.server.access.work import Work
from app.server.lab_data.checks import complete_unit, resolve_values, validate_row
from app.server.lab_data.kind import DataKind, Field, Value, Values
from app.server.lab_data.repository import LabDataRepository, ResolvedKeys, StoredRow
from app.server.lab_data.schemas import LabDataRead, LabDataWrite
from app.server.lab_data.service.kinds import get_kind, require_change
from app.server.lab_data.service.read import build_read
from app.server.lab_data.values import list_keys, parse_values


async def create_row(work: Work, key: str, body: LabDataWrite) -> LabDataRead:
    """Create a row.

    Raises:
        NotFound, Forbidden, BadInput, RowInUse.
    """
    kind = get_kind(key)
    require_change(work, kind)
    return await _save_row(work, kind, None, body)


async def change_row(work: Work, key: str, row_id: int, body: LabDataWrite) -> LabDataRead:
    """Change the values that are sent.

    Raises:
        NotFound, Forbidden, StaleVersion, BadInput, RowInUse.
    """
    kind = get_kind(key)
    require_change(work, kind)
    return await _save_row(work, kind, row_id, body)


async def _save_row(
    work: Work, kind: DataKind, row_id: int | None, body: LabDataWrite
) -> LabDataRead:
    _require_known_fields(kind, body.values)
    repository = work.build_repository(LabDataRepository)
    await repository.lock_kind(kind)
    stored_row = None
    if row_id is not None:
        stored_row = await repository.find_row(kind, row_id)
        if stored_row is None:
            raise NotFound(messages.NOT_FOUND)
        work.require_version(stored_row)
    before = None if stored_row is None else stored_row.values
    values, errors = parse_values(kind, body.values, before)
    resolved_keys = await repository.resolve_keys(
        list_keys((field, values[field.name]) for field in kind.fields)
    )
    invalid_fields = {error.field for error in errors}
    errors += [
        e for e in resolve_values(kind, values, resolved_keys) if e.field not in invalid_fields
    ]
    require_no_errors(errors)
    units = await repository.load_units(kind, resolved_keys)
    complete_unit(kind, values, units, is_new=stored_row is None)
    same_rows = await repository.list_matching_rows(kind, kind.identity, values)
    siblings: list[StoredRow] = []
    if kind.compare is not None:
        siblings = await repository.list_matching_rows(kind, (kind.parent,), values)
    require_no_errors(validate_row(kind, values, same_rows, siblings, stored_row, units))
    row_id = await store_row(work, kind, stored_row, values, resolved_keys)
    row = await repository.find_row(kind, row_id)
    assert row is not None
    return await build_read(work, kind, row)


async def store_row(
    work: Work,
    kind: DataKind,
    stored_row: StoredRow | None,
    values: Values,
    resolved_keys: ResolvedKeys,
) -> int:
    """Store valid values with their audit row, and return the row's id."""
    repository = work.build_repository(LabDataRepository)
    changed_names = list_changed_names(kind, stored_row, values)
    if stored_row is not None and not changed_names:
        return stored_row.id
    columns = to_columns(kind, values, changed_names, resolved_keys)
    if stored_row is None:
        [row_id] = await repository.insert_rows(kind, [columns])
    else:
        row_id = stored_row.id
        await repository.change_rows(kind, {row_id: columns})
    await store_links(repository, kind, row_id, values, changed_names, resolved_keys)
    action = "create" if stored_row is None else "change"
    await work.audit(
        action, kind.audit_kind, [row_id], describe_changes(stored_row, values, changed_names)
    )
    return row_id


async def store_links(
    repository: LabDataRepository,
    kind: DataKind,
    row_id: int,
    values: Values,
    changed_names: Collection[str],
    resolved_keys: ResolvedKeys,
) -> None:
    """Replace the links that changed."""
    for field in kind.fields:
        if field.links and field.name in changed_names:
            texts = values[field.name]
            assert isinstance(texts, list)
            references = [_get_reference(field, text, resolved_keys) for text in texts]
            await repository.replace_links(field, row_id, references)


def list_changed_names(kind: DataKind, stored_row: StoredRow | None, values: Values) -> list[str]:
    """List the names of the fields that change; in a new row, of all fields with a value."""
    names = [field.name for field in kind.fields]
    if stored_row is None:
        return [name for name in names if values[name] not in (None, [])]
    return [name for name in names if values[name] != stored_row.values[name]]


def describe_changes(
    stored_row: StoredRow | None, values: Values, changed_names: Collection[str]
) -> dict[str, Any]:
    """Describe changed values for the audit log."""
    return {
        name: {"old": None if stored_row is None else stored_row.values[name], "new": values[name]}
        for name in changed_names
    }


def to_columns(
    kind: DataKind, values: Values, changed_names: Collection[str], resolved_keys: ResolvedKeys
) -> dict[str, Any]:
    """Convert the changed values to the columns that store them, with derived columns."""
    columns = {
        field.column: _to_stored(field, values[field.name], resolved_keys)
        for field in kind.fields
        if field.name in changed_names and not field.links
    }
    return {**columns, **kind.derive(values)}


def _to_stored(field: Field, value: Value, resolved_keys: ResolvedKeys) -> Any:
    if value is None:
        return None
    if field.type == "lookup":
        return _get_reference(field, str(value), resolved_keys)
    if field.type == "choice":
        return field.choices[str(value)]
    return Decimal(str(value)) if field.type == "number" else value


def _get_reference(field: Field, text: str, resolved_keys: ResolvedKeys) -> Any:
    """Return the value that refers to the record that a text names."""
    _, reference = resolved_keys[field.lookup][text.upper()]
    return reference


def _require_known_fields(kind: DataKind, values: Mapping[str, Any]) -> None:
    for name in values:
        if kind.find_field(name) is None:
            message = messages.PARAMETER_UNKNOWN.format(name=name)
            raise BadInput.of(FieldError(name, message))
