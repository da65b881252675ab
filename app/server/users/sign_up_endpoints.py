"""/api/system/anonymous-users: sign-up of patients (P 7)."""

from fastapi import Request

from app.basics.errors import Conflict, NotConfigured, TooManyTries
from app.server.access.policy import public
from app.server.access.quotas import get_address
from app.server.access.routing import build_router
from app.server.users.schemas import SignedUp, SignUp
from app.server.users.service import sign_up

router = build_router("/api/system/anonymous-users", "users")


@router.post("/sign-up/{application_id}", status_code=201)
@public(errors=(Conflict, NotConfigured, TooManyTries))
async def sign_up_patient(application_id: str, body: SignUp, request: Request) -> SignedUp:
    """Create an account for a patient, who is invited by e-mail."""
    return await sign_up.sign_up_patient(
        request.app.state.portal, body, get_address(request), request.state.request_id
    )
