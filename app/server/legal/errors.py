"""Errors of accepting documents."""

from app.basics.errors import Conflict


class DocumentChanged(Conflict):
    """409: a newer version is in force than the one that was shown."""

    code = "document_changed"
