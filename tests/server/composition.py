"""Finds builders and helpers that are not where the tests of other slices expect them."""

import re
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path

from tests.server.records import Records
from tests.server.world import World

_FOLDER = Path(__file__).parent
_ROOT = _FOLDER.parents[1]
_IMPORT = re.compile(r"^from (tests\.server\.(\w+)\.(?:\w+\.)*test_\w+) import", re.MULTILINE)


def find_misplaced_builders(world: type[Records] = World) -> list[str]:
    """Find builders in ``world`` itself and builders it does not have, each as a line."""
    names = [name for name, value in vars(world).items() if isfunction(value) and name[:2] != "__"]
    return [
        *(
            f"tests/server/world.py: {name} belongs in builders.py of a slice's test folder"
            for name in names
        ),
        *(
            f"{path}: {builders.__name__} is not a base of World (tests/server/world.py)"
            for path, builders in _list_builders()
            if not issubclass(world, builders)
        ),
    ]


def find_borrowed_tests(folder: Path = _FOLDER) -> list[str]:
    """Find imports from a test module of another slice, each as a line with its file.

    What several slices use is in a module of its own, so that test modules can change freely.
    """
    return [
        f"tests/server/{path.as_posix()}: imports from {module}, a test module of another slice"
        for file in sorted(folder.rglob("*.py"))
        for path in [file.relative_to(folder)]
        for module, slice_ in _IMPORT.findall(file.read_text("utf-8"))
        if slice_ != path.parts[0]
    ]


def _list_builders() -> list[tuple[str, type[Records]]]:
    """List the classes of builders, each with its file."""
    classes = []
    for file in sorted(_FOLDER.rglob("builders.py")):
        path = file.relative_to(_ROOT)
        module = import_module(".".join(path.with_suffix("").parts))
        classes += [
            (path.as_posix(), value)
            for value in vars(module).values()
            if isclass(value) and issubclass(value, Records) and value.__module__ == module.__name__
        ]
    return classes
