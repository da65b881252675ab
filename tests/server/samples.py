"""Samples of requests, for the tests of all routes, from the test folder of each slice.

``tests/server/<slice>/samples.py`` may define

- ``SAMPLES``: sample requests of all writes, and of reads that need a query;
- ``add_records(world, home)``: adds the slice's records of a client, and their ids to ``home.ids``;
- ``TABLES``: rows that a foreign write must not change, each as a table, the column that finds the
  rows, and the name of the column's value in ``home.ids``.

``make check`` reports missing samples (``tests/server/check.py``).
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
from tests.server.accounts.builders import Person
from tests.server.world import World

NONEXISTENT_ID = 9_007_199_254_740_000
NONEXISTENT_UUID = "00000000-0000-4000-8000-000000000000"

Ids = Mapping[str, Any]
NONEXISTENT_IDS: Ids = defaultdict(lambda: NONEXISTENT_ID)
"""Ids of records that do not exist."""


@dataclass(frozen=True)
class Sample:
    """A sample request, besides the ids in its path.

    Args:
        body: the body of a write, or a function that builds it from the ids of records.
        query: the query, with ids in braces.
        omits_foreign: the answer omits a foreign record instead of failing.
    """

    body: Any | Callable[[World, Ids], Any] = None
    query: str = ""
    omits_foreign: bool = False

    def build_body(self, world: World, ids: Ids) -> Any:
        """Return the body for these records."""
        return self.body(world, ids) if callable(self.body) else self.body


@dataclass
class Realm:
    """The people and records of one client."""

    people: dict[Role, Person]
    ids: dict[str, Any]


async def build_realm(world: World) -> Realm:
    """Build a client with people of every role and one record of every kind."""
    home = await build_people(world)
    for module in _load_modules():
        add: Callable[[World, Realm], Awaitable[None]] | None
        add = getattr(module, "add_records", None)
        if add is not None:
            await add(world, home)
    return home


async def build_people(world: World) -> Realm:
    """Build a client with people of every role and a patient."""
    client = world.create_client()
    physician_id = world.create_physician(client)
    patient = world.create_patient(client, physician=physician_id)
    return Realm(
        {
            Role.SUPERUSER: await world.create_person(Role.SUPERUSER),
            Role.LABORATORY: await world.create_person(Role.LABORATORY),
            Role.CLIENT_ADMIN: await world.create_person(Role.CLIENT_ADMIN, client_ids=[client]),
            Role.CLIENT_BASIC: await world.create_person(Role.CLIENT_BASIC, client_ids=[client]),
            Role.PHYSICIAN: await world.create_person(Role.PHYSICIAN, physician_ids=[physician_id]),
            Role.PATIENT: await world.create_person(Role.PATIENT, patient_ids=[patient]),
        },
        {"client_id": client, "physician_id": physician_id, "patient_id": patient, "unit_id": 0},
    )


def get_samples(slice_: Manifest) -> dict[str, Sample]:
    """Return the samples of a slice, by method and path."""
    module = _load_module(slice_)
    slice_samples: dict[str, Sample] = getattr(module, "SAMPLES", {})
    return slice_samples


def list_tables() -> list[tuple[str, str, str]]:
    """List the rows that a foreign write must not change, as in ``TABLES`` of each slice."""
    return [row for module in _load_modules() for row in getattr(module, "TABLES", ())]


def find_missing_samples() -> list[str]:
    """Find writes without a sample and samples without a route, each as a line with its file."""
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
        slice_samples = get_samples(slice_)
        writes = {name for name in names if not name.startswith(("GET ", "HEAD "))}
        lines += [f"{path}: {name} has no sample" for name in sorted(writes - set(slice_samples))]
        extra = sorted(set(slice_samples) - names)
        lines += [f"{path}: {name} is not a route of the slice" for name in extra]
    return lines


def list_routes(app: FastAPI) -> list[tuple[str, PortalRoute]]:
    """List every route with its method."""
    return [
        (method, route)
        for route in _flatten_items(app.routes)
        if isinstance(route, PortalRoute)
        for method in sorted(route.methods or ())
        if method != "HEAD"
    ]


def build_path(method: str, route: PortalRoute, ids: Ids, person: Person | None = None) -> str:
    """Build the route's path and query for these records."""
    path = route.path
    for name in route.param_convertors:
        if name == "user_id":
            value: object = (
                person.user_id if person and ids is not NONEXISTENT_IDS else NONEXISTENT_ID
            )
        elif name in ("draft_id", "account_id"):
            value = NONEXISTENT_UUID if ids is NONEXISTENT_IDS else ids[name]
        elif name == "application_id":
            value = "portal"
        else:
            value = ids[name]
            if isinstance(value, Mapping):  # Records that only their owner sees.
                value = (
                    value[person.user_id] if person and person.user_id in value else NONEXISTENT_ID
                )
        path = path.replace("{" + name + "}", str(value))
    return path + get_sample(f"{method} {route.path}").query.format_map(ids)


@cache
def load_samples() -> dict[str, Sample]:
    """Load the samples of all slices, by method and path."""
    return {name: value for slice_ in SLICES for name, value in get_samples(slice_).items()}


def get_sample(name: str) -> Sample:
    """Return the sample of a method and path; an empty one if none is defined."""
    return load_samples().get(name, Sample())


def _flatten_items(items: Any) -> list[Any]:
    flat: list[Any] = []
    for item in items:
        inner = getattr(item, "original_router", None) or getattr(item, "router", None)
        flat += _flatten_items(inner.routes) if inner is not None else [item]
    return flat


def _load_modules() -> Iterator[ModuleType]:
    yield from (module for slice_ in SLICES if (module := _load_module(slice_)) is not None)


def _load_module(slice_: Manifest) -> ModuleType | None:
    if not (Path(__file__).parent / slice_.name.replace(".", "/") / "samples.py").exists():
        return None
    return import_module(f"tests.server.{slice_.name}.samples")
