"""Parsing of the files from which people are imported, and errors in their rows (ADR 60)."""

from dataclasses import replace

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import USER_IMPORT_MAX, USER_IMPORT_PART_ROWS
from app.server.users import import_rules
from app.server.users.errors import ImportUnreadable
from app.server.users.import_rules import (
    ImportRow,
    check_emails,
    check_rows,
    list_codes,
    parse_people,
)
from app.server.users.rules import Assignments, UserValues

_HEADER = "Email,Last Name,First Name,Role,Codes\n"
_ROW = "wanda@demo.lab,Walker,Wanda,Client Basic,C001\n"
ROLES = tuple(Role)
KNOWN_CODES = {
    "clients": {"C1": (1, "LAKE CARE"), "C2": (2, "HILL CARE")},
    "physicians": {"1003000126": (3, "HALL, DANA")},
    "patients": {"P1": (4, "LEE, ANN")},
}


def build_row(
    *codes: str, role: str = Role.CLIENT_BASIC, email: str = "wanda@demo.lab", number: int = 2
) -> ImportRow:
    """Build a row of the file, whose names are complete."""
    return ImportRow(number, UserValues(email, "WALKER", "WANDA", role), codes)


class TestParsing:
    """Parsing of files."""

    def test_stores_values_as_forms_do(self) -> None:
        line = ' Wanda@Demo.LAB ,"O\'Hara",renée, client   BASIC ,c1; C2;; ,,\n'
        assert parse_people((_HEADER + line).encode()) == [
            ImportRow(
                2,
                UserValues("wanda@demo.lab", "O'HARA", "RENÉE", Role.CLIENT_BASIC),
                ("C1", "C2"),
            )
        ]

    def test_a_short_row_lacks_its_last_values(self) -> None:
        (row,) = parse_people(f"{_HEADER}wanda@demo.lab\n".encode())
        assert row == ImportRow(2, UserValues("wanda@demo.lab", "", "", ""))

    def test_keeps_an_unknown_role_and_reports_more_columns(self) -> None:
        (row,) = parse_people(f"{_HEADER}a@b.test,A,B,  head   nurse,C1,C2\n".encode())
        assert (row.values.role, row.codes) == ("head nurse", ("C1",))
        assert row.errors == (messages.USER_IMPORT_COLUMNS,)

    @pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
    def test_accepts_the_line_ends_of_all_systems(self, line_end: str) -> None:
        file = (_HEADER + _ROW * 2).replace("\n", line_end)
        assert len(parse_people(file.encode())) == 2

    def test_keeps_the_numbers_of_the_spreadsheet(self) -> None:
        rows = parse_people(f'{_HEADER}"a@b.test","A\nB"\n\n , \nc@d.test\n'.encode())
        assert [row.number for row in rows] == [2, 5]

    @pytest.mark.parametrize(
        "header", ["email, LAST  name,First Name ,Role,Codes,,\n", "\ufeff" + _HEADER]
    )
    def test_accepts_a_header_of_other_spelling(self, header: str) -> None:
        assert len(parse_people((header + _ROW).encode())) == 1

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("\0", messages.USER_IMPORT_ENCODING),
            (_HEADER + '"a"b,c', messages.USER_IMPORT_NO_CSV),
            (
                "Mail,Name\n" + _ROW,
                messages.USER_IMPORT_HEADER.format(
                    header="Email, Last Name, First Name, Role, Codes"
                ),
            ),
            ("", messages.USER_IMPORT_HEADER.format(header=", ".join(import_rules.HEADER))),
            (_HEADER + ",,\n", messages.USER_IMPORT_EMPTY),
        ],
    )
    def test_rejects_files_that_it_cannot_read(self, content: str, message: str) -> None:
        with pytest.raises(ImportUnreadable) as caught:
            parse_people(content.encode())
        assert [(e.field, e.message) for e in caught.value.errors] == [("content", message)]

    def test_accepts_the_largest_number_of_people(self) -> None:
        assert len(parse_people((_HEADER + _ROW * USER_IMPORT_MAX).encode())) == USER_IMPORT_MAX


class TestCodes:
    """The codes to look up."""

    def test_are_sorted_by_kind_without_repetitions(self) -> None:
        rows = [
            build_row("C2", "C1"),
            build_row("C1"),
            build_row("1003000126", role=Role.PHYSICIAN),
            build_row("X", role=Role.LABORATORY),
            build_row("Y", role="Nurse"),
        ]
        assert list_codes(rows) == {
            "clients": ["C1", "C2"],
            "physicians": ["1003000126"],
            "patients": [],
        }


class TestChecking:
    """Errors of rows."""

    def test_assigns_known_records_once(self) -> None:
        (row,) = check_rows([build_row("C1", "C2", "C1")], ROLES, KNOWN_CODES)
        assert (row.values.assigned, row.names, row.errors) == (
            Assignments(clients=(1, 2)),
            ("LAKE CARE", "HILL CARE"),
            (),
        )

    def test_names_some_unknown_codes_and_not_that_none_is_chosen(self) -> None:
        row = build_row(*(f"X{n}" for n in range(5)))
        rows = [row, replace(row, codes=(*row.codes, "X5"))]
        rows[1] = replace(rows[1], values=replace(row.values, email="other@demo.lab"))
        assert [checked.errors for checked in check_rows(rows, ROLES, KNOWN_CODES)] == [
            ("Unknown codes: X0, X1, X2, X3, X4",),
            ("Unknown codes: X0, X1, X2, X3, X4, …",),
        ]

    def test_reports_other_errors_beside_unknown_codes(self) -> None:
        row = build_row("C1", "X", email="nobody")
        (checked,) = check_rows([row], ROLES, KNOWN_CODES)
        assert checked.errors == (messages.EMAIL_INVALID, "Unknown codes: X")
        assert checked.values.assigned == Assignments(clients=(1,))

    def test_requires_an_assignment_that_the_role_needs(self) -> None:
        (row,) = check_rows([build_row()], ROLES, KNOWN_CODES)
        assert row.errors == (messages.USER_CLIENT_REQUIRED,)

    @pytest.mark.parametrize("role", [Role.LABORATORY, "Nurse"])
    def test_assigns_nothing_to_a_role_without_a_kind(self, role: str) -> None:
        (row,) = check_rows([build_row("C1", role=role)], ROLES, KNOWN_CODES)
        assert (row.values.assigned, row.names) == (Assignments(), ())
        is_unknown = role == "Nurse"
        assert row.errors == ((messages.USER_ROLE_REQUIRED,) if is_unknown else ())

    def test_rejects_a_role_that_the_person_may_not_give(self) -> None:
        (row,) = check_rows([build_row("C1")], (Role.PATIENT,), KNOWN_CODES)
        assert (row.errors, row.names) == ((messages.USER_ROLE_REQUIRED,), ())

    def test_names_the_first_row_of_an_email(self) -> None:
        rows = [
            build_row("C1", number=2),
            build_row("C1", email="other@demo.lab", number=3),
            build_row("C1", number=4),
            build_row("C1", number=5),
            build_row("C1", email="", number=6),
            build_row("C1", email="", number=7),
        ]
        errors = [row.errors for row in check_rows(rows, ROLES, KNOWN_CODES)]
        repeated, missing = (messages.USER_IMPORT_REPEATED.format(row=2),), messages.EMAIL_REQUIRED
        assert errors == [(), (), repeated, repeated, (missing,), (missing,)]

    def test_adds_that_an_email_is_in_use(self) -> None:
        row = replace(build_row(), errors=("first",))
        other = build_row(email="other@demo.lab")
        assert check_emails([row, other], {row.values.email}) == [
            replace(row, errors=("first", messages.USER_EMAIL_IN_USE)),
            other,
        ]


def test_a_file_with_too_many_people_is_rejected_before_its_rows_are_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(import_rules, "_parse_row", lambda *_: pytest.fail("a row was parsed"))
    with pytest.raises(ImportUnreadable) as error:
        import_rules.parse_people((_HEADER + _ROW * 50_001).encode())
    count, most = "50,001", f"{USER_IMPORT_MAX:,}"
    assert error.value.errors[0].message == messages.USER_IMPORT_TOO_MANY.format(
        max=most, count=count
    )


def test_blank_rows_do_not_count() -> None:
    file = _HEADER + (_ROW + ",,,,\n\n") * USER_IMPORT_MAX
    rows, next_row = import_rules.parse_part(file.encode(), 2)
    assert (len(rows), next_row) == (USER_IMPORT_PART_ROWS, 2 + 3 * USER_IMPORT_PART_ROWS)


def test_parts_have_each_person_once() -> None:
    people = [_ROW.replace("wanda@", f"wanda{n}@") for n in range(USER_IMPORT_PART_ROWS * 2 + 1)]
    file = (_HEADER + "".join(people)).encode()
    parts, first_row = [], 2
    while first_row is not None:
        rows, first_row = import_rules.parse_part(file, first_row)
        parts.append(rows)
    assert [len(rows) for rows in parts] == [USER_IMPORT_PART_ROWS, USER_IMPORT_PART_ROWS, 1]
    assert [row for rows in parts for row in rows] == import_rules.parse_people(file)


def test_a_part_after_the_last_row_is_empty() -> None:
    assert import_rules.parse_part((_HEADER + _ROW).encode(), 3) == ([], None)
