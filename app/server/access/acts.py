"""What a person may do, as the interface asks before it asks the portal (ADR 24).

A list's rows are one SQL statement that no rule sees, and a menu is drawn before there is a
record. So the answers of the rules go into the contract: ``shared/vocabulary/permissions.json``
says for each act what the rule answers to each role about each state of a row.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from app.basics.errors import PortalError
from app.contract.enumerations import Role
from app.server.actor import Actor, scope_of


@dataclass(frozen=True)
class Act:
    """Something that a person may do or may not, by role and by what a row says.

    Args:
        name: as the interface calls it ('signRequisition').
        judge: the rule, called with an actor of each role and values of the facts in their order.
            None is yes; ``{placeholders}`` that are left in a reason are the interface's to fill.
        facts: the columns of a row that decide, each with all its values.
    """

    name: str
    judge: Callable[..., PortalError | None]
    facts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def answers(self) -> dict[str, Any]:
        """The rule's answer for every role and every state: None, or the reason why not.

        A state's key are the values of its facts as JSON, with blanks between them.
        """
        return {
            "facts": list(self.facts),
            "answers": {
                str(role): {
                    " ".join(map(json.dumps, values)): self._reason(role, values)
                    for values in product(*self.facts.values())
                }
                for role in Role
            },
        }

    def _reason(self, role: Role, values: tuple[int, ...]) -> str | None:
        refusal = self.judge(Actor(scope_of(role), role=role), *values)
        return refusal.detail if refusal else None
