"""What a slice declares of itself; the hosts, the worker, the schema and the tests are made of it.

Each slice has a ``manifest.py`` with one value, and ``app.server.slices`` names them all. What is
needed to write a manifest is imported from here.
"""

from dataclasses import dataclass
from types import ModuleType

from fastapi import APIRouter

from app.server.access.acts import Act
from app.server.database.base import Table
from app.server.jobs.tasks import Periodic, Task
from app.server.lists.spec import ListSpec

__all__ = ["Manifest", "Periodic", "Task"]


@dataclass(frozen=True)
class Manifest:
    """One slice.

    Args:
        name: the folder's name; families say whose they are ('results.clinical').
        routers: the routes, in the order in which the OpenAPI document names them.
        models: the modules that define its tables.
        lists: the modules that declare its grids and lookups.
        tasks: the jobs that it puts in.
        periodic: the work that comes by the clock.
        acts: what the interface asks its rules about before it asks the portal.
    """

    name: str
    routers: tuple[APIRouter, ...] = ()
    models: tuple[ModuleType, ...] = ()
    lists: tuple[ModuleType, ...] = ()
    tasks: tuple[Task, ...] = ()
    periodic: tuple[Periodic, ...] = ()
    acts: tuple[Act, ...] = ()

    @property
    def tables(self) -> tuple[type[Table], ...]:
        """The tables that its modules define."""
        return tuple(
            value
            for module in self.models
            for value in vars(module).values()
            if isinstance(value, type)
            and issubclass(value, Table)
            and value.__module__ == module.__name__
        )

    @property
    def specs(self) -> tuple[ListSpec, ...]:
        """The lists that its modules declare."""
        return tuple(
            value
            for module in self.lists
            for value in vars(module).values()
            if isinstance(value, ListSpec)
        )
