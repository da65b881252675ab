"""Answers that are not JSON, so that the OpenAPI document names what they are."""

from fastapi import Response
from fastapi.responses import StreamingResponse


class Pdf(Response):
    """A PDF document."""

    media_type = "application/pdf"


class AnyFile(Response):
    """A file of whatever kind was uploaded."""

    media_type = "application/octet-stream"


class EventStream(StreamingResponse):
    """Server-sent events. The document has the models of what their ``data`` holds."""

    media_type = "text/event-stream"
