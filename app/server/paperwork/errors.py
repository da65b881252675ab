"""Errors of printing."""

from app.basics.errors import Conflict


class RequisitionWithoutLabels(Conflict):
    """409: the requisition is canceled, so no specimen may be labeled for it."""

    code = "requisition_without_labels"
