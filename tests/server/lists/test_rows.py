"""The columns that the statement of a page's rows selects."""

from app.contract.enumerations import ScopeKind
from app.server.lists.rows import build_rows_statement
from app.server.patients.lists import patients
from app.server.requisitions.lists import requisitions


def test_leaves_out_columns_that_only_sort_and_filter():
    text = build_rows_statement(requisitions, ScopeKind.STAFF)
    assert ' AS "clientName"' in text
    assert ' AS "roomAndBed"' not in text


def test_selects_hidden_columns_that_joins_read():
    assert ' AS "unitId"' in build_rows_statement(patients, ScopeKind.STAFF)


def test_each_kind_of_scope_has_its_own_text():
    kinds = (ScopeKind.CLIENT, ScopeKind.PHYSICIAN, ScopeKind.PATIENT, ScopeKind.STAFF)
    texts = [build_rows_statement(requisitions, kind) for kind in kinds]
    assert len(set(texts)) == len(kinds)
    assert all("%(ids)s" in text for text in texts[:-1])
