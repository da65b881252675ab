"""/api/system/users/import: import of people from a CSV file (ADR 60)."""

from fastapi import Request

from app.basics.errors import NotConfigured
from app.server.access.policy import IMPORT_BODY, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.users.rules import ADMINISTRATORS
from app.server.users.schemas import UserImport, UserImportWrite
from app.server.users.service import import_people

router = build_router("/api/system/users/import", "users")


@router.post("/preview")
@allow(ADMINISTRATORS, repeatable=True, body=IMPORT_BODY, errors=(NotConfigured,))
async def preview_import(body: UserImportWrite, work: InWork) -> UserImport:
    """Who would be invited, and what is wrong with the other rows."""
    return await import_people.preview_import(work, body)


@router.post("")
@allow(ADMINISTRATORS, transaction=False, body=IMPORT_BODY, errors=(NotConfigured,))
async def import_users(body: UserImportWrite, request: Request) -> UserImport:
    """Create and invite the people of the rows without errors."""
    return await import_people.import_people(request, body)
