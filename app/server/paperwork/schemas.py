"""HTTP shapes of labels and reports."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.contract.limits import (
    BULK_IDS_MAX,
    LABEL_COPIES_MAX,
    LABELS_MAX,
    TAKE_MAX,
    WORKSTATION_NAME_MAX,
)
from app.server.access.schemas import RecordId, Shape

LabelDpi = Literal["203", "300", "600"]
"""Dots per inch of a print head, as text, since it comes from a query."""
LabelSize = Literal["2x1", "2.25x1.25", "3x1", "3x2", "4x2"]
"""Width and height of a label in inches."""
PrintState = Literal["started", "confirmed", "sent", "failed", "stopped"]
PrintEnd = Literal["confirmed", "sent", "failed", "stopped"]
LabelJob = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{8,64}$")]
LabelCount = Annotated[int, Field(ge=0, le=LABELS_MAX * LABEL_COPIES_MAX, strict=True)]


class LabelRead(Shape):
    """A label.

    Attributes:
        image: a base64 PNG.
        epl: one character for each byte (Latin-1).
        key: identifies the label within its requisition.
        copy_number: 1 unless the same label was printed before.
    """

    requisition_id: int
    key: str
    copy_number: int
    title: str
    image: str
    zpl: str
    epl: str


class LabelChoice(Shape):
    """A label of a requisition."""

    requisition_id: RecordId
    key: Annotated[str, Field(max_length=200)]


class LabelPrintRequest(Shape):
    """Labels to print now.

    Attributes:
        job: the id of the print job.
        only: the labels to print; without it, all labels of the requisitions.
        printer, workstation: names.
    """

    job: LabelJob
    ids: Annotated[list[RecordId], Field(min_length=1, max_length=TAKE_MAX)]
    only: Annotated[list[LabelChoice], Field(max_length=LABELS_MAX)] | None = None
    copies: Annotated[int, Field(ge=1, le=LABEL_COPIES_MAX, strict=True)] = 1
    printer: Annotated[str, Field(min_length=1, max_length=100)]
    workstation: Annotated[str, Field(max_length=WORKSTATION_NAME_MAX)] = ""
    dpi: LabelDpi = "203"
    size: LabelSize = "2x1"


class LabelPrintStarted(Shape):
    """The labels of a print job, drawn for its printer, and the codes of their requisitions."""

    job: str
    codes: list[str]
    labels: list[LabelRead]


class PrintOutcomeWrite(Shape):
    """The outcome of a print job.

    Its labels are counted in printing order, one set for each copy. Labels after the printed and
    the unknown ones were not printed.

    Attributes:
        labels: the number of all labels.
        printed: how many of the first labels were printed (or passed on, if ``state`` is sent).
        unknown: how many of the next labels may have been printed.
        code: the reason of a failure.
    """

    state: PrintEnd
    labels: LabelCount
    printed: LabelCount
    unknown: LabelCount
    code: Annotated[str, Field(max_length=60)] | None = None


class LabelPrintRead(Shape):
    """A print of a requisition's labels: who, where, when, and with which outcome."""

    printed_by_name: str
    printer: str
    workstation: str
    created_at: datetime
    ended_at: datetime | None
    state: PrintState
    labels: int
    copies: int
    copy_number: int
    printed: int
    unknown: int


class ReportRequest(Shape):
    """The ids of the records in a report."""

    ids: list[RecordId] = Field(min_length=1, max_length=BULK_IDS_MAX)


class ReportProgress(Shape):
    """Event ``progress``: ``done`` of ``of`` records are drawn."""

    done: int
    of: int


class ReportPart(Shape):
    """Event ``part``: the next bytes of the document, in base64."""

    content: str


class ReportDone(Shape):
    """Event ``done``: the document is complete."""

    name: str
    media_type: str


REPORT_EVENTS = ReportProgress | ReportPart | ReportDone
