"""SQL of the results of each family that conditions of the advanced search compare.

The families have these columns, if they apply: ``value``, ``number`` and ``sign``, ``flag``,
``is_abnormal``, ``is_critical``, and ``is_corrected``; cultures also ``source`` and ``site``. Each
row is a test's newest released version that everybody may read. The policies let the lab read other
versions, too, so the SQL repeats the conditions.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    ReportKind,
    ResultFlag,
    ResultKind,
    ResultStatus,
)
from app.server.order_search.columns.spec import quote_all
from app.server.orders.verdicts import JudgedResult

_FLAG_COLUMNS = {
    "is_abnormal": f"x.flag <> '' AND x.flag NOT IN ({quote_all(NOT_ABNORMAL_FLAGS)})",
    "is_critical": f"x.flag IN ({quote_all(CRITICAL_FLAGS)})",
}


def _find_earlier(table: str, condition: str) -> str:
    """Return SQL: whether the condition is true of ``b``, this or an earlier visible version."""
    return (
        f"EXISTS (SELECT 1 FROM {table} b WHERE b.order_test_id = x.order_test_id "
        "AND b.revision <= x.revision AND b.released_at IS NOT NULL AND b.withheld IS NULL "
        f"AND ({condition}))"
    )


# A version with a reason is a correction, even if the one that it replaced was withdrawn.
_CLINICAL = {
    **_FLAG_COLUMNS,
    "value": "x.value",
    "number": "x.number",
    "sign": "x.sign",
    "flag": "x.flag",
    "is_corrected": _find_earlier(
        "results",
        "b.reason IS NOT NULL OR (b.value, b.comment, b.unit, b.reference_range) "
        "IS DISTINCT FROM (x.value, x.comment, x.unit, x.reference_range)",
    ),
}

_JUDGED = JudgedResult("x")
_TOXICOLOGY = {
    "value": "x.value",
    "number": _JUDGED.number,
    "sign": _JUDGED.sign,
    "is_abnormal": _JUDGED.is_abnormal,
    "is_critical": _JUDGED.is_critical,
    "is_corrected": _find_earlier(
        "toxicology_results",
        "b.reason IS NOT NULL OR (b.value, b.comment, b.unit) "
        "IS DISTINCT FROM (x.value, x.comment, x.unit)",
    ),
}


def _join_names(table: str) -> str:
    return (
        f"(SELECT string_agg(concat_ws(' ', g.name, g.quantity_name), '; ' ORDER BY g.position) "
        f"FROM {table} g WHERE g.culture_id = x.id)"
    )


_MICROBIOLOGY = {
    "value": (
        f"concat_ws('; ', x.result, {_join_names('culture_findings')}, "
        f"{_join_names('culture_organisms')})"
    ),
    "source": "x.source_name",
    "site": "x.site_name",
    "flag": (
        f"CASE WHEN x.is_critical THEN '{ResultFlag.CRITICAL_ABNORMAL}' "
        f"WHEN x.is_abnormal THEN '{ResultFlag.ABNORMAL}' END"
    ),
    "is_abnormal": "x.is_abnormal OR x.is_critical",
    "is_critical": "x.is_critical",
    # Progress from a preliminary result is not a correction; a correction has a reason.
    "is_corrected": _find_earlier("cultures", "b.reason IS NOT NULL"),
}

# Addenda stay in force beside the newest report or revision (ADR 30).
_IS_ADDENDUM = f"kind = {ReportKind.ADDENDUM:d}"
_IN_FORCE = (
    "FROM pathology_reports f WHERE f.order_test_id = x.order_test_id "
    "AND f.released_at IS NOT NULL AND f.withheld IS NULL "
    f"AND (f.{_IS_ADDENDUM} OR f.revision = x.revision)"
)
_CONTENT = f"(SELECT string_agg(f.content, ' ' ORDER BY f.revision) {_IN_FORCE})"
_ENTITIES = {"&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}


def _convert_to_text(html: str) -> str:
    """Return SQL of the words of rich text; blocks separate words, inline tags do not."""
    block = "'</?(p|br|hr|h[1-6]|div|ul|ol|li|pre|blockquote|table|tr|t[dh])[^>]*>'"
    sql = f"regexp_replace(regexp_replace({html}, {block}, ' ', 'gi'), '<[^>]*>', '', 'g')"
    for entity, letter in _ENTITIES.items():
        sql = f"replace({sql}, '{entity}', '{letter}')"
    return f"btrim(regexp_replace({sql}, '\\s+', ' ', 'g'))"


def _find_flag(flags: Collection[str]) -> str:
    """Return SQL: whether a report in force has one of these flags."""
    return f"EXISTS (SELECT 1 {_IN_FORCE} AND f.flag IN ({quote_all(flags)}))"


_ABNORMAL_FLAGS = frozenset(ResultFlag) - NOT_ABNORMAL_FLAGS
_PATHOLOGY = {
    "value": _convert_to_text(_CONTENT),
    # The result has the most severe flag of the reports in force.
    "flag": (
        f"(SELECT f.flag {_IN_FORCE} ORDER BY f.flag IN ({quote_all(CRITICAL_FLAGS)}) "
        f"DESC NULLS LAST, f.flag IN ({quote_all(_ABNORMAL_FLAGS)}) DESC NULLS LAST LIMIT 1)"
    ),
    "is_abnormal": _find_flag(_ABNORMAL_FLAGS),
    "is_critical": _find_flag(CRITICAL_FLAGS),
    "is_corrected": f"x.kind = {ReportKind.REVISED:d}",
}


@dataclass(frozen=True)
class _Family:
    """A table of results; ``is_addition`` is SQL of versions that replace no other one."""

    table: str
    columns: Mapping[str, str]
    is_addition: str = ""

    def select_released(self, *names: str) -> str:
        """Return SQL of the newest released version ``r`` of each result of the order ``t``."""
        columns = "".join(f", {self.columns[name]} AS {name}" for name in names)
        return (
            "FROM (SELECT x.id, x.order_id, x.order_test_id, x.revision, x.released_at, "
            f"x.withheld{columns} FROM {self.table} x{self._leave_out('WHERE', 'x')}) r "
            "JOIN order_tests ot ON ot.id = r.order_test_id WHERE r.order_id = t.id "
            "AND r.released_at IS NOT NULL AND r.withheld IS NULL AND ot.withheld IS NULL "
            f"AND ot.status <> {ResultStatus.CANCELED:d} "
            f"AND NOT EXISTS (SELECT 1 FROM {self.table} n WHERE "
            f"n.order_test_id = r.order_test_id{self._leave_out('AND', 'n')} "
            "AND n.revision > r.revision AND n.released_at IS NOT NULL)"
        )

    def _leave_out(self, keyword: str, alias: str) -> str:
        return f" {keyword} NOT ({alias}.{self.is_addition})" if self.is_addition else ""


_FAMILIES = {
    ResultKind.CLINICAL: _Family("results", _CLINICAL),
    ResultKind.TOXICOLOGY: _Family("toxicology_results", _TOXICOLOGY),
    ResultKind.MICROBIOLOGY: _Family("cultures", _MICROBIOLOGY),
    ResultKind.PATHOLOGY: _Family("pathology_reports", _PATHOLOGY, _IS_ADDENDUM),
}


def select_released_results(family: ResultKind, *names: str) -> str:
    """Return SQL of the newest released versions ``r`` of a family, as everybody may read them.

    ``names`` are the columns of ``r`` besides its ids.
    """
    return _FAMILIES[family].select_released(*names)


_MEMBERS = (
    "ARRAY(SELECT {test}::bigint UNION SELECT m.test_id FROM panel_members m "
    "WHERE m.panel_id = {test} UNION SELECT k.test_id FROM panel_members m "
    "JOIN panel_members k ON k.panel_id = m.test_id WHERE m.panel_id = {test})"
)
# The first condition is cheap, and leaves few rows for the second one. A result that several panels
# of the order share is stored for one of them, so the second one looks at all rows of the test.
_IS_CHOSEN = (
    f"ot.test_id = ANY({_MEMBERS}) AND (ot.test_id = {{test}} OR EXISTS (SELECT 1 "
    "FROM order_tests w JOIN order_tests p ON p.id = w.parent_id "
    "LEFT JOIN order_tests g ON g.id = p.parent_id WHERE w.order_id = r.order_id "
    f"AND w.test_id = ot.test_id AND w.status <> {ResultStatus.CANCELED:d} "
    "AND {test} IN (p.test_id, g.test_id)))"
)
"""SQL: whether the result is of the chosen test, or of a member of the chosen panel."""


def build_result_wrap(*names: str) -> str:
    """Return the wrap of a condition on these columns, in the families that have them all.

    Each family has a separate subquery, so that PostgreSQL chooses an index for each.
    """
    subqueries = (
        f"EXISTS (SELECT 1 {family.select_released(*names)} AND {_IS_CHOSEN} "
        "AND ({condition}){per_order})"
        for family in _FAMILIES.values()
        if family.columns.keys() >= set(names)
    )
    return f"({' OR '.join(subqueries)})"
