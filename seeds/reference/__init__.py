"""Reference data: tests and ranges, diagnoses, ZIP codes, bill types, payers, medications."""

from seeds.reference.catalog import (
    CatalogTest,
    PanelMemberRow,
    ReferenceRangeRow,
    lab_tests,
    panel_members,
    reference_ranges,
)
from seeds.reference.icd10 import DiagnosisRow, diagnoses
from seeds.reference.names import OTHER_BILL_TYPE, PayerRow, bill_types, medications, payers
from seeds.reference.zip_codes import ZipCodeRow, zip_codes

__all__ = [
    "OTHER_BILL_TYPE",
    "CatalogTest",
    "DiagnosisRow",
    "PanelMemberRow",
    "PayerRow",
    "ReferenceRangeRow",
    "ZipCodeRow",
    "bill_types",
    "diagnoses",
    "lab_tests",
    "medications",
    "panel_members",
    "payers",
    "reference_ranges",
    "zip_codes",
]
