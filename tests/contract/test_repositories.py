"""Only ``Transaction.build_repository`` makes repositories."""

import ast
from collections.abc import Iterator
from pathlib import Path

import app

_APP = Path(app.__path__[0])
_OTHERS = {"SealRepository"}
"""Repositories over another kind of connection; the class says why."""


def find_direct_calls(text: str, name: str) -> Iterator[str]:
    """Find the lines of a file that call a repository's class, after the file's name."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        kind = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if kind.endswith("Repository") and kind not in _OTHERS:
            yield f"{name}:{node.lineno}: build {kind} with build_repository"


def test_repositories_are_built_by_their_transaction() -> None:
    problems = [
        problem
        for path in sorted(_APP.rglob("*.py"))
        for problem in find_direct_calls(
            path.read_text(encoding="utf-8"), path.relative_to(_APP.parent).as_posix()
        )
    ]
    assert problems == []


def test_names_the_file_and_line_of_a_direct_call() -> None:
    text = "accounts = AccountRepository(work)\nusers = users.repository.UserRepository(work)\n"
    assert list(find_direct_calls(text, "app/server/x.py")) == [
        "app/server/x.py:1: build AccountRepository with build_repository",
        "app/server/x.py:2: build UserRepository with build_repository",
    ]


def test_accepts_a_repository_that_a_transaction_builds() -> None:
    text = "accounts = transaction.build_repository(AccountRepository)\n"
    assert list(find_direct_calls(text, "app/server/x.py")) == []
