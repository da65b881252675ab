"""/auth: the embedded authentication provider (P 7)."""

from contextlib import suppress

from fastapi import Request, Response

from app.basics.errors import Forbidden, NotFound, TooManyTries, Unauthenticated, WrongKind
from app.contract.limits import ACCESS_TOKEN_SECONDS
from app.server.access.origins import require_own_origin
from app.server.access.policy import ALL_ROLES, IMAGE_BODY, SMALL_BODY, allow, public
from app.server.access.quotas import get_address
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.accounts import cookies, service
from app.server.accounts.password_changes import OwnPassword
from app.server.accounts.schemas import (
    PasswordChange,
    Profile,
    ProfileAnswer,
    ProfileChange,
    Refresh,
    SignedIn,
    SignIn,
    StorageKey,
)
from app.server.accounts.service import Accounts, Caller, Session
from app.server.lists.lookups import allow_parameters

router = build_router("/auth", "authentication")
_TRANSPORT = "x-refresh-transport"


def _get_accounts(request: Request) -> Accounts:
    portal = request.app.state.portal
    caller = Caller(
        address=get_address(request),
        request_id=request.state.request_id,
        is_browser=_uses_cookie(request),
        device_token=cookies.read_cookie(request, cookies.DEVICE),
        user_agent=request.headers.get("user-agent", ""),
    )
    return Accounts(
        portal.database, portal.tokens, portal.passwords, portal.second_factor_key, caller
    )


def _uses_cookie(request: Request) -> bool:
    return request.headers.get(_TRANSPORT) == "cookie"


def _require_own_origin(request: Request) -> None:
    if _uses_cookie(request):
        require_own_origin(request, request.app.state.portal.settings.public_url)


def _get_refresh_token(request: Request, body: Refresh | None) -> str | None:
    if body and body.refresh_token:
        return body.refresh_token
    # A stranger's form or link cannot send the header, so the cookie alone is not enough.
    return cookies.read_cookie(request, cookies.REFRESH) if _uses_cookie(request) else None


def _build_answer(request: Request, response: Response, session: Session) -> SignedIn:
    uses_cookie = _uses_cookie(request)
    if uses_cookie:
        cookies.set_cookie(
            request, response, cookies.REFRESH, session.refresh_token, service.SESSION_LIFE
        )
    return SignedIn(
        token=session.token,
        refresh_token=None if uses_cookie else session.refresh_token,
        user=session.user,
    )


@router.post("/login")
@public(errors=(Forbidden, NotFound, TooManyTries))
async def sign_in(body: SignIn, request: Request, response: Response) -> SignedIn:
    """Begin a session; the access token is valid for five minutes."""
    _require_own_origin(request)
    session = await _get_accounts(request).sign_in(
        body.login_id, body.password, body.code, replaces=_get_refresh_token(request, None)
    )
    request.app.state.portal.authentication.clear_cache()
    response.headers["X-Token-Seconds"] = str(ACCESS_TOKEN_SECONDS)
    if session.device_token is not None:
        # This cookie opens nothing. It only lets the owner try again while strangers guess.
        cookies.set_cookie(
            request, response, cookies.DEVICE, session.device_token, service.DEVICE_LIFE
        )
    return _build_answer(request, response, session)


@router.post(
    "/jwt/refresh",
    response_model=SignedIn,
    responses={
        204: {"description": "The browser has no session; only our screens get this answer"}
    },
)
@public(errors=(Forbidden, Unauthenticated))
async def refresh(
    request: Request, response: Response, body: Refresh | None = None
) -> SignedIn | Response:
    """Exchange a refresh token for a new access token."""
    _require_own_origin(request)
    token = _get_refresh_token(request, body)
    if token is None and _uses_cookie(request):
        # Every first visit gets here, so the answer is not an error, which browsers would log.
        return Response(status_code=204)
    session = await _get_accounts(request).refresh(token)
    return _build_answer(request, response, session)


@router.get("/jwt/validate")
@allow(ALL_ROLES, before_second_factor=True)
async def validate(work: InWork) -> ProfileAnswer:
    """Whether the token is valid, and whose it is."""
    return ProfileAnswer(user=await service.read_own_profile(work))


@router.post("/logout", status_code=204)
@public(errors=(Forbidden,))
async def sign_out(request: Request, response: Response, body: Refresh | None = None) -> None:
    """End the sessions of the refresh token and of the access token, if there are any.

    They differ if somebody else has signed in since, in another tab of the browser.
    """
    _require_own_origin(request)
    authentication = request.app.state.portal.authentication
    token = request.query_params.get("refreshToken") or _get_refresh_token(request, body)
    if token is not None:
        await _get_accounts(request).sign_out(token)
    with suppress(Unauthenticated):
        actor = await authentication.get_actor(request)
        await _get_accounts(request).end_session(actor.session_id)
    authentication.clear_cache()
    if _uses_cookie(request):
        cookies.delete_cookie(request, response, cookies.REFRESH)


@router.get("/storage-key", dependencies=[allow_parameters()])
@allow(ALL_ROLES, transaction=False, before_second_factor=True)
async def read_storage_key(request: Request) -> StorageKey:
    """The key with which the browser encrypts the data that it stores for this user."""
    portal = request.app.state.portal
    return StorageKey(key=portal.storage_keys.derive(request.state.actor.user_id))


@router.post("/user/change-password", status_code=204)
@allow(ALL_ROLES, transaction=False, body=SMALL_BODY, errors=(NotFound,))
async def change_password(body: PasswordChange, request: Request) -> None:
    """Change the user's own password, which ends the user's other sessions."""
    portal = request.app.state.portal
    change = OwnPassword(portal.database, portal.passwords, request.state.request_id)
    await change.change(request.state.actor, body)
    portal.authentication.clear_cache()


@router.put("/user/{user_id}")
@allow(ALL_ROLES, body=IMAGE_BODY, errors=(WrongKind,))
async def change_profile(user_id: str, body: ProfileChange, work: InWork) -> ProfileAnswer:
    """Change the user's own names and signature image."""
    profile: Profile = await service.change_own_profile(work, user_id, body.user)
    return ProfileAnswer(user=profile)
