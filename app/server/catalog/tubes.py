"""Rules about the tubes that ordered tests need (ADR 26)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil


@dataclass(frozen=True)
class SpecimenNeed:
    """What a row of a requisition's tests needs.

    Attributes:
        parent_id: the id of its panel's row.
        required_ml: the volume. A panel's volume includes its members in the same container; if
            the panel has none, the volumes of the members are added up.
    """

    row_id: int
    parent_id: int | None
    test_id: int
    container: str
    specimen: str
    required_ml: Decimal | None = None


@dataclass(frozen=True)
class Tubes:
    """How many containers of one kind to fill with a specimen."""

    container: str
    specimen: str
    count: int


@dataclass(frozen=True)
class NumberedTube:
    """A tube to fill, with the number on its label."""

    number: int
    container: str
    specimen: str


def list_tubes(
    needs: Sequence[SpecimenNeed], volumes_ml: Mapping[str, Decimal]
) -> list[NumberedTube]:
    """List each tube to fill, with the number on its label."""
    tubes = [tube for tube in plan_tubes(needs, volumes_ml) for _ in range(tube.count)]
    return [
        NumberedTube(number, tube.container, tube.specimen)
        for number, tube in enumerate(tubes, start=1)
    ]


def plan_tubes(
    needs: Sequence[SpecimenNeed], volumes_ml: Mapping[str, Decimal]
) -> tuple[Tubes, ...]:
    """Return the tubes to fill, in the order of the tests.

    Tests in the same container share its tubes. If the volume of a container is unknown, one
    container is enough.
    """
    by_row: Mapping[int | None, SpecimenNeed] = {need.row_id: need for need in needs}
    volumes: dict[tuple[str, str], dict[int, Decimal]] = defaultdict(dict)
    for need in needs:
        if not need.container:
            continue
        volume_by_test = volumes[need.container, need.specimen]
        if need.required_ml is not None and not _is_in_panel_volume(need, by_row):
            volume_by_test[need.test_id] = need.required_ml
    return tuple(
        Tubes(
            container,
            specimen,
            _count_tubes(sum(volume_by_test.values()), volumes_ml.get(container)),
        )
        for (container, specimen), volume_by_test in volumes.items()
    )


def _is_in_panel_volume(need: SpecimenNeed, by_row: Mapping[int | None, SpecimenNeed]) -> bool:
    """Whether the volume of a panel in the same container includes this test's."""
    panel = by_row.get(need.parent_id)
    while panel is not None:
        is_same = (panel.container, panel.specimen) == (need.container, need.specimen)
        if is_same and panel.required_ml is not None:
            return True
        panel = by_row.get(panel.parent_id)
    return False


def _count_tubes(required_ml: Decimal | int, volume_ml: Decimal | None) -> int:
    return max(1, ceil(required_ml / volume_ml)) if volume_ml else 1
