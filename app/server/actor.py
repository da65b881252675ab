"""The actor: the user, or the job, on whose behalf something happens."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from app.contract.enumerations import Role, ScopeKind

_SCOPE_OF_ROLE = {
    Role.SUPERUSER: ScopeKind.STAFF,
    Role.LABORATORY: ScopeKind.STAFF,
    Role.CLIENT_ADMIN: ScopeKind.CLIENT,
    Role.CLIENT_BASIC: ScopeKind.CLIENT,
    Role.PHYSICIAN: ScopeKind.PHYSICIAN,
    Role.PATIENT: ScopeKind.PATIENT,
}


@dataclass(frozen=True)
class Actor:
    """Who acts, and within which scope.

    Attributes:
        ids: the client, physician, or patient ids, depending on ``kind``; staff has none and sees
            everything.
        signed_in_at: the time of the last sign-in with a password, in seconds since the epoch.
        lacks_second_factor: whether the actor must set up a second factor before anything else.
    """

    kind: ScopeKind
    user_id: UUID | None = None
    name: str = ""
    email: str = ""
    role: Role | None = None
    ids: tuple[int, ...] = ()
    session_id: UUID | None = None
    token_id: str = ""
    signed_in_at: int = 0
    has_second_factor: bool = False
    lacks_second_factor: bool = False

    @property
    def sees_user_names(self) -> bool:
        """Whether the actor sees the names of staff; patients see those of signers only.

        Jobs see none, because anybody may receive what they send (ADR 41).
        """
        return self.kind not in (ScopeKind.PATIENT, ScopeKind.WORKER)

    @cached_property
    def database_role(self) -> str:
        """The PostgreSQL role that runs this actor's statements."""
        return f"as_{self.kind}"

    @cached_property
    def ids_text(self) -> str:
        """The ids as a PostgreSQL array literal."""
        return "{" + ",".join(map(str, self.ids)) + "}"

    @cached_property
    def user_text(self) -> str:
        """The user's id as text; empty without a user."""
        return str(self.user_id) if self.user_id else ""


GATEKEEPER_ACTOR = Actor(kind=ScopeKind.GATEKEEPER)
ANONYMOUS = Actor(kind=ScopeKind.ANONYMOUS)


def get_scope_kind(role: Role) -> ScopeKind:
    """Return the kind of scope that confines a role (O 6)."""
    return _SCOPE_OF_ROLE[role]


def build_worker_actor(purpose: str) -> Actor:
    """Build the actor of a background job; the audit log shows ``purpose``."""
    return Actor(kind=ScopeKind.WORKER, name=purpose)
