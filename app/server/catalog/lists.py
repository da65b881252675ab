"""Tests and diagnoses as lists."""

from app.server.catalog.rules import with_dot
from app.server.lists import filters
from app.server.lists.spec import Column, ListSpec

tests = ListSpec(
    name="tests",
    table="lab_tests",
    scope=None,
    columns=(
        Column("id", "t.id", sort="indexed", kind="number"),
        Column("code", "t.code", sort="indexed", kind="text"),
        Column("name", "t.name", sort="window", kind="text"),
        Column("alternateNames", "t.alternate_names", kind="text"),
        Column("type", "CASE WHEN t.is_panel THEN 'PANEL' ELSE 'TEST' END"),
        Column("specimen", "t.specimen"),
        Column("container", "t.container"),
    ),
    always="t.orderable",
    filters=(
        filters.text("search", "t.search_text"),
        filters.exact_text("code", "t.code"),
        filters.ignored("clientId"),
        filters.ignored("clientIds"),
        filters.ignored("allTests"),
    ),
    default_sort="name",
    audited=False,
)

diagnoses = ListSpec(
    name="diagnoses",
    table="diagnoses",
    scope=None,
    columns=(
        Column("id", "t.id", sort="indexed", kind="number"),
        Column("code", "t.code", sort="indexed", kind="text"),
        Column("description", "t.description"),
    ),
    filters=(
        filters.words("search", "t.search_text", with_dot),
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
        Column("id", "t.id", sort="indexed", kind="number"),
        Column("name", "t.name", sort="indexed", kind="text"),
    ),
    filters=(filters.words("search", "t.name"),),
    default_sort="name",
    audited=False,
)
