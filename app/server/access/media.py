"""Response classes for content other than JSON, with their media types for OpenAPI."""

from fastapi import Response
from fastapi.responses import StreamingResponse


class Pdf(Response):
    """A PDF document."""

    media_type = "application/pdf"


class AnyFile(Response):
    """A file of whatever kind was uploaded."""

    media_type = "application/octet-stream"


class EventStream(StreamingResponse):
    """Server-sent events. The OpenAPI document has the models of their ``data``."""

    media_type = "text/event-stream"
