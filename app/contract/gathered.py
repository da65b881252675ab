"""Whether the messages of all slices are gathered, each under a name of its own."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from app.contract import messages

_FOLDER = Path(__file__).parent / "messages"


def misplaced_messages(
    folder: Path = _FOLDER, gathered: Collection[str] = frozenset(vars(messages))
) -> list[str]:
    """A line for each message that is given twice or that is not gathered, led by its file."""
    return list(_misplaced(folder, gathered))


def _misplaced(folder: Path, gathered: Collection[str]) -> Iterator[str]:
    first: dict[str, Path] = {}
    for path in sorted(folder.glob("*.py")):
        for name in _names(path):
            if name in first:
                yield f"{_shown(path)}: {name} is in {_shown(first[name])} already"
            elif name not in gathered:
                yield f"{_shown(path)}: {name} is not gathered in messages/__init__.py"
            first.setdefault(name, path)


def _names(path: Path) -> Iterator[str]:
    """What the file assigns; its text tells a name that it assigns twice."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def _shown(path: Path) -> str:
    return f"app/contract/messages/{path.name}"
