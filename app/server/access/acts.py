"""Permissions that the interface evaluates without asking the portal (ADR 24).

No rule sees the rows of a list, which come from one SQL statement, and a menu is drawn before
there is a record. The contract therefore holds the answers of the rules:
``shared/vocabulary/permissions.json`` has, per act, the answer for each role and row state.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from app.basics.errors import PortalError
from app.contract.enumerations import Role
from app.server.actor import Actor, get_scope_kind


@dataclass(frozen=True)
class Act:
    """An act that is allowed or denied by the actor's role and the state of a row.

    Attributes:
        name: the act's name in the interface ('signRequisition').
        judge: the rule. It is called with an actor and the values of the facts, in order, and
            returns None or the denial. The interface fills ``{placeholders}`` in its reason.
        facts: the columns of a row that decide, each with all its values.
    """

    name: str
    judge: Callable[..., PortalError | None]
    facts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def tabulate(self) -> dict[str, Any]:
        """Return the rule's answer for every role and state: None, or the reason of the denial.

        The key of a state is the values of its facts as JSON, joined by blanks.
        """
        return {
            "facts": list(self.facts),
            "answers": {
                str(role): {
                    " ".join(map(json.dumps, values)): self._find_reason(role, values)
                    for values in product(*self.facts.values())
                }
                for role in Role
            },
        }

    def _find_reason(self, role: Role, values: tuple[int, ...]) -> str | None:
        denial = self.judge(Actor(get_scope_kind(role), role=role), *values)
        return denial.detail if denial else None
