"""Labels and reports."""

LABELS_AS_PDF = "A browser cannot reach a label printer. The labels open as a PDF, one to a page."
REPORT_PROGRESS = "{done} of {of} ready"
REPORT_STOPPED = "The document could not be finished. Try again."
LABELS_PRINTED = "Labels sent to {printer}"
