"""HTTP shapes of files."""

from pydantic import Field

from app.basics.long_text import LongString
from app.server.access.schemas import Shape

FILE_NAME_MAX_LENGTH = 4_096
"""The limit of a sent name, which may be a whole path; ``rules.sanitize_name`` shortens it."""


class FileUpload(Shape):
    """A file as sent, with its bytes as base64 (bare, or as a data URL).

    Attributes:
        id: ignored, since the path names the record.
        content, file_base64: two names of the same field.
    """

    id: int | str | None = None
    content: LongString | None = None
    file_base64: LongString | None = None
    file_name: str | None = Field(default=None, max_length=FILE_NAME_MAX_LENGTH)


class FileRead(Shape):
    """A file of a record."""

    id: int
    name: str
