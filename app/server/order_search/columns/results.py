"""Columns of released results; results that are not released look nonexistent."""

from app.contract.enumerations import ResultFlag, ToxicologyVerdict
from app.server.order_search.columns.result_rows import build_result_wrap
from app.server.order_search.columns.spec import SearchColumn, get_column, name_texts
from app.server.order_search.rules import Kind

_RESULTS = "Results"
_FLAG_CHOICES = name_texts(ResultFlag)

_HAS_UNEXPECTED_DRUG = (
    "EXISTS (SELECT 1 FROM toxicology_assessments a, jsonb_array_elements(a.verdicts) v "
    "WHERE a.order_id = t.id AND NOT EXISTS (SELECT 1 FROM toxicology_assessments n "
    "WHERE n.order_id = t.id AND n.revision > a.revision) "
    f"AND v ->> 'kind' = '{ToxicologyVerdict.UNEXPECTED_POSITIVE}' AND ({{condition}}))"
)

RESULT_COLUMNS: tuple[SearchColumn, ...] = (
    SearchColumn(
        "resultNumber",
        "Result of a test, as a number",
        _RESULTS,
        Kind.NUMBER,
        "r.number",
        wrap=build_result_wrap("number", "sign"),
        needs_test=True,
    ),
    SearchColumn(
        "resultText",
        "Result of a test, as text",
        _RESULTS,
        Kind.TEXT,
        "upper(r.value)",
        wrap=build_result_wrap("value"),
        needs_test=True,
    ),
    SearchColumn(
        "resultFlag",
        "Flag of a test's result",
        _RESULTS,
        Kind.CHOICE,
        "coalesce(r.flag, '')",
        wrap=build_result_wrap("flag"),
        needs_test=True,
        choices=_FLAG_CHOICES,
    ),
    SearchColumn(
        "resultAbnormal",
        "A test's result is abnormal",
        _RESULTS,
        Kind.BOOLEAN,
        "r.is_abnormal",
        wrap=build_result_wrap("is_abnormal"),
        needs_test=True,
    ),
    SearchColumn(
        "resultCritical",
        "A test's result is critical",
        _RESULTS,
        Kind.BOOLEAN,
        "r.is_critical",
        wrap=build_result_wrap("is_critical"),
        needs_test=True,
    ),
    SearchColumn(
        "resultCorrected",
        "A test's result was corrected",
        _RESULTS,
        Kind.BOOLEAN,
        "r.is_corrected",
        wrap=build_result_wrap("is_corrected"),
        needs_test=True,
    ),
    SearchColumn(
        "unexpectedDrug",
        "Drug found, not reported",
        _RESULTS,
        Kind.TEXT,
        "upper(v ->> 'name')",
        wrap=_HAS_UNEXPECTED_DRUG,
        may_be_empty=True,
    ),
    SearchColumn(
        "hasAlert",
        "Has an alert",
        _RESULTS,
        Kind.BOOLEAN,
        get_column("hasAlert").sql,
        shown_column=get_column("hasAlert"),
        has_day_index=True,
    ),
    SearchColumn(
        "hasCritical",
        "Has a critical result",
        _RESULTS,
        Kind.BOOLEAN,
        "t.has_critical",
        shown_column=get_column("hasCritical"),
        has_day_index=True,
    ),
    SearchColumn(
        "hasAbnormal",
        "Has an abnormal result",
        _RESULTS,
        Kind.BOOLEAN,
        "t.has_abnormal",
        shown_column=get_column("hasAbnormal"),
    ),
)
