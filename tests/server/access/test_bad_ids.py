"""What no record can be called by, in every place where a record is named."""

import copy
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.samples import Realm, path_of, realm, routes, sample, samples
from tests.server.world import World

IN_A_PATH = ["0", "-1", "1.5", "abc", "true", str(2**63), str(10**30), "%00", "٣", "1e3"]
IN_A_BODY: list[Any] = [0, -1, 1.5, True, "abc", "", None, {}, [], [1], 2**63, 10**30, "\x00"]


@pytest.fixture
async def home(world: World) -> Realm:
    """People and records of one client."""
    return await realm(world)


async def test_in_paths_and_queries(world: World, portal_app: FastAPI, home: Realm) -> None:
    """Each is refused, or names nothing; no answer is a fault of ours."""
    person = home.people[Role.SUPERUSER]
    faults = []
    for method, route in routes(portal_app):
        template = route.path + sample(f"{method} {route.path}").query
        if method != "GET" or "{" not in template or route.path.startswith("/auth"):
            continue
        for bad in IN_A_PATH:
            path = template
            for name in home.ids:
                path = path.replace("{" + name + "}", bad if bad == "%00" else quote(bad))
            answer = await world.http.get(path, headers=person.headers)
            if answer.status_code >= 500:
                faults.append(f"{path}: {answer.status_code}")
    assert faults == []


def mutants(body: Any) -> Iterator[tuple[str, Any]]:
    """The body with one value in it replaced, and where."""
    for place in places(body):
        for bad in IN_A_BODY:
            changed = copy.deepcopy(body)
            target = changed
            for step in place[:-1]:
                target = target[step]
            target[place[-1]] = bad
            yield f"{'.'.join(map(str, place))} = {bad!r:.20}", changed


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where values are: keys and positions from the outermost to the innermost."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in list(steps):
        yield (*at, step)
        if isinstance(inner, dict | list):
            yield from places(inner, (*at, step))


async def test_in_bodies(world: World, portal_app: FastAPI, home: Realm) -> None:
    """Any value may come in any place of any body: it is taken or refused, and never a fault."""
    people = [home.people[Role.CLIENT_BASIC], home.people[Role.LABORATORY]]
    named = {f"{method} {route.path}": route for method, route in routes(portal_app)}
    faults, tried = [], 0
    for name, each in samples().items():
        if name.startswith(("POST /auth", "PUT /auth")):
            continue
        method, _ = name.split(" ", 1)
        body = each.body_of(world, home.ids)
        if not isinstance(body, dict | list):
            continue
        path = path_of(method, named[name], home.ids, people[0])
        for person in people:
            for what, changed in mutants(body):
                tried += 1
                answer = await world.http.request(
                    method, path, headers=person.headers, json=changed
                )
                if answer.status_code >= 500:
                    faults.append(f"{name} {what}: {answer.status_code}")
                if answer.status_code == 403:
                    break
    assert faults == []
    assert tried > 300


# What bodies may hold besides what they are sent with elsewhere: numbers deeper within them.
_DIAGNOSIS = {"id": 1, "testId": 1}
NUMBERS: dict[str, dict[str, Any]] = {
    "POST /api/v2/requisitions": {
        "physicianId": 1,
        "diagnoses": [_DIAGNOSIS],
        "additionalTestsDxCodes": [{"id": 1}],
        "billingInfo": [{"patientBillingInformationId": 1, "position": 1}],
    },
    "POST /api/v2/requisitions/sign-multiple": {"versions": {"1": 1}},
    "PUT /api/v2/requisitions/change-bill-to": {"versions": {"1": 1}},
    "PUT /api/v2/requisitions/drafts/{draft_id}": {"requisitionId": 1},
    "PUT /api/v2/orders/{order_id}/result-entry": {"results": [{"orderTestId": 1}]},
    "POST /api/v2/orders/{order_id}/release": {"orderTestIds": [1]},
    "PUT /api/v2/patients/{patient_id}": {
        "clientId": 1,
        "diagnoses": [{"id": 1}],
        "medications": [{"id": 1}],
        "responsibleParties": [{"id": 1, "order": 1}],
        "insuranceInformation": [
            {"id": 1, "order": 1, "billTypeId": 1, "payerId": 1, "zipCode": {"id": 1}}
        ],
    },
}


async def test_true_is_no_number(world: World, portal_app: FastAPI, home: Realm) -> None:
    """Where record 1 exists, nothing happens to it by 'true', however deep in a body it stands."""
    named = {f"{method} {route.path}": route for method, route in routes(portal_app)}
    lab = home.people[Role.LABORATORY]
    tried = set()
    for name, each in samples().items():
        method, _ = name.split(" ", 1)
        body = each.body_of(world, home.ids)
        if name.startswith(("POST /auth", "PUT /auth")) or not isinstance(body, dict):
            continue
        body = {**body, **NUMBERS.get(name, {})}
        path = path_of(method, named[name], home.ids, lab)
        for place, changed in with_true(body):
            if named[name].policy.fresh_sign_in:
                await world.sign_in(lab)
            answer = await world.http.request(method, path, headers=lab.headers, json=changed)
            assert answer.status_code == 400, f"{name} {place}: {answer.text}"
            wrong = {e["field"]: e["message"] for e in answer.json()["errors"]}
            assert wrong == {place: messages.VALUE_INVALID}, name
            tried.add(name)
    assert tried >= set(NUMBERS)


def with_true(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Where the body holds a number, and the body with true in that place."""
    for place in places(body):
        changed = copy.deepcopy(body)
        target = changed
        for step in place[:-1]:
            target = target[step]
        if type(target[place[-1]]) is int:
            target[place[-1]] = True
            yield ".".join(map(str, place)), changed
