"""What a slice's files hold and no manifest names: forgotten, it would silently be missing."""

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from fastapi import APIRouter

import app
import app.server
from app.server.access.acts import Act
from app.server.database.base import Table
from app.server.lists.spec import ListSpec
from app.server.manifest import Manifest, Periodic, Task
from app.server.slices import SLICES

_HOLDS: dict[str, type | tuple[type, ...]] = {
    "endpoints": APIRouter,
    "lists": ListSpec,
    "tasks": (Task, Periodic),
    "manifest": Manifest,
    "acts": Act,
}
"""The last word of a file's name -> what it makes for the slice's manifest."""


def undeclared(slices: Iterable[Manifest] = SLICES) -> list[str]:
    """A line for each thing that no manifest names, led by the path of its file."""
    declared = {id(thing) for each in slices for thing in _things_of(each)}
    found = [(module, name, value) for module in _modules() for name, value in _made_by(module)]
    for mapper in Table.registry.mappers:
        table = mapper.class_
        found.append((sys.modules[table.__module__], table.__name__, table))
    return [
        f"{_path(module)}: {name} is in no manifest that app/server/slices.py names"
        for module, name, value in found
        if id(value) not in declared
    ]


def _things_of(slice_: Manifest) -> Iterator[object]:
    yield slice_
    yield from (*slice_.routers, *slice_.tables, *slice_.specs, *slice_.tasks)
    yield from (*slice_.periodic, *slice_.acts)
    yield from (each.task for each in slice_.periodic)


def _modules() -> Iterator[ModuleType]:
    for found in walk_packages(app.server.__path__, "app.server."):
        if not found.name.startswith("app.server.schema.migrations."):
            yield import_module(found.name)


def _made_by(module: ModuleType) -> Iterator[tuple[str, object]]:
    kinds = _HOLDS.get(module.__name__.rpartition(".")[2].rpartition("_")[2])
    for name, value in vars(module).items():
        for each in value if isinstance(value, tuple) else (value,):
            if kinds is not None and isinstance(each, kinds):
                yield name, each


def _path(module: ModuleType) -> str:
    assert module.__file__ is not None
    return str(Path(module.__file__).relative_to(Path(app.__path__[0]).parent))
