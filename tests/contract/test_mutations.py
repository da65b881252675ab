"""The mutation run covers every module of rules."""

import tomllib
from fnmatch import fnmatch
from pathlib import Path

from tests.tools.mutations import TARGETS

ROOT = Path(__file__).parents[2]


def list_rule_modules() -> list[str]:
    """List the modules of rules, as import-linter names them; ``**`` stands for any folders."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    [contract] = [c for c in linter["contracts"] if c["name"] == "Rules import no framework"]
    modules: list[str] = contract["source_modules"]
    return modules


def test_every_module_of_rules_gets_faults() -> None:
    paths = [f"{module.replace('.', '/').replace('**', '*')}.py" for module in list_rule_modules()]
    patterns = TARGETS["rules"].files
    missing = [path for path in paths if not any(fnmatch(path, pattern) for pattern in patterns)]
    assert missing == []
