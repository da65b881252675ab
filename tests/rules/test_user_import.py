"""Parsing of the files from which people are imported (ADR 60)."""

import pytest

from app.contract import messages
from app.contract.limits import USER_IMPORT_MAX, USER_IMPORT_PART_ROWS
from app.server.users import import_rules
from app.server.users.errors import ImportUnreadable

_HEADER = "Email,Last Name,First Name,Role,Codes\n"
_ROW = "wanda@demo.lab,Walker,Wanda,Client Basic,C001\n"


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
