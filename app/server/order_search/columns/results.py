"""Columns of released results; results that are not released look nonexistent."""

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    ResultFlag,
    ResultStatus,
    ToxicologyVerdict,
)
from app.server.order_search.columns.spec import SearchColumn, get_column, name_texts, quote_all
from app.server.order_search.rules import Kind

_RESULTS = "Results"
_FLAG_CHOICES = name_texts(ResultFlag)


def _select_released_results(table: str) -> str:
    """Return SQL of the newest released version ``r`` of each result, as everybody may read it.

    The lab's policies also admit other versions, so the condition is written out.
    """
    return (
        f"FROM {table} r JOIN order_tests ot ON ot.id = r.order_test_id WHERE r.order_id = t.id "
        "AND r.released_at IS NOT NULL AND r.withheld IS NULL AND ot.withheld IS NULL "
        f"AND ot.status <> {ResultStatus.CANCELED:d} "
        f"AND NOT EXISTS (SELECT 1 FROM {table} n WHERE n.order_test_id = r.order_test_id "
        "AND n.revision > r.revision AND n.released_at IS NOT NULL)"
    )


_RELEASED_RESULTS = _select_released_results("results")
_HAS_RESULT = f"EXISTS (SELECT 1 {_RELEASED_RESULTS} AND ot.test_id = {{test}} AND ({{condition}}))"
_HAS_ANY_RESULT = (
    f"({_HAS_RESULT} OR EXISTS (SELECT 1 {_select_released_results('toxicology_results')} "
    "AND ot.test_id = {test} AND ({condition})))"
)
_IS_ABNORMAL = f"r.flag <> '' AND r.flag NOT IN ({quote_all(NOT_ABNORMAL_FLAGS)})"
_IS_CRITICAL = f"r.flag IN ({quote_all(CRITICAL_FLAGS)})"
# A version with a reason is a correction, even if the one that it replaced was withdrawn.
_IS_CORRECTED = (
    "EXISTS (SELECT 1 FROM results b WHERE b.order_test_id = r.order_test_id "
    "AND b.revision <= r.revision AND b.released_at IS NOT NULL AND (b.reason IS NOT NULL OR "
    "(b.value, b.comment, b.unit, b.reference_range) "
    "IS DISTINCT FROM (r.value, r.comment, r.unit, r.reference_range)))"
)
_HAS_ORGANISM = (
    f"EXISTS (SELECT 1 {_select_released_results('cultures')} AND EXISTS (SELECT 1 "
    "FROM culture_organisms g WHERE g.culture_id = r.id AND ({condition})))"
)
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
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultText",
        "Result of a test, as text",
        _RESULTS,
        Kind.TEXT,
        "upper(r.value)",
        wrap=_HAS_ANY_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultFlag",
        "Flag of a test's result",
        _RESULTS,
        Kind.CHOICE,
        "coalesce(r.flag, '')",
        wrap=_HAS_RESULT,
        needs_test=True,
        choices=_FLAG_CHOICES,
    ),
    SearchColumn(
        "resultAbnormal",
        "A test's result is abnormal",
        _RESULTS,
        Kind.BOOLEAN,
        _IS_ABNORMAL,
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultCritical",
        "A test's result is critical",
        _RESULTS,
        Kind.BOOLEAN,
        _IS_CRITICAL,
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultCorrected",
        "A test's result was corrected",
        _RESULTS,
        Kind.BOOLEAN,
        _IS_CORRECTED,
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "organism",
        "Organism found",
        _RESULTS,
        Kind.TEXT,
        "upper(g.name)",
        wrap=_HAS_ORGANISM,
        may_be_empty=True,
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
