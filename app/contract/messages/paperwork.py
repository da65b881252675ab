"""Labels and reports."""

LABELS_AS_PDF = (
    "A browser cannot print to a label printer. The labels open as a PDF, one on each page."
)
REPORT_PROGRESS = "{done} of {of} ready"
REPORT_OF_SELECTED = "The {count} selected ones"
REPORT_OF_FOUND = "All {count} that the search found"
REPORT_PREVIEW = "PREVIEW - NOT RELEASED"
REPORT_ALERT_CRITICAL = "at least one result needs immediate attention."
REPORT_STOPPED = "The document could not be created. Try again."
LABELS_PRINTED = "Labels sent to {printer}"
REQUISITION_WITHOUT_LABELS = "Requisition {code} is {status}, so it has no labels"
LABELS_CHANGED = "The labels of this requisition have changed. Open them again."
PRINT_OUTCOME_MISMATCH = "This print job has other labels"
LABELS_CONFIRMED = "Labels printed on {printer}"
LABELS_STOPPED = "Stopped after {printed} of {labels} labels"
LABELS_AS_IMAGES = (
    "{printer} got images, because its language is not known. You can choose it in 'Printers'."
)
LABELS_FAILED = "{reason} Printed: {printed}. Not known: {unknown}. Not printed: {missing}."
LABELS_PROGRESS = "{printed} of {labels} labels"
LABEL_PRINTS = "Printed before: {count}. A label that is printed again says 'COPY'."
LABEL_PRINT_STARTED = "the outcome is not known"
LABEL_PRINT_CONFIRMED = "printed"
LABEL_PRINT_SENT = "sent to the printer"
LABEL_PRINT_FAILED = "failed"
LABEL_PRINT_STOPPED = "stopped"
