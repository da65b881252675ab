"""Parsing of the files from which people are imported (ADR 60)."""

import pytest

from app.contract import messages
from app.contract.limits import USER_IMPORT_MAX
from app.server.users import import_rules
from app.server.users.errors import ImportUnreadable

_HEADER = "Email,Last Name,First Name,Role,Codes\n"
_ROW = "wanda@demo.lab,Walker,Wanda,Client Basic,C001\n"


def test_a_file_with_too_many_people_is_rejected_before_its_rows_are_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(import_rules, "_parse_row", lambda *_: pytest.fail("a row was parsed"))
    with pytest.raises(ImportUnreadable) as rejected:
        import_rules.parse_people((_HEADER + _ROW * 50_000).encode())
    count, most = "50,000", f"{USER_IMPORT_MAX:,}"
    assert rejected.value.errors[0].message == messages.USER_IMPORT_TOO_MANY.format(
        max=most, count=count
    )


def test_blank_rows_do_not_count() -> None:
    file = _HEADER + (_ROW + ",,,,\n\n") * USER_IMPORT_MAX
    assert len(import_rules.parse_people(file.encode())) == USER_IMPORT_MAX
