"""When the specimens of the demo lab are collected."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from random import Random

DAYS = 730
"""The length of the period that the demo covers."""

WAITING_PER_CLIENT = 3
"""How many orders of each client wait for results since the last weekday, at least."""


def generate_collection_times(rng: Random, as_of: date, count: int) -> list[datetime]:
    """Return ``count`` collection times from two years, ascending, mostly on weekday mornings."""
    times: list[datetime] = []
    while len(times) < count:
        # Later days are slightly more likely, as in a growing practice.
        day = as_of - timedelta(days=1 + int(DAYS * rng.random() ** 1.15))
        if day.weekday() >= 5 and rng.random() < 0.8:
            continue
        times.append(datetime.combine(day, _choose_time(rng)))
    return sorted(times)


def generate_upcoming_times(rng: Random, as_of: date, count: int) -> list[datetime]:
    """Return ``count`` collection times of today and tomorrow, ascending."""
    days = rng.choices((as_of, as_of + timedelta(days=1)), (4, 1), k=count)
    return sorted(datetime.combine(day, _choose_time(rng)) for day in days)


def generate_waiting_times(
    rng: Random, as_of: date, clients: Iterable[str]
) -> list[tuple[datetime, str]]:
    """Return collection times on the last weekday of orders that wait for results, by client."""
    days = (as_of - timedelta(days=back) for back in range(1, 4))
    day = next(day for day in days if day.weekday() < 5)
    return [
        (datetime.combine(day, time(rng.randrange(9, 15), rng.randrange(0, 60, 5))), client)
        for client in clients
        for _ in range(WAITING_PER_CLIENT)
    ]


def _choose_time(rng: Random) -> time:
    """Return a time of day, mostly in the morning; midnight if it is unknown."""
    if rng.random() >= 0.88:
        return time()
    return time(rng.choice((6, 7, 7, 8, 8, 8, 9, 9, 10, 11, 13, 15)), rng.randrange(0, 60, 5))
