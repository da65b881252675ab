"""From a request's Authorization header to the actor.

The actor (role, ids, whether the session still lives) is read from the database and kept for a
few seconds, so a withdrawn right or an ended session is felt at once for all practical purposes
while a list does not pay for it on every page.
"""

import time
from collections import OrderedDict

from fastapi import Request
from sqlalchemy import select

from app.basics.errors import Forbidden, Unauthenticated
from app.contract import messages
from app.contract.enumerations import Role, ScopeKind
from app.contract.limits import REAUTHENTICATION_SECONDS
from app.server.access.work import Work
from app.server.accounts.models import Registration, User, UserSession
from app.server.accounts.tokens import Claims, Tokens
from app.server.actor import GATEKEEPER_ACTOR, Actor, get_scope_kind
from app.server.database.pools import Database
from app.server.database.statements import Row

_KEPT_SECONDS = 5.0
_KEPT_AT_MOST = 10_000
_SCHEMES = ("JWT ", "Bearer ")
_SPEND = (
    "INSERT INTO spent_sign_ins (token_id, user_id) VALUES (%(token_id)s, %(user)s::uuid) "
    "ON CONFLICT DO NOTHING RETURNING token_id"
)


class ReauthenticationRequired(Forbidden):
    """403: this act needs the password again."""

    code = "reauthentication_required"


class Authentication:
    """Answers who is acting."""

    def __init__(self, database: Database, tokens: Tokens) -> None:
        self._database = database
        self._tokens = tokens
        self._kept: OrderedDict[str, tuple[Actor, float]] = OrderedDict()

    async def actor(self, request: Request) -> Actor:
        """The actor of a request.

        Raises:
            Unauthenticated: no token, a dead one, an ended session or an inactive user.
        """
        header = request.headers.get("authorization", "")
        for scheme in _SCHEMES:
            if header.startswith(scheme):
                return await self.actor_of(header[len(scheme) :].strip())
        raise _dead()

    async def actor_of(self, token: str) -> Actor:
        """The actor of a token; see ``actor``."""
        kept = self._kept.get(token)
        if kept and kept[1] > time.monotonic():
            return kept[0]
        claims = self._tokens.read(token)
        actor = await self._load(claims) if claims else None
        if claims is None or actor is None:
            self._kept.pop(token, None)
            raise _dead()
        lifetime = min(_KEPT_SECONDS, claims.expires_at - time.time())
        self._kept[token] = (actor, time.monotonic() + lifetime)
        while len(self._kept) > _KEPT_AT_MOST:
            self._kept.popitem(last=False)
        return actor

    def forget(self) -> None:
        """Read every actor anew (after a sign-out or a change of a user in this process)."""
        self._kept.clear()

    def spend_fresh_sign_in(self, work: Work) -> None:
        """Use up, with the first statement of the write, the recent sign-in that signing and
        unsigning need.

        Raises:
            ReauthenticationRequired: the password was entered too long ago, or (from that
                statement) this sign-in has already served an act.
        """
        actor = work.actor
        if time.time() - actor.signed_in_at > REAUTHENTICATION_SECONDS:
            raise ReauthenticationRequired(messages.REAUTHENTICATION_REQUIRED)
        token_id = f"{actor.session_id}:{actor.signed_in_at}"
        work.statements.add(_SPEND, {"token_id": token_id}, check=_refuse_spent)

    async def _load(self, claims: Claims) -> Actor | None:
        statement = (
            select(User, Registration.roles)
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
        async with self._database.transaction(GATEKEEPER_ACTOR) as session:
            row = (await session.execute(statement)).first()
        if row is None or not row.roles:
            return None
        return actor_for(row.User, Role(row.roles[0]), claims)


def actor_for(user: User, role: Role, claims: Claims) -> Actor:
    """The actor a user is, by the first role of the first registration (P 1)."""
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
        session_id=claims.session_id,
        token_id=claims.token_id,
        signed_in_at=claims.signed_in_at,
    )


def _refuse_spent(row: Row | None) -> None:
    if row is None:
        raise ReauthenticationRequired(messages.REAUTHENTICATION_REQUIRED)


def _dead() -> Unauthenticated:
    return Unauthenticated(messages.SESSION_EXPIRED, headers={"WWW-Authenticate": "JWT"})
