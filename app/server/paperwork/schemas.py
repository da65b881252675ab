"""HTTP shapes of labels and reports."""

from pydantic import Field

from app.contract.limits import BULK_IDS_MAX
from app.server.access.schemas import RecordId, Shape


class LabelRead(Shape):
    """A label: ``image`` is a base64 PNG, ``epl`` has one character for each byte (Latin-1)."""

    title: str
    image: str
    zpl: str
    epl: str


class ReportRequest(Shape):
    """The ids of the records in a report."""

    ids: list[RecordId] = Field(min_length=1, max_length=BULK_IDS_MAX)


class ReportProgress(Shape):
    """Event ``progress``: ``done`` records of ``of`` are drawn."""

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
