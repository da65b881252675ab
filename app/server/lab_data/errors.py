"""Errors of lab data."""

from app.basics.errors import BadInput, Conflict


class FileUnreadable(BadInput):
    """400: the portal cannot read the file, or it has too many rows."""

    code = "file_unreadable"


class RowInUse(Conflict):
    """409: another row has the same identity, or other records need a value."""

    code = "row_in_use"


class PreviewOutdated(Conflict):
    """409: the data has changed since the preview of a file."""

    code = "preview_outdated"
