"""``make test-slow``: slow checks that run before a capability is called done.

Every step runs, even after a failure of another. The report is ``test-results/slow.txt``. To run
single steps, name them: ``python -m tests.tools.slow rules repeats``.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_REPORT = _ROOT / "test-results" / "slow.txt"
_PYTEST = [sys.executable, "-m", "pytest", "-q", "--durations", "10"]
_REPEATS = 5
_INSTALL = "tests/tools/install_packages.sh"
_BUSY = "while True: pass"


def main() -> int:
    """Run the steps, and return 0 if all of them pass."""
    names = sys.argv[1:] or list(_STEPS)
    _REPORT.parent.mkdir(exist_ok=True)
    failure_count = 0
    with _REPORT.open("w") as report:
        for name in names:
            started_at = time.monotonic()
            has_passed = _STEPS[name]()
            failure_count += not has_passed
            outcome = "passed" if has_passed else "FAILED"
            line = f"{name:<10} {outcome}  {(time.monotonic() - started_at) / 60:6.1f} min\n"
            for stream in (report, sys.stdout):
                stream.write(line)
                stream.flush()
    return 1 if failure_count else 0


def _run_step(*command: str, **environment: str) -> bool:
    process = subprocess.run(command, cwd=_ROOT, env={**os.environ, **environment}, check=False)
    return process.returncode == 0


def _search_counterexamples() -> bool:
    """Test the properties of the rules with many examples."""
    profile = "--hypothesis-profile=thorough"
    return _run_step(*_PYTEST, "-n", "2", "--timeout", "1800", "tests/rules", profile)


def _repeat_beside_busy_loops() -> bool:
    """Repeat browser and worker tests on a busy machine."""
    paths = ("tests/e2e", "tests/server/jobs", "tests/server/transmissions", "tests/desktop")
    with _run_busy_loops(2):
        return all(
            _run_step(*_PYTEST, "-n", "2", "--dist", "loadgroup", *paths) for _ in range(_REPEATS)
        )


@contextmanager
def _run_busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _torture_two_machines() -> bool:
    """Kill processes of two machines and PostgreSQL under load, for ten minutes."""
    return _run_step(sys.executable, "-m", "tests.torture", "--minutes", "10")


def _run_mutations() -> bool:
    """Insert faults into rules and services, which tests must notice."""
    return _run_step(sys.executable, "-m", "tests.tools.mutations")


def _use_windows_for_long() -> bool:
    """Open and close 200 windows of the desktop app, and work in one for a day, in short."""
    files = ("tests/desktop/test_many_windows.py", "tests/desktop/working_day.py")
    return _run_step(*_PYTEST, *files, TEST_WINDOWS="200")


def _try_package() -> bool:
    """Build the desktop app's packages; use them on clean Debians 12 and 13, and under Wine."""
    tools = [
        "appstream",
        "lintian",
        "mmdebstrap",
        "nsis",
        "openssl",
        "osslsigncode",
        "wine",
        "wine64",
        "xvfb",
    ]
    for script in (("packaging/linux/system_packages.sh",), (_INSTALL, *tools)):
        if not _run_step("bash", *script):
            return False
    with tempfile.TemporaryDirectory() as folder:
        if not _run_step(sys.executable, "-m", "lab_packaging", folder, PYTHONPATH="packaging"):
            return False
        [package] = Path(folder).glob("*.deb")
        [archive] = Path(folder).glob("*.tar.xz")
        files = ("tests/packaging/installed.py", "tests/packaging/windows_installer.py")
        return _run_step(
            *_PYTEST,
            "-s",
            "--timeout",
            "1800",
            *files,
            TEST_PACKAGE=str(package),
            TEST_ARCHIVE=str(archive),
        )


def _measure_five_million_rows() -> bool:
    """Measure every budget with five million rows."""
    return _run_step(sys.executable, "-m", "tests.bench", BENCH_ROWS="5000000")


_STEPS: dict[str, Callable[[], bool]] = {
    "rules": _search_counterexamples,
    "mutations": _run_mutations,
    "repeats": _repeat_beside_busy_loops,
    "torture": _torture_two_machines,
    "windows": _use_windows_for_long,
    "package": _try_package,
    "bench": _measure_five_million_rows,
}


if __name__ == "__main__":
    raise SystemExit(main())
