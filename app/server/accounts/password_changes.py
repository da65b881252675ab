"""A user's change of their password (P 4, P 7)."""

from uuid import UUID

from app.basics.clock import get_utc_now
from app.basics.errors import BadInput, FieldError, NotFound, Unauthenticated
from app.contract import messages
from app.server.accounts import guessable, rules
from app.server.accounts.models import User
from app.server.accounts.passwords import Passwords
from app.server.accounts.repository import AccountRepository
from app.server.accounts.schemas import PasswordChange
from app.server.actor import GATEKEEPER_ACTOR, Actor
from app.server.audit.service import add_audit_row
from app.server.database.pools import Database
from app.server.database.transactions import Transaction
from app.server.lab_settings.repository import SettingRepository


class OwnPassword:
    """Changes passwords, in transactions of the gatekeeper; hashing happens in none of them."""

    def __init__(self, database: Database, passwords: Passwords, request_id: str) -> None:
        self._database = database
        self._passwords = passwords
        self._request_id = request_id

    async def change(self, actor: Actor, body: PasswordChange) -> None:
        """Change the actor's password, and end all sessions but this one.

        Raises:
            NotFound: the login is another user's.
            BadInput: the current password is wrong, or the new one breaks the rule of P 5 or is
                easily guessed.
            Unauthenticated: the session has ended meanwhile.
        """
        assert actor.user_id is not None
        if body.login_id.strip().lower() != actor.email.lower():
            raise NotFound(messages.NOT_FOUND)
        require_valid_password(body.password)
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            user = await transaction.build_repository(AccountRepository).find_user(actor.user_id)
            current_hash = user.password_hash if user else None
            own_words = await load_own_words(transaction, user)
        require_unguessable_password(body.password, own_words)
        if not await self._passwords.matches(current_hash, body.current_password):
            await self._audit(actor, "fail-password-change")
            raise BadInput.of(FieldError("currentPassword", messages.INVALID_PASSWORD))
        password_hash = await self._passwords.hash(body.password)
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            accounts = transaction.build_repository(AccountRepository)
            await self._require_unchanged(accounts, actor, current_hash)
            await store_password(
                accounts, actor.user_id, password_hash, session_id=actor.session_id
            )
            self._add_audit_row(transaction, actor, "change-password")

    async def _require_unchanged(
        self, accounts: AccountRepository, actor: Actor, current_hash: str | None
    ) -> None:
        """Raise an error if the session ended, or the password changed, since it was verified.

        Otherwise, somebody who knows the old password could replace the owner's new one.
        """
        assert actor.user_id is not None and actor.session_id is not None
        user = await accounts.lock_user(actor.user_id)
        user_session = await accounts.find_session(actor.session_id)
        if user_session is None or user_session.ended_at is not None:
            raise Unauthenticated(messages.SESSION_EXPIRED)
        if user is None or user.password_hash != current_hash:
            raise BadInput.of(FieldError("currentPassword", messages.INVALID_PASSWORD))

    async def _audit(self, actor: Actor, action: str) -> None:
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            self._add_audit_row(transaction, actor, action)

    def _add_audit_row(self, transaction: Transaction, actor: Actor, action: str) -> None:
        add_audit_row(transaction.statements, actor, self._request_id, action, "user", [])


async def store_password(
    accounts: AccountRepository,
    user_id: UUID,
    password_hash: str,
    *,
    session_id: UUID | None = None,
) -> None:
    """Store a new password; end the user's sessions but one, and forget the devices."""
    await accounts.change_password(user_id, password_hash)
    await accounts.end_sessions(user_id, get_utc_now(), except_id=session_id)
    await accounts.delete_devices(user_id)


async def load_own_words(transaction: Transaction, user: User | None) -> frozenset[str]:
    """Load the words that a user's password may not contain: of the e-mail, the name, the lab."""
    report = await transaction.build_repository(SettingRepository).load_group("report")
    email_name = user.email.partition("@")[0] if user else None
    names = (user.first_name, user.last_name) if user else ()
    return guessable.build_own_words(email_name, *names, report.get("name"))


def require_unguessable_password(password: str, own_words: frozenset[str]) -> None:
    """Raise BadInput for a password that is easily guessed."""
    if guessable.contains_any(password, own_words):
        raise BadInput.of(FieldError("password", messages.NEW_PASSWORD_PERSONAL))
    if guessable.is_common(password):
        raise BadInput.of(FieldError("password", messages.NEW_PASSWORD_COMMON))


def require_valid_password(password: str) -> None:
    """Raise BadInput unless the password follows the rule of P 5."""
    if not rules.is_valid_password(password):
        raise BadInput.of(FieldError("password", messages.NEW_PASSWORD_INVALID))
