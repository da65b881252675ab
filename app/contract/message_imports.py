"""Checks that all messages are imported by ``messages``, under unique names."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from app.contract import messages

_FOLDER = Path(__file__).parent / "messages"


def find_misplaced_messages(
    folder: Path = _FOLDER, imported_names: Collection[str] = frozenset(vars(messages))
) -> list[str]:
    """Report each message that is defined twice or is not imported, one line per message."""
    return list(_list_problems(folder, imported_names))


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
