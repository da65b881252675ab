"""Finds dependencies that the product installs but does not import."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
_MODULES = {
    "argon2-cffi": "argon2",
    "pillow": "PIL",
    "pyjwt": "jwt",
    "pywebview": "webview",
    "pywin32": "win32print",
}
"""The module of each distribution whose module has another name."""
_NOT_IMPORTED = {"uvloop", "httptools", "tzdata"}
"""uvicorn uses the first two when they are installed; tzdata has the data of zoneinfo."""
_FOLDERS = {
    "": ("app",),
    "server": ("app/server", "app/drawing", "app/basics", "app/contract", "seeds"),
    "desktop": ("app/desktop", "app/basics", "app/contract"),
}
"""The code that runs with each extra; '' stands for both hosts."""
_DEVELOPER_PROGRAMS = ("seeds/reference/write_icd10.py",)
"""Programs that only developers run; their imports are ignored."""

_NAME = re.compile(r"[a-zA-Z_]\w*(\.\w+)*")
"""Strings that may name a lazily imported module, as in import_module('win32print')."""


def find_unused_dependencies(root: Path = ROOT) -> list[str]:
    """Report each dependency of ``pyproject.toml`` that no shipped code imports."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: Mapping[str, list[str]] = {
        "": project["dependencies"],
        **project["optional-dependencies"],
    }
    lines = []
    for extra, requirements in extras.items():
        imports = set(_list_imports(root, _FOLDERS[extra]))
        for requirement in requirements:
            name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()
            module = _MODULES.get(name, name.replace("-", "_"))
            if module not in imports and name not in _NOT_IMPORTED:
                where = f"the extra '{extra}'" if extra else "what both hosts install"
                lines.append(
                    f"pyproject.toml: {name} is in {where} and nothing there imports {module}:"
                    " what only tests and builds need belongs to the group dev"
                )
    return lines


def _list_imports(root: Path, folders: tuple[str, ...]) -> Iterator[str]:
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]
    for path in paths:
        if path.relative_to(root).as_posix() not in _DEVELOPER_PROGRAMS:
            yield from _find_imports(path.read_text(encoding="utf-8"))


@cache
def _find_imports(text: str) -> frozenset[str]:
    """Return the modules that a file imports or may import, by the first part of their names."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Constant) and re.fullmatch(_NAME, str(node.value)):
            names.add(str(node.value).partition(".")[0])
    return frozenset(names)
