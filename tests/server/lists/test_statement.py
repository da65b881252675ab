"""The columns that the statement of a page selects."""

from app.contract.enumerations import ScopeKind
from app.server.lists.fragments import PageShape
from app.server.lists.parsing import SortKey
from app.server.lists.spec import ListSpec
from app.server.lists.statement import build_statement
from app.server.patients.lists import patients
from app.server.requisitions.lists import requisitions


def _build_first_page(spec: ListSpec) -> str:
    newest_first = (SortKey(spec.columns[0], is_descending=True),)
    return build_statement(PageShape(spec, ScopeKind.STAFF, (), newest_first, False))


def test_leaves_out_columns_that_only_sort_and_filter():
    text = _build_first_page(requisitions)
    assert ' AS "clientName"' in text
    assert ' AS "roomAndBed"' not in text


def test_selects_hidden_columns_that_joins_read():
    assert ' AS "unitId"' in _build_first_page(patients)
