"""Rules about releasing results that all families share."""

from dataclasses import dataclass
from uuid import UUID

from app.contract import messages


@dataclass(frozen=True)
class EnteredState:
    """What decides about the release of an entered result; ``hold`` is why it is on hold."""

    test: str
    hold: str | None
    entered_by: UUID | None


def find_release_obstacle(
    state: EnteredState, user_id: UUID | None, *, needs_second_person: bool
) -> str | None:
    """Return why this person may not release the result now, or None.

    Where the lab requires two people, the person who entered a result does not release it (ADR 53).
    """
    if state.hold is not None:
        return messages.RESULT_ON_HOLD.format(test=state.test, reason=state.hold)
    if needs_second_person and state.entered_by is not None and state.entered_by == user_id:
        return messages.RESULT_ENTERED_BY_YOU.format(test=state.test)
    return None
