"""Rules about entering and releasing results that families share."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.contract import messages


@dataclass(frozen=True)
class EnteredState:
    """What decides whether an entered result may be released; ``hold`` is why it is on hold."""

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


@dataclass(frozen=True)
class Tube:
    """A tube that was not rejected; ``received_at`` is None while it is expected."""

    is_replacement: bool
    received_at: datetime | None


def predates_specimen(entered_at: datetime, tubes: Sequence[Tube]) -> bool:
    """Whether a result was entered before its test's specimen, in these tubes, was received.

    Such a result may belong to the rejected specimen, or to another patient. Orders from before
    tubes were stored have no tubes, and the answer is False.
    """
    replaced_at = [tube.received_at for tube in tubes if tube.received_at and tube.is_replacement]
    received_at = [tube.received_at for tube in tubes if tube.received_at]
    if not received_at:
        return bool(tubes)
    return entered_at < (max(replaced_at) if replaced_at else min(received_at))


def find_unit_fault(test: str, unit: str | None, typed_unit: str | None) -> str | None:
    """Return the fault of a unit typed with a result of this test, or None if it is the test's."""
    if not typed_unit:
        return None
    if not unit:
        return messages.RESULT_WITHOUT_UNIT.format(test=test, other=typed_unit)
    if typed_unit.upper() == unit.upper():
        return None
    return messages.RESULT_OTHER_UNIT.format(test=test, unit=unit, other=typed_unit)


def copy_columns(source: object, target: object, names: Collection[str]) -> None:
    """Copy the basis of a value's judgment to a version that repeats the value."""
    for name in names:
        setattr(target, name, getattr(source, name))


def name_unit(unit: str | None) -> str:
    """Return a unit, or the words for no unit, for a message."""
    return unit or messages.RESULT_UNIT_NONE
