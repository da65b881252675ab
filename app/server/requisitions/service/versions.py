"""Rejects acts on requisitions that somebody else has changed since they were read."""

from collections.abc import Mapping, Sequence

from app.basics.errors import StaleVersion
from app.server.access.stale import find_stale
from app.server.access.work import Work
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository


async def require_version(work: Work, requisition: Requisition) -> None:
    """Raise StaleVersion, with the last editor's name, if the request expects another version."""
    try:
        work.require_version(requisition)
    except StaleVersion as error:
        error.updated_by = await find_last_editor(work, requisition)
        raise


async def require_versions(
    work: Work,
    requisitions: Sequence[Requisition],
    versions: Mapping[int, int],
    message: str,
    message_of_many: str,
    kind: type[StaleVersion] = StaleVersion,
) -> None:
    """Raise ``kind`` if a requisition has another version than ``versions`` requires, by id.

    The error names all such requisitions (ADR 100). If there is only one, the error also has the
    name of its last editor.
    """
    stale_requisitions = [
        row for row in requisitions if versions.get(row.id, row.version) != row.version
    ]
    error = find_stale(stale_requisitions, message, message_of_many, kind)
    if error is None:
        return
    if len(stale_requisitions) == 1:
        error.updated_by = await find_last_editor(work, stale_requisitions[0])
    raise error


async def find_last_editor(work: Work, requisition: Requisition) -> str | None:
    """Find the user who changed the requisition last; None if unknown or withheld."""
    if requisition.changed_by is None or not work.actor.sees_user_names:
        return None
    return await work.build_repository(RequisitionRepository).find_user_name(requisition.changed_by)
