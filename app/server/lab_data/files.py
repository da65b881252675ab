"""Files of a kind: written from its rows, parsed, and compared with the stored rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from app.basics.errors import FieldError
from app.basics.text import clean_text
from app.contract import messages
from app.contract.limits import LAB_DATA_ROWS_MAX
from app.server.lab_data.checks import (
    Units,
    complete_unit,
    is_active,
    resolve_values,
    validate_row,
)
from app.server.lab_data.csv_text import build_file_error, read_csv, write_csv
from app.server.lab_data.kind import DataKind, Field, Value, Values
from app.server.lab_data.repository import ResolvedKeys, StoredRow
from app.server.lab_data.values import (
    InvalidValue,
    describe_identity,
    describe_row,
    format_value,
    get_identity,
    parse_value,
    parse_values,
)


@dataclass(frozen=True)
class FileRow:
    """A row of a file; ``number`` is the spreadsheet's row number, where row 1 is the header."""

    number: int
    cells: dict[str, str]
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedRow:
    """The effect of a row of a file: it adds a row, changes ``stored``, or changes nothing."""

    number: int
    name: str
    values: dict[str, Value] = field(default_factory=dict)
    stored: StoredRow | None = None
    changed_fields: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the row would be added."""
        return self.stored is None and not self.errors


@dataclass(frozen=True)
class Plan:
    """The effect of a file. Equal tokens mean equal changes of equal rows."""

    rows: list[PlannedRow]
    token: str


def write_file(kind: DataKind, rows: Iterable[StoredRow]) -> bytes:
    """Write the rows of a kind as a CSV file, sorted by the first column, then the next."""
    lines = sorted([format_value(row.values[field.name]) for field in kind.fields] for row in rows)
    return write_csv([[field.label for field in kind.fields], *lines])


def parse_file(kind: DataKind, content: bytes) -> list[FileRow]:
    """Parse a CSV file of a kind.

    Raises:
        FileUnreadable: the encoding, the quotes, the header, or the number of rows is wrong.
    """
    header, *lines = read_csv(content) or [[]]
    fields = _parse_header(kind, header)
    rows = [
        FileRow(
            number,
            {field.name: cell for field, cell in zip(fields, line, strict=False)},
            (messages.LAB_DATA_FILE_CELLS,) if any(line[len(fields) :]) else (),
        )
        for number, line in enumerate(lines, start=2)
        if any(line)
    ]
    if not rows:
        raise build_file_error(messages.LAB_DATA_FILE_EMPTY)
    if len(rows) > LAB_DATA_ROWS_MAX:
        message = messages.LAB_DATA_FILE_TOO_MANY.format(
            max=f"{LAB_DATA_ROWS_MAX:,}", count=f"{len(rows):,}"
        )
        raise build_file_error(message)
    return rows


def _parse_header(kind: DataKind, header: Sequence[str]) -> list[Field]:
    by_label = {field.label.lower(): field for field in kind.fields}
    names = [" ".join(cell.split()) for cell in header]
    while names and not names[-1]:
        names.pop()
    fields = []
    for name in names:
        field = by_label.get(name.lower())
        if field is None:
            raise build_file_error(messages.LAB_DATA_FILE_COLUMN_UNKNOWN.format(name=name))
        if field in fields:
            raise build_file_error(messages.LAB_DATA_FILE_COLUMN_TWICE.format(name=field.label))
        fields.append(field)
    for required_field in kind.fields:
        if required_field.name in kind.identity and required_field not in fields:
            raise build_file_error(
                messages.LAB_DATA_FILE_COLUMN_MISSING.format(name=required_field.label)
            )
    return fields


def plan_rows(
    kind: DataKind,
    rows: Sequence[FileRow],
    stored_rows: Sequence[StoredRow],
    resolved_keys: ResolvedKeys,
    units: Units,
) -> Plan:
    """Compare a file with the stored rows; ``units`` are those of tests, by code."""
    rows_by_identity = {get_identity(kind, row.values): row for row in stored_rows}
    first_rows: dict[tuple[Value, ...], int] = {}
    planned_rows = [
        _plan_row(kind, row, rows_by_identity, resolved_keys, units, first_rows) for row in rows
    ]
    if kind.compare is not None:
        planned_rows = _compare_siblings(kind, planned_rows, stored_rows)
    return Plan(planned_rows, _compute_token(planned_rows))


def _plan_row(
    kind: DataKind,
    row: FileRow,
    rows_by_identity: dict[tuple[Value, ...], StoredRow],
    resolved_keys: ResolvedKeys,
    units: Units,
    first_rows: dict[tuple[Value, ...], int],
) -> PlannedRow:
    identity = _read_identity(kind, row.cells, resolved_keys)
    stored_row = rows_by_identity.get(identity)
    sent_cells = _leave_out_blank_flags(kind, row.cells)
    if stored_row is None:
        values, errors = parse_values(kind, sent_cells, None)
    else:
        cells = {
            name: cell
            for name, cell in sent_cells.items()
            if name not in kind.identity and cell != format_value(stored_row.values[name])
        }
        values, errors = parse_values(kind, cells, stored_row.values)
    invalid_fields = {error.field for error in errors}
    before = None if stored_row is None else stored_row.values
    errors += [
        e
        for e in resolve_values(kind, values, resolved_keys, before)
        if e.field not in invalid_fields
    ]
    if not errors:
        complete_unit(kind, values, units, is_new=stored_row is None)
    if not errors and (stored_row is None or values != stored_row.values):
        errors = validate_row(kind, values, (), (), stored_row, units, compares_siblings=False)
    texts = [*row.errors, *(_describe_error(kind, error) for error in errors)]
    first = first_rows.setdefault(identity, row.number)
    if first != row.number:
        labels = describe_identity(kind)
        texts.append(messages.LAB_DATA_FILE_REPEATED.format(labels=labels, row=first))
    return PlannedRow(
        row.number,
        describe_row(kind, values),
        values,
        stored_row,
        _list_changed_fields(kind, values, stored_row),
        tuple(texts),
    )


def _list_changed_fields(
    kind: DataKind, values: Mapping[str, Value], stored_row: StoredRow | None
) -> tuple[str, ...]:
    """List the fields that a row of a file changes; for a new row, those with a value."""
    names = (field.name for field in kind.fields)
    if stored_row is None:
        return tuple(name for name in names if values[name] not in (None, []))
    return tuple(name for name in names if values[name] != stored_row.values[name])


def _describe_error(kind: DataKind, error: FieldError) -> str:
    """Return the message of an error with the label of its column."""
    field = kind.find_field(error.field)
    if field is None or field.label.lower() in error.message.lower():
        return error.message
    return f"{field.label}: {error.message}"


def _leave_out_blank_flags(kind: DataKind, cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells without blank yes-or-no cells: a blank 'In use' must not end a row."""
    flags = {field.name for field in kind.fields if field.type == "boolean"}
    return {name: cell for name, cell in cells.items() if cell.strip() or name not in flags}


def _read_identity(
    kind: DataKind, cells: Mapping[str, str], resolved_keys: ResolvedKeys
) -> tuple[Value, ...]:
    """Return the identity of a row of a file, even of a row that would be rejected."""
    identity: list[Value] = []
    for name in kind.identity:
        field = kind.find_field(name)
        assert field is not None
        try:
            value = parse_value(field, cells[name])
        except InvalidValue:
            value = clean_text(cells[name])
        record_id = resolved_keys.get(field.lookup, {}).get(str(value).upper())
        text = record_id[0] if record_id is not None else value
        identity.append(text.upper() if isinstance(text, str) else text)
    return tuple(identity)


def _compare_siblings(
    kind: DataKind, planned_rows: Sequence[PlannedRow], stored_rows: Sequence[StoredRow]
) -> list[PlannedRow]:
    """Return the rows, with errors from comparing each with the other rows of its parent."""
    assert kind.compare is not None
    replaced_ids = {
        row.stored.id for row in planned_rows if row.stored is not None and not row.errors
    }
    rows_by_parent: dict[Value, list[dict[str, Value]]] = {}
    for values in (
        *(dict(row.values) for row in stored_rows if row.id not in replaced_ids),
        *(row.values for row in planned_rows if not row.errors),
    ):
        if is_active(kind, values):
            rows_by_parent.setdefault(str(values[kind.parent]), []).append(values)
    compared_rows = []
    for row in planned_rows:
        errors: list[FieldError] = []
        if not row.errors and (row.is_new or row.changed_fields) and is_active(kind, row.values):
            rows_of_parent = rows_by_parent[str(row.values[kind.parent])]
            siblings: list[Values] = [
                values for values in rows_of_parent if values is not row.values
            ]
            errors = kind.compare(row.values, siblings)
        texts = tuple(error.message for error in errors)
        compared_rows.append(replace(row, errors=texts) if texts else row)
    return compared_rows


def _compute_token(rows: Sequence[PlannedRow]) -> str:
    digest = sha256()
    for row in rows:
        before = None if row.stored is None else (row.stored.id, row.stored.version)
        digest.update(repr((row.number, row.errors, before, sorted(row.values.items()))).encode())
    return digest.hexdigest()
