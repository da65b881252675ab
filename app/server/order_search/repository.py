"""SQL of saved searches, each limited to its owner, and of the antibiotics to choose from."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select, text

from app.server.database.repository import Repository
from app.server.order_search.models import SavedSearch
from app.server.results.microbiology.reference_models import Antibiotic


class SavedSearchRepository(Repository):
    """The actor's saved searches."""

    async def list_by_name(self) -> list[SavedSearch]:
        """Return all saved searches, ordered by name without case."""
        searches = await self.session.scalars(
            select(SavedSearch)
            .where(SavedSearch.user_id == self.actor.user_id)
            .order_by(func.lower(SavedSearch.name), SavedSearch.name)
        )
        return list(searches)

    async def lock(self, search_id: int) -> SavedSearch | None:
        """Lock and return a saved search; None if it does not exist or is another user's."""
        return await self.session.scalar(
            select(SavedSearch)
            .where(SavedSearch.id == search_id, SavedSearch.user_id == self.actor.user_id)
            .with_for_update()
        )

    async def lock_all(self) -> None:
        """Lock the user's searches until the commit, since their count and names are limited."""
        await self.session.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"),
            {"key": f"saved_searches {self.actor.user_id}"},
        )

    async def count(self) -> int:
        """Return the number of saved searches."""
        count = await self.session.scalar(
            select(func.count()).where(SavedSearch.user_id == self.actor.user_id)
        )
        return int(count or 0)

    async def list_names(self, except_id: int | None) -> list[str]:
        """Return the names of the saved searches other than ``except_id``."""
        names = select(SavedSearch.name).where(SavedSearch.user_id == self.actor.user_id)
        if except_id is not None:
            names = names.where(SavedSearch.id != except_id)
        return list(await self.session.scalars(names))

    async def create(
        self, name: str, query: dict[str, Any], columns: list[str], sort: str
    ) -> SavedSearch:
        """Create a saved search."""
        assert self.actor.user_id is not None
        search = SavedSearch(
            user_id=self.actor.user_id, name=name, query=query, columns=columns, sort=sort
        )
        await self.insert(search)
        return search

    async def delete(self, search: SavedSearch) -> None:
        """Delete a saved search."""
        await self.session.delete(search)
        await self.session.flush()


class AntibioticRepository(Repository):
    """The lab's antibiotics, which every signed-in user may read."""

    async def list_antibiotics(self) -> Sequence[Antibiotic]:
        """Return all antibiotics by name, those that the lab no longer tests included."""
        return (await self.session.scalars(select(Antibiotic).order_by(Antibiotic.name))).all()
