"""The parts of the running portal that a unit of work or a job may use."""

from typing import Protocol, TypeVar

from app.server.database.pools import HasDatabase
from app.server.keys import Cipher
from app.server.settings import Settings

Part = TypeVar("Part")


class PortalParts(HasDatabase, Protocol):
    """The parts of the portal that slices may use.

    ``get_part`` returns the parts of a single slice, such as its file store, by their type.
    """

    @property
    def settings(self) -> Settings:
        """The settings that the portal was started with."""
        ...

    @property
    def answers(self) -> Cipher:
        """The cipher for answers stored under idempotency keys."""
        ...

    def get_part(self, kind: type[Part]) -> Part:
        """Return the portal's part of this type, or raise LookupError."""
        ...
