"""The desktop's budgets, with room for a busy machine; ``make bench`` holds the exact ones."""

from tests.desktop.measure import LABEL_BUDGET_MS, RELAY_BUDGET_MS, label_latency, relay_overhead


def test_the_relay_adds_little() -> None:
    direct, through = relay_overhead(times=300)
    assert through.p50 - direct.p50 < 2 * RELAY_BUDGET_MS


def test_a_label_starts_at_once() -> None:
    assert label_latency(times=60).p95 < LABEL_BUDGET_MS
