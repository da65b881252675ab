"""What the walks over all routes need of each slice, from the slice's own test folder.

``tests/server/<slice>/samples.py`` may hold

- ``SAMPLES``: what a call of each of its writes sends, and of reads that need a query;
- ``add_records(world, home)``: makes the slice's records of one client and adds their ids;
- ``TABLES``: table, column and the id in ``home.ids``, of what a foreign write must not change.

``make check`` names the samples that a slice lacks (``tests/server/check.py``).
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from fastapi import FastAPI

from app.contract.enumerations import Role
from app.server.access.routing import PortalRoute
from app.server.manifest import Manifest
from app.server.slices import SLICES
from tests.server.world import Person, World

NOWHERE = 9_007_199_254_740_000
NOWHERE_UUID = "00000000-0000-4000-8000-000000000000"

Ids = Mapping[str, Any]
NOBODY: Ids = defaultdict(lambda: NOWHERE)
"""Ids of records that do not exist."""


@dataclass(frozen=True)
class Sample:
    """What a call sends besides the ids in its path.

    Args:
        body: of a write; made of the ids of the records that it is about, where it names any.
        query: with ids in braces.
        narrows: to it a foreign record is no record, and what is left is the answer.
    """

    body: Any | Callable[[World, Ids], Any] = None
    query: str = ""
    narrows: bool = False

    def body_of(self, world: World, ids: Ids) -> Any:
        """The body about these records."""
        return self.body(world, ids) if callable(self.body) else self.body


@dataclass
class Realm:
    """One client's people and records."""

    people: dict[Role, Person]
    ids: dict[str, Any]


async def realm(world: World) -> Realm:
    """A client with people of every role and one record of every kind."""
    client = world.client()
    doctor = world.physician(client)
    patient = world.patient(client, physician=doctor)
    home = Realm(
        {
            Role.SUPERUSER: await world.person(Role.SUPERUSER),
            Role.LABORATORY: await world.person(Role.LABORATORY),
            Role.CLIENT_ADMIN: await world.person(Role.CLIENT_ADMIN, client_ids=[client]),
            Role.CLIENT_BASIC: await world.person(Role.CLIENT_BASIC, client_ids=[client]),
            Role.PHYSICIAN: await world.person(Role.PHYSICIAN, physician_ids=[doctor]),
            Role.PATIENT: await world.person(Role.PATIENT, patient_ids=[patient]),
        },
        {"client_id": client, "physician_id": doctor, "patient_id": patient, "unit_id": 0},
    )
    for module in _modules():
        add: Callable[[World, Realm], Awaitable[None]] | None
        add = getattr(module, "add_records", None)
        if add is not None:
            await add(world, home)
    return home


def samples_of(slice_: Manifest) -> dict[str, Sample]:
    """The samples of one slice, by method and path."""
    module = _module(slice_)
    found: dict[str, Sample] = getattr(module, "SAMPLES", {})
    return found


def tables() -> list[tuple[str, str, str]]:
    """What a foreign write must not change: table, column, name of the id."""
    return [row for module in _modules() for row in getattr(module, "TABLES", ())]


def missing_samples() -> list[str]:
    """A line for each write without a sample and each sample without a route, led by its file."""
    lines = []
    for slice_ in SLICES:
        path = f"tests/server/{slice_.name.replace('.', '/')}/samples.py"
        names = {
            f"{method} {route.path}"
            for router in slice_.routers
            for route in router.routes
            if isinstance(route, PortalRoute)
            for method in route.methods or ()
        }
        known = samples_of(slice_)
        writes = {name for name in names if not name.startswith(("GET ", "HEAD "))}
        lines += [f"{path}: {name} has no sample" for name in sorted(writes - set(known))]
        lines += [f"{path}: {name} is no route of the slice" for name in sorted(set(known) - names)]
    return lines


def routes(app: FastAPI) -> list[tuple[str, PortalRoute]]:
    """Every route with its method."""
    return [
        (method, route)
        for route in _flat(app.routes)
        if isinstance(route, PortalRoute)
        for method in sorted(route.methods or ())
        if method != "HEAD"
    ]


def path_of(method: str, route: PortalRoute, ids: Ids, person: Person | None = None) -> str:
    """The route's path and query about these records."""
    path = route.path
    for name in route.param_convertors:
        if name == "user_id":
            value: object = person.user_id if person and ids is not NOBODY else NOWHERE
        elif name == "draft_id":
            value = NOWHERE_UUID if ids is NOBODY else ids[name]
        else:
            value = ids[name]
        path = path.replace("{" + name + "}", str(value))
    return path + sample(f"{method} {route.path}").query.format_map(ids)


@cache
def samples() -> dict[str, Sample]:
    """What a call of each method and path sends, of all slices."""
    return {name: each for slice_ in SLICES for name, each in samples_of(slice_).items()}


def sample(name: str) -> Sample:
    """What a call of this method and path sends: often nothing besides the path."""
    return samples().get(name, Sample())


def _flat(items: Any) -> list[Any]:
    flat: list[Any] = []
    for item in items:
        inner = getattr(item, "original_router", None) or getattr(item, "router", None)
        flat += _flat(inner.routes) if inner is not None else [item]
    return flat


def _modules() -> Iterator[ModuleType]:
    yield from (module for each in SLICES if (module := _module(each)) is not None)


def _module(slice_: Manifest) -> ModuleType | None:
    if not (Path(__file__).parent / slice_.name.replace(".", "/") / "samples.py").exists():
        return None
    return import_module(f"tests.server.{slice_.name}.samples")
