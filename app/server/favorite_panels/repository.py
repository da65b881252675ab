"""SQL of favorite panels; every query begins with whose they are."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.actor import Actor
from app.server.favorite_panels.models import FavoritePanel, FavoritePanelTest


class FavoriteRepository:
    """One person's favorite panels, through one session."""

    def __init__(self, session: AsyncSession, actor: Actor) -> None:
        self._session = session
        self._user = actor.user_id

    async def all(self) -> list[FavoritePanel]:
        """All of them by name."""
        found = await self._session.scalars(
            select(FavoritePanel)
            .where(FavoritePanel.user_id == self._user)
            .order_by(FavoritePanel.name)
        )
        return list(found)

    async def one(self, favorite_id: int) -> FavoritePanel | None:
        """One of them, locked; None when it is not there or another's."""
        return await self._session.scalar(
            select(FavoritePanel)
            .where(FavoritePanel.id == favorite_id, FavoritePanel.user_id == self._user)
            .with_for_update()
        )

    async def hold(self) -> None:
        """Let nobody else change this person's favorites until the commit: their number and
        their names are judged over all of them."""
        await self._session.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"),
            {"key": f"favorite_panels {self._user}"},
        )

    async def count(self) -> int:
        """How many there are."""
        found = await self._session.scalar(
            select(func.count()).where(FavoritePanel.user_id == self._user)
        )
        return int(found or 0)

    async def name_is_taken(self, name: str, besides: int | None) -> bool:
        """Whether one of them, other than ``besides``, is called so."""
        same = select(FavoritePanel.id).where(
            FavoritePanel.user_id == self._user, FavoritePanel.name == name
        )
        if besides is not None:
            same = same.where(FavoritePanel.id != besides)
        return bool(await self._session.scalar(select(same.exists())))

    async def add(self, name: str) -> FavoritePanel:
        """A new one, still without tests."""
        assert self._user is not None
        favorite = FavoritePanel(user_id=self._user, name=name)
        self._session.add(favorite)
        await self._session.flush()
        return favorite

    async def remove(self, favorite: FavoritePanel) -> None:
        """Delete it with its tests."""
        await self._session.delete(favorite)
        await self._session.flush()

    async def tests(self, favorite_ids: Sequence[int]) -> dict[int, list[int]]:
        """The ids of their tests, in order, by panel."""
        found = await self._session.execute(
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
        await self._session.execute(
            delete(FavoritePanelTest).where(FavoritePanelTest.panel_id == favorite_id)
        )
        self._session.add_all(
            FavoritePanelTest(panel_id=favorite_id, test_id=test_id, position=position)
            for position, test_id in enumerate(test_ids, start=1)
        )
        await self._session.flush()
