"""Rules of importing people: reading the file, and checking its rows (ADR 60)."""

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from app.basics.csv_text import decode_csv, read_rows
from app.basics.errors import FieldError
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import USER_IMPORT_MAX, USER_IMPORT_PART_ROWS
from app.server.users import rules
from app.server.users.errors import ImportUnreadable
from app.server.users.rules import Assignments, UserValues

HEADER = ("Email", "Last Name", "First Name", "Role", "Codes")
_NAMED_CODES_MAX = 5
_ROLES = {str(role).lower(): str(role) for role in Role}
KnownCodes = Mapping[str, Mapping[str, tuple[int, str]]]
"""Id and name that the actor sees, by kind ('clients', 'physicians', 'patients') and code."""


@dataclass(frozen=True)
class ImportRow:
    """A person in the file.

    Attributes:
        number: the row number in the spreadsheet, where row 1 is the header.
        names: the names of the clients, physicians, or patients whose codes the row has, so that a
            mistyped code is noticed.
    """

    number: int
    values: UserValues
    codes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


def parse_people(content: bytes) -> list[ImportRow]:
    """Parse a CSV file of people, or raise ImportUnreadable."""
    return [_parse_row(number, cells) for number, cells in _parse_lines(content)]


def parse_part(content: bytes, first_row: int) -> tuple[list[ImportRow], int | None]:
    """Parse a part of the file that begins at a row; return it and the next part's first row.

    Raises:
        ImportUnreadable: as ``parse_people``.
    """
    people = [(number, cells) for number, cells in _parse_lines(content) if number >= first_row]
    part, rest = people[:USER_IMPORT_PART_ROWS], people[USER_IMPORT_PART_ROWS:]
    return [_parse_row(number, cells) for number, cells in part], rest[0][0] if rest else None


def _parse_lines(content: bytes) -> list[tuple[int, list[str]]]:
    """Parse the lines of a CSV file that have any text, and return them with their row numbers.

    Raises:
        ImportUnreadable: the encoding, the quotes, the header, or the number of rows is wrong.
    """
    text = decode_csv(content)
    if text is None:
        raise _build_error(messages.USER_IMPORT_ENCODING)
    try:
        header, *lines = read_rows(text) or [[]]
    except csv.Error as error:
        raise _build_error(messages.USER_IMPORT_NO_CSV) from error
    if [" ".join(cell.split()).lower() for cell in _trim_cells(header)] != [
        name.lower() for name in HEADER
    ]:
        raise _build_error(messages.USER_IMPORT_HEADER.format(header=", ".join(HEADER)))
    people = [
        (number, cells)
        for number, cells in enumerate(lines, start=2)
        if any(clean_text(cell) for cell in cells)
    ]
    if not people:
        raise _build_error(messages.USER_IMPORT_EMPTY)
    if len(people) > USER_IMPORT_MAX:
        count = f"{len(people):,}"
        raise _build_error(
            messages.USER_IMPORT_TOO_MANY.format(max=f"{USER_IMPORT_MAX:,}", count=count)
        )
    return people


def list_codes(rows: Sequence[ImportRow]) -> dict[str, list[str]]:
    """List the codes to look up, by kind."""
    codes: dict[str, set[str]] = {"clients": set(), "physicians": set(), "patients": set()}
    for row in rows:
        if kind := _get_assigned_kind(row):
            codes[kind].update(row.codes)
    return {kind: sorted(kind_codes) for kind, kind_codes in codes.items()}


def check_rows(
    rows: Sequence[ImportRow], roles: Sequence[str], known_codes: KnownCodes
) -> list[ImportRow]:
    """Return the rows with their assignments and errors, for an actor who may give ``roles``."""
    first_rows: dict[str, int] = {}
    checked_rows = []
    for row in rows:
        errors = []
        first = first_rows.setdefault(row.values.email, row.number)
        if row.values.email and first != row.number:
            errors.append(messages.USER_IMPORT_REPEATED.format(row=first))
        checked_rows.append(add_errors(_check_row(row, roles, known_codes), *errors))
    return checked_rows


def check_emails(rows: Sequence[ImportRow], used_emails: Collection[str]) -> list[ImportRow]:
    """Return the rows with an error for each e-mail address that is in use."""
    return [
        add_errors(row, messages.USER_EMAIL_IN_USE) if row.values.email in used_emails else row
        for row in rows
    ]


def add_errors(row: ImportRow, *errors: str) -> ImportRow:
    """Return the row with more errors."""
    return replace(row, errors=(*row.errors, *errors))


def _check_row(row: ImportRow, roles: Sequence[str], known_codes: KnownCodes) -> ImportRow:
    kind = _get_assigned_kind(row) if row.values.role in roles else None
    if kind is None:
        return _add_field_errors(row, rules.validate_user(row.values, roles))
    codes = tuple(dict.fromkeys(row.codes))
    records = [known_codes[kind][code] for code in codes if code in known_codes[kind]]
    unknown_codes = [code for code in codes if code not in known_codes[kind]]
    assignments = Assignments(**{kind: tuple(id_ for id_, _ in records)})
    names = tuple(name for _, name in records)
    row = replace(row, values=replace(row.values, assigned=assignments), names=names)
    errors = rules.validate_user(row.values, roles)
    if not unknown_codes:
        return _add_field_errors(row, errors)
    # Leaves out 'Please select a client', since the unknown codes are the error.
    row = _add_field_errors(row, [error for error in errors if error.field != f"data.{kind}"])
    named_codes = unknown_codes[:_NAMED_CODES_MAX]
    if len(unknown_codes) > len(named_codes):
        named_codes.append("…")
    return add_errors(row, messages.USER_IMPORT_CODES_UNKNOWN.format(codes=", ".join(named_codes)))


def _add_field_errors(row: ImportRow, errors: Sequence[FieldError]) -> ImportRow:
    return add_errors(row, *(error.message for error in errors))


def _get_assigned_kind(row: ImportRow) -> str | None:
    return rules.get_assigned_kind(row.values.role) if row.values.role in set(Role) else None


def _parse_row(number: int, cells: Sequence[str]) -> ImportRow:
    cells = _trim_cells(cells)
    width = len(HEADER)
    padded_cells = [*cells, *[""] * width]
    email, last_name, first_name, role, codes = padded_cells[:width]
    role = " ".join(role.split())
    values = UserValues(
        email=rules.normalize_email(email),
        last_name=rules.build_name(last_name),
        first_name=rules.build_name(first_name),
        role=_ROLES.get(role.lower(), role),
    )
    parsed_codes = tuple(
        code for cell_code in codes.split(";") if (code := to_upper_case(cell_code))
    )
    row = ImportRow(number, values, parsed_codes)
    return add_errors(row, messages.USER_IMPORT_COLUMNS) if len(cells) > width else row


def _trim_cells(cells: Sequence[str]) -> list[str]:
    """Return the cells without the empty ones at the end, which spreadsheets add."""
    clean_cells = [clean_text(cell) or "" for cell in cells]
    while clean_cells and not clean_cells[-1]:
        clean_cells.pop()
    return clean_cells


def _build_error(message: str) -> ImportUnreadable:
    return ImportUnreadable.of(FieldError("content", message))
