"""What of the running portal a unit of work or a job may need beyond its own transaction."""

from typing import Protocol, TypeVar

from app.server.database.pools import HasDatabase
from app.server.keys import Cipher
from app.server.settings import Settings

Part = TypeVar("Part")


class Parts(HasDatabase, Protocol):
    """The portal, as far as the slices know it: they stand below it.

    What belongs to a slice (its file store, its senders) it asks for by its own type.
    """

    @property
    def settings(self) -> Settings:
        """What the portal was started with."""
        ...

    @property
    def answers(self) -> Cipher:
        """Seals the answers that are kept for repeated requests."""
        ...

    def part(self, kind: type[Part]) -> Part:
        """The portal's one part of this type; raises LookupError where there is none."""
        ...
