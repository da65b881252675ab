"""Mutation runs: insert small faults into the code, each of which a test must notice.

``python -m tests.tools.mutations rules services`` runs mutmut in a copy of the checkout and prints
the faults that no test noticed. Tests must notice every fault in the rules, and a minimum share of
a fixed sample in the services.
"""

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_COPIED_PATHS = ("app", "tests", "shared", "seeds", "requirements", "VERSION", "pyproject.toml")
_NOTICED_STATUSES = frozenset({"killed", "timeout"})
_MUTMUT = [sys.executable, "-m", "mutmut"]


@dataclass(frozen=True)
class Target:
    """The files that get faults and the tests that must notice them.

    Attributes:
        sample: a pattern of mutant names.
        minimum_share: the share of faults that tests must notice, from 0 to 1.
    """

    files: tuple[str, ...]
    tests: tuple[str, ...]
    sample: str = "*"
    minimum_share: float = 1.0


TARGETS = {
    "rules": Target(
        tuple(
            f"app/server/*/{name}.py"
            for name in (
                "rules",
                "checks",
                "completeness",
                "formulas",
                "import_rules",
                "likeness",
                "susceptibility",
                "tubes",
                "ucum",
            )
        ),
        ("tests/rules",),
    ),
    "services": Target(
        (
            "app/server/requisitions/service/sign.py",
            "app/server/requisitions/service/status.py",
            "app/server/orders/service/*.py",
            "app/server/results/clinical/service/*.py",
        ),
        ("tests/server/requisitions", "tests/server/orders", "tests/server/results"),
        sample="*__mutmut_*7",
        minimum_share=0.9,
    ),
}


def main() -> int:
    """Run the named targets, or all, and return 0 if each reaches its minimum."""
    names = sys.argv[1:] or list(TARGETS)
    outcomes = [_test_mutants(name, TARGETS[name]) for name in names]
    return 0 if all(outcomes) else 1


def _test_mutants(name: str, target: Target) -> bool:
    with tempfile.TemporaryDirectory(prefix="portal-mutations-") as folder:
        copy = Path(folder)
        # Tests may run PostgreSQL as another user, who must be able to read the files.
        copy.chmod(0o755)
        _copy_checkout(copy, target)
        log = copy / "mutmut.log"
        sys.stdout.write(f"{name}: started, see {log}\n")
        with log.open("w") as output:
            subprocess.run(
                [*_MUTMUT, "run", target.sample],
                cwd=copy,
                stdout=output,
                stderr=output,
                check=False,
            )
        results = _read_results(copy)
        if not results:
            sys.stdout.write(f"{name}: the run did not start\n{log.read_text()[-4000:]}\n")
            return False
        unnoticed_faults = sorted(
            fault for fault, status in results.items() if status not in _NOTICED_STATUSES
        )
        for fault in unnoticed_faults:
            sys.stdout.write(f"{_call_mutmut(copy, 'show', fault)}\n")
    counts = Counter(results.values())
    share = 1 - len(unnoticed_faults) / len(results)
    sys.stdout.write(f"{name}: {len(results)} faults, {share:.1%} noticed {dict(counts)}\n")
    return share >= target.minimum_share


def _copy_checkout(copy: Path, target: Target) -> None:
    for name in _COPIED_PATHS:
        source = _ROOT / name
        if source.is_dir():
            ignored_paths = shutil.ignore_patterns("__pycache__", "node_modules", ".hypothesis")
            shutil.copytree(source, copy / name, ignore=ignored_paths)
        else:
            shutil.copy(source, copy / name)
    settings = {
        "source_paths": ["app"],
        "only_mutate": list(target.files),
        # A new process for every run, because loggers keep their first output stream.
        "process_isolation": "forkserver",
        # Long enough that only an endless loop times out, not a busy machine.
        "timeout_constant": 60.0,
        "also_copy": [name for name in _COPIED_PATHS if name not in ("tests", "pyproject.toml")],
        "pytest_add_cli_args_test_selection": list(target.tests),
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "--hypothesis-profile=mutation"],
    }
    with (copy / "pyproject.toml").open("a") as project:
        project.write("\n[tool.mutmut]\n")
        # Lists of strings have the same syntax in Python and TOML.
        project.writelines(f"{key} = {value!r}\n" for key, value in settings.items())


def _read_results(copy: Path) -> dict[str, str]:
    """Return every tested fault with its outcome."""
    results = {}
    for line in _call_mutmut(copy, "results", "--all", "true").splitlines():
        fault, _, outcome = line.strip().partition(": ")
        if outcome and outcome != "not checked":
            results[fault] = outcome
    return results


def _call_mutmut(copy: Path, *arguments: str) -> str:
    process = subprocess.run(
        [*_MUTMUT, *arguments], cwd=copy, capture_output=True, text=True, check=False
    )
    return process.stdout


if __name__ == "__main__":
    raise SystemExit(main())
