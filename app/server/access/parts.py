"""The parts of the running portal that a unit of work or a job may use."""

from typing import Protocol, TypeVar
from uuid import UUID

from app.server.actor import Actor
from app.server.database.pools import HasDatabase
from app.server.keys import Cipher
from app.server.settings import Settings

Part = TypeVar("Part")


class ActorSource(Protocol):
    """Finds the actor of a user, for jobs, which carry only the user's id."""

    async def find_actor_of_user(self, user_id: UUID) -> Actor | None:
        """Return the actor with the current rights, or None if the account is not active."""
        ...


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

    @property
    def authentication(self) -> ActorSource:
        """Finds actors."""
        ...

    def get_part(self, kind: type[Part]) -> Part:
        """Return the portal's part of this type, or raise LookupError."""
        ...
