"""What a draft may hold."""

from collections.abc import Iterable
from typing import Any


def is_deeper_than(most: int, content: Any) -> bool:
    """Whether lists and objects stand within each other more than ``most`` times."""
    # Level by level: what is too deep is too deep for calls within calls as well.
    level = [content]
    for _ in range(most + 1):
        level = [inner for each in level for inner in _within(each)]
        if not level:
            return False
    return True


def _within(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
