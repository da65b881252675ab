"""Each person's large bodies are read at a bounded rate."""

import pytest

from app.server.access.body_rate import BodyRate


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rate(clock: Clock) -> BodyRate:
    """1,000 bytes at once, then 100 a second."""
    return BodyRate(burst=1_000, per_second=100, read_clock=clock)


class TestSpending:
    """The pause after reading a piece of a person's large body."""

    def test_does_not_pause_within_the_allowance(self, rate: BodyRate) -> None:
        assert [rate.spend("ann", 250) for _ in range(4)] == [0, 0, 0, 0]

    def test_pauses_beyond_the_allowance_as_long_as_the_rate_requires(self, rate: BodyRate) -> None:
        rate.spend("ann", 1_000)
        assert rate.spend("ann", 50) == pytest.approx(0.5)
        assert rate.spend("ann", 50) == pytest.approx(1)

    def test_restores_the_allowance_over_time(self, rate: BodyRate, clock: Clock) -> None:
        rate.spend("ann", 1_100)
        clock.now += 6
        assert rate.spend("ann", 500) == 0
        assert rate.spend("ann", 100) == pytest.approx(1)

    def test_saves_no_more_than_the_allowance(self, rate: BodyRate, clock: Clock) -> None:
        rate.spend("ann", 1)
        clock.now += 1_000
        assert rate.spend("ann", 1_100) == pytest.approx(1)

    def test_counts_each_person_alone(self, rate: BodyRate) -> None:
        rate.spend("ann", 5_000)
        assert rate.spend("bob", 1_000) == 0

    def test_remembers_only_people_without_a_complete_allowance(
        self, rate: BodyRate, clock: Clock
    ) -> None:
        rate.spend("ann", 100)
        rate.spend("bob", 300)
        clock.now += 2
        rate.spend("cat", 100)
        assert set(rate._complete_at) == {"bob", "cat"}
