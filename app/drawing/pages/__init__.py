"""PDF pages from plain data, drawn with bare canvas calls (DESIGN 'Choices').

Text that Windows code page 1252 knows is set in Helvetica, which every reader has and which costs
nothing to embed; other letters are set in the embedded typefaces, what those lack as a box.
"""

from app.drawing.pages.facts import (
    DiagnosisLine,
    InsuranceLine,
    Lab,
    OrderedTest,
    OrderResultsPage,
    Party,
    PatientFacts,
    RequisitionLog,
    RequisitionLogLine,
    RequisitionPage,
    ResultLine,
    Signature,
)
from app.drawing.pages.labels import labels_pdf
from app.drawing.pages.order_results import order_results_pdf
from app.drawing.pages.requisition import RequisitionsPdf, requisition_pdf
from app.drawing.pages.requisition_log import requisition_log_pdf

__all__ = [
    "DiagnosisLine",
    "InsuranceLine",
    "Lab",
    "OrderResultsPage",
    "OrderedTest",
    "Party",
    "PatientFacts",
    "RequisitionLog",
    "RequisitionLogLine",
    "RequisitionPage",
    "RequisitionsPdf",
    "ResultLine",
    "Signature",
    "labels_pdf",
    "order_results_pdf",
    "requisition_log_pdf",
    "requisition_pdf",
]
