"""Response classes for content other than JSON, with their media types for OpenAPI."""

from collections.abc import AsyncIterator
from urllib.parse import quote

from fastapi import Response
from fastapi.responses import StreamingResponse


class Pdf(Response):
    """A PDF document."""

    media_type = "application/pdf"


class Svg(Response):
    """A drawing."""

    media_type = "image/svg+xml"


class AnyFile(Response):
    """An uploaded file of any kind."""

    media_type = "application/octet-stream"


class FileStream(StreamingResponse):
    """A file of the portal, sent in pieces."""

    media_type = "application/octet-stream"


class EventStream(StreamingResponse):
    """Server-sent events. The OpenAPI document has the models of their ``data``."""

    media_type = "text/event-stream"


def build_pdf(name: str, content: bytes) -> Pdf:
    """Build the answer with a PDF; its file name has no patient data (DECISIONS, Sending)."""
    return Pdf(content, headers={"Content-Disposition": f'inline; filename="{name}.pdf"'})


def build_download(content: bytes, name: str, media_type: str) -> AnyFile:
    """Build the answer that offers an uploaded file for saving.

    It is never shown in the portal's pages, because its content is not trusted. Every answer
    forbids browsers to guess another type (``middleware``).
    """
    return AnyFile(content, media_type=media_type, headers=_build_disposition(name))


def build_streamed_download(
    pieces: AsyncIterator[bytes], size: int, name: str, media_type: str
) -> FileStream:
    """Build the answer that offers a large file for saving, without loading it whole."""
    headers = {**_build_disposition(name), "Content-Length": str(size)}
    return FileStream(pieces, media_type=media_type, headers=headers)


def _build_disposition(name: str) -> dict[str, str]:
    ascii_name = name.encode("ascii", "replace").decode().replace("?", "_")
    disposition = f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": disposition}
