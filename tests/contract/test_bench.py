"""The command that measures the budgets."""

import pytest

from tests.bench.__main__ import main
from tests.bench.sizes import SIZES, find_small_sizes


def test_names_the_parts_instead_of_measuring_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("sys.argv", ["bench", "relays"])
    assert main() == 2
    assert "labels, lists" in capsys.readouterr().out


def test_says_how_many_rows_a_part_needs_before_it_fills_a_database(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("sys.argv", ["bench", "lists", "acts"])
    monkeypatch.setenv("BENCH_ROWS", "100000")
    monkeypatch.setattr("tests.bench.lists.measure_lists", None)
    assert main() == 2
    assert capsys.readouterr().out == (
        "  acts: BENCH_ROWS is 100,000, but this part needs at least 220,000\n"
    )


def test_the_usual_sizes_are_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in SIZES.values():
        monkeypatch.delenv(size.variable, raising=False)
    assert find_small_sizes(SIZES) == []
