"""Texts of reports about specimens, and awaited tubes."""

from datetime import UTC, datetime

import pytest

from app.contract.enumerations import SpecimenState
from app.server.orders.rules import ACCEPTABLE
from app.server.specimens.rules import (
    NOT_RECEIVED,
    Tube,
    describe_condition,
    find_awaited_containers,
)

_AT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
RECEIVED, REJECTED, EXPECTED = (
    SpecimenState.RECEIVED,
    SpecimenState.REJECTED,
    SpecimenState.EXPECTED,
)


@pytest.mark.parametrize(
    ("tube", "text"),
    [
        (Tube("SST", "SERUM", RECEIVED), ACCEPTABLE),
        (Tube("SST", "SERUM", EXPECTED, ("HEMOLYZED",)), NOT_RECEIVED),
        (Tube("SST", "SERUM", RECEIVED, ("HEMOLYZED", "LIPEMIC")), "SST: HEMOLYZED, LIPEMIC"),
        (Tube("SST", "SERUM", RECEIVED, condition_words="a bit warm"), "SST: A BIT WARM"),
        (
            Tube("SST", "SERUM", RECEIVED, ("HEMOLYZED",), "warm", collected_at=_AT),
            "SST: COLLECTED AGAIN 03/04/2026 05:06 AM, HEMOLYZED, WARM",
        ),
        (
            Tube("SST", "SERUM", RECEIVED, collected_at=_AT.replace(hour=0, minute=0)),
            "SST: COLLECTED AGAIN 03/04/2026",
        ),
        (
            Tube("SST", "SERUM", REJECTED, reason="Clotted", reason_words="twice"),
            "SST: REJECTED (CLOTTED, TWICE), NEW COLLECTION REQUESTED",
        ),
        (
            Tube("SST", "SERUM", REJECTED, reason="Clotted"),
            "SST: REJECTED (CLOTTED), NEW COLLECTION REQUESTED",
        ),
        (
            Tube("SST", "SERUM", REJECTED, reason="Clotted", is_needed=False),
            "SST: REJECTED (CLOTTED)",
        ),
        (Tube("SST", "SERUM", REJECTED, reason="Clotted", is_replaced=True), ACCEPTABLE),
    ],
)
def test_describes_a_tube(tube: Tube, text: str) -> None:
    assert describe_condition([tube]) == text


def test_tubes_are_named_once_each() -> None:
    tubes = [
        Tube("SST", "SERUM", RECEIVED, ("HEMOLYZED",)),
        Tube("EDTA", "BLOOD", RECEIVED),
        Tube("SST", "SERUM", RECEIVED, ("HEMOLYZED",)),
        Tube("NAF", "PLASMA", RECEIVED, ("LIPEMIC",)),
    ]
    assert describe_condition(tubes) == "SST: HEMOLYZED; NAF: LIPEMIC"
    assert describe_condition([]) == ACCEPTABLE


def test_a_missing_tube_says_nothing_about_the_others() -> None:
    tubes = [Tube("SST", "SERUM", RECEIVED), Tube("EDTA", "BLOOD", EXPECTED)]
    assert describe_condition(tubes) == ACCEPTABLE


def test_awaits_replacements_that_have_not_arrived() -> None:
    tubes = [
        Tube("SST", "SERUM", EXPECTED, is_replacement=True),
        Tube("EDTA", "BLOOD", RECEIVED, is_replacement=True),
        Tube("NAF", "PLASMA", EXPECTED),
    ]
    assert find_awaited_containers(tubes) == {("SST", "SERUM")}
