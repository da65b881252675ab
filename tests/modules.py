"""The modules that a program loads."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def list_loaded_modules(*module_names: str, before: str = "") -> set[str]:
    """Import modules in a new process, and return the names of all modules that it then has.

    ``before`` is a program that runs before the import.
    """
    program = f"{before}\nimport sys, {', '.join(module_names)}\nprint(*sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", program],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(process.stdout.split())
