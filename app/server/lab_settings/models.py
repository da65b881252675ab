"""The lab's own settings, by name."""

from typing import Any

from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Table, TextColumn, Version
from app.server.database.scope import Reference


class LabSetting(Table):
    """A named group of settings ('report', 'logo', 'result-entry'); some are public."""

    __tablename__ = "lab_settings"
    __scope__ = Reference(anonymous=True)

    name: Mapped[TextColumn] = mapped_column(primary_key=True)
    value: Mapped[dict[str, Any]] = mapped_column(JSONB)
    version: Mapped[Version]
