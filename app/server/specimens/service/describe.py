"""Describes tubes in the lab's words."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from app.contract.enumerations import ReasonKind, ResultStatus, SpecimenState
from app.server.orders.models import OrderTest
from app.server.specimens.models import Specimen
from app.server.specimens.rules import Tube

ReasonNames = Mapping[ReasonKind, Mapping[str, str]]
"""The lab's words by kind and code."""
TubeKind = tuple[str, str]
"""A container with its specimen."""


def find_needed_kinds(tests: Iterable[tuple[OrderTest, str, str]]) -> set[TubeKind]:
    """Return the tubes that an order's tests need; canceled ones need none."""
    return {
        (container, specimen)
        for test, container, specimen in tests
        if not test.is_panel and test.status != ResultStatus.CANCELED
    }


def build_tubes(
    tubes: Sequence[Specimen], reason_names: ReasonNames, needed_kinds: Collection[TubeKind]
) -> list[Tube]:
    """Build the tubes of an order in the lab's words, for the rules."""
    replaced_ids = {t.replaces_id for t in tubes if t.state != SpecimenState.EXPECTED}
    return [
        Tube(
            container=tube.container,
            specimen=tube.specimen,
            state=SpecimenState(tube.state),
            conditions=tuple(list_conditions(tube, reason_names)),
            condition_words=tube.condition_words,
            reason=find_reason(tube, reason_names),
            reason_words=tube.reason_words,
            is_needed=(tube.container, tube.specimen) in needed_kinds,
            is_replacement=tube.replaces_id is not None,
            is_replaced=tube.id in replaced_ids,
            collected_at=tube.collected_at,
        )
        for tube in tubes
    ]


def list_conditions(tube: Specimen, reason_names: ReasonNames) -> list[str]:
    """Return the conditions of a tube in the lab's words; a removed one keeps its code."""
    return [reason_names[ReasonKind.CONDITION].get(code, code) for code in tube.conditions]


def find_reason(tube: Specimen, reason_names: ReasonNames) -> str | None:
    """Return why a tube was rejected in the lab's words, or None."""
    return tube.reason and reason_names[ReasonKind.REJECTION].get(tube.reason, tube.reason)
