"""Measures how fast the real app starts, and its memory at the order search with results.

``make bench`` calls ``measure_start`` and ``measure_grid``. They start the program that
``BENCH_DESKTOP`` names (``dist/lab-portal/lab-portal`` after ``make package``), or the source.
"""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.desktop.host import ROOT
from tests.desktop.screen import run_virtual_screen
from tests.desktop.web_page import WebPage, wait_for_debugger
from tests.standins.ports import reserve_port

MEMORY_BUDGET_MB = 400
START_BUDGET_SECONDS = 2.0
EMAIL = "input[autocomplete=username]"
_SECONDS = 120
_SETTLE_SECONDS = 5


def open_grid(page: WebPage) -> None:
    """Sign in at the page, and search the orders of the last 14 days."""
    page.type(EMAIL, "clientbasic@demo.lab")
    page.type("input[type=password]", "Portal-2026!")
    page.press_button("Login")
    page.wait_for("document.querySelector('h1')?.innerText === 'Order Search'")
    page.press_button("Search")
    page.press_button("Search the last 14 days")
    page.wait_for("document.querySelectorAll('[role=row]').length > 10")


def measure_memory(pid: int) -> dict[str, int]:
    """Return the memory of each process of the app in MB.

    It is the proportional share (PSS): a page of memory that several processes use is divided
    among them, so that the sum counts it once.
    """
    root = psutil.Process(pid)
    memory: dict[str, int] = {}
    for process in (root, *root.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError, FileNotFoundError):
            _add_process(memory, process)
    return memory


def _add_process(memory: dict[str, int], process: psutil.Process) -> None:
    """Add the memory of a process, unless it only starts the app, or has just ended."""
    line = " ".join(process.cmdline())
    if not any(part in line for part in ("lab-portal", "app.desktop", "tests/desktop", "--type=")):
        return
    kind = re.search(r"--type=(\S+)", line)
    own_name = "sidecar" if "--sidecar" in line else "windows"
    name = kind[1] if kind else own_name
    memory[f"{name} {process.pid}"] = _read_pss(process.pid) // 1024


def _read_pss(pid: int) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    match = re.search(r"^Pss: +(\d+) kB", rollup, re.MULTILINE)
    assert match is not None
    return int(match[1])


def measure_start(portal: str, times: int = 5) -> list[float]:
    """Measure the seconds from the start of the program to the sign-in form, warm."""
    with run_virtual_screen() as screen:
        samples = []
        for _ in range(times + 1):
            with run_app(portal, screen.display) as (_, _, seconds):
                samples.append(seconds)
    return samples[1:]  # the first one has filled the caches


def measure_grid(portal: str) -> dict[str, int]:
    """Measure the memory of each process at the order search with results."""
    with run_virtual_screen() as screen, run_app(portal, screen.display) as (process, page, _):
        open_grid(page)
        time.sleep(_SETTLE_SECONDS)
        return measure_memory(process.pid)


@contextmanager
def run_app(portal: str, display: str) -> Iterator[tuple[subprocess.Popen[bytes], WebPage, float]]:
    """Run the app, and yield its process, its page, and the seconds until the sign-in form."""
    program = os.environ.get("BENCH_DESKTOP")
    command = [program] if program else [sys.executable, "-m", "app.desktop"]
    with tempfile.TemporaryDirectory() as folder, reserve_port() as port:
        log = Path(folder) / "log"
        environment = {
            **os.environ,
            "DISPLAY": display,
            "PORTAL_DESKTOP_DIR": str(Path(folder) / "config"),
            "PORTAL_LOCAL_PRINTERS": "true",  # a stand-in printer is on this computer
            "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{port}",
        }
        started_at = time.monotonic()
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--portal", portal],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=output,
            )
        try:
            wait_for_debugger(port, process, log, _SECONDS)
            page = WebPage(port, _SECONDS)
            page.wait_for(f"document.querySelector({EMAIL!r})")
            yield process, page, time.monotonic() - started_at
            page.close()
        finally:
            process.terminate()
            process.wait()
