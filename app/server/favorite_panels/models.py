"""Favorite panels and their tests."""

from sqlalchemy import BigInteger, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Small, Table, TextColumn, UserId, Version
from app.server.database.scope import OwnRows, Through


class FavoritePanel(Table):
    """A named set of tests that only its owner sees."""

    __tablename__ = "favorite_panels"
    __scope__ = OwnRows(may="SIUD")
    __table_args__ = (UniqueConstraint("user_id", "name"),)

    id: Mapped[Id]
    user_id: Mapped[UserId]
    name: Mapped[TextColumn]
    created_at: Mapped[CreatedAt]
    version: Mapped[Version]


class FavoritePanelTest(Table):
    """A test of a favorite panel; a withdrawn test stays, since it may return."""

    __tablename__ = "favorite_panel_tests"
    __scope__ = Through("favorite_panels", "panel_id")

    panel_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("favorite_panels.id", ondelete="CASCADE"), primary_key=True
    )
    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"), primary_key=True)
    position: Mapped[Small]
