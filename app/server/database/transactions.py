"""An open transaction, which acts for one actor and builds the repositories."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from app.server.actor import Actor
from app.server.database.statements import Statements

Repository = TypeVar("Repository")


@dataclass
class Transaction:
    """A transaction within the actor's scope; ``Database.transaction`` opens it.

    Attributes:
        statements: the statements that share round trips in this transaction.
    """

    actor: Actor
    session: AsyncSession
    statements: Statements

    def build_repository(self, kind: "Callable[[Transaction], Repository]") -> Repository:
        """Build a repository that reads and writes within the actor's scope."""
        return kind(self)
