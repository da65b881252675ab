"""Sign-in, sessions, and profiles (P 4, P 7; DECISIONS 'People and roles')."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from app.basics.clock import get_utc_now
from app.basics.errors import BadInput, FieldError, NotFound, TooManyTries, Unauthenticated
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import REFRESH_GRACE_SECONDS
from app.server.access.quotas import SIGN_IN, count_denial
from app.server.access.work import Work
from app.server.accounts import rules
from app.server.accounts.attempts import Attempt, count_failure, load_attempt
from app.server.accounts.avatars import hash_email
from app.server.accounts.models import KnownDevice, RefreshToken, Registration, User, UserSession
from app.server.accounts.passwords import Passwords
from app.server.accounts.repository import AccountRepository
from app.server.accounts.schemas import Profile, ProfileData, RegistrationShape, UserChange
from app.server.accounts.second_factor_repository import SecondFactorRepository
from app.server.accounts.second_factors import (
    SecondFactorKey,
    SecondFactorRequired,
    SecondFactors,
)
from app.server.accounts.tokens import (
    Tokens,
    hash_secret,
    mint_device_id,
    mint_refresh_token,
)
from app.server.actor import GATEKEEPER_ACTOR
from app.server.audit.service import add_audit_row
from app.server.database.pools import Database
from app.server.database.transactions import Transaction
from app.server.images import format_data_url, normalize_signature_image
from app.server.lab_settings.rules import is_second_factor_required

SESSION_LIFE = timedelta(hours=12)
DEVICE_LIFE = timedelta(days=180)
_DEVICES_MAX = 20
_USER_AGENT_MAX = 300


class IncorrectCredentials(NotFound):
    """404: the same answer for known and unknown e-mail addresses."""

    code = "incorrect_credentials"
    is_audited = True


@dataclass(frozen=True)
class Caller:
    """Who asks for a session: the network address, the device, and the request's id.

    Attributes:
        is_browser: whether the caller is a browser, which gets a device token.
        device_token: the secret of a device that some account knows.
    """

    address: str
    request_id: str
    is_browser: bool = False
    device_token: str | None = None
    user_agent: str = ""


@dataclass(frozen=True)
class Session:
    """A session that was just started or renewed."""

    token: str
    refresh_token: str
    user: Profile
    device_token: str | None = None
    """The secret of a device that the account did not know yet."""


class Accounts:
    """Sign-in, refresh, and sign-out.

    Each opens its own transactions as the gatekeeper, because a failed sign-in must be recorded
    although its request fails.
    """

    def __init__(
        self,
        database: Database,
        tokens: Tokens,
        passwords: Passwords,
        second_factor_key: SecondFactorKey,
        caller: Caller,
    ) -> None:
        self._caller = caller
        self._database = database
        self._tokens = tokens
        self._passwords = passwords
        self._factors = SecondFactors(database, second_factor_key, passwords, caller.request_id)

    async def sign_in(
        self, email: str, password: str, code: str | None = None, replaces: str | None = None
    ) -> Session:
        """Start a session; ``replaces`` is the refresh token of the session that it replaces.

        Raises:
            IncorrectCredentials: the e-mail or the password is wrong.
            TooManyTries: too many failures for this e-mail, or from this address; says when to
                try again.
            SecondFactorRequired, SecondFactorInvalid: the password is right, the code is not.
        """
        email = email.strip().lower()
        attempt = await load_attempt(
            self._database, email, self._caller.device_token, self._caller.address
        )
        # An attempt in progress counts as a failure. Without the lock, people who share an account
        # would lock each other out.
        async with self._passwords.get_account_lock(attempt.counted_hash):
            return await self._sign_in(attempt, email, password, code, replaces)

    async def _sign_in(
        self, attempt: Attempt, email: str, password: str, code: str | None, replaces: str | None
    ) -> Session:
        try:
            await attempt.quota.spend(self._database, GATEKEEPER_ACTOR)
        except TooManyTries as error:
            error.is_audited = True
            await self._audit("refuse-sign-in", None, {"reason": attempt.quota_reason})
            raise
        user_id: UUID | None = None
        try:
            async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
                accounts = transaction.build_repository(AccountRepository)
                user = await accounts.find_user_by_email(email)
                user_id = user.id if user else None
                await count_failure(accounts, attempt)
        except TooManyTries as error:
            error.is_audited = True
            count_denial(SIGN_IN)
            await self._audit("refuse-sign-in", user_id, {"reason": "account"})
            raise
        is_password_right = await self._passwords.matches(
            user.password_hash if user else None, password
        )
        if user is None or not is_password_right:
            await self._audit("fail-sign-in", user_id)
            raise IncorrectCredentials(messages.INCORRECT_CREDENTIALS)
        try:
            has_used_factor = await self._factors.require_code(user.id, code)
        except SecondFactorRequired:
            # The password was right. Only the next call, with the code, uses up an attempt.
            await attempt.quota.give_back(self._database, GATEKEEPER_ACTOR)
            async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
                accounts = transaction.build_repository(AccountRepository)
                await accounts.give_back_failure(attempt.counted_hash)
            raise
        await attempt.quota.give_back(self._database, GATEKEEPER_ACTOR)
        now = get_utc_now()
        try:
            async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
                accounts = transaction.build_repository(AccountRepository)
                await self._require_unchanged(transaction, user, has_used_factor=has_used_factor)
                await accounts.delete_failures(attempt.counted_hash)
                if replaces:
                    await self._end_replaced_session(accounts, replaces, user.id, now)
                new_session = await self._start(transaction, user.id, now)
                new_token = await self._remember_device(accounts, user.id, attempt.device, now)
                return replace(new_session, device_token=new_token)
        except (IncorrectCredentials, SecondFactorRequired):
            await self._audit("fail-sign-in", user.id, {"reason": "changed meanwhile"})
            raise

    async def _require_unchanged(
        self, transaction: Transaction, verified_user: User, *, has_used_factor: bool
    ) -> None:
        """Raise an error if the password or second factor changed since it was verified.

        A change ends all sessions, so none may begin with what was valid before.
        """
        accounts = transaction.build_repository(AccountRepository)
        user = await accounts.lock_user(verified_user.id)
        if user is None or not user.active or user.password_hash != verified_user.password_hash:
            raise IncorrectCredentials(messages.INCORRECT_CREDENTIALS)
        factors = transaction.build_repository(SecondFactorRepository)
        has_factor, _ = await factors.load_protection(user.id)
        if has_factor and not has_used_factor:
            raise SecondFactorRequired(messages.SECOND_FACTOR_REQUIRED)

    async def refresh(self, token: str | None) -> Session:
        """Exchange a refresh token for a new one and a new access token.

        A token that is used again after the grace period ends the whole session, because one of
        its two users must have stolen it.

        Raises:
            Unauthenticated: the token is unknown, used or expired, or the session has ended.
        """
        if not token:
            raise Unauthenticated(messages.SESSION_EXPIRED)
        now = get_utc_now()
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            accounts = transaction.build_repository(AccountRepository)
            stored_token = await accounts.find_refresh_token(hash_secret(token))
            user_session = (
                await accounts.find_session(stored_token.session_id) if stored_token else None
            )
            is_alive = (
                user_session and user_session.ended_at is None and user_session.expires_at > now
            )
            if user_session and is_alive and rules.is_session_idle(user_session.last_used_at, now):
                await accounts.end_session(user_session.id, now)
                self._add_audit_row(
                    transaction, "end-session", user_session.user_id, {"reason": "idle"}
                )
            elif stored_token and user_session and is_alive:
                grace = timedelta(seconds=REFRESH_GRACE_SECONDS)
                if stored_token.used_at is None or now - stored_token.used_at <= grace:
                    stored_token.used_at = stored_token.used_at or now
                    user_session.last_used_at = now
                    user_session.address = self._caller.address
                    user = await accounts.find_user(user_session.user_id)
                    if user and user.active:
                        return await self._renew(transaction, user_session, user, "refresh-session")
                else:
                    await accounts.end_session(user_session.id, now)
                    detail = {"reason": "reused token"}
                    self._add_audit_row(transaction, "end-session", user_session.user_id, detail)
        raise Unauthenticated(messages.SESSION_EXPIRED)

    async def sign_out(self, token: str | None) -> None:
        """End the session of a refresh token, if there is one."""
        if not token:
            return
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            accounts = transaction.build_repository(AccountRepository)
            stored_token = await accounts.find_refresh_token(hash_secret(token))
            if stored_token:
                await self._end_session(transaction, stored_token.session_id)

    async def _audit(
        self, action: str, user_id: UUID | None, detail: dict[str, Any] | None = None
    ) -> None:
        """Record what happened to an account, or to an unknown e-mail, in a transaction."""
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            self._add_audit_row(transaction, action, user_id, detail)

    def _add_audit_row(
        self,
        transaction: Transaction,
        action: str,
        user_id: UUID | None,
        detail: dict[str, Any] | None = None,
        *,
        role: str = "",
    ) -> None:
        actor = replace(
            GATEKEEPER_ACTOR, user_id=user_id, role=Role(role) if role in set(Role) else None
        )
        add_audit_row(
            transaction.statements, actor, self._caller.request_id, action, "user", [], detail
        )

    async def _remember_device(
        self,
        accounts: AccountRepository,
        user_id: UUID,
        device: KnownDevice | None,
        now: datetime,
    ) -> str | None:
        """Let the account know the caller's device; return the secret of a new one."""
        if device is not None:
            await accounts.extend_device(device.token_hash, now + DEVICE_LIFE)
            return None
        if not self._caller.is_browser:
            return None
        token = mint_device_id()
        await accounts.insert(
            KnownDevice(
                token_hash=hash_secret(token), user_id=user_id, expires_at=now + DEVICE_LIFE
            )
        )
        await accounts.delete_oldest_devices(user_id, remaining_count=_DEVICES_MAX)
        return token

    async def end_session(self, session_id: UUID) -> None:
        """End a session, which invalidates its tokens."""
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            await self._end_session(transaction, session_id)

    async def _end_session(self, transaction: Transaction, session_id: UUID) -> None:
        accounts = transaction.build_repository(AccountRepository)
        user_session = await accounts.find_session(session_id)
        if user_session and user_session.ended_at is None:
            await accounts.end_session(session_id, get_utc_now())
            role = find_role(await accounts.list_registrations(user_session.user_id))
            self._add_audit_row(transaction, "sign-out", user_session.user_id, role=role)

    async def _end_replaced_session(
        self, accounts: AccountRepository, token: str, user_id: UUID, now: datetime
    ) -> None:
        stored_token = await accounts.find_refresh_token(hash_secret(token))
        replaced_session = (
            await accounts.find_session(stored_token.session_id) if stored_token else None
        )
        if replaced_session and replaced_session.user_id == user_id:
            await accounts.end_session(replaced_session.id, now)

    async def _start(self, transaction: Transaction, user_id: UUID, now: datetime) -> Session:
        accounts = transaction.build_repository(AccountRepository)
        user = await accounts.find_user(user_id)
        assert user is not None
        user.last_login_at = now
        user_session = UserSession(
            user_id=user.id,
            signed_in_at=now,
            expires_at=now + SESSION_LIFE,
            last_used_at=now,
            user_agent=self._caller.user_agent[:_USER_AGENT_MAX],
            address=self._caller.address,
        )
        await accounts.insert(user_session)
        return await self._renew(transaction, user_session, user, "sign-in")

    async def _renew(
        self, transaction: Transaction, user_session: UserSession, user: User, action: str
    ) -> Session:
        accounts = transaction.build_repository(AccountRepository)
        token = mint_refresh_token()
        await accounts.insert(
            RefreshToken(session_id=user_session.id, token_hash=hash_secret(token))
        )
        registrations = await accounts.list_registrations(user.id)
        signed_in_at = int(user_session.signed_in_at.timestamp())
        factors = transaction.build_repository(SecondFactorRepository)
        has_factor, settings = await factors.load_protection(user.id)
        profile = build_profile(user, registrations)
        profile.has_second_factor = has_factor
        profile.must_set_up_second_factor = not has_factor and is_second_factor_required(
            settings, profile.role
        )
        self._add_audit_row(transaction, action, user.id, role=profile.role)
        return Session(
            self._tokens.mint(user.id, user_session.id, signed_in_at),
            token,
            profile,
        )


async def read_own_profile(work: Work) -> Profile:
    """Read the actor's profile."""
    accounts = work.build_repository(AccountRepository)
    assert work.actor.user_id is not None
    user = await accounts.find_user(work.actor.user_id)
    if user is None:
        raise Unauthenticated(messages.SESSION_EXPIRED)
    profile = build_profile(user, await accounts.list_registrations(user.id))
    profile.has_second_factor = work.actor.has_second_factor
    profile.must_set_up_second_factor = work.actor.lacks_second_factor
    return profile


async def change_own_profile(work: Work, user_id: str, change: UserChange) -> Profile:
    """Change the actor's own names and signature image.

    Raises:
        NotFound: the id is another user's.
        BadInput, TooLarge, WrongKind: a name is empty, or the image is too large or invalid.
    """
    if user_id != str(work.actor.user_id):
        raise NotFound(messages.NOT_FOUND)
    changed_fields: list[str] = []
    image: bytes | None = None
    if change.data and "sign_image" in change.data.model_fields_set:
        sent_image, person = change.data.sign_image, work.actor.user_text
        image = (
            await normalize_signature_image(sent_image, person, "data.signImage")
            if sent_image
            else None
        )
        changed_fields.append("sign_image")
    assert work.actor.user_id is not None
    user = await work.build_repository(AccountRepository).find_user(work.actor.user_id)
    if user is None:
        raise NotFound(messages.NOT_FOUND)
    for name, wire_name, message in (
        ("first_name", "firstName", messages.FIRST_NAME_REQUIRED),
        ("last_name", "lastName", messages.LAST_NAME_REQUIRED),
    ):
        if name in change.model_fields_set:
            value = clean_text(getattr(change, name))
            if not value:
                raise BadInput.of(FieldError(wire_name, message))
            setattr(user, name, value)
            changed_fields.append(name)
    if "sign_image" in changed_fields:
        user.sign_image = image
    user.version += 1
    await work.build_repository(AccountRepository).flush()
    await work.audit("change", "user", [], {"fields": changed_fields})
    return await read_own_profile(work)


def find_role(registrations: list[Registration]) -> str:
    """Return the first role of the first registration; empty without any."""
    return registrations[0].roles[0] if registrations and registrations[0].roles else ""


def build_profile(user: User, registrations: list[Registration]) -> Profile:
    """Build the profile of a user; the avatar is an identicon of the e-mail's hash."""
    return Profile(
        id=str(user.id),
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        username=user.username,
        image_url=f"/avatars/{hash_email(user.email)}.svg",
        role=find_role(registrations),
        registrations=[
            RegistrationShape(application_id=r.application_id, roles=r.roles) for r in registrations
        ],
        data=ProfileData(
            sign_image=format_data_url(user.sign_image),
            clients=user.client_ids,
            patients=user.patient_ids,
            physicians=user.physician_ids,
        ),
    )
