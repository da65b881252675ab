"""The progress of an order's results in the demo lab: which are entered, which released."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cache
from random import Random
from typing import NamedTuple

from app.contract.enumerations import OrderStatus
from seeds.reference.catalog import list_test_formulas


class Progress(NamedTuple):
    """Whether the result of a test is entered, and whether it is released."""

    is_entered: bool
    is_released: bool


def choose_stage(rng: Random, age: timedelta) -> OrderStatus:
    """Return the stage of an order, given the time since reception."""
    stages: tuple[OrderStatus, ...]
    weights: tuple[int, ...]
    if age < timedelta(hours=10):
        stages, weights = (OrderStatus.PENDING, OrderStatus.UNRELEASED), (3, 1)
    elif age < timedelta(days=3):
        stages = (
            OrderStatus.PENDING,
            OrderStatus.UNRELEASED,
            OrderStatus.PARTIAL,
            OrderStatus.FINAL,
        )
        weights = (12, 10, 28, 50)
    else:
        stages = (
            OrderStatus.FINAL,
            OrderStatus.PARTIAL,
            OrderStatus.PARTIALLY_RELEASED,
            OrderStatus.UNRELEASED,
            OrderStatus.PENDING,
            OrderStatus.CANCELED,
        )
        weights = (926, 25, 8, 8, 8, 15)
    return rng.choices(stages, weights)[0]


def choose_progress(rng: Random, stage: OrderStatus, codes: Sequence[str]) -> dict[str, Progress]:
    """Choose the progress of the tests of an order at ``stage``, by their codes.

    The portal calculates a result when its inputs are entered, so its progress is theirs.
    """
    chosen: dict[str, Progress] = {}
    for code in codes:
        chosen.setdefault(code, _choose_of_one_test(rng, stage, is_first=not chosen))
    return {code: _follow_inputs(code, chosen) for code in chosen}


def _choose_of_one_test(rng: Random, stage: OrderStatus, *, is_first: bool) -> Progress:
    if stage in (OrderStatus.FINAL, OrderStatus.PRELIMINARY):
        return Progress(is_entered=True, is_released=True)
    if stage in (OrderStatus.PENDING, OrderStatus.CANCELED):
        return Progress(is_entered=False, is_released=False)
    if stage is OrderStatus.UNRELEASED:
        return Progress(is_entered=rng.random() < 0.8 or is_first, is_released=False)
    if stage is OrderStatus.PARTIALLY_RELEASED:
        return Progress(is_entered=True, is_released=rng.random() < 0.5)
    chance = rng.random()
    return Progress(is_entered=chance < 0.75, is_released=chance < 0.6)


def _follow_inputs(code: str, chosen: Mapping[str, Progress]) -> Progress:
    """Return the progress of a test; a calculated one follows its inputs if all are ordered."""
    inputs = _list_inputs().get(code, ())
    if not inputs or not chosen.keys() >= set(inputs):
        return chosen[code]
    followed = [_follow_inputs(input_code, chosen) for input_code in inputs]
    return Progress(*map(all, zip(*followed, strict=True)))


@cache
def _list_inputs() -> Mapping[str, Sequence[str]]:
    return {row.test: row.inputs for row in list_test_formulas()}
