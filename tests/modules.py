"""The modules that a program loads."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def list_loaded_modules(*imported: str) -> set[str]:
    """Import modules in a new process, and return the names of all modules that it then has."""
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys, {', '.join(imported)}; print(*sys.modules)"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(shown.stdout.split())
