"""SQL of favorite panels; every query is limited to their owner."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select, text

from app.server.database.repository import Repository
from app.server.favorite_panels.models import FavoritePanel, FavoritePanelTest


class FavoriteRepository(Repository):
    """The actor's favorite panels."""

    async def list_by_name(self) -> list[FavoritePanel]:
        """Return all favorite panels, ordered by name."""
        favorites = await self.session.scalars(
            select(FavoritePanel)
            .where(FavoritePanel.user_id == self.actor.user_id)
            .order_by(FavoritePanel.name)
        )
        return list(favorites)

    async def lock(self, favorite_id: int) -> FavoritePanel | None:
        """Lock and return a favorite panel; None when it does not exist or is another user's."""
        return await self.session.scalar(
            select(FavoritePanel)
            .where(FavoritePanel.id == favorite_id, FavoritePanel.user_id == self.actor.user_id)
            .with_for_update()
        )

    async def lock_all(self) -> None:
        """Lock the user's favorites until the commit, since their count and names are limited."""
        await self.session.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"),
            {"key": f"favorite_panels {self.actor.user_id}"},
        )

    async def count(self) -> int:
        """Return the number of favorite panels."""
        count = await self.session.scalar(
            select(func.count()).where(FavoritePanel.user_id == self.actor.user_id)
        )
        return int(count or 0)

    async def is_name_in_use(self, name: str, except_id: int | None) -> bool:
        """Whether a favorite panel other than ``except_id`` has this name."""
        matches = select(FavoritePanel.id).where(
            FavoritePanel.user_id == self.actor.user_id, FavoritePanel.name == name
        )
        if except_id is not None:
            matches = matches.where(FavoritePanel.id != except_id)
        return bool(await self.session.scalar(select(matches.exists())))

    async def create(self, name: str) -> FavoritePanel:
        """Create a favorite panel without tests."""
        assert self.actor.user_id is not None
        favorite = FavoritePanel(user_id=self.actor.user_id, name=name)
        self.session.add(favorite)
        await self.session.flush()
        return favorite

    async def delete(self, favorite: FavoritePanel) -> None:
        """Delete a favorite panel with its tests."""
        await self.session.delete(favorite)
        await self.session.flush()

    async def load_test_ids(self, favorite_ids: Sequence[int]) -> dict[int, list[int]]:
        """Load the ids of the panels' tests, in order, by panel id."""
        rows = await self.session.execute(
            select(FavoritePanelTest.panel_id, FavoritePanelTest.test_id)
            .where(FavoritePanelTest.panel_id.in_(favorite_ids))
            .order_by(FavoritePanelTest.panel_id, FavoritePanelTest.position)
        )
        test_ids: dict[int, list[int]] = {}
        for panel_id, test_id in rows:
            test_ids.setdefault(panel_id, []).append(test_id)
        return test_ids

    async def replace_tests(self, favorite_id: int, test_ids: Sequence[int]) -> None:
        """Replace the tests of a favorite panel."""
        await self.session.execute(
            delete(FavoritePanelTest).where(FavoritePanelTest.panel_id == favorite_id)
        )
        self.session.add_all(
            FavoritePanelTest(panel_id=favorite_id, test_id=test_id, position=position)
            for position, test_id in enumerate(test_ids, start=1)
        )
        await self.session.flush()
