"""Rules about the depth of drafts."""

from typing import Any

import pytest

from app.server.drafts.rules import is_deeper_than


@pytest.mark.parametrize(
    ("content", "depth"),
    [
        ("text", 0),
        (7, 0),
        ({}, 0),
        ([], 0),
        ({"a": 1}, 1),
        ([1, "text"], 1),
        ({"a": [1]}, 2),
        ({"a": 1, "b": {"c": [2]}}, 3),
        ([[], [[[1]]]], 4),
    ],
)
def test_counts_nested_levels(content: Any, depth: int) -> None:
    assert not is_deeper_than(depth, content)
    assert depth == 0 or is_deeper_than(depth - 1, content)


def test_handles_content_too_deep_for_recursion() -> None:
    content: Any = "text"
    for _ in range(100_000):
        content = [content]
    assert is_deeper_than(50, content)
