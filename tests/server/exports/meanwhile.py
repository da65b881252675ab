"""An export file that runs an act while it is written."""

from collections.abc import Callable, Iterable

import pytest

from app.server.exports.service import run


class MeanwhileFile:
    """A file that runs an act when the first rows are written."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act
        self.is_discarded = False

    def write_rows(self, _rows: Iterable[object]) -> None:
        """Run the act, which happens in the middle of the export."""
        self.act()

    def close(self) -> None:
        """Complete the file."""

    def discard(self) -> None:
        """Close the file without completing it."""
        self.is_discarded = True


def act_meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> MeanwhileFile:
    """Run an act in the middle of the next export."""
    file = MeanwhileFile(act)
    monkeypatch.setattr(run, "open_export_file", lambda *_: file)
    return file
