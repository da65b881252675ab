"""A user's open sessions: lists them, and ends one, or all others at once."""

from dataclasses import replace
from uuid import UUID

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound
from app.contract import messages
from app.server.accounts import rules
from app.server.accounts.repository import AccountRepository
from app.server.accounts.schemas import OpenSession
from app.server.actor import GATEKEEPER_ACTOR, Actor
from app.server.audit.service import add_audit_row
from app.server.database.pools import Database
from app.server.database.transactions import Transaction


class OwnSessions:
    """The sessions of an actor's account, in transactions of the gatekeeper."""

    def __init__(self, database: Database, actor: Actor, request_id: str) -> None:
        assert actor.user_id is not None
        self._database = database
        self._actor = actor
        self._user_id: UUID = actor.user_id
        self._request_id = request_id

    async def list_open(self) -> list[OpenSession]:
        """Return the open sessions: the current one, then the others, last used first."""
        now = get_utc_now()
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            accounts = transaction.build_repository(AccountRepository)
            rows = await accounts.list_open_sessions(self._user_id, now)
        sessions = [
            OpenSession(
                id=str(row.id),
                device=rules.describe_device(row.user_agent),
                address=row.address,
                signed_in_at=row.signed_in_at,
                last_used_at=row.last_used_at,
                is_current=row.id == self._actor.session_id,
            )
            for row in rows
            if not rules.is_session_idle(row.last_used_at, now)
        ]
        return sorted(sessions, key=lambda session: not session.is_current)

    async def end(self, session_id: str) -> None:
        """End an open session of the actor's account, or raise NotFound."""
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            accounts = transaction.build_repository(AccountRepository)
            row = await accounts.find_session(_parse_id(session_id))
            if row is None or row.user_id != self._user_id or row.ended_at is not None:
                raise NotFound(messages.NOT_FOUND)
            await accounts.end_session(row.id, get_utc_now())
            self._audit(transaction, "end-session")

    async def end_others(self) -> None:
        """End all sessions of the account except the current one."""
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            accounts = transaction.build_repository(AccountRepository)
            await accounts.end_sessions(
                self._user_id, get_utc_now(), except_id=self._actor.session_id
            )
            self._audit(transaction, "end-other-sessions")

    def _audit(self, transaction: Transaction, action: str) -> None:
        actor = replace(GATEKEEPER_ACTOR, user_id=self._user_id, role=self._actor.role)
        add_audit_row(transaction.statements, actor, self._request_id, action, "user", [])


def _parse_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise NotFound(messages.NOT_FOUND) from error
