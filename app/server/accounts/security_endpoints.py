"""/auth/sessions, /auth/second-factor, and avatars: what people do for their own account."""

import re

from fastapi import Request

from app.basics.errors import Conflict, NotFound
from app.contract import messages
from app.server.access.media import Svg
from app.server.access.policy import ALL_ROLES, SMALL_BODY, allow, public
from app.server.access.routing import build_router
from app.server.accounts.avatars import DIGEST_DIGITS, draw_identicon
from app.server.accounts.schemas import (
    BothFactors,
    OpenSession,
    OwnCode,
    OwnPasswordOnly,
    RecoveryCodes,
    SecondFactorSetup,
    SecondFactorState,
)
from app.server.accounts.second_factors import SecondFactors
from app.server.accounts.sessions import OwnSessions

router = build_router("/auth", "authentication")
avatars = build_router("/avatars", "authentication")
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_DIGITS}}}")
_YEAR_SECONDS = 365 * 24 * 3600


def _get_sessions(request: Request) -> OwnSessions:
    portal = request.app.state.portal
    return OwnSessions(portal.database, request.state.actor, request.state.request_id)


def _get_factors(request: Request) -> SecondFactors:
    portal = request.app.state.portal
    return SecondFactors(
        portal.database, portal.second_factor_key, portal.passwords, request.state.request_id
    )


def _clear_cache(request: Request) -> None:
    request.app.state.portal.authentication.clear_cache()


@router.get("/sessions")
@allow(ALL_ROLES, transaction=False, before_second_factor=True)
async def list_sessions(request: Request) -> list[OpenSession]:
    """The user's own open sessions: device, address, last use."""
    return await _get_sessions(request).list_open()


@router.delete("/sessions", status_code=204)
@allow(ALL_ROLES, transaction=False, before_second_factor=True)
async def end_other_sessions(request: Request) -> None:
    """End all sessions of the user except the current one."""
    await _get_sessions(request).end_others()
    _clear_cache(request)


@router.delete("/sessions/{session_id}", status_code=204)
@allow(ALL_ROLES, transaction=False, before_second_factor=True)
async def end_session(session_id: str, request: Request) -> None:
    """End one of the caller's sessions."""
    await _get_sessions(request).end(session_id)
    _clear_cache(request)


@router.get("/second-factor")
@allow(ALL_ROLES, transaction=False, before_second_factor=True)
async def read_second_factor(request: Request) -> SecondFactorState:
    """Whether the user's second factor is on, and whether the lab requires one."""
    return await _get_factors(request).read(request.state.actor)


@router.post("/second-factor/setup")
@allow(ALL_ROLES, transaction=False, before_second_factor=True, body=SMALL_BODY, errors=(Conflict,))
async def begin_second_factor(body: OwnPasswordOnly, request: Request) -> SecondFactorSetup:
    """Begin the setup: a key for an authenticator app, as text and as a QR code."""
    return await _get_factors(request).begin(request.state.actor, body.password)


@router.post("/second-factor/confirm")
@allow(ALL_ROLES, transaction=False, before_second_factor=True, body=SMALL_BODY)
async def confirm_second_factor(body: OwnCode, request: Request) -> RecoveryCodes:
    """Turn the second factor on with a code from the app, and return the recovery codes once."""
    codes = await _get_factors(request).confirm(request.state.actor, body.code)
    _clear_cache(request)
    return RecoveryCodes(codes=codes)


@router.post("/second-factor/recovery-codes")
@allow(ALL_ROLES, transaction=False, body=SMALL_BODY)
async def replace_recovery_codes(body: BothFactors, request: Request) -> RecoveryCodes:
    """Replace the recovery codes."""
    actor = request.state.actor
    codes = await _get_factors(request).replace_codes(actor, body.password, body.code)
    _clear_cache(request)
    return RecoveryCodes(codes=codes)


@router.post("/second-factor/turn-off", status_code=204)
@allow(ALL_ROLES, transaction=False, body=SMALL_BODY)
async def turn_off_second_factor(body: BothFactors, request: Request) -> None:
    """Turn the user's second factor off, for example to use another phone."""
    await _get_factors(request).turn_off(request.state.actor, body.password, body.code)
    _clear_cache(request)


@avatars.get("/{file_name}", response_class=Svg)
@public()
async def read_avatar(file_name: str) -> Svg:
    """The identicon of a hashed e-mail address (P 3), drawn without any other site."""
    digest = file_name.removesuffix(".svg")
    if digest == file_name or not _DIGEST.fullmatch(digest):
        raise NotFound(messages.NOT_FOUND)
    return Svg(
        draw_identicon(digest),
        headers={"Cache-Control": f"public, max-age={_YEAR_SECONDS}, immutable"},
    )
