"""/auth/user/forgot-password, and the new password that its link leads to (P 7)."""

from fastapi import Request

from app.basics.errors import NotConfigured, NotFound, TooManyTries
from app.server.access.policy import public
from app.server.access.quotas import get_address
from app.server.access.routing import build_router
from app.server.password_recovery import service
from app.server.password_recovery.schemas import ForgottenPassword, NewPassword

router = build_router("/auth/user", "authentication")


@router.post("/forgot-password", status_code=204)
@public(errors=(NotConfigured, NotFound, TooManyTries))
async def request_link(body: ForgottenPassword, request: Request) -> None:
    """Send an e-mail with a link to a new password; it is valid for ten minutes, once."""
    state = request.app.state.portal
    await service.request_link(state, body.login_id, get_address(request), request.state.request_id)


@router.post("/reset-password", status_code=204)
@public(errors=(NotFound, TooManyTries))
async def reset_password(body: NewPassword, request: Request) -> None:
    """Store a new password with the secret of a link; all sessions of the account end."""
    portal = request.app.state.portal
    await service.reset_password(portal, body, get_address(request), request.state.request_id)
    portal.authentication.clear_cache()
