"""Paths of requests that no file or route can have."""

import pytest

from app.basics.paths import is_possible_path

IMPOSSIBLE = [
    "/%00",
    "/a%zz",
    "/100%",
    "/%ff",
    "/a%0ab",
    "/" + "x" * 300,
    "/%2e%2e/" + "%C3%A9" * 200,
]


@pytest.mark.parametrize("path", IMPOSSIBLE)
def test_rejects_impossible_paths(path: str) -> None:
    assert not is_possible_path(path.encode())


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/secured/results/order;id=12;text=" + "x" * 400,
        "/documents/caf%C3%A9%20menu.pdf",
        "/" + "x" * 255,
        "/a?b=%zz",
    ],
)
def test_accepts_other_paths(path: str) -> None:
    assert is_possible_path(path.encode().partition(b"?")[0])
