"""The policy of a route: which roles may call it, and how its transaction runs.

Scope (which records) is not decided here; see ``database.scope``. A route without a policy
cannot be built (``routing.PortalRoute``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from app.basics.errors import Forbidden, PortalError
from app.contract import messages
from app.contract.enumerations import Role
from app.server.actor import Actor

_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Any])
_ATTRIBUTE = "__policy__"


_KIB, _MIB = 1024, 1024 * 1024


@dataclass(frozen=True)
class BodyLimit:
    """How large the body of a request may be.

    Attributes:
        bytes: its length.
        parts: about how many strings, values, and brackets its JSON may have.
        depth: how deep its lists and objects may be nested; parsers recurse, up to about 1,000.
        has_long_text: whether a field of it is a ``LongString``.
    """

    bytes: int
    parts: int = 100_000
    depth: int = 910
    has_long_text: bool = False


SMALL_BODY = BodyLimit(16 * _KIB, parts=1_000)
"""Requests that anybody may send, signed in or not."""
BODY = BodyLimit(_MIB)
IMAGE_BODY = BodyLimit(14 * _MIB)
"""A signature image of 10 MB in base64, inside another object."""
SIGNING_BODY = BodyLimit(14 * _MIB, has_long_text=True)
"""A signature image of 10 MB in base64."""
LOGO_BODY = BodyLimit(3 * _MIB)
"""A logo of 2 MB in base64, with the other settings."""
IMPORT_BODY = BodyLimit(11 * _MIB)
"""A CSV file of 8 MB in base64."""
LAB_DATA_BODY = BodyLimit(17 * _MIB)
"""A CSV file of 12 MB in base64."""
DOCUMENT_BODY = BodyLimit(36 * _MIB, has_long_text=True)
"""A document of 25 MB in base64."""


@dataclass(frozen=True)
class Policy:
    """Who may call a route, and how it runs.

    Attributes:
        roles: the roles admitted; None admits everybody, signed in or not.
        transaction: False leaves transactions to the endpoint (sign-in, lists, files).
        fresh_sign_in: requires a password entered less than ``REAUTHENTICATION_SECONDS`` ago;
            one sign-in serves one such request.
        repeatable: the write may run twice, so its answer is not stored: a PUT of a whole draft,
            or a POST that only reads (its ids are too many for a URL).
        before_second_factor: also open to people who must set up a second factor first.
        body: the limit of the request's body.
        errors: what the endpoint can raise besides the errors that follow from its declaration
            (``document.find_error_statuses``).
    """

    roles: frozenset[Role] | None
    transaction: bool = True
    fresh_sign_in: bool = False
    repeatable: bool = False
    before_second_factor: bool = False
    body: BodyLimit = BODY
    errors: tuple[type[PortalError], ...] = ()

    @property
    def audits_denials(self) -> bool:
        """Whether denials have audit rows: not if anybody may ask, who could fill the log."""
        return self.roles is not None or bool(self.errors)


ALL_ROLES = frozenset(Role)
CLIENT_STAFF = frozenset({Role.CLIENT_ADMIN, Role.CLIENT_BASIC})
LAB_STAFF = frozenset({Role.SUPERUSER, Role.LABORATORY})
ORDERING_STAFF = CLIENT_STAFF | LAB_STAFF
EDITORS = ORDERING_STAFF | {Role.PHYSICIAN}
"""Roles that may change at least some parts of a requisition."""


class SecondFactorSetupRequired(Forbidden):
    """403: the lab requires a second factor of this role, and the person has none yet."""

    code = "second_factor_setup_required"


def judge_second_factor(actor: Actor, policy: Policy) -> Forbidden | None:
    """Judge whether the actor may call a route without a second factor."""
    if actor.lacks_second_factor and not policy.before_second_factor:
        return SecondFactorSetupRequired(messages.SECOND_FACTOR_SETUP_REQUIRED)
    return None


def judge_role(actor: Actor, roles: frozenset[Role]) -> Forbidden | None:
    """Judge whether the actor's role is one of ``roles``."""
    return None if actor.role in roles else Forbidden(messages.FORBIDDEN)


def allow(
    roles: frozenset[Role],
    *,
    transaction: bool = True,
    fresh_sign_in: bool = False,
    repeatable: bool = False,
    before_second_factor: bool = False,
    body: BodyLimit = BODY,
    errors: tuple[type[PortalError], ...] = (),
) -> Callable[[_Endpoint], _Endpoint]:
    """Declare which roles may call the endpoint."""
    return _declare_policy(
        Policy(
            roles,
            transaction=transaction,
            fresh_sign_in=fresh_sign_in,
            repeatable=repeatable,
            before_second_factor=before_second_factor,
            body=body,
            errors=errors,
        )
    )


def public(*, errors: tuple[type[PortalError], ...] = ()) -> Callable[[_Endpoint], _Endpoint]:
    """Declare that anybody may call the endpoint; it opens its own transactions."""
    return _declare_policy(Policy(None, transaction=False, body=SMALL_BODY, errors=errors))


def get_policy(endpoint: Callable[..., Any]) -> Policy:
    """Return the declared policy of an endpoint.

    Raises:
        LookupError: it declares none. The portal does not start with such a route.
    """
    policy: Policy | None = getattr(endpoint, _ATTRIBUTE, None)
    if policy is None:
        raise LookupError(f"{endpoint.__module__}.{endpoint.__name__} declares no policy")
    return policy


def _declare_policy(policy: Policy) -> Callable[[_Endpoint], _Endpoint]:
    def mark(endpoint: _Endpoint) -> _Endpoint:
        setattr(endpoint, _ATTRIBUTE, policy)
        return endpoint

    return mark
