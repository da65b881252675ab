"""Lists of tests, diagnoses and medications."""

from dataclasses import replace

from app.basics.text import to_upper_case
from app.contract.limits import TAKE_MAX
from app.server.catalog.orderable import (
    ON_A_LIST,
    ORDERABLE,
    ORDERABLE_BY_LIST,
    ORDERABLE_FOR_CLIENTS,
)
from app.server.catalog.rules import VALUE_KINDS, add_dot, normalize_icd10_code
from app.server.database.scope import Rows
from app.server.lists import filters
from app.server.lists.parsing import build_text_condition
from app.server.lists.spec import Column, Filter, ListSpec, ParsedValues, quote_texts

# Hides the private tests of clients out of scope.
_VISIBLE = Rows(
    client="({t}client_id IS NULL OR {t}client_id = ANY({ids}))",
    physician="({t}client_id IS NULL OR {t}client_id IN (SELECT l.client_id "
    "FROM client_physicians l WHERE l.physician_id = ANY({ids})))",
    patient="({t}client_id IS NULL OR {t}client_id IN (SELECT p.client_id "
    "FROM patients p WHERE p.id = ANY({ids})))",
)


_OF_ALL = "k.active AND k.client_id IS NULL"
_OF_CLIENTS = "k.active AND (k.client_id IS NULL OR k.client_id = ANY(%(clients)s::bigint[]))"
# The rule ``has_single_value`` in SQL.
_HAS_SINGLE_VALUE = f"NOT t.is_panel AND t.kind IN ({quote_texts(VALUE_KINDS)})"
_LETTERS = "%(f_search_letters)s"
RELEVANCE = "relevance"


def _pass_letters(search: Filter) -> Filter:
    """Return the filter ``search``, which also passes its letters to the column ``relevance``."""

    def parse(values: list[str]) -> ParsedValues | None:
        parsed_values = search.parse(values)
        letters = to_upper_case(values[-1]) or ""
        return None if parsed_values is None else {**parsed_values, "f_search_letters": letters}

    return replace(search, parse=parse)


def _add_ids(condition: str, ids: str) -> str:
    # An array, so that the planner can combine the indexes of both conditions.
    return f"{condition} OR t.id = ANY(ARRAY({ids}))"


def _list_test_filters(used_codes: str) -> tuple[Filter, ...]:
    """Return the filters of tests; ``used_codes`` is SQL of the other codes in use."""
    by_code = f"SELECT k.test_id FROM test_codes k WHERE {used_codes} AND "
    search = filters.match_text("search", "t.search_text")
    code = filters.match_exact_text("code", "t.code")

    def build_search_sql(parsed_values: ParsedValues) -> str:
        assert callable(search.sql)
        condition, _ = build_text_condition("k.code", "f_search", parsed_values["f_search_raw"])
        return _add_ids(search.sql(parsed_values), by_code + condition)

    return (
        replace(_pass_letters(search), sql=build_search_sql),
        replace(code, sql=_add_ids(str(code.sql), f"{by_code}k.code = %(f_code)s")),
        replace(filters.match_ids("preferred", "t.id", max_count=TAKE_MAX), sql="true"),
        filters.match_flag("hasSingleValue", _HAS_SINGLE_VALUE),
    )


def _match_exactly(used_codes: str) -> tuple[str, str, str]:
    """Return conditions for the test's own code, another code, and a complete name."""
    same_code = f"SELECT k.test_id FROM test_codes k WHERE k.code = {_LETTERS} AND {used_codes}"
    other_names = "string_to_array(upper(t.alternate_names), ', ')"
    return (
        f"t.code = {_LETTERS}",
        f"t.id = ANY(ARRAY({same_code}))",
        f"(t.name = {_LETTERS} OR {_LETTERS} = ANY({other_names}))",
    )


def _rank_tests(used_codes: str) -> str:
    """Return the rank of a test in the search: code, name, start of code or name, word.

    Preferred tests come first, both among tests that start with the text and among the others.
    """
    has_code, has_other_code, has_name = _match_exactly(used_codes)
    preferred = "%(f_preferred)s::bigint[]"
    starts = f"(starts_with(t.code, {_LETTERS}) OR starts_with(t.name, {_LETTERS}))"
    return (
        f"(CASE WHEN {_LETTERS} = '' THEN 8000 WHEN {has_code} THEN 0 "
        f"WHEN {has_other_code} THEN 1000 WHEN {has_name} THEN 2000 "
        f"WHEN t.id = ANY({preferred}) AND {starts} THEN 3000 "
        f"WHEN starts_with(t.code, {_LETTERS}) THEN 4000 "
        f"WHEN starts_with(t.name, {_LETTERS}) THEN 5000 "
        f"WHEN t.id = ANY({preferred}) THEN 6000 "
        f"WHEN strpos(t.search_text, ' ' || {_LETTERS}) > 0 THEN 7000 ELSE 8000 END "
        f"+ coalesce(array_position({preferred}, t.id), 999))"
    )


def _build_tests(
    name: str, condition: str, on_list: str = "true", used_codes: str = _OF_CLIENTS
) -> ListSpec:
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
            Column("isExact", f"({' OR '.join(_match_exactly(used_codes))})", bool),
            Column(RELEVANCE, _rank_tests(used_codes), int, sort="indexed", is_hidden=True),
        ),
        base_condition=condition,
        filters=_list_test_filters(used_codes),
        default_sort="name",
        is_audited=False,
        defaults={"f_search_letters": "", "f_preferred": []},
    )


tests = _build_tests("tests", ORDERABLE, used_codes=_OF_ALL)
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
    filters=(filters.match_text("search", "t.search_text"),),
    default_sort="name",
    is_audited=False,
)
"""All tests including members of panels, for searching results."""

_DIAGNOSIS_WORDS = filters.match_words(
    "search", "t.search_text", add_dot, parts=("upper(t.description)", "t.code")
)
_OF_TERMS = "SELECT d.diagnosis_id FROM diagnosis_terms d WHERE d.active AND "
_STARTS_A_TERM = f"{_LETTERS} <> '' AND starts_with(d.term, {_LETTERS})"
_DIAGNOSIS_RANK = (
    f"(CASE WHEN {_LETTERS} = '' THEN 6000 "
    f"WHEN t.code = {_LETTERS} OR replace(t.code, '.', '') = {_LETTERS} THEN 0 "
    f"WHEN t.id = ANY(ARRAY({_OF_TERMS} d.term = {_LETTERS})) THEN 1000 "
    f"WHEN t.id = ANY(ARRAY({_OF_TERMS} {_STARTS_A_TERM})) THEN 2000 "
    f"WHEN starts_with(t.code, {_LETTERS}) AND t.id = ANY(ARRAY({_OF_TERMS} true)) THEN 3000 "
    f"WHEN starts_with(t.code, {_LETTERS}) THEN 3500 "
    f"WHEN starts_with(upper(t.description), {_LETTERS}) THEN 4000 "
    f"WHEN strpos(t.search_text, ' ' || {_LETTERS}) > 0 THEN 5000 ELSE 6000 END "
    f"+ CASE WHEN starts_with(t.code, {_LETTERS}) THEN 0 "
    "ELSE least(length(t.description), 999) END)"
)
"""The rank of a diagnosis: code, everyday word, start of the code or description, word.

Short descriptions come first, since they are the general ones. Matches by code keep the order of
the codes; diagnoses with everyday words come before the others, since they are the common ones.
"""


def _build_diagnosis_sql(parsed_values: ParsedValues) -> str:
    assert callable(_DIAGNOSIS_WORDS.sql)
    return _add_ids(f"({_DIAGNOSIS_WORDS.sql(parsed_values)})", _OF_TERMS + _STARTS_A_TERM)


diagnoses = ListSpec(
    name="diagnoses",
    table="diagnoses",
    scope=None,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("code", "t.code", str, sort="indexed", kind="text"),
        Column("description", "t.description", str),
        # The table is small enough to sort all of it, and its size does not grow with use.
        Column(RELEVANCE, _DIAGNOSIS_RANK, int, sort="indexed", is_hidden=True),
    ),
    filters=(
        replace(_pass_letters(_DIAGNOSIS_WORDS), sql=_build_diagnosis_sql),
        filters.match_prefix(
            "code", "t.code", lambda text: normalize_icd10_code(text) or to_upper_case(text)
        ),
        filters.match_validity("date", "t.valid_from", "t.valid_to"),
    ),
    default_sort="code",
    is_audited=False,
    defaults={"f_search_letters": ""},
)

_MEDICATION_RANK = (
    f"(CASE WHEN starts_with(t.name, {_LETTERS}) THEN 0 "
    f"WHEN strpos(t.name, ' ' || {_LETTERS}) > 0 THEN 1 ELSE 2 END)"
)
medications = ListSpec(
    name="medications",
    table="medications",
    scope=None,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("name", "t.name", str, sort="indexed", kind="text"),
        Column(RELEVANCE, _MEDICATION_RANK, int, sort="indexed", is_hidden=True),
    ),
    base_condition="t.active",
    filters=(_pass_letters(filters.match_words("search", "t.name")),),
    default_sort="name",
    is_audited=False,
    defaults={"f_search_letters": ""},
)
