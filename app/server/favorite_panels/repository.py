"""SQL of favorite panels; every query begins with whose they are."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select, text

from app.server.database.repository import Repository
from app.server.favorite_panels.models import FavoritePanel, FavoritePanelTest


class FavoriteRepository(Repository):
    """One person's favorite panels."""

    async def all(self) -> list[FavoritePanel]:
        """All of them by name."""
        found = await self.session.scalars(
            select(FavoritePanel)
            .where(FavoritePanel.user_id == self.actor.user_id)
            .order_by(FavoritePanel.name)
        )
        return list(found)

    async def one(self, favorite_id: int) -> FavoritePanel | None:
        """One of them, locked; None when it is not there or another's."""
        return await self.session.scalar(
            select(FavoritePanel)
            .where(FavoritePanel.id == favorite_id, FavoritePanel.user_id == self.actor.user_id)
            .with_for_update()
        )

    async def hold(self) -> None:
        """Let nobody else change this person's favorites until the commit: their number and
        their names are judged over all of them."""
        await self.session.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"),
            {"key": f"favorite_panels {self.actor.user_id}"},
        )

    async def count(self) -> int:
        """How many there are."""
        found = await self.session.scalar(
            select(func.count()).where(FavoritePanel.user_id == self.actor.user_id)
        )
        return int(found or 0)

    async def name_is_taken(self, name: str, besides: int | None) -> bool:
        """Whether one of them, other than ``besides``, is called so."""
        same = select(FavoritePanel.id).where(
            FavoritePanel.user_id == self.actor.user_id, FavoritePanel.name == name
        )
        if besides is not None:
            same = same.where(FavoritePanel.id != besides)
        return bool(await self.session.scalar(select(same.exists())))

    async def add(self, name: str) -> FavoritePanel:
        """A new one, still without tests."""
        assert self.actor.user_id is not None
        favorite = FavoritePanel(user_id=self.actor.user_id, name=name)
        self.session.add(favorite)
        await self.session.flush()
        return favorite

    async def remove(self, favorite: FavoritePanel) -> None:
        """Delete it with its tests."""
        await self.session.delete(favorite)
        await self.session.flush()

    async def tests(self, favorite_ids: Sequence[int]) -> dict[int, list[int]]:
        """The ids of their tests, in order, by panel."""
        found = await self.session.execute(
            select(FavoritePanelTest.panel_id, FavoritePanelTest.test_id)
            .where(FavoritePanelTest.panel_id.in_(favorite_ids))
            .order_by(FavoritePanelTest.panel_id, FavoritePanelTest.position)
        )
        tests: dict[int, list[int]] = {}
        for panel_id, test_id in found:
            tests.setdefault(panel_id, []).append(test_id)
        return tests

    async def replace_tests(self, favorite_id: int, test_ids: Sequence[int]) -> None:
        """Put these in place of the present ones."""
        await self.session.execute(
            delete(FavoritePanelTest).where(FavoritePanelTest.panel_id == favorite_id)
        )
        self.session.add_all(
            FavoritePanelTest(panel_id=favorite_id, test_id=test_id, position=position)
            for position, test_id in enumerate(test_ids, start=1)
        )
        await self.session.flush()
