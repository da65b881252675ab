"""The portal session of this workstation; only this module and the vault hold its tokens."""

import asyncio
import base64
import binascii
import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx
import structlog

from app.contract import messages
from app.contract.limits import ACCESS_TOKEN_SECONDS
from app.desktop.errors import PortalUnreachable
from app.desktop.relay.portal import Portal
from app.desktop.vault.memory import MemoryVault
from app.desktop.vault.port import Vault

# A token is renewed this long before it expires, so that a streamed body does not get a 401.
_MARGIN_SECONDS = 20.0
# Every window waits for a renewal, so it must notice soon that the portal hangs.
_RENEWAL_SECONDS = 8.0
_JSON = (b"content-type", b"application/json")
_log = structlog.get_logger("portal.relay")


@dataclass(frozen=True)
class Renewal:
    """The result of a renewal: the portal's status, and the body for the page after a 200."""

    status: int
    body: bytes


@dataclass(frozen=True)
class SessionState:
    """What the next sidecar needs to continue the session (ADR 77).

    ``refresh_token`` is None where the vault stores it.
    """

    portal_url: str
    sessions_ended: int
    user_id: object
    user_name: str | None
    refresh_token: str | None


def get_token_lifetime(token: str) -> float:
    """Return the seconds between a token's ``iat`` and ``exp``.

    Both come from the portal's clock, so the workstation's clock does not matter.
    """
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        return float(claims["exp"]) - float(claims["iat"])
    except (IndexError, KeyError, TypeError, ValueError, binascii.Error):
        return float(ACCESS_TOKEN_SECONDS)


def _parse_user(content: dict[str, object]) -> tuple[object, str | None]:
    """Return the id and the name of the user in an answer with tokens; None where missing."""
    user = content.get("user")
    if not isinstance(user, dict):
        return None, None
    names = (str(user.get(part) or "") for part in ("firstName", "lastName"))
    return user.get("id"), " ".join(" ".join(names).split()) or None


_TOKENS = frozenset({"token", "refreshToken"})


def remove_tokens(content: object) -> bool:
    """Remove tokens at any depth of a parsed answer; return whether there were any."""
    was_changed = False
    if isinstance(content, dict):
        for name in _TOKENS & set(content):
            del content[name]
            was_changed = True
    children = content.values() if isinstance(content, dict) else content
    if isinstance(content, dict | list):
        for child in children:  # type: ignore[attr-defined]
            was_changed |= remove_tokens(child)
    return was_changed


class Session:
    """Stores, renews, and forgets the tokens; concurrent callers share one renewal.

    ``store_state`` stores every new state for the next sidecar. ``previous`` is the last state of a
    sidecar that has died.
    """

    def __init__(
        self,
        portal: Portal,
        store_state: Callable[[SessionState], None] = lambda _: None,
        previous: SessionState | None = None,
    ) -> None:
        self._portal = portal
        self._store_state = store_state
        self._previous = previous
        self._vault: Vault = MemoryVault()
        self._url = ""
        self._access: str | None = None
        self._refresh: str | None = None
        self._user_id: object = previous.user_id if previous else None
        self._user_name = previous.user_name if previous else None
        self._renew_at = 0.0
        self._generation = 0
        self.sessions_ended = previous.sessions_ended if previous else 0
        self._renewal: asyncio.Task[Renewal] | None = None
        self._background: set[asyncio.Task[None]] = set()

    @property
    def is_persistent(self) -> bool:
        """Whether the sign-in survives a restart of the app."""
        return self._vault.is_persistent

    @property
    def user_name(self) -> str | None:
        """The name of the person who is signed in."""
        return self._user_name

    @property
    def has_tokens(self) -> bool:
        """Whether somebody is signed in."""
        return self._refresh is not None

    async def start(self, vault: Vault) -> None:
        """Continue the session that the vault stores, or that of a sidecar that has died."""
        self._vault, self._url = vault, self._portal.url or ""
        self._refresh = await vault.load()
        previous, self._previous = self._previous, None
        # No token of one portal reaches another.
        is_same_portal = previous is not None and previous.portal_url == self._url
        if self._refresh is None and previous and is_same_portal and previous.refresh_token:
            self._refresh = previous.refresh_token
            await vault.save(previous.refresh_token)
        self._store_current_state()

    def _store_current_state(self) -> None:
        is_stored = self._vault.is_persistent
        token = None if is_stored else self._refresh
        self._store_state(
            SessionState(self._url, self.sessions_ended, self._user_id, self._user_name, token)
        )

    async def switch(self, portal_url: str) -> None:
        """Continue the session that is stored for another portal.

        The session of the previous portal stays in the vault, but its windows sign out here.
        """
        self._generation += 1
        self.sessions_ended += 1
        self._access = self._refresh = self._user_id = self._user_name = None
        await self.start(self._vault.build_for(portal_url))

    async def aclose(self) -> None:
        """Wait for background calls to end."""
        for task in list(self._background):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(task, 2.0)

    async def get_token(self) -> str | None:
        """Return a valid token, or ``None`` if nobody is signed in.

        Raises ``PortalUnreachable`` if the token must be renewed and the portal does not answer.
        """
        if self._access is not None and time.monotonic() < self._renew_at:
            return self._access
        if self._refresh is None:
            return self._access
        await self.renew()
        return self._access

    async def renew_after_401(self, used_token: str | None) -> str | None:
        """Return a token other than ``used_token``, or ``None`` if the session has ended."""
        if self._access != used_token:
            return self._access
        if self._refresh is None:
            return None
        await self.renew()
        return self._access if self._access != used_token else None

    async def renew(self) -> Renewal:
        """Exchange the refresh token; concurrent callers share the result."""
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._exchange())
        return await asyncio.shield(self._renewal)

    async def _exchange(self) -> Renewal:
        generation, refresh_token = self._generation, self._refresh
        if refresh_token is None:
            return Renewal(401, b"")
        answer = await self._portal.fetch(
            "POST",
            b"/auth/jwt/refresh",
            [_JSON, (b"accept-encoding", b"identity")],
            json.dumps({"refreshToken": refresh_token}).encode(),
            seconds=_RENEWAL_SECONDS,
        )
        if generation != self._generation:
            # A person has signed in or out since; these tokens belong to the previous session.
            return Renewal(409, b"")
        if answer.status_code == httpx.codes.OK:
            return Renewal(200, await self.adopt_tokens(answer.content, ends_previous=False))
        if answer.status_code in (400, 401, 403, 404):
            _log.info("session_ended", status=answer.status_code)
            await self.forget()
        else:
            raise PortalUnreachable(messages.PORTAL_UNREACHABLE)
        return Renewal(answer.status_code, b"")

    async def adopt_tokens(self, body: bytes, *, ends_previous: bool = True) -> bytes:
        """Store the tokens of an answer and return the body for the page.

        In that body, ``token`` is null, and no other token is left at any depth.
        A body without tokens is returned unchanged. ``ends_previous`` ends the session that a new
        sign-in replaces. If it belonged to another person, ``sessions_ended`` notifies their
        windows.
        """
        try:
            content = json.loads(body)
        except ValueError:
            return body
        is_session = isinstance(content, dict) and not _TOKENS.isdisjoint(content)
        token = content.pop("token", None) if is_session else None
        refresh = content.pop("refreshToken", None) if is_session else None
        if not remove_tokens(content) and not is_session:
            return body
        if is_session:
            content = {"token": None, **content}
        if isinstance(token, str) and token:
            previous = self._refresh
            self._generation += 1
            self._set_user(*_parse_user(content))
            self._access = token
            self._renew_at = time.monotonic() + get_token_lifetime(token) - _MARGIN_SECONDS
            if isinstance(refresh, str) and refresh:
                self._refresh = refresh
                await self._vault.save(refresh)
                if ends_previous and previous is not None and previous != refresh:
                    self._end_in_background(previous)
            self._store_current_state()
        return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()

    def _set_user(self, user_id: object, name: str | None) -> None:
        """Set the user of later calls; a different user ends the previous session.

        The session continues if the same person enters the password again.
        """
        if self._user_id not in (None, user_id):
            self.sessions_ended += 1
        self._user_id, self._user_name = user_id, name

    async def forget(self) -> str | None:
        """Remove every token, here and in the vault, and return the previous refresh token."""
        refresh_token = self._refresh
        self._generation += 1
        self.sessions_ended += 1
        self._access = self._refresh = self._user_id = self._user_name = None
        await self._vault.clear()
        self._store_current_state()
        return refresh_token

    def _end_in_background(self, refresh_token: str) -> None:
        """End a replaced session at the portal without waiting for the answer."""
        task = asyncio.create_task(self._end(refresh_token))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _end(self, refresh_token: str) -> None:
        body = json.dumps({"refreshToken": refresh_token}).encode()
        with contextlib.suppress(PortalUnreachable):
            await self._portal.fetch("POST", b"/auth/logout", [_JSON], body, seconds=10.0)
