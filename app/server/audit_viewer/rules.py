"""Who may read the audit log, and how the detail of a row is shown."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.basics.errors import PortalError
from app.contract.enumerations import Role
from app.server.access.policy import judge_role
from app.server.actor import Actor

AUDIT_READERS = frozenset({Role.SUPERUSER})
ACCESS_ROWS_MAX = 5_000
"""An access report has at most this many rows, the newest ones; more would fill a book."""


def judge_reading_audit(actor: Actor) -> PortalError | None:
    """Judge whether the actor may read the audit log."""
    return judge_role(actor, AUDIT_READERS)


class DetailLine(NamedTuple):
    """A line of a row's detail; a change has the old and the new value."""

    name: str
    value: str | None
    old: str | None = None
    is_change: bool = False


def list_detail(detail: Mapping[str, Any] | None) -> list[DetailLine]:
    """Return the detail of a row in lines, changes with the old and the new value."""
    lines = []
    for name, value in (detail or {}).items():
        label = _format_name(name)
        if isinstance(value, Mapping) and set(value) == {"old", "new"}:
            new, old = _format_value(value["new"]), _format_value(value["old"])
            lines.append(DetailLine(label, new, old, is_change=True))
        else:
            lines.append(DetailLine(label, _format_value(value)))
    return lines


def _format_name(name: str) -> str:
    spaced_name = "".join(f" {c}" if c.isupper() else c for c in name)
    return spaced_name.replace("_", " ").replace("-", " ").strip().capitalize()


def _format_value(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list) and all(isinstance(part, str | int) for part in value):
        return ", ".join(str(part).replace("_", " ") for part in value)
    return value if isinstance(value, str) else json.dumps(value)
