"""Finds builders of records that are not in a slice's test folder, or that ``World`` lacks."""

from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path

from tests.server.records import Records
from tests.server.world import World

_FOLDER = Path(__file__).parent
_ROOT = _FOLDER.parents[1]


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
