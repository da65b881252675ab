"""Who may see and do what on the operations page."""

from datetime import datetime, timedelta

from app.basics.errors import PortalError
from app.contract.enumerations import Role
from app.contract.limits import BACKUP_WARNING_HOURS, SEAL_WARNING_MINUTES
from app.server.access.policy import judge_role
from app.server.actor import Actor

OPERATORS = frozenset({Role.SUPERUSER})


def judge_operating(actor: Actor) -> PortalError | None:
    """Judge whether the actor may see the operations page, and retry jobs."""
    return judge_role(actor, OPERATORS)


def is_backup_overdue(at: datetime | None, now: datetime) -> bool:
    """Whether the last backup is missing, or older than a day and some hours."""
    return at is None or now - at > timedelta(hours=BACKUP_WARNING_HOURS)


def is_seal_overdue(unsealed_since: datetime | None, now: datetime) -> bool:
    """Whether the oldest audit row without a seal has waited for too long."""
    return unsealed_since is not None and now - unsealed_since > timedelta(
        minutes=SEAL_WARNING_MINUTES
    )


def choose_latest(*instants: datetime | None) -> datetime | None:
    """Return the latest instant; None if there is none."""
    return max((instant for instant in instants if instant is not None), default=None)
