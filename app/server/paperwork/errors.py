"""Errors of printing."""

from app.basics.errors import BadInput, Conflict


class RequisitionWithoutLabels(Conflict):
    """409: the requisition is canceled, so no specimen may be labeled for it."""

    code = "requisition_without_labels"


class LabelsChanged(Conflict):
    """409: the requisition no longer has a label that was chosen."""

    code = "labels_changed"


class PrintOutcomeMismatch(BadInput):
    """400: the report of a print job does not match its labels."""

    code = "print_outcome_mismatch"
