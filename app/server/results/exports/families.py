"""SQL of the exported results of each family, for the order ``c``.

Every family shows what people outside the lab see: the newest released version, unless it is
withheld or its test is canceled, without suppressed antibiotics. The SQL checks this itself,
because the lab's policies also admit other rows.
"""

from collections.abc import Mapping, Sequence

from app.contract.enumerations import (
    CultureStage,
    ReportKind,
    ResultFlag,
    ResultKind,
    ResultStatus,
    ToxicologyMethod,
    ToxicologyVerdict,
)
from app.server.orders.verdicts import VERDICT_RANK, JudgedResult
from app.server.results.clinical.models import Result
from app.server.results.exports.columns import RESULT_COLUMNS
from app.server.results.microbiology.models import (
    CultureFinding,
    CultureOrganism,
    CultureSusceptibility,
    CultureVersion,
)
from app.server.results.microbiology.reference_models import OrganismName
from app.server.results.pathology.models import PathologyReport
from app.server.results.toxicology.models import (
    ToxicologyAssessment,
    ToxicologyResult,
    ToxicologyTest,
)

PATHOLOGY_SECTION = "Pathology"
_NAMES = tuple(column.name for column in RESULT_COLUMNS)
_CORRECTED = "CORRECTED"
_CHOSEN_TESTS = (
    "(t.test_id IN (SELECT id FROM chosen_tests) OR p.test_id IN (SELECT id FROM chosen_tests) "
    "OR g.test_id IN (SELECT id FROM chosen_tests))"
)
"""Whether the test, or a panel that contains it, was chosen."""


def _build_case(value: str, words: Mapping[object, str]) -> str:
    cases = " ".join(f"WHEN '{key}' THEN '{text}'" for key, text in words.items())
    return f"CASE {value} {cases} END"


_VERDICT_WORDS: Mapping[object, str] = {
    ToxicologyVerdict.CONSISTENT: "Consistent",
    ToxicologyVerdict.UNEXPECTED_NEGATIVE: "Unexpected Negative",
    ToxicologyVerdict.UNEXPECTED_POSITIVE: "Unexpected Positive",
}
_VERDICT = (
    "(SELECT v ->> 'kind' FROM jsonb_array_elements(a.verdicts) v "
    "WHERE v -> 'tests' @> to_jsonb(t.id) "
    f"ORDER BY {VERDICT_RANK} LIMIT 1)"
)
_METHOD_WORDS: Mapping[object, str] = {
    ToxicologyMethod.SCREEN: "Screen (presumptive)",
    ToxicologyMethod.CONFIRMATION: "Confirmation",
    ToxicologyMethod.VALIDITY: "Specimen validity",
}
_METHOD = (
    "coalesce(r.method, (SELECT m.method "
    f"FROM {ToxicologyTest.__tablename__} m WHERE m.test_id = t.test_id))"
)
"""How the result was found; older results do not say it (ADR 107)."""
_RELEASE_COLUMNS = {"status": "'FINAL'", "released": "r.released_at", "comment": "r.comment"}


_HAS_REASON = "r.reason IS NOT NULL"
"""Only a correction has a reason."""


def _build_status(earlier_version: str, correction: str = _HAS_REASON) -> dict[str, str]:
    """Return the columns of a result that may have replaced the released version ``e``.

    ``correction`` finds corrections of withdrawn versions, which are not in ``e``.
    """
    is_corrected = f"(e.revision IS NOT NULL OR {correction})"
    return {
        "status": f"CASE WHEN {is_corrected} THEN '{_CORRECTED}' ELSE 'FINAL' END",
        "corrected": f"CASE WHEN {is_corrected} THEN 'Yes' END",
        "earlierResult": earlier_version,
    }


def _build_tests(kind: ResultKind, *, has_tests: bool) -> str:
    """Return the joins and conditions of the test ``t`` of the version ``r``."""
    condition = f" AND {_CHOSEN_TESTS}" if has_tests else ""
    return (
        "JOIN order_tests t ON t.id = r.order_test_id "
        "JOIN lab_tests l ON l.id = t.test_id "
        "LEFT JOIN order_tests p ON p.id = t.parent_id "
        "LEFT JOIN order_tests g ON g.id = p.parent_id {joins} "
        f"WHERE t.kind = '{kind}' AND t.withheld IS NULL "
        f"AND t.status <> {ResultStatus.CANCELED:d}{condition}"
    )


def _build_select(
    section: str,
    values: Mapping[str, str],
    rest: str,
    *,
    part: str = "0",
    positions: Sequence[str] = ("0", "0"),
) -> str:
    """Return the SELECT of a family: the order of its rows, and their cells."""
    cells = {
        "section": f"'{section}'",
        "panel": "coalesce(g.name, p.name)",
        "testCode": "l.code",
        "test": "t.name",
        "loinc": "l.loinc",
        **values,
    }
    unknown_cells = set(cells) - set(_NAMES)
    assert not unknown_cells, unknown_cells
    columns = ", ".join(cells.get(name, "NULL") for name in _NAMES)
    outer, inner = positions
    order = f"t.position, {part} AS part, {outer} AS item_position, {inner} AS inner_position"
    return f"SELECT {order}, json_build_array({columns}) AS cells {rest}"


def _select_newest_versions(table: str) -> str:
    """Return SQL of the newest released versions of the order's results in a table."""
    return (
        f"FROM (SELECT DISTINCT ON (n.order_test_id) n.* FROM {table} n WHERE n.order_id = c.id "
        "AND n.released_at IS NOT NULL AND n.withheld IS NULL "
        "ORDER BY n.order_test_id, n.revision DESC) r"
    )


def _join_earlier(table: str, difference: str, columns: str, condition: str = "true") -> str:
    """Return the join of ``e``, the newest earlier version that differs; ``o`` in arguments."""
    return (
        f"LEFT JOIN LATERAL (SELECT o.revision, {columns} FROM {table} o "
        "WHERE o.order_test_id = r.order_test_id AND o.released_at IS NOT NULL "
        f"AND o.withheld IS NULL AND o.revision < r.revision AND {condition} AND {difference} "
        "ORDER BY o.revision DESC LIMIT 1) e ON true"
    )


_EARLIER_VALUE = (
    "CASE WHEN o.unit IS DISTINCT FROM r.unit THEN concat_ws(' ', o.value, o.unit) "
    "ELSE o.value END AS value"
)
"""The earlier value, with its unit if that differs from the unit of the row."""


def _build_clinical(*, has_tests: bool) -> str:
    table = Result.__tablename__
    joins = _join_earlier(
        table,
        "(o.value, o.comment, o.unit, o.reference_range) IS DISTINCT FROM "
        "(r.value, r.comment, r.unit, r.reference_range)",
        _EARLIER_VALUE,
    )
    tests = _build_tests(ResultKind.CLINICAL, has_tests=has_tests).format(joins=joins)
    return _build_select(
        "Clinical",
        {
            **_RELEASE_COLUMNS,
            **_build_status("e.value"),
            "result": "r.value",
            "number": "r.number::text",
            "sign": "nullif(r.sign, '')",
            "flag": "nullif(r.flag, '')",
            "unit": "r.unit",
            "referenceRange": "r.reference_range",
            "comment": "nullif(concat_ws(E'\\n', r.comment, r.range_comment), '')",
            "method": "r.method",
            "performingLab": "r.performing_lab",
        },
        f"{_select_newest_versions(table)} {tests}",
    )


def _build_toxicology(*, has_tests: bool) -> str:
    table = ToxicologyResult.__tablename__
    joins = (
        _join_earlier(
            table,
            "(o.value, o.comment, o.unit) IS DISTINCT FROM (r.value, r.comment, r.unit)",
            _EARLIER_VALUE,
        )
        + " LEFT JOIN LATERAL (SELECT s.verdicts FROM "
        + f"{ToxicologyAssessment.__tablename__} s WHERE s.order_id = c.id "
        + "ORDER BY s.revision DESC LIMIT 1) a ON true"
    )
    tests = _build_tests(ResultKind.TOXICOLOGY, has_tests=has_tests).format(joins=joins)
    return _build_select(
        "Toxicology",
        {
            **_RELEASE_COLUMNS,
            **_build_status("e.value"),
            "result": "r.value",
            "flag": JudgedResult("r").flag,
            "unit": "r.unit",
            "method": _build_case(_METHOD, _METHOD_WORDS),
            "cutOff": "r.cut_off::text",
            "detectionWindow": "r.detection_window",
            "performingLab": "r.performing_lab",
            "verdict": _build_case(_VERDICT, _VERDICT_WORDS),
        },
        f"{_select_newest_versions(table)} {tests}",
    )


_ORGANISM_NAMES = (
    "(SELECT string_agg(n.name, ', ' ORDER BY n.position) "
    f"FROM {CultureOrganism.__tablename__} n WHERE n.culture_id = o.id)"
)
_PRELIMINARY_COMMENT = (
    f"CASE WHEN r.stage = '{CultureStage.PRELIMINARY}' THEN r.preliminary_comment END"
)
_PARTS = f"""
CROSS JOIN LATERAL (
    SELECT 0 AS part, 0 AS item_position, 0 AS inner_position, r.result, NULL AS finding,
        NULL AS organism, NULL AS snomed, NULL AS quantity, NULL AS mark, NULL AS antibiotic,
        NULL AS value, NULL AS method, NULL AS interpretation,
        nullif(concat_ws(E'\\n', r.comment, {_PRELIMINARY_COMMENT}), '') AS comment
    WHERE r.result IS NOT NULL OR r.comment IS NOT NULL OR {_PRELIMINARY_COMMENT} IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM {CultureFinding.__tablename__} x WHERE x.culture_id = r.id)
        AND NOT EXISTS (SELECT 1 FROM {CultureOrganism.__tablename__} x WHERE x.culture_id = r.id)
    UNION ALL
    SELECT 1, f.position, 0, NULL, f.name, NULL, NULL, f.quantity_name, NULL, NULL, NULL, NULL,
        NULL, NULL
    FROM {CultureFinding.__tablename__} f WHERE f.culture_id = r.id
    UNION ALL
    SELECT 2, q.position, coalesce(s.position, 0), NULL, NULL, q.name,
        (SELECT n.snomed FROM {OrganismName.__tablename__} n WHERE n.code = q.code),
        q.quantity_name,
        q.mark_name, s.antibiotic_name, s.value, s.method, s.interpretation,
        nullif(concat_ws(E'\\n', q.comment, q.organism_comment, s.comment), '')
    FROM {CultureOrganism.__tablename__} q
    LEFT JOIN {CultureSusceptibility.__tablename__} s ON s.culture_id = q.culture_id
        AND s.organism_position = q.position AND NOT s.is_suppressed
    WHERE q.culture_id = r.id
) b
"""


def _build_microbiology(*, has_tests: bool) -> str:
    table = CultureVersion.__tablename__
    # Progress from a preliminary result is not a correction; a correction has a reason.
    joins = _PARTS + _join_earlier(
        table,
        _HAS_REASON,
        f"nullif(concat_ws('; ', o.result, {_ORGANISM_NAMES}), '') AS value",
    )
    tests = _build_tests(ResultKind.MICROBIOLOGY, has_tests=has_tests).format(joins=joins)
    status = (
        f"CASE WHEN r.stage = '{CultureStage.PRELIMINARY}' THEN 'PRELIMINARY' "
        f"WHEN {_HAS_REASON} THEN '{_CORRECTED}' ELSE 'FINAL' END"
    )
    flag = (
        f"CASE WHEN r.is_critical THEN '{ResultFlag.CRITICAL_ABNORMAL}' "
        f"WHEN r.is_abnormal THEN '{ResultFlag.ABNORMAL}' END"
    )
    return _build_select(
        "Microbiology",
        {
            **_RELEASE_COLUMNS,
            **_build_status("e.value"),
            "status": status,
            "result": "b.result",
            "flag": flag,
            "comment": "b.comment",
            "performingLab": "r.performing_lab",
            "source": "r.source_name",
            "site": "r.site_name",
            "finding": "b.finding",
            "organism": "b.organism",
            "organismCode": "nullif(b.snomed, '')",
            "quantity": "b.quantity",
            "resistance": "b.mark",
            "antibiotic": "b.antibiotic",
            "susceptibility": "b.value",
            "method": "b.method",
            "interpretation": "b.interpretation",
        },
        f"{_select_newest_versions(table)} {tests}",
        part="b.part",
        positions=("b.item_position", "b.inner_position"),
    )


_REPORT_TITLES = (
    f"CASE r.kind WHEN {ReportKind.ADDENDUM:d} THEN concat_ws(' ', 'Addendum', r.number) "
    f"WHEN {ReportKind.REVISED:d} THEN concat_ws(' ', 'Revision', r.number) "
    "ELSE 'Result Report' END"
)


def _build_pathology(*, has_tests: bool) -> str:
    table = PathologyReport.__tablename__
    # A revision replaces the report before it; addenda stay in force (ADR 30).
    newest = (
        f"FROM (SELECT n.*, n.kind <> {ReportKind.ADDENDUM:d} AND EXISTS ("
        f"SELECT 1 FROM {table} m WHERE m.order_test_id = n.order_test_id "
        f"AND m.released_at IS NOT NULL AND m.kind <> {ReportKind.ADDENDUM:d} "
        "AND m.revision > n.revision) AS is_replaced "
        f"FROM {table} n WHERE n.order_id = c.id AND n.released_at IS NOT NULL "
        "AND n.withheld IS NULL) r"
    )
    joins = _join_earlier(
        table,
        f"r.kind = {ReportKind.REVISED:d}",
        "o.content AS value",
        f"o.kind <> {ReportKind.ADDENDUM:d}",
    )
    tests = _build_tests(ResultKind.PATHOLOGY, has_tests=has_tests).format(joins=joins)
    return _build_select(
        PATHOLOGY_SECTION,
        {
            "released": "r.released_at",
            **_build_status("e.value", f"r.kind = {ReportKind.REVISED:d}"),
            "result": "r.content",
            "flag": "nullif(r.flag, '')",
            "report": _REPORT_TITLES,
            "signedOutBy": "r.signed_out_by",
            "performingLab": "r.performing_lab",
            "comment": "r.explanation",
        },
        f"{newest} {tests} AND NOT r.is_replaced",
        part="r.revision",
    )


def build_results(*, has_tests: bool) -> str:
    """Return the SQL of all results of the order ``c``: positions, part, and cells.

    With ``has_tests``, it reads the chosen tests from the CTE ``chosen_tests``.
    """
    families = (_build_clinical, _build_toxicology, _build_microbiology, _build_pathology)
    return " UNION ALL ".join(f"({build(has_tests=has_tests)})" for build in families)
