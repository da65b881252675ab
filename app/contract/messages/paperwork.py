"""Labels and reports."""

LABELS_AS_PDF = (
    "A browser cannot print to a label printer. The labels open as a PDF, one on each page."
)
REPORT_PROGRESS = "{done} of {of} ready"
REPORT_PREVIEW = "PREVIEW - NOT RELEASED"
REPORT_ALERT_CRITICAL = "at least one result needs immediate attention."
REPORT_STOPPED = "The document could not be created. Try again."
LABELS_PRINTED = "Labels sent to {printer}"
REQUISITION_WITHOUT_LABELS = "Requisition {code} is {status}, so it has no labels"
