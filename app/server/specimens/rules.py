"""Rules about the tubes of an order: who receives and rejects them, and what reports say."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.basics.dates import format_date_time
from app.basics.errors import PortalError
from app.contract.enumerations import SpecimenState
from app.server.access.policy import judge_role
from app.server.actor import Actor
from app.server.orders.rules import ACCEPTABLE, OrderState, judge_open
from app.server.requisitions.rules import RECEIVERS

NOT_RECEIVED = "NOT RECEIVED"
"""The condition if no specimen has arrived."""


@dataclass(frozen=True)
class Tube:
    """A tube in the lab's words.

    Attributes:
        is_needed: whether a test that is not canceled needs it.
        is_replaced: whether its replacement was received.
    """

    container: str
    specimen: str
    state: SpecimenState
    conditions: tuple[str, ...] = ()
    condition_words: str | None = None
    reason: str | None = None
    reason_words: str | None = None
    is_needed: bool = True
    is_replacement: bool = False
    is_replaced: bool = False
    collected_at: datetime | None = None


def judge_receiving_specimens(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not receive or reject tubes of the order, or None."""
    return judge_role(actor, RECEIVERS) or judge_open(order)


def describe_condition(tubes: Sequence[Tube]) -> str:
    """Return what a report says about the specimens; ACCEPTABLE without a remark.

    A rejected tube counts until its replacement arrives. Canceled tests need no new collection.
    Nothing is said about a single missing tube, whose tests are pending.
    """
    if tubes and all(tube.state is SpecimenState.EXPECTED for tube in tubes):
        return NOT_RECEIVED
    remarks = [f"{tube.container}: {text}" for tube in tubes if (text := _describe_tube(tube))]
    return "; ".join(dict.fromkeys(remarks)).upper() or ACCEPTABLE


def _describe_tube(tube: Tube) -> str:
    if tube.state is SpecimenState.REJECTED:
        if tube.is_replaced:
            return ""
        reason = _join_words(", ", tube.reason, tube.reason_words)
        text = f"rejected ({reason})"
        return f"{text}, new collection requested" if tube.is_needed else text
    if tube.state is SpecimenState.EXPECTED:
        return ""
    time = format_date_time(tube.collected_at)
    collection_text = f"collected again {time}" if time else None
    return _join_words(", ", collection_text, *tube.conditions, tube.condition_words)


def _join_words(separator: str, *words: str | None) -> str:
    return separator.join(word for word in words if word)


def find_awaited_containers(tubes: Sequence[Tube]) -> set[tuple[str, str]]:
    """Return the containers, each with its specimen, that must be collected again."""
    return {
        (tube.container, tube.specimen)
        for tube in tubes
        if tube.is_replacement and tube.state is SpecimenState.EXPECTED
    }
