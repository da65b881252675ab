"""The real app, while many windows open and close."""

import os
from pathlib import Path

import pytest

from tests.desktop.host import ROOT
from tests.desktop.screen import run_virtual_screen
from tests.desktop.test_window import run_window

PROGRAM = str(ROOT / "tests" / "desktop" / "many_windows.py")
# `make test-slow` opens 200.
WINDOWS = int(os.environ.get("TEST_WINDOWS", "20"))
GROWTH_MB = 80
"""A window that stays in memory takes 40 MB, its browser profile alone 4 MB."""
_SECONDS = 120 + 10 * WINDOWS


@pytest.mark.timeout(_SECONDS)
def test_closed_windows_neither_end_the_app_nor_stay_in_memory(
    portal_url: str, tmp_path: Path, ui_dir: Path
) -> None:
    config = tmp_path / "config"
    program = (PROGRAM, str(config), str(WINDOWS))
    with (
        run_virtual_screen() as screen,
        run_window(screen, portal_url, config, ui_dir, program) as process,
    ):
        code = process.wait(_SECONDS - 60)
    log = (config / "log").read_text()
    assert code == 0, log
    assert "Traceback" not in log, log
    memory = [int(line) for line in (config / "memory").read_text().split()]
    assert len(memory) == WINDOWS
    # The first windows fill caches.
    assert max(memory[-5:]) - max(memory[3:8]) < GROWTH_MB, memory
