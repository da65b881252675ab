"""HTTP shapes of the notice and the terms."""

from datetime import datetime

from pydantic import Field

from app.server.access.schemas import Shape
from app.server.legal.rules import LegalDocument


class DocumentVersion(Shape):
    """A version of a document."""

    document: LegalDocument
    version: str = Field(max_length=40)


class AcceptanceWrite(Shape):
    """POST acceptances: the versions that were shown to the person."""

    documents: list[DocumentVersion] = Field(min_length=1, max_length=2)


class DocumentRead(DocumentVersion):
    """The version in force, and when the caller has accepted it."""

    accepted_at: datetime | None


class LegalRead(Shape):
    """The documents in force; ``is_due`` says that the caller still has to accept one."""

    documents: list[DocumentRead]
    is_due: bool
