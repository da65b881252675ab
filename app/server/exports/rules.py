"""Rules about exports: their limits, their states, and who may download a file."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.basics.errors import NotFound, PortalError
from app.contract import messages
from app.contract.enumerations import ExportFormat, ExportState, Role
from app.contract.limits import EXPORT_RETENTION_DAYS, EXPORT_ROWS_MAX, EXPORTS_UNFINISHED_MAX
from app.server.access.policy import ALL_ROLES, judge_role
from app.server.actor import Actor
from app.server.exports.errors import ExportEnded, TooManyExports

EXPORTERS = ALL_ROLES - {Role.PATIENT}
"""Roles that may export the rows of some source; each source has its own rule."""
UNFINISHED_STATES = frozenset({ExportState.QUEUED, ExportState.RUNNING})
AT_ONCE_MAX = 2
"""Limit of exports that run at the same time; a worker's other jobs must not wait for them."""
ATTEMPTS_MAX = 5
"""Limit of runs of one export, because the export itself may be what kills its workers."""
FILE_LIFE = timedelta(days=EXPORT_RETENTION_DAYS)
FORGOTTEN_AFTER = timedelta(days=30)
"""Age at which an export leaves the list; the audit log still has it."""
RESTORABLE_FOR = timedelta(minutes=15)
"""Time in which a deleted export can be restored; then its file is deleted."""
ABANDONED_AFTER = timedelta(hours=24)
"""Age at which an unfinished export counts as failed."""

MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv; charset=utf-8",
    ExportFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Trouble(StrEnum):
    """The reason why an export failed."""

    ACCESS_WITHDRAWN = "accessWithdrawn"
    INTERRUPTED = "interrupted"
    OUTDATED = "outdated"
    STORE_FAILED = "storeFailed"
    TOO_MANY_ROWS = "tooManyRows"
    TOO_SLOW = "tooSlow"
    TROUBLE = "trouble"


_MESSAGES = {
    Trouble.ACCESS_WITHDRAWN: messages.EXPORT_ACCESS_WITHDRAWN,
    Trouble.INTERRUPTED: messages.EXPORT_INTERRUPTED,
    Trouble.OUTDATED: messages.EXPORT_OUTDATED,
    Trouble.STORE_FAILED: messages.EXPORT_STORE_FAILED,
    Trouble.TOO_MANY_ROWS: messages.EXPORT_TOO_MANY_ROWS.format(max=f"{EXPORT_ROWS_MAX:,}"),
    Trouble.TOO_SLOW: messages.EXPORT_TOO_SLOW,
    Trouble.TROUBLE: messages.EXPORT_TROUBLE,
}


def describe_trouble(trouble: str | None) -> str | None:
    """Return the message for a trouble; a code of another release counts as TROUBLE."""
    if trouble is None:
        return None
    trouble_type = Trouble(trouble) if trouble in list(Trouble) else Trouble.TROUBLE
    return _MESSAGES[trouble_type]


def build_file_name(title: str, day: datetime, number: int, extension: ExportFormat) -> str:
    """Build the name of a file, which names no person: 'results-2026-03-04-12.csv'."""
    return f"{title.lower().replace(' ', '-')}-{day:%Y-%m-%d}-{number}.{extension}"


def judge_quota(unfinished_count: int) -> PortalError | None:
    """Judge whether a person with so many unfinished exports may request another one."""
    if unfinished_count < EXPORTS_UNFINISHED_MAX:
        return None
    return TooManyExports(messages.EXPORTS_UNFINISHED.format(max=EXPORTS_UNFINISHED_MAX))


def judge_canceling(state: ExportState) -> PortalError | None:
    """Judge whether an export can still be canceled."""
    return None if state in UNFINISHED_STATES else ExportEnded(messages.EXPORT_ALREADY_ENDED)


def judge_removing(state: ExportState) -> PortalError | None:
    """Judge whether an export can be deleted; an unfinished one is canceled first."""
    return ExportEnded(messages.EXPORT_STILL_RUNNING) if state in UNFINISHED_STATES else None


def may_start(user_count: int, total_count: int) -> bool:
    """Whether an export may start now, given the number of running ones."""
    return user_count == 0 and total_count < AT_ONCE_MAX


@dataclass(frozen=True)
class FileState:
    """The file of an export, and the access with which it was made."""

    role: str | None = None
    scope_ids: frozenset[int] = frozenset()
    has_file: bool = True
    is_expired: bool = False


def judge_download(actor: Actor, state: FileState) -> PortalError | None:
    """Judge whether the owner may download the file now, besides the rule of its source.

    A file that was made with more access than the owner has now stays closed.
    """
    if error := judge_role(actor, EXPORTERS):
        return error
    if state.is_expired:
        return NotFound(messages.EXPORT_EXPIRED.format(days=EXPORT_RETENTION_DAYS))
    if not state.has_file:
        return NotFound(messages.EXPORT_NOT_READY)
    if not covers_access(actor, state.role, state.scope_ids):
        return NotFound(messages.EXPORT_ACCESS_CHANGED)
    return None


def covers_access(actor: Actor, role: str | None, scope_ids: Collection[int]) -> bool:
    """Whether the actor still has the role and every client that an export was made with."""
    return actor.role == role and set(scope_ids) <= set(actor.ids)
