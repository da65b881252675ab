"""Kinds by key, and who changes them."""

from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.server.access.work import Work
from app.server.lab_data import rules
from app.server.lab_data.kind import DataKind
from app.server.lab_data.kinds import KINDS


def get_kind(key: str) -> DataKind:
    """Return a kind, or raise NotFound."""
    kind = KINDS.get(key)
    if kind is None:
        raise NotFound(messages.NOT_FOUND)
    return kind


def require_change(work: Work, kind: DataKind) -> None:
    """Raise Forbidden unless the actor may change the kind."""
    require_allowed(rules.judge_changing(work.actor, kind.editors))
