"""Authentication of requests: from the Authorization header to the actor.

The actor (role, ids, whether the session is alive) is loaded from the database and cached for a
few seconds, so that list pages do not need a query each. The database notifies every process of the
user whose rights or sessions changed. Where it cannot, such as behind a transaction pooler, the
change takes effect after those seconds.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import structlog
from fastapi import Request
from psycopg import AsyncConnection, OperationalError
from sqlalchemy import select

from app.basics.errors import Forbidden, Unauthenticated
from app.contract import messages
from app.contract.enumerations import Role, ScopeKind
from app.contract.limits import REAUTHENTICATION_SECONDS
from app.server.access.work import Work
from app.server.accounts.models import Registration, User, UserSession
from app.server.accounts.second_factor_repository import HAS_SECOND_FACTOR, SIGN_IN_SETTING
from app.server.accounts.tokens import Claims, Tokens
from app.server.actor import GATEKEEPER_ACTOR, Actor, get_scope_kind
from app.server.database.pools import Database
from app.server.database.statements import Row
from app.server.lab_settings.rules import is_second_factor_required

_log = structlog.get_logger("portal.access")
_CACHE_SECONDS = 5.0
_CACHE_MAX = 10_000
_SCHEMES = ("JWT ", "Bearer ")
_CHANNEL = "access"
"""A channel of messages with the id of a user, or empty for all (``note_access`` in the schema)."""
_RECONNECT_SECONDS = 1.0
_MARK_SPENT = (
    "INSERT INTO spent_sign_ins (token_id, user_id) VALUES (%(token_id)s, %(user)s::uuid) "
    "ON CONFLICT DO NOTHING RETURNING token_id"
)


class ReauthenticationRequired(Forbidden):
    """403: the password must be entered again."""

    code = "reauthentication_required"


class Authentication:
    """Finds the actor of a request."""

    def __init__(
        self, database: Database, tokens: Tokens, on_change: Callable[[str], None] | None = None
    ) -> None:
        """``on_change`` gets the id of a user whose access changed, or '' for everybody."""
        self._database = database
        self._tokens = tokens
        self._on_change = on_change
        self._changes = 0
        self._cache: OrderedDict[str, tuple[Actor, float]] = OrderedDict()

    async def follow_changes(self) -> None:
        """Drop cached actors when the database says that their access changed, until canceled."""
        while True:
            try:
                async with await AsyncConnection.connect(
                    self._database.url, autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    self._note_change("")  # changes before this may have been missed
                    async for message in connection.notifies():
                        self._note_change(message.payload)
            except OperationalError:
                _log.warning("changes of access are noticed late until the database answers")
            await asyncio.sleep(_RECONNECT_SECONDS)

    def _note_change(self, user_id: str) -> None:
        """Forget a user, or everybody, and let live streams check their rights."""
        self._changes += 1
        now = time.monotonic()
        for token, (actor, expires_at) in list(self._cache.items()):
            if not user_id or expires_at <= now or str(actor.user_id) == user_id:
                del self._cache[token]
        if self._on_change is not None:
            self._on_change(user_id)

    async def get_actor(self, request: Request) -> Actor:
        """Return the actor of a request.

        Raises:
            Unauthenticated: no token, an invalid token, an ended session or an inactive user.
        """
        header = request.headers.get("authorization", "")
        for scheme in _SCHEMES:
            if header.startswith(scheme):
                return await self.get_actor_of_token(header[len(scheme) :].strip())
        raise _build_unauthenticated()

    async def get_actor_of_token(self, token: str) -> Actor:
        """Return the actor of an access token; see ``get_actor``."""
        cached_entry = self._cache.get(token)
        if cached_entry and cached_entry[1] > time.monotonic():
            return cached_entry[0]
        changes = self._changes
        claims = self._tokens.verify(token)
        actor = await self._load(claims) if claims else None
        if claims is None or actor is None:
            self._cache.pop(token, None)
            raise _build_unauthenticated()
        if self._changes == changes:  # otherwise the actor may have been loaded before a change
            lifetime = min(_CACHE_SECONDS, claims.expires_at - time.time())
            self._cache[token] = (actor, time.monotonic() + lifetime)
        while len(self._cache) > _CACHE_MAX:
            self._cache.popitem(last=False)
        return actor

    async def find_actor_of_user(self, user_id: UUID) -> Actor | None:
        """Return the actor of a user, whose rights may have changed since a job was deferred.

        None if the account is not active. The actor belongs to no session.
        """
        statement = (
            select(User, Registration.roles)
            .join(Registration, Registration.user_id == User.id)
            .where(User.id == user_id, User.active)
            .order_by(Registration.id)
            .limit(1)
        )
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            row = (await transaction.session.execute(statement)).first()
        if row is None or not row.roles:
            return None
        return _build_user_actor(row.User, Role(row.roles[0]))

    def clear_cache(self) -> None:
        """Drop all cached actors, after a sign-out or a change to a user in this process."""
        self._changes += 1
        self._cache.clear()

    def spend_fresh_sign_in(self, work: Work) -> None:
        """Mark the actor's recent sign-in as spent, with the first statement of the write.

        Raises:
            ReauthenticationRequired: the password was entered too long ago, or (from that
                statement) the sign-in is already spent.
        """
        actor = work.actor
        if time.time() - actor.signed_in_at > REAUTHENTICATION_SECONDS:
            raise ReauthenticationRequired(messages.REAUTHENTICATION_REQUIRED)
        token_id = f"{actor.session_id}:{actor.signed_in_at}"
        work.statements.add(_MARK_SPENT, {"token_id": token_id}, check=_require_unspent)

    async def _load(self, claims: Claims) -> Actor | None:
        statement = (
            select(User, Registration.roles, HAS_SECOND_FACTOR, SIGN_IN_SETTING)
            .join(UserSession, UserSession.user_id == User.id)
            .join(Registration, Registration.user_id == User.id)
            .where(
                User.id == claims.user_id,
                User.active,
                UserSession.id == claims.session_id,
                UserSession.ended_at.is_(None),
            )
            .order_by(Registration.id)
            .limit(1)
        )
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            row = (await transaction.session.execute(statement)).first()
        if row is None or not row.roles:
            return None
        user, roles, has_factor, settings = row
        role = Role(roles[0])
        return replace(
            build_actor(user, role, claims),
            has_second_factor=has_factor,
            lacks_second_factor=not has_factor and is_second_factor_required(settings or {}, role),
        )


def build_actor(user: User, role: Role, claims: Claims) -> Actor:
    """Build the actor of a session; the first role of the first registration counts (P 1)."""
    return replace(
        _build_user_actor(user, role),
        session_id=claims.session_id,
        token_id=claims.token_id,
        signed_in_at=claims.signed_in_at,
    )


def _build_user_actor(user: User, role: Role) -> Actor:
    kind = get_scope_kind(role)
    ids = {
        ScopeKind.CLIENT: user.client_ids,
        ScopeKind.PHYSICIAN: user.physician_ids,
        ScopeKind.PATIENT: user.patient_ids,
    }.get(kind, [])
    return Actor(
        kind=kind,
        user_id=user.id,
        name=f"{user.first_name} {user.last_name}",
        email=user.email,
        role=role,
        ids=tuple(ids),
    )


def _require_unspent(row: Row | None) -> None:
    if row is None:
        raise ReauthenticationRequired(messages.REAUTHENTICATION_REQUIRED)


def _build_unauthenticated() -> Unauthenticated:
    return Unauthenticated(messages.SESSION_EXPIRED, headers={"WWW-Authenticate": "JWT"})
