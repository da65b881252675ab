"""Whether what is installed with a host is what its code imports."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
_MODULES = {
    "argon2-cffi": "argon2",
    "pillow": "PIL",
    "pyjwt": "jwt",
    "pywebview": "webview",
    "pywin32": "win32print",
}
"""Distribution -> the module that we import, where the names differ."""
_RUN_BY_OTHERS = {"uvloop", "httptools", "tzdata"}
"""uvicorn takes the first two when they are there; the last is zoneinfo's data."""
_FOLDERS = {
    "": ("app",),
    "server": ("app/server", "app/drawing", "app/basics", "app/contract", "seeds"),
    "desktop": ("app/desktop", "app/basics", "app/contract"),
}
"""Install extra -> the code that runs with it; '' is what both hosts install."""
_NOT_RUN = ("seeds/reference/write_icd10.py",)
"""Programs of ours that only a developer starts."""

_NAME = re.compile(r"[a-zA-Z_]\w*(\.\w+)*")
"""What may be a module that is imported by name when it is needed: import_module('win32print')."""


def unused_dependencies(root: Path = ROOT) -> list[str]:
    """A line for each dependency of ``pyproject.toml`` that no shipped code imports."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: Mapping[str, list[str]] = {
        "": project["dependencies"],
        **project["optional-dependencies"],
    }
    lines = []
    for extra, requirements in extras.items():
        imported = set(_imported(root, _FOLDERS[extra]))
        for requirement in requirements:
            name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()
            module = _MODULES.get(name, name.replace("-", "_"))
            if module not in imported and name not in _RUN_BY_OTHERS:
                where = f"the extra '{extra}'" if extra else "what both hosts install"
                lines.append(
                    f"pyproject.toml: {name} is in {where} and nothing there imports {module}:"
                    " what only tests and builds need belongs to the group dev"
                )
    return lines


def _imported(root: Path, folders: tuple[str, ...]) -> Iterator[str]:
    for path in (path for folder in folders for path in sorted((root / folder).rglob("*.py"))):
        if path.relative_to(root).as_posix() in _NOT_RUN:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield (node.module or "").partition(".")[0]
            elif isinstance(node, ast.Constant) and re.fullmatch(_NAME, str(node.value)):
                yield str(node.value).partition(".")[0]
