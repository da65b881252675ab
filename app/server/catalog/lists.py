"""Lists of tests, diagnoses and medications."""

from app.basics.text import to_upper_case
from app.server.catalog.orderable import (
    ON_A_LIST,
    ORDERABLE,
    ORDERABLE_BY_LIST,
    ORDERABLE_FOR_CLIENTS,
)
from app.server.catalog.rules import add_dot, normalize_icd10_code
from app.server.database.scope import Rows
from app.server.lists import filters
from app.server.lists.spec import Column, ListSpec

# Hides the private tests of clients out of scope.
_VISIBLE = Rows(
    client="({t}client_id IS NULL OR {t}client_id = ANY({ids}))",
    physician="({t}client_id IS NULL OR {t}client_id IN (SELECT l.client_id "
    "FROM client_physicians l WHERE l.physician_id = ANY({ids})))",
    patient="({t}client_id IS NULL OR {t}client_id IN (SELECT p.client_id "
    "FROM patients p WHERE p.id = ANY({ids})))",
)


def _build_tests(name: str, condition: str, on_list: str = "true") -> ListSpec:
    return ListSpec(
        name=name,
        table="lab_tests",
        scope=_VISIBLE,
        columns=(
            Column("id", "t.id", int, sort="indexed", kind="number"),
            Column("code", "t.code", str, sort="indexed", kind="text"),
            Column("name", "t.name", str, sort="window", kind="text"),
            Column("alternateNames", "t.alternate_names", str, kind="text"),
            Column("type", "CASE WHEN t.is_panel THEN 'PANEL' ELSE 'TEST' END", str),
            Column("specimen", "t.specimen", str | None),
            Column("container", "t.container", str | None),
            Column("onList", on_list, bool),
        ),
        always=condition,
        filters=(
            filters.text("search", "t.search_text"),
            filters.exact_text("code", "t.code"),
        ),
        default_sort="name",
        audited=False,
    )


tests = _build_tests("tests", ORDERABLE)
"""All orderable tests."""
tests_of_clients = _build_tests("tests-of-clients", ORDERABLE_FOR_CLIENTS, ON_A_LIST)
"""Tests orderable for ``clients`` (``allTests=true``); ``onList`` marks those on their lists."""
tests_on_lists = _build_tests("tests-on-lists", ORDERABLE_BY_LIST)
"""Tests on the list of one of ``clients``; a client without a list has the whole catalog."""

tests_by_name = ListSpec(
    name="tests-by-name",
    table="lab_tests",
    scope=_VISIBLE,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("code", "t.code", str, sort="indexed", kind="text"),
        Column("name", "t.name", str, sort="window", kind="text"),
    ),
    filters=(filters.text("search", "t.search_text"),),
    default_sort="name",
    audited=False,
)
"""All tests including members of panels, for searching results."""

diagnoses = ListSpec(
    name="diagnoses",
    table="diagnoses",
    scope=None,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("code", "t.code", str, sort="indexed", kind="text"),
        Column("description", "t.description", str),
    ),
    filters=(
        filters.words("search", "t.search_text", add_dot, parts=("upper(t.description)", "t.code")),
        filters.prefix(
            "code", "t.code", lambda text: normalize_icd10_code(text) or to_upper_case(text)
        ),
        filters.day_within("date", "t.valid_from", "t.valid_to"),
    ),
    default_sort="code",
    audited=False,
)

medications = ListSpec(
    name="medications",
    table="medications",
    scope=None,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("name", "t.name", str, sort="indexed", kind="text"),
    ),
    filters=(filters.words("search", "t.name"),),
    default_sort="name",
    audited=False,
)
