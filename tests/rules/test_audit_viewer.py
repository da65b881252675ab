"""The detail of an audit row in lines, and the condition of the rows about a patient."""

import pytest

from app.server.audit_viewer.lists import build_access_condition
from app.server.audit_viewer.rules import DetailLine, list_detail


def test_a_row_without_detail_has_no_lines() -> None:
    assert list_detail(None) == []
    assert list_detail({}) == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("reason", "Reason"),
        ("secondFactorRoles", "Second factor roles"),
        ("file_name", "File name"),
        ("time-zone", "Time zone"),
        ("Code", "Code"),
    ],
)
def test_names_are_words(name: str, label: str) -> None:
    assert list_detail({name: "x"}) == [DetailLine(label, "x")]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("", None),
        (True, "Yes"),
        (False, "No"),
        (0, "0"),
        (12, "12"),
        (1.5, "1.5"),
        (["to_sign", 3], "to sign, 3"),
        ([], ""),
        ([{"a": 1}], '[{"a": 1}]'),
        ({"old": 1}, '{"old": 1}'),
        ({"old": 1, "new": 2, "at": 3}, '{"old": 1, "new": 2, "at": 3}'),
    ],
)
def test_values_are_text(value: object, text: str | None) -> None:
    assert list_detail({"value": value}) == [DetailLine("Value", text)]


def test_a_change_has_the_old_and_the_new_value() -> None:
    assert list_detail(
        {"active": {"old": True, "new": False}, "phone": {"new": "1", "old": ""}}
    ) == [
        DetailLine("Active", "No", "Yes", is_change=True),
        DetailLine("Phone", "1", None, is_change=True),
    ]


def test_rows_about_a_patient_are_read_by_record_and_not_by_kind() -> None:
    """An index condition on the kind would read a tenth of the log."""
    for select in build_access_condition("ARRAY[7]").split("UNION ALL"):
        assert ") IS TRUE" in select
