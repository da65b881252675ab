"""Checks that all messages are imported by ``messages``, under unique names, and used."""

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from app.contract import messages

_FOLDER = Path(__file__).parent / "messages"
_ROOT = Path(__file__).parents[2]
_SOURCES = ("app/**/*.py", "ui/src/**/*.ts", "ui/src/**/*.tsx", "ui/scripts/*.ts")
_NO_USES = re.compile(r"app/contract/messages/|\.generated\.ts$|\.test\.tsx?$")
_NAME = re.compile(r"\b[A-Z][A-Z0-9_]+\b")


def find_misplaced_messages(
    folder: Path = _FOLDER, imported_names: Collection[str] = frozenset(vars(messages))
) -> list[str]:
    """Report each message that is defined twice or is not imported, one line per message."""
    return list(_list_problems(folder, imported_names))


def find_unused_messages(folder: Path = _FOLDER, root: Path = _ROOT) -> list[str]:
    """Report each message that neither the server nor the interface uses, one line per message."""
    used_names = _collect_used_names(root)
    return [
        f"{_format_path(path)}: nothing uses {name}"
        for path in sorted(folder.glob("*.py"))
        for name in _list_names(path)
        if name not in used_names
    ]


def _collect_used_names(root: Path) -> set[str]:
    """Collect the names in capitals of all sources except messages, generated files, and tests."""
    names: set[str] = set()
    for pattern in _SOURCES:
        for path in root.glob(pattern):
            if not _NO_USES.search(path.relative_to(root).as_posix()):
                names.update(_NAME.findall(path.read_text(encoding="utf-8")))
    return names


def _list_problems(folder: Path, imported_names: Collection[str]) -> Iterator[str]:
    paths: dict[str, Path] = {}
    for path in sorted(folder.glob("*.py")):
        for name in _list_names(path):
            if name in paths:
                yield f"{_format_path(path)}: {name} is in {_format_path(paths[name])} already"
            elif name not in imported_names:
                yield f"{_format_path(path)}: {name} is not imported by messages/__init__.py"
            paths.setdefault(name, path)


def _list_names(path: Path) -> Iterator[str]:
    """List the assigned names of a file, including those that it assigns twice."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _format_path(path: Path) -> str:
    return f"app/contract/messages/{path.name}"
