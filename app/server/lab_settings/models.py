"""The lab's own settings, by name, and its lists of reasons and collection sites."""

from typing import Any

from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Ended, Numbered, Small, Table, TextColumn, Version
from app.server.database.scope import Reference


class LabSetting(Table):
    """A named group of settings ('report', 'logo', 'result-entry'); some are public.

    'sign-in' has ``secondFactorRoles``: the roles that need a second factor (ADR 62).
    """

    __tablename__ = "lab_settings"
    __scope__ = Reference(anonymous=True, gatekeeper=True)

    name: Mapped[TextColumn] = mapped_column(primary_key=True)
    value: Mapped[dict[str, Any]] = mapped_column(JSONB)
    version: Mapped[Version]


class Reason(Numbered, Ended, Table):
    """A reason that people choose from a list, for example when a specimen is rejected.

    ``code`` is stored with the act that it explains, and stays when the lab rewords it.
    """

    __tablename__ = "reasons"
    __scope__ = Reference()

    kind: Mapped[TextColumn] = mapped_column(primary_key=True)
    code: Mapped[TextColumn] = mapped_column(primary_key=True)
    words: Mapped[TextColumn]
    position: Mapped[Small]


class CollectionSite(Numbered, Ended, Table):
    """A place where the lab's clients have specimens collected, for example a draw station.

    Orders store its name, which stays when the lab renames the site.
    """

    __tablename__ = "collection_sites"
    __scope__ = Reference()

    name: Mapped[TextColumn] = mapped_column(primary_key=True)
    position: Mapped[Small]
