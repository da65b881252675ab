"""The person (or purpose) on whose behalf something happens."""

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
    """Who acts, within which scope.

    ``ids`` are client, physician or patient ids, as ``kind`` says; staff has none and sees all.
    ``signed_in_at`` is the time of the last sign-in with a password, in seconds since the epoch.
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

    @cached_property
    def database_role(self) -> str:
        """The PostgreSQL role every statement of this actor runs as."""
        return f"as_{self.kind}"

    @cached_property
    def ids_text(self) -> str:
        """The ids as a PostgreSQL array literal."""
        return "{" + ",".join(map(str, self.ids)) + "}"

    @cached_property
    def user_text(self) -> str:
        """The user's id, empty where nobody has signed in."""
        return str(self.user_id) if self.user_id else ""


GATEKEEPER_ACTOR = Actor(kind=ScopeKind.GATEKEEPER)
ANONYMOUS = Actor(kind=ScopeKind.ANONYMOUS)


def get_scope_kind(role: Role) -> ScopeKind:
    """The kind of scope a role is confined to (O 6)."""
    return _SCOPE_OF_ROLE[role]


def worker(purpose: str) -> Actor:
    """A background job acting for the lab; ``purpose`` is what the audit says."""
    return Actor(kind=ScopeKind.WORKER, name=purpose)
