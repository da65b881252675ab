"""Reference data: tests and ranges, diagnoses, ZIP codes, bill types, payers, medications."""

from seeds.reference.catalog import (
    CatalogTest,
    ContainerRow,
    PanelMemberRow,
    ReferenceRangeRow,
    TestCodeRow,
    list_containers,
    list_lab_tests,
    list_panel_members,
    list_reference_ranges,
    list_test_codes,
    list_test_formulas,
    list_test_limits,
)
from seeds.reference.icd10 import DiagnosisRow, list_diagnoses
from seeds.reference.names import (
    OTHER_BILL_TYPE,
    PayerRow,
    ReasonRow,
    list_bill_types,
    list_collection_sites,
    list_diagnosis_terms,
    list_medications,
    list_payers,
    list_reasons,
)
from seeds.reference.zip_codes import ZipCodeRow, list_zip_codes

__all__ = [
    "OTHER_BILL_TYPE",
    "CatalogTest",
    "ContainerRow",
    "DiagnosisRow",
    "PanelMemberRow",
    "PayerRow",
    "ReasonRow",
    "ReferenceRangeRow",
    "TestCodeRow",
    "ZipCodeRow",
    "list_bill_types",
    "list_collection_sites",
    "list_containers",
    "list_diagnoses",
    "list_diagnosis_terms",
    "list_lab_tests",
    "list_medications",
    "list_panel_members",
    "list_payers",
    "list_reasons",
    "list_reference_ranges",
    "list_test_codes",
    "list_test_formulas",
    "list_test_limits",
    "list_zip_codes",
]
