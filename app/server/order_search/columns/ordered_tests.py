"""Columns of the ordered tests and the diagnoses."""

from app.contract.enumerations import ResultStatus
from app.server.lists.spec import Column
from app.server.order_search.columns.spec import SearchColumn, Source
from app.server.order_search.rules import Kind

_TESTS = "Tests and diagnoses"
_HAS_TEST = (
    "EXISTS (SELECT 1 FROM order_tests ot WHERE ot.order_id = t.id "
    f"AND ot.status <> {ResultStatus.CANCELED:d} AND ({{condition}}))"
)
_SHOWN_TESTS = (
    "(SELECT coalesce(json_agg({column} ORDER BY ot.position), '[]'::json) FROM order_tests ot "
    "LEFT JOIN lab_tests x ON x.id = ot.test_id WHERE ot.order_id = t.id AND ot.parent_id IS NULL)"
)
_OF_TESTS = "t.test_ids && ARRAY(SELECT x.id::integer FROM lab_tests x WHERE {condition})"
_DIAGNOSES = (
    "FROM requisition_diagnoses g JOIN diagnoses d ON d.id = g.diagnosis_id "
    "WHERE g.requisition_id = t.requisition_id"
)
_HAS_DIAGNOSIS = f"EXISTS (SELECT 1 {_DIAGNOSES} AND ({{condition}}))"

TEST_COLUMNS: tuple[SearchColumn, ...] = (
    SearchColumn(
        "orderedTest",
        "Ordered test",
        _TESTS,
        Kind.REFERENCE,
        wrap="t.test_ids && {condition}::integer[]",
        source=Source.TESTS,
        shown_column=Column("orderedTest", _SHOWN_TESTS.format(column="x.code"), list[str]),
    ),
    SearchColumn(
        "orderedTestName",
        "Name of an ordered test",
        _TESTS,
        Kind.TEXT,
        "upper(x.name)",
        wrap=_OF_TESTS,
        shown_column=Column("orderedTestName", _SHOWN_TESTS.format(column="ot.name"), list[str]),
    ),
    SearchColumn(
        "orderedTestCode", "Code of an ordered test", _TESTS, Kind.TEXT, "x.code", wrap=_OF_TESTS
    ),
    SearchColumn(
        "test",
        "Test, alone or in a panel",
        _TESTS,
        Kind.REFERENCE,
        "ot.test_id",
        wrap=_HAS_TEST,
        source=Source.TESTS,
    ),
    SearchColumn(
        "diagnosis",
        "Diagnosis code",
        _TESTS,
        Kind.TEXT,
        "d.code",
        wrap=_HAS_DIAGNOSIS,
        may_be_empty=True,
        shown_column=Column(
            "diagnosis",
            f"(SELECT coalesce(json_agg(d.code ORDER BY g.position), '[]'::json) {_DIAGNOSES})",
            list[str],
        ),
    ),
)
