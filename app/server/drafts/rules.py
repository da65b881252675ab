"""Rules about the content of drafts."""

from collections.abc import Iterable
from typing import Any


def is_deeper_than(limit: int, content: Any) -> bool:
    """Whether lists and objects are nested more than ``limit`` levels deep."""
    # Go level by level: recursion into deep content would exceed Python's limit.
    values = [content]
    for _ in range(limit + 1):
        values = [child for value in values for child in _get_children(value)]
        if not values:
            return False
    return True


def _get_children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
