"""PDF pages from plain data, drawn with canvas calls (DESIGN 'Choices').

Text in Windows code page 1252 uses Helvetica, which every PDF reader has. Other letters use the
embedded typefaces. A character that they lack is drawn as a box.
"""

from app.drawing.pages.access_report import draw_access_report
from app.drawing.pages.cumulative import draw_cumulative_results
from app.drawing.pages.facts import (
    AccessLine,
    AccessReport,
    Cancellation,
    CumulativeCell,
    CumulativeColumn,
    CumulativeLine,
    CumulativePage,
    CumulativeSection,
    DiagnosisLine,
    HistoryLine,
    InsuranceLine,
    Lab,
    OrderDetailsPage,
    OrderedTest,
    OrderLog,
    OrderLogLine,
    OrderResultsPage,
    Party,
    PatientFacts,
    RequisitionLog,
    RequisitionLogLine,
    RequisitionPage,
    ResultLine,
    Signature,
)
from app.drawing.pages.labels import draw_labels_pdf
from app.drawing.pages.order_details import OrderDetailsPdf
from app.drawing.pages.order_log import draw_order_log
from app.drawing.pages.order_results import OrderResultsPdf, draw_order_results
from app.drawing.pages.requisition import RequisitionsPdf, draw_requisitions
from app.drawing.pages.requisition_log import draw_requisition_log

__all__ = [
    "AccessLine",
    "AccessReport",
    "Cancellation",
    "CumulativeCell",
    "CumulativeColumn",
    "CumulativeLine",
    "CumulativePage",
    "CumulativeSection",
    "DiagnosisLine",
    "HistoryLine",
    "InsuranceLine",
    "Lab",
    "OrderDetailsPage",
    "OrderDetailsPdf",
    "OrderLog",
    "OrderLogLine",
    "OrderResultsPage",
    "OrderResultsPdf",
    "OrderedTest",
    "Party",
    "PatientFacts",
    "RequisitionLog",
    "RequisitionLogLine",
    "RequisitionPage",
    "RequisitionsPdf",
    "ResultLine",
    "Signature",
    "draw_access_report",
    "draw_cumulative_results",
    "draw_labels_pdf",
    "draw_order_log",
    "draw_order_results",
    "draw_requisition_log",
    "draw_requisitions",
]
