"""Users, their sessions, devices, and second factors, and counts of failed sign-ins."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.contract.enumerations import ScopeKind
from app.server.database.base import CreatedAt, Id, Instant, Table, TextColumn, Version
from app.server.database.scope import Accounts, OwnRows
from app.server.database.writes import Writes


class User(Table):
    """A user with, depending on the role, the clients, physicians or patients they act for.

    Only the function ``change_access`` changes the role and these ids, after it has checked the
    actor. A deleted user stays for the history, without the e-mail address.
    """

    __tablename__ = "users"
    __scope__ = Accounts(own_column="id", own_may="SU", gatekeeper_may="SU")
    __writes__ = Writes(
        only=("first_name", "last_name", "sign_image", "version"),
        by={ScopeKind.GATEKEEPER: ("password_hash", "last_login_at", "version")},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, server_default=text("gen_random_uuid()"))
    email: Mapped[TextColumn] = mapped_column(unique=True)
    username: Mapped[TextColumn]
    password_hash: Mapped[TextColumn]
    first_name: Mapped[TextColumn]
    last_name: Mapped[TextColumn]
    active: Mapped[bool] = mapped_column(server_default=text("true"))
    client_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))
    physician_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))
    patient_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))
    sign_image: Mapped[bytes | None] = mapped_column(LargeBinary)
    last_login_at: Mapped[Instant | None]
    created_at: Mapped[CreatedAt]
    deleted_at: Mapped[Instant | None]
    version: Mapped[Version]


class Registration(Table):
    """A user's roles in one application; the first role of the first registration is used."""

    __tablename__ = "registrations"
    __scope__ = Accounts(own_column="user_id", gatekeeper_may="S")

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    application_id: Mapped[TextColumn]
    roles: Mapped[list[str]] = mapped_column(ARRAY(Text))


class UserSession(Table):
    """A signed-in session: a family of rotating refresh tokens that ends as a whole.

    Attributes:
        user_agent, address: show people where their sessions are; both may be empty.
    """

    __tablename__ = "user_sessions"
    __scope__ = Accounts()
    __writes__ = Writes(only=("ended_at", "last_used_at", "address"))

    id: Mapped[UUID] = mapped_column(primary_key=True, server_default=text("gen_random_uuid()"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    signed_in_at: Mapped[Instant]
    expires_at: Mapped[Instant]
    ended_at: Mapped[Instant | None]
    last_used_at: Mapped[Instant] = mapped_column(server_default=text("now()"))
    user_agent: Mapped[TextColumn] = mapped_column(server_default=text("''"))
    address: Mapped[TextColumn] = mapped_column(server_default=text("''"))


class RefreshToken(Table):
    """A refresh token of a session, stored as a hash and used once, with ten seconds' grace."""

    __tablename__ = "refresh_tokens"
    __scope__ = Accounts()
    __writes__ = Writes(only=("used_at",))

    id: Mapped[Id]
    session_id: Mapped[UUID] = mapped_column(
        ForeignKey("user_sessions.id", ondelete="CASCADE"), index=True
    )
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    created_at: Mapped[CreatedAt]
    used_at: Mapped[Instant | None]


class SignInAttempt(Table):
    """Failed sign-ins of an e-mail address, stored as a hash, whether it is known or not.

    A device that the account knows has a separate row, so that the failures of strangers do not
    lock its owner out.
    """

    __tablename__ = "sign_in_attempts"
    __scope__ = Accounts()

    email_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    failures: Mapped[int]
    last_failure_at: Mapped[Instant]


class KnownDevice(Table):
    """A browser in which somebody has signed in to an account; a cookie has its secret.

    It proves no identity. It only has its own count of failed sign-ins (``SignInAttempt``).
    """

    __tablename__ = "known_devices"
    __scope__ = Accounts()
    __writes__ = Writes(only=("expires_at",))

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[CreatedAt]
    expires_at: Mapped[Instant]


class SpentSignIn(Table):
    """A sign-in already used to sign or unsign; each serves one act only."""

    __tablename__ = "spent_sign_ins"
    __scope__ = OwnRows(may="SI", worker_may="SD")
    __table_args__ = (Index(None, "spent_at"),)

    token_id: Mapped[TextColumn] = mapped_column(primary_key=True)
    user_id: Mapped[UUID]
    spent_at: Mapped[CreatedAt]


class SecondFactor(Table):
    """The second factor of a user: a secret that an authenticator app has, too (ADR 62).

    Attributes:
        confirmed_at: when a code of the app was first entered; the factor counts from then on.
        last_step: the time step of the last code that was used, which is not accepted again.
    """

    __tablename__ = "second_factors"
    __scope__ = Accounts()
    __writes__ = Writes(only=("sealed_secret", "confirmed_at", "last_step"))

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    sealed_secret: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
    confirmed_at: Mapped[Instant | None]
    last_step: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class RecoveryCode(Table):
    """A code that replaces the authenticator app once; stored as a hash."""

    __tablename__ = "recovery_codes"
    __scope__ = Accounts()
    __writes__ = Writes(only=("used_at",))

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[bytes] = mapped_column(LargeBinary)
    used_at: Mapped[Instant | None]
