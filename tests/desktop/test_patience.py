"""How long a print waits for a printer: longer while somebody has to load a roll."""

import pytest

from app.desktop.printers.patience import Patience, is_solved_at_printer
from app.desktop.printers.status import Problem

_PAPER_OUT: tuple[Problem, ...] = ("paper-out",)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    """A clock at zero."""
    return Clock()


@pytest.fixture
def patience(clock: Clock) -> Patience:
    """Waits 10 seconds for a printer that stands still, and 600 seconds for people."""
    return Patience(10, 600, clock)


def test_people_have_longer_than_a_printer_that_stands_still(
    clock: Clock, patience: Patience
) -> None:
    clock.seconds = 599
    assert not patience.has_ended(_PAPER_OUT)
    clock.seconds = 600
    assert patience.has_ended(_PAPER_OUT)


def test_a_printer_that_stands_still_has_only_its_own_time(
    clock: Clock, patience: Patience
) -> None:
    clock.seconds = 9
    assert not patience.has_ended(())
    clock.seconds = 10
    assert patience.has_ended(())


def test_waiting_for_people_does_not_use_the_time_of_the_printer(
    clock: Clock, patience: Patience
) -> None:
    clock.seconds = 300
    assert not patience.has_ended(_PAPER_OUT)
    clock.seconds = 309
    assert not patience.has_ended(())
    clock.seconds = 310
    assert patience.has_ended(())


def test_progress_gives_the_whole_time_again(clock: Clock, patience: Patience) -> None:
    clock.seconds = 9
    assert not patience.has_ended(())
    patience.restart()
    clock.seconds = 18
    assert not patience.has_ended(())


@pytest.mark.parametrize(
    ("problems", "is_solved"),
    [
        ((), False),
        (_PAPER_OUT, True),
        (("head-open", "paused"), True),
        (("offline",), False),
        (("paper-out", "queue-stopped"), False),
    ],
)
def test_knows_which_problems_people_solve_at_the_printer(
    problems: tuple[Problem, ...], is_solved: bool
) -> None:
    assert is_solved_at_printer(problems) is is_solved
