"""The portal session of this workstation: its tokens live here and in the vault, nowhere else."""

import asyncio
import base64
import binascii
import contextlib
import json
import time
from dataclasses import dataclass

import httpx
import structlog

from app.contract import messages
from app.contract.limits import ACCESS_TOKEN_SECONDS
from app.desktop.errors import PortalUnreachable
from app.desktop.relay.portal import Portal
from app.desktop.vault.memory import MemoryVault
from app.desktop.vault.port import Vault

# A token this close to its end is exchanged before it is used, so that a body that can be sent
# only once does not meet a 401.
_MARGIN_SECONDS = 20.0
_JSON = (b"content-type", b"application/json")
_log = structlog.get_logger("portal.relay")


@dataclass(frozen=True)
class Refreshed:
    """The outcome of one exchange: the portal's status, and the page's body when it was a 200."""

    status: int
    body: bytes


def token_life(token: str) -> float:
    """Seconds between a token's ``iat`` and ``exp``.

    Both are the portal's clock, so a workstation whose clock is wrong reckons rightly.
    """
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        return float(claims["exp"]) - float(claims["iat"])
    except (IndexError, KeyError, TypeError, ValueError, binascii.Error):
        return float(ACCESS_TOKEN_SECONDS)


def _whose(content: dict[str, object]) -> object:
    """Whose tokens an answer brings."""
    user = content.get("user")
    return user.get("id") if isinstance(user, dict) else None


class Session:
    """Adopts, renews and forgets the tokens; one renewal at a time however many ask."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        self._vault: Vault = MemoryVault()
        self._access: str | None = None
        self._refresh: str | None = None
        self._user_id: object = None
        self._renew_at = 0.0
        self._generation = 0
        self.sessions_ended = 0
        self._renewal: asyncio.Task[Refreshed] | None = None
        self._errands: set[asyncio.Task[None]] = set()

    @property
    def keeps(self) -> bool:
        """Whether the sign-in outlives the app."""
        return self._vault.keeps

    async def start(self, vault: Vault) -> None:
        """Take up the session that the vault kept."""
        self._vault = vault
        self._refresh = await vault.load()

    async def aclose(self) -> None:
        """Let running errands end."""
        for task in list(self._errands):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(task, 2.0)

    async def token(self) -> str | None:
        """A token fit to be used now; ``None`` when nobody is signed in.

        Raises ``PortalUnreachable`` when a new one is needed and the portal does not answer.
        """
        if self._access is not None and time.monotonic() < self._renew_at:
            return self._access
        if self._refresh is None:
            return self._access
        await self.renew()
        return self._access

    async def after_refusal(self, used: str | None) -> str | None:
        """Another token than the refused one, or ``None`` when there is none to be had."""
        if self._access != used:
            return self._access
        if self._refresh is None:
            return None
        await self.renew()
        return self._access if self._access != used else None

    async def renew(self) -> Refreshed:
        """Exchange the refresh token; callers that come meanwhile share the outcome."""
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._exchange())
        return await asyncio.shield(self._renewal)

    async def _exchange(self) -> Refreshed:
        generation, given = self._generation, self._refresh
        if given is None:
            return Refreshed(401, b"")
        answer = await self._portal.fetch(
            "POST",
            b"/auth/jwt/refresh",
            [_JSON, (b"accept-encoding", b"identity")],
            json.dumps({"refreshToken": given}).encode(),
        )
        if generation != self._generation:
            # Somebody signed in or out meanwhile; these tokens are of the session before.
            return Refreshed(409, b"")
        if answer.status_code == httpx.codes.OK:
            return Refreshed(200, await self.adopt(answer.content, ends_previous=False))
        if answer.status_code in (400, 401, 403, 404):
            _log.info("session_ended", status=answer.status_code)
            await self.forget()
        else:
            raise PortalUnreachable(messages.PORTAL_UNREACHABLE)
        return Refreshed(answer.status_code, b"")

    async def adopt(self, body: bytes, *, ends_previous: bool = True) -> bytes:
        """Keep the tokens of an answer and give back the body that the page may see.

        The page's ``token`` is null and ``refreshToken`` is absent. A body without tokens is
        given back as it is. ``ends_previous`` also ends the session that a new sign-in replaces;
        when it was another person's, their windows are told (``sessions_ended``).
        """
        try:
            content = json.loads(body)
        except ValueError:
            return body
        if not isinstance(content, dict) or not ("token" in content or "refreshToken" in content):
            return body
        token = content.pop("token", None)
        refresh = content.pop("refreshToken", None)
        content = {"token": None, **content}
        if isinstance(token, str) and token:
            previous = self._refresh
            self._generation += 1
            self._begin_for(_whose(content))
            self._access = token
            self._renew_at = time.monotonic() + token_life(token) - _MARGIN_SECONDS
            if isinstance(refresh, str) and refresh:
                self._refresh = refresh
                await self._vault.save(refresh)
                if ends_previous and previous is not None and previous != refresh:
                    self._errand(previous)
        return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()

    def _begin_for(self, user_id: object) -> None:
        """From here on calls are this user's. A password entered anew ends nobody's session; the
        window that somebody else signs in at begins counting after this."""
        if self._user_id not in (None, user_id):
            self.sessions_ended += 1
        self._user_id = user_id

    async def forget(self) -> str | None:
        """Drop every token here and in the vault; answers the refresh token that was dropped."""
        dropped = self._refresh
        self._generation += 1
        self.sessions_ended += 1
        self._access = self._refresh = self._user_id = None
        await self._vault.clear()
        return dropped

    def _errand(self, refresh_token: str) -> None:
        """End a replaced session at the portal, without anybody waiting for it."""
        task = asyncio.create_task(self._end(refresh_token))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _end(self, refresh_token: str) -> None:
        body = json.dumps({"refreshToken": refresh_token}).encode()
        with contextlib.suppress(PortalUnreachable):
            await self._portal.fetch("POST", b"/auth/logout", [_JSON], body, seconds=10.0)
