"""``make hazards``: switch each safety control off, and show that its test fails.

``tests/hazards/*.toml`` declares the hazards; ``docs/hazards.md`` is generated from them. Each
control is a piece of code and the test that guards it. The run copies the checkout once per core.
In each copy it removes one control at a time and runs the test of that control. The test must pass
with all controls, and fail without this one.

``python -m tests.tools.hazards P-1 S-3`` runs single hazards; ``--write`` only writes the document.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.hazards.declared import DOCUMENT, ROOT, Control, Hazard, format_document, load_chapters

_COPIED_PATHS = (
    "app",
    "tests",
    "shared",
    "seeds",
    "ui",
    "requirements",
    "VERSION",
    "pyproject.toml",
)
_SKIPPED_NAMES = ("__pycache__", "node_modules", "dist", ".hypothesis")
_LINKED_PATHS = ("ui/node_modules", "ui/dist", "tests/drawing/zpl_renderer/node_modules")
_PYTEST = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
_VITEST = ["npx", "vitest", "run"]
_FAILED_STATUS = 1
"""The status of pytest and vitest when tests ran and failed."""
_OUTCOMES = {_FAILED_STATUS: "fails without the control", 0: "PASSES WITHOUT THE CONTROL"}


def main() -> int:
    """Write the document, or test the named hazards, or all; return 0 if all are guarded."""
    chosen_ids = sys.argv[1:]
    chapters = load_chapters()
    if chosen_ids == ["--write"]:
        DOCUMENT.write_text(format_document(chapters))
        return 0
    hazards = [
        hazard
        for chapter in chapters
        for hazard in chapter.hazards
        if not chosen_ids or hazard.id in chosen_ids
    ]
    with tempfile.TemporaryDirectory(prefix="portal-hazards-") as folder:
        # Tests may run PostgreSQL as another user, who must be able to read the files.
        Path(folder).chmod(0o755)
        copies = [_copy_checkout(Path(folder, str(core))) for core in range(os.cpu_count() or 1)]
        if not _pass_with_controls(copies[0], hazards):
            return 1
        unguarded_ids = _find_unguarded_hazards(copies, hazards)
    sys.stdout.write(
        f"not guarded: {', '.join(unguarded_ids)}\n" if unguarded_ids else "all guarded\n"
    )
    return 1 if unguarded_ids else 0


def _copy_checkout(copy: Path) -> Path:
    copy.mkdir()
    for name in _COPIED_PATHS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns(*_SKIPPED_NAMES))
        else:
            shutil.copy(source, copy / name)
    for name in _LINKED_PATHS:
        (copy / name).symlink_to(ROOT / name)
    return copy


def _pass_with_controls(copy: Path, hazards: Sequence[Hazard]) -> bool:
    """Whether all tests pass while all controls are there; prints what fails."""
    tests = {control.test: control for hazard in hazards for control in hazard.controls}
    servers = [name for name, control in tests.items() if not control.is_screen_test]
    screens = {_split_test(name)[0] for name in tests if name not in servers}
    runs = [(_PYTEST + servers, copy)] if servers else []
    if screens:
        runs.append((_VITEST + sorted(screens), copy / "ui"))
    for command, folder in runs:
        process = _run_command(command, folder)
        if process.returncode != 0:
            sys.stdout.write(f"{process.stdout[-6000:]}\nfails with all controls\n")
            return False
    return True


def _find_unguarded_hazards(copies: Sequence[Path], hazards: Sequence[Hazard]) -> list[str]:
    """Return the ids of hazards with a control whose test passes without it."""
    free_copies: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free_copies.put(copy)

    def check_in_free_copy(hazard: Hazard) -> bool:
        copy = free_copies.get()
        try:
            return _is_guarded(copy, hazard)
        finally:
            free_copies.put(copy)

    with ThreadPoolExecutor(len(copies)) as threads:
        results = list(threads.map(check_in_free_copy, hazards))
    return [
        hazard.id for hazard, is_guarded in zip(hazards, results, strict=True) if not is_guarded
    ]


def _is_guarded(copy: Path, hazard: Hazard) -> bool:
    """Whether the test of each control fails without it."""
    is_guarded = True
    for control in hazard.controls:
        status = _run_without(copy, control)
        outcome = _OUTCOMES.get(status, f"does not run ({status})")
        is_guarded &= status == _FAILED_STATUS
        sys.stdout.write(f"{hazard.id:<5} {outcome:<28} {control.test}\n")
        sys.stdout.flush()
    return is_guarded


def _run_without(copy: Path, control: Control) -> int:
    """Run a control's test without the control, and return the exit status."""
    path = copy / control.file
    with_control = path.read_text()
    path.write_text(with_control.replace(control.code, control.without))
    try:
        if control.is_screen_test:
            file, name = _split_test(control.test)
            command = [*_VITEST, file, "--testNamePattern", re.escape(name)]
            return _run_command(command, copy / "ui").returncode
        return _run_command([*_PYTEST, control.test], copy).returncode
    finally:
        path.write_text(with_control)


def _split_test(test: str) -> tuple[str, str]:
    """Split a test of the interface into its file, below ``ui``, and its name."""
    file, _, name = test.partition("::")
    return file.removeprefix("ui/"), name


def _run_command(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # A file that changes twice within a second must not run from the cache.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


if __name__ == "__main__":
    raise SystemExit(main())
