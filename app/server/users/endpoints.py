"""/api/system/users: administration of users (P 7)."""

from uuid import UUID

from fastapi import BackgroundTasks, Request, Response

from app.basics.errors import NotConfigured, StaleVersion
from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lists.document import document_page
from app.server.lists.lookups import allow_parameters
from app.server.lists.service import answer_page
from app.server.users import lists
from app.server.users.rules import ADMINISTRATORS
from app.server.users.schemas import Application, UserRead, UserWrite
from app.server.users.service import read, remove, save

router = build_router("/api/system", "users")


def _forget_actors(request: Request, background: BackgroundTasks) -> None:
    """Apply a change of somebody's rights immediately after its commit."""
    background.add_task(request.app.state.portal.authentication.clear_cache)


@router.get("/application", dependencies=[allow_parameters()])
@allow(ADMINISTRATORS)
async def read_application(work: InWork) -> Application:
    """The roles that the caller sees and may assign."""
    return read.read_application(work)


@router.get("/users", **document_page(lists.users))
@allow(ADMINISTRATORS, transaction=False)
async def list_users(request: Request) -> Response:
    """The users of the portal; for a Client Admin, those of their clients."""
    return await answer_page(request, lists.users)


@router.get("/users/exist-user", dependencies=[allow_parameters("email")])
@allow(ADMINISTRATORS)
async def check_email(work: InWork, email: str = "") -> bool:
    """Whether a user has this e-mail address."""
    return await remove.is_email_in_use(work, email)


@router.get("/users/{account_id}")
@allow(ADMINISTRATORS)
async def read_user(account_id: UUID, work: InWork, response: Response) -> UserRead:
    """A user with role and assignments."""
    return set_etag(response, await read.read_user(work, account_id))


@router.post("/users", status_code=201)
@allow(ADMINISTRATORS, errors=(NotConfigured,))
async def create_user(body: UserWrite, work: InWork, response: Response) -> UserRead:
    """Create a user, who is invited by e-mail."""
    return set_etag(response, await save.create_user(work, body))


@router.post("/users/patients/{patient_id}", status_code=201)
@allow(ADMINISTRATORS, errors=(NotConfigured,))
async def create_patient_user(
    patient_id: int, body: UserWrite, work: InWork, response: Response
) -> UserRead:
    """Create a user for a patient, who is invited by e-mail."""
    return set_etag(response, await save.create_patient_user(work, patient_id, body))


@router.put("/users/{account_id}")
@allow(ADMINISTRATORS, errors=(StaleVersion,))
async def change_user(
    account_id: UUID,
    body: UserWrite,
    work: InWork,
    request: Request,
    response: Response,
    background: BackgroundTasks,
) -> UserRead:
    """Change a user."""
    _forget_actors(request, background)
    return set_etag(response, await save.change_user(work, account_id, body))


@router.delete("/users/{account_id}", status_code=204)
@allow(ADMINISTRATORS, errors=(StaleVersion,))
async def delete_user(
    account_id: UUID, work: InWork, request: Request, background: BackgroundTasks
) -> None:
    """Delete a user, whose sessions end immediately."""
    _forget_actors(request, background)
    await remove.delete_user(work, account_id)


@router.post("/users/{account_id}/notification")
@allow(ADMINISTRATORS, errors=(StaleVersion,))
async def invite_user(account_id: UUID, work: InWork) -> UserRead:
    """Send a user another e-mail with a link to choose a password."""
    return await remove.invite_user(work, account_id)
