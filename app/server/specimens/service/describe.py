"""Describes tubes in the lab's words."""

from collections.abc import Mapping, Sequence

from app.contract.enumerations import ReasonKind, SpecimenState
from app.server.specimens.models import Specimen
from app.server.specimens.rules import Tube

Words = Mapping[ReasonKind, Mapping[str, str]]
"""The lab's words by kind and code."""


def build_tubes(tubes: Sequence[Specimen], words: Words) -> list[Tube]:
    """Build the tubes of an order in the lab's words, for the rules."""
    received = {t.replaces_id for t in tubes if t.state != SpecimenState.EXPECTED}
    return [
        Tube(
            container=tube.container,
            specimen=tube.specimen,
            state=SpecimenState(tube.state),
            conditions=tuple(list_conditions(tube, words)),
            condition_words=tube.condition_words,
            reason=find_reason(tube, words),
            reason_words=tube.reason_words,
            is_replacement=tube.replaces_id is not None,
            is_replaced=tube.id in received,
            collected_at=tube.collected_at,
        )
        for tube in tubes
    ]


def list_conditions(tube: Specimen, words: Words) -> list[str]:
    """Return the conditions of a tube in the lab's words; a removed one keeps its code."""
    return [words[ReasonKind.CONDITION].get(code, code) for code in tube.conditions]


def find_reason(tube: Specimen, words: Words) -> str | None:
    """Return why a tube was rejected in the lab's words, or None."""
    return tube.reason and words[ReasonKind.REJECTION].get(tube.reason, tube.reason)
