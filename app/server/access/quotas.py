"""Quotas: how often a person and an address may make costly or revealing calls (ADR 52).

All of them are declared here. The state is in PostgreSQL, so several processes agree.
"""

import ipaddress
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256

from fastapi import Request
from prometheus_client import Counter
from sqlalchemy import delete, func

from app.basics.errors import TooManyTries
from app.basics.text import format_wait
from app.contract import messages
from app.server.access.models import QuotaCount
from app.server.actor import Actor, build_worker_actor
from app.server.database.pools import Database, HasDatabase

_DENIALS = Counter("portal_quota_refusals", "Calls denied by a quota", ["quota"])
_USE = (
    "SELECT use_quota(%(quota)s::text, %(subjects)s::bytea[], "
    "%(bursts)s::float8[], %(seconds)s::float8[])"
)
_RETURN = "SELECT return_quota(%(quota)s::text, %(subjects)s::bytea[], %(seconds)s::float8[])"


@dataclass(frozen=True)
class Limit:
    """``burst`` calls at once, then one every ``seconds``."""

    burst: int
    seconds: float


@dataclass(frozen=True)
class Quota:
    """The limits of one kind of call.

    Attributes:
        name: its name in the metrics and in the database.
        person: the limit of each account.
        address: the limit of each network address, which people of a clinic share.
        routes: methods and paths, with ``*`` for any text; services use quotas without routes.
    """

    name: str
    person: Limit
    address: Limit
    routes: tuple[str, ...] = ()


SIGN_IN = Quota("sign-in", person=Limit(10, 60), address=Limit(100, 6))
"""Failed sign-ins. For a device that the account knows, only the limit of a person applies.

``accounts.rules`` also delays the next attempt after failures of one account or device.
"""
RECOVERY = Quota("recovery", person=Limit(3, 1_200), address=Limit(30, 120))
"""Requests for a new password, counted per e-mail address."""
SIGN_UP = Quota("sign-up", person=Limit(5, 720), address=Limit(30, 120))
"""Sign-ups of patients; the lab patient id stands for the person."""
PASSWORD = Quota(
    "password",
    person=Limit(5, 60),
    address=Limit(100, 6),
    routes=("POST /auth/user/change-password",),
)
SECOND_FACTOR = Quota(
    "second-factor",
    person=Limit(10, 60),
    address=Limit(100, 6),
    routes=("POST /auth/second-factor/*",),
)
SSN = Quota(
    "social-security-number",
    person=Limit(20, 30),
    address=Limit(200, 3),
    routes=("* /api/v2/patients/validate-ssn", "* /api/records/patients/validate-ssn"),
)
USER_EMAIL = Quota(
    "user-email",
    person=Limit(30, 10),
    address=Limit(300, 1),
    routes=("GET /api/system/users/exist-user",),
)
"""Checks whether an e-mail address is in use.

A preview of an import counts each address whose user the administrator does not see.
"""
SSN_SAVES = Quota("social-security-number-saves", person=Limit(20, 30), address=Limit(200, 3))
"""Saves of a patient that were rejected because another patient has the number."""
QUOTAS = (
    SIGN_IN,
    RECOVERY,
    SIGN_UP,
    PASSWORD,
    SECOND_FACTOR,
    SSN,
    SSN_SAVES,
    USER_EMAIL,
    Quota(
        "invitations",
        person=Limit(60, 10),
        address=Limit(600, 1),
        routes=(
            "POST /api/system/users",
            "POST /api/system/users/patients/*",
            "POST /api/system/users/*/notification",
        ),
    ),
    Quota(
        "user-changes",
        person=Limit(60, 10),
        address=Limit(600, 1),
        routes=("PUT /api/system/users/{account_id}",),
    ),
    Quota(
        "user-import",
        person=Limit(60, 60),
        address=Limit(100, 6),
        routes=("POST /api/system/users/import", "POST /api/system/users/import/preview"),
    ),
    Quota(
        "lab-data-files",
        person=Limit(20, 10),
        address=Limit(200, 1),
        routes=("* /api/v2/lab-data/*/csv", "POST /api/v2/lab-data/*/csv/preview"),
    ),
    Quota(
        "look-alikes",
        person=Limit(60, 1),
        address=Limit(600, 0.1),
        routes=("POST /api/v2/patients/look-alikes",),
    ),
    Quota(
        "zip-plus4",
        person=Limit(60, 2),
        address=Limit(600, 0.2),
        routes=("GET /api/v2/address/zip-code/*/zip-code-extra",),
    ),
    Quota(
        "sending",
        person=Limit(30, 20),
        address=Limit(300, 2),
        routes=("POST /api/v2/*/transmission",),
    ),
    Quota(
        "support",
        person=Limit(5, 120),
        address=Limit(50, 12),
        routes=(
            "POST /api/system/contacts/email",
            "POST /api/system/supplies/email",
            "POST /api/system/lab-settings/test-sending",
        ),
    ),
    Quota(
        "reports",
        person=Limit(60, 2),
        address=Limit(600, 0.2),
        routes=(
            "GET /api/v2/reports/*",
            "POST /api/v2/reports/*",
            "GET /api/v2/audit-events/access-report/*",
        ),
    ),
    Quota(
        "labels",
        person=Limit(300, 1),
        address=Limit(3_000, 0.1),
        routes=(
            "GET /api/v2/requisitions/labels",
            "GET /api/v2/requisitions/*/labels",
            "POST /api/v2/requisitions/label-prints",
        ),
    ),
    Quota(
        "exports",
        person=Limit(30, 20),
        address=Limit(300, 2),
        routes=(
            "POST /api/v2/result-exports",
            "POST /api/v2/orders/advanced-search/export",
            "POST /api/v2/audit-events/export",
        ),
    ),
    Quota(
        "export-previews",
        person=Limit(60, 2),
        address=Limit(600, 0.2),
        routes=("GET /api/v2/result-exports/preview",),
    ),
    Quota(
        "uploads",
        person=Limit(60, 5),
        address=Limit(600, 0.5),
        routes=("POST /api/v2/*/documents",),
    ),
)


class QuotaExceeded(TooManyTries):
    """429: too many calls of this kind; ``Retry-After`` says when to try again."""

    code = "quota_exceeded"


def count_denial(quota: Quota) -> None:
    """Count a denied call in the metrics."""
    _DENIALS.labels(quota.name).inc()


def find_quota(method: str, path: str) -> Quota | None:
    """Find the quota of a route."""
    call = f"{method} {path}"
    for quota in QUOTAS:
        if any(fnmatchcase(call, pattern) for pattern in quota.routes):
            return quota
    return None


def get_address(request: Request) -> str:
    """Return the network of the caller: an IPv4 address, or the /64 of an IPv6 address.

    A proxy that listens on IPv6 too may write the former as the latter: ``::ffff:192.0.2.1``.
    """
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


@dataclass(frozen=True)
class QuotaUse:
    """One use of a quota by a person and an address; either may be left out."""

    quota: Quota
    person: str | None
    address: str | None

    async def spend(self, database: Database, actor: Actor) -> None:
        """Count the call in a separate transaction, so that it counts whatever follows.

        Raises:
            QuotaExceeded: the person or the address has to wait.
        """
        [wait] = await database.read(actor, _USE, self._build_values())
        if wait:
            count_denial(self.quota)
            seconds = math.ceil(wait)
            raise QuotaExceeded(
                messages.TOO_MANY_TRIES.format(wait=format_wait(seconds)),
                headers={"Retry-After": str(seconds)},
            )

    async def give_back(self, database: Database, actor: Actor) -> None:
        """Undo the count of a call that turned out to be harmless."""
        values = self._build_values()
        values.pop("bursts")
        await database.read(actor, _RETURN, values)

    def _build_values(self) -> dict[str, object]:
        subjects = sorted(self._list_subjects(), key=lambda pair: pair[0])
        return {
            "quota": self.quota.name,
            "subjects": [subject for subject, _ in subjects],
            "bursts": [float(limit.burst) for _, limit in subjects],
            "seconds": [float(limit.seconds) for _, limit in subjects],
        }

    def _list_subjects(self) -> Sequence[tuple[bytes, Limit]]:
        subjects = []
        for kind, name, limit in (
            ("person", self.person, self.quota.person),
            ("address", self.address, self.quota.address),
        ):
            if name is not None:
                # The table has no addresses, only what each call compares.
                subjects.append((sha256(f"{kind} {name}".encode()).digest(), limit))
        return subjects


async def spend_quota(request: Request, actor: Actor, quota: Quota) -> None:
    """Count a call of the actor; see ``QuotaUse.spend``."""
    use = QuotaUse(quota, actor.user_text or None, get_address(request))
    await use.spend(request.app.state.portal.database, actor)


async def delete_old_counts(portal: HasDatabase) -> None:
    """Delete the counts of people and addresses that have their whole quota again."""
    async with portal.database.transaction(build_worker_actor("forget quotas")) as transaction:
        await transaction.session.execute(delete(QuotaCount).where(QuotaCount.free_at < func.now()))
