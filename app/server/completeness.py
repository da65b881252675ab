"""Finds parts of slices that are silently missing: no manifest declares them, or no route."""

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from fastapi import APIRouter
from fastapi.routing import APIRoute

import app
import app.server
from app.server.access.acts import Act
from app.server.database.base import Table
from app.server.exports.source import ExportSource
from app.server.lists.document import get_page_model, get_row_model
from app.server.lists.spec import ListSpec
from app.server.manifest import Manifest, Periodic, Task
from app.server.slices import SLICES

_DECLARED_TYPES: dict[str, type | tuple[type, ...]] = {
    "endpoints": APIRouter,
    "lists": ListSpec,
    "tasks": (Task, Periodic),
    "manifest": Manifest,
    "acts": Act,
    "sources": ExportSource,
}
"""The types that a manifest declares, by the last word of the file's name."""


def find_undeclared_parts(slices: Iterable[Manifest] = SLICES) -> list[str]:
    """Find the parts that no manifest declares; a line for each begins with its file's path."""
    declared_ids = {id(part) for slice_ in slices for part in _list_parts(slice_)}
    parts = [
        (module, name, value) for module in _load_modules() for name, value in _find_parts(module)
    ]
    for mapper in Table.registry.mappers:
        table = mapper.class_
        parts.append((sys.modules[table.__module__], table.__name__, table))
    return [
        f"{_get_path(module)}: {name} is in no manifest that app/server/slices.py names"
        for module, name, value in parts
        if id(value) not in declared_ids
    ]


def find_unanswered_lists(slices: Iterable[Manifest] = SLICES) -> list[str]:
    """Find the lists that no route answers; a line for each begins with its file's path.

    A route answers a list if it documents the list's model, or if its endpoint names the list.
    """
    slices = tuple(slices)
    routers = [router for slice_ in slices for router in slice_.routers]
    all_routes = chain.from_iterable(router.routes for router in routers)
    routes = [route for route in all_routes if isinstance(route, APIRoute)]
    models = [route.responses.get(200, {}).get("model") for route in routes]
    used_names = {name for route in routes for name in route.endpoint.__code__.co_names}
    return [
        f"{_get_path(module)}: {name} is answered by no route"
        for module, name, spec in _find_lists(slices)
        if name not in used_names
        and get_page_model(spec) not in models
        and list[get_row_model(spec)] not in models  # type: ignore[misc]
    ]


def _find_lists(slices: Iterable[Manifest]) -> Iterator[tuple[ModuleType, str, ListSpec]]:
    """Yield the module, name, and declaration of each list."""
    for module in chain.from_iterable(slice_.lists for slice_ in slices):
        for name, value in vars(module).items():
            if isinstance(value, ListSpec):
                yield module, name, value


def _list_parts(slice_: Manifest) -> Iterator[object]:
    yield slice_
    yield from (*slice_.routers, *slice_.tables, *slice_.specs, *slice_.tasks)
    yield from (*slice_.periodic, *slice_.acts, *slice_.exports)
    yield from (periodic.task for periodic in slice_.periodic)


def _load_modules() -> Iterator[ModuleType]:
    for info in walk_packages(app.server.__path__, "app.server."):
        if not info.name.startswith("app.server.schema.migrations."):
            yield import_module(info.name)


def _find_parts(module: ModuleType) -> Iterator[tuple[str, object]]:
    file_name = module.__name__.rpartition(".")[2]
    types = _DECLARED_TYPES.get(file_name.rpartition("_")[2])
    for name, value in vars(module).items():
        for part in value if isinstance(value, tuple) else (value,):
            if types is not None and isinstance(part, types):
                yield name, part


def _get_path(module: ModuleType) -> str:
    assert module.__file__ is not None
    return str(Path(module.__file__).relative_to(Path(app.__path__[0]).parent))
