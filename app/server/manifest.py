"""The manifest in which each slice declares its parts.

Hosts, worker, schema and tests are built from the manifests. Each slice has a ``manifest.py`` with
one ``MANIFEST``, and ``app.server.slices`` lists them all. Manifests import ``Periodic`` and
``Task`` from here, too.
"""

from dataclasses import dataclass
from types import ModuleType

from fastapi import APIRouter

from app.server.access.acts import Act
from app.server.database.base import Table
from app.server.exports.source import ExportSource
from app.server.jobs.tasks import Periodic, Task
from app.server.lists.spec import ListSpec

__all__ = ["Manifest", "Periodic", "Task"]


@dataclass(frozen=True)
class Manifest:
    """The manifest of a slice.

    Attributes:
        name: the name of the folder, dotted for a subfolder ('results.clinical').
        routers: the routes, in the order of the OpenAPI document.
        models: the modules that define the tables.
        lists: the modules that declare grids and lookups.
        tasks: the tasks of background jobs.
        periodic: the jobs that run at fixed times.
        acts: the permissions that the interface evaluates without asking the portal.
        exports: the sources of rows that people can export to a file.
    """

    name: str
    routers: tuple[APIRouter, ...] = ()
    models: tuple[ModuleType, ...] = ()
    lists: tuple[ModuleType, ...] = ()
    tasks: tuple[Task, ...] = ()
    periodic: tuple[Periodic, ...] = ()
    acts: tuple[Act, ...] = ()
    exports: tuple[ExportSource, ...] = ()

    @property
    def tables(self) -> tuple[type[Table], ...]:
        """The tables that the modules define."""
        tables: list[type[Table]] = []
        for module in self.models:
            for value in vars(module).values():
                is_table = isinstance(value, type) and issubclass(value, Table)
                if is_table and value.__module__ == module.__name__:
                    tables.append(value)
        return tuple(tables)

    @property
    def specs(self) -> tuple[ListSpec, ...]:
        """The lists that the modules declare."""
        return tuple(
            value
            for module in self.lists
            for value in vars(module).values()
            if isinstance(value, ListSpec)
        )
