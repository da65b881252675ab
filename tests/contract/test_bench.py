"""The command that measures the budgets."""

import pytest

from tests.bench.__main__ import main


def test_names_the_parts_instead_of_measuring_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("sys.argv", ["bench", "relays"])
    assert main() == 2
    assert "labels, lists" in capsys.readouterr().out
