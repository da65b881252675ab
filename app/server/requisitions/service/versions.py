"""Rejects changes to a requisition that somebody else has changed since it was read."""

from app.basics.errors import StaleVersion
from app.server.access.work import Work
from app.server.requisitions.models import Requisition


async def require_version(work: Work, requisition: Requisition) -> None:
    """Raise StaleVersion, with the last editor's name, if the request expects another version."""
    try:
        work.require_version(requisition)
    except StaleVersion as error:
        error.updated_by = await find_last_editor(work, requisition)
        raise


async def find_last_editor(work: Work, requisition: Requisition) -> str | None:
    """Find the user who changed the requisition last; None if unknown or withheld."""
    if requisition.changed_by is None or not work.actor.sees_user_names:
        return None
    values = {"editor": requisition.changed_by}
    row = await work.statements.fetch("SELECT name_of_user(%(editor)s::uuid)", values)
    return row[0] if row else None
