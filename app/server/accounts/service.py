"""Verbs of sign-in, session and profile (P 4, P 7; DECISIONS 'People and roles')."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from app.basics.clock import utc_now
from app.basics.errors import BadInput, FieldError, NotFound, TooManyTries, Unauthenticated
from app.basics.text import clean
from app.contract import messages
from app.contract.enumerations import ScopeKind
from app.contract.limits import REFRESH_GRACE_SECONDS
from app.server.access.work import Work
from app.server.accounts import rules
from app.server.accounts.models import RefreshToken, Registration, User, UserSession
from app.server.accounts.passwords import Passwords
from app.server.accounts.repository import AccountRepository
from app.server.accounts.schemas import Profile, ProfileData, RegistrationShape, UserChange
from app.server.accounts.tokens import Tokens, hash_of, new_refresh_token
from app.server.actor import GATEKEEPER_ACTOR, Actor
from app.server.audit.service import note
from app.server.database.pools import Database
from app.server.images import data_url, png_of

SESSION_LIFE = timedelta(hours=12)


class IncorrectCredentials(NotFound):
    """404, alike for known and unknown e-mails."""

    code = "incorrect_credentials"


@dataclass(frozen=True)
class Session:
    """A session just begun or renewed."""

    token: str
    refresh_token: str
    user: Profile


class Accounts:
    """Sign-in, refresh, sign-out; each opens its own transactions as the gatekeeper, because a
    failed sign-in must be remembered although its request fails."""

    def __init__(self, database: Database, tokens: Tokens, passwords: Passwords) -> None:
        self._database = database
        self._tokens = tokens
        self._passwords = passwords

    async def sign_in(self, email: str, password: str, replaces: str | None = None) -> Session:
        """Begin a session; ``replaces`` is the refresh token of one that this one supersedes.

        Raises:
            IncorrectCredentials: 'Incorrect email and/or password.'.
            TooManyTries: too many failures for this e-mail; says when to come back.
        """
        email = email.strip().lower()
        # A try in hand counts as a failure: without turns, people who share an account would lock
        # each other out.
        async with self._passwords.turn(hash_of(email)):
            return await self._sign_in(email, password, replaces)

    async def _sign_in(self, email: str, password: str, replaces: str | None) -> Session:
        email_hash = hash_of(email)
        async with self._database.transaction(GATEKEEPER_ACTOR) as session:
            accounts = AccountRepository(session, GATEKEEPER_ACTOR)
            # Counted as a failure before it is looked at: of many tries at one moment, in several
            # processes too, no more than the allowed ones are looked at.
            await self._count_try(accounts, email_hash)
            user = await accounts.user_by_email(email)
        matches = await self._passwords.matches(user.password_hash if user else None, password)
        if user is None or not matches:
            raise IncorrectCredentials(messages.INCORRECT_CREDENTIALS)
        now = utc_now()
        async with self._database.transaction(GATEKEEPER_ACTOR) as session:
            accounts = AccountRepository(session, GATEKEEPER_ACTOR)
            await accounts.forget_failures(email_hash)
            if replaces:
                await self._end_replaced(accounts, replaces, user.id, now)
            return await self._begin(accounts, user.id, now)

    async def refresh(self, token: str | None) -> Session:
        """Exchange a refresh token for a new one and a new access token.

        A token used a second time after the grace ends the whole session: one of the two users
        of it stole it.

        Raises:
            Unauthenticated: unknown, used, expired, or the session has ended.
        """
        if not token:
            raise Unauthenticated(messages.SESSION_EXPIRED)
        now = utc_now()
        async with self._database.transaction(GATEKEEPER_ACTOR) as session:
            accounts = AccountRepository(session, GATEKEEPER_ACTOR)
            kept = await accounts.refresh_token(hash_of(token))
            found = await accounts.user_session(kept.session_id) if kept else None
            if kept and found and found.ended_at is None and found.expires_at > now:
                grace = timedelta(seconds=REFRESH_GRACE_SECONDS)
                if kept.used_at is None or now - kept.used_at <= grace:
                    kept.used_at = kept.used_at or now
                    user = await accounts.user(found.user_id)
                    if user and user.active:
                        return await self._renew(accounts, found, user)
                else:
                    await accounts.end_session(found.id, now)
        raise Unauthenticated(messages.SESSION_EXPIRED)

    async def sign_out(self, token: str | None) -> None:
        """End the session of a refresh token, if there is one."""
        if not token:
            return
        async with self._database.transaction(GATEKEEPER_ACTOR) as session:
            accounts = AccountRepository(session, GATEKEEPER_ACTOR)
            kept = await accounts.refresh_token(hash_of(token))
            if kept:
                await accounts.end_session(kept.session_id, utc_now())

    async def _count_try(self, accounts: AccountRepository, email_hash: bytes) -> None:
        attempt = await accounts.attempt(email_hash, utc_now())
        now = utc_now()  # after the wait for others who try the same e-mail
        if not rules.counts_still(attempt.last_failure_at, now):
            attempt.failures = 0
        again = rules.allowed_again_at(attempt.failures, attempt.last_failure_at)
        if again > now:
            seconds = max(1, round((again - now).total_seconds()))
            raise TooManyTries(
                messages.TOO_MANY_TRIES.format(seconds=seconds),
                headers={"Retry-After": str(seconds)},
            )
        attempt.failures += 1
        attempt.last_failure_at = now

    async def _end_replaced(
        self, accounts: AccountRepository, token: str, user_id: UUID, now: datetime
    ) -> None:
        kept = await accounts.refresh_token(hash_of(token))
        replaced = await accounts.user_session(kept.session_id) if kept else None
        if replaced and replaced.user_id == user_id:
            await accounts.end_session(replaced.id, now)

    async def _begin(self, accounts: AccountRepository, user_id: UUID, now: datetime) -> Session:
        user = await accounts.user(user_id)
        assert user is not None
        user.last_login_at = now
        begun = UserSession(user_id=user.id, signed_in_at=now, expires_at=now + SESSION_LIFE)
        await accounts.insert(begun)
        actor = Actor(kind=ScopeKind.GATEKEEPER, user_id=user.id)
        note(accounts.statements, actor, "", "sign-in", "user", [])
        return await self._renew(accounts, begun, user)

    async def _renew(self, accounts: AccountRepository, kept: UserSession, user: User) -> Session:
        token = new_refresh_token()
        await accounts.insert(RefreshToken(session_id=kept.id, token_hash=hash_of(token)))
        registrations = await accounts.registrations(user.id)
        signed_in_at = int(kept.signed_in_at.timestamp())
        return Session(
            self._tokens.issue(user.id, kept.id, signed_in_at),
            token,
            profile_of(user, registrations),
        )


async def own_profile(work: Work) -> Profile:
    """The profile of the actor."""
    accounts = work.repository(AccountRepository)
    assert work.actor.user_id is not None
    user = await accounts.user(work.actor.user_id)
    if user is None:
        raise Unauthenticated(messages.SESSION_EXPIRED)
    return profile_of(user, await accounts.registrations(user.id))


async def change_own_profile(work: Work, user_id: str, change: UserChange) -> Profile:
    """Change one's own names and signature image.

    Raises:
        NotFound: another user's id.
        BadInput, TooLarge, WrongKind: a name is empty, the image is too big or is none.
    """
    if user_id != str(work.actor.user_id):
        raise NotFound(messages.NOT_FOUND)
    assert work.actor.user_id is not None
    user = await work.repository(AccountRepository).user(work.actor.user_id)
    if user is None:
        raise NotFound(messages.NOT_FOUND)
    changed: list[str] = []
    for name, wire, message in (
        ("first_name", "firstName", messages.FIRST_NAME_REQUIRED),
        ("last_name", "lastName", messages.LAST_NAME_REQUIRED),
    ):
        if name in change.model_fields_set:
            value = clean(getattr(change, name))
            if not value:
                raise BadInput.of(FieldError(wire, message))
            setattr(user, name, value)
            changed.append(name)
    if change.data and "sign_image" in change.data.model_fields_set:
        image = change.data.sign_image
        user.sign_image = await png_of(image, "data.signImage") if image else None
        changed.append("sign_image")
    user.version += 1
    await work.repository(AccountRepository).flush()
    await work.audit("change", "user", [], {"fields": changed})
    return await own_profile(work)


def profile_of(user: User, registrations: list[Registration]) -> Profile:
    """A user as the screens know them; the avatar is an identicon of the e-mail's hash."""
    digest = hashlib.sha256(user.email.encode()).hexdigest()
    return Profile(
        id=str(user.id),
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        username=user.username,
        image_url=f"/avatars/{digest[:32]}.svg",
        role=registrations[0].roles[0] if registrations and registrations[0].roles else "",
        registrations=[
            RegistrationShape(application_id=r.application_id, roles=r.roles) for r in registrations
        ],
        data=ProfileData(
            sign_image=data_url(user.sign_image),
            clients=user.client_ids,
            patients=user.patient_ids,
            physicians=user.physician_ids,
        ),
    )
