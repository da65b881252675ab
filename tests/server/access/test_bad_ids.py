"""Invalid ids in every path, query, and body that has an id."""

import copy
import itertools
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.samples import (
    Realm,
    build_path,
    build_realm,
    get_sample,
    list_routes,
    load_samples,
)
from tests.server.world import World

NO_DIGITS = ["1_0", "1.0", "+5", "-1", " 5", "5 ", "abc", "true", "1e3", "٣", "0x1"]
"""Texts that are not only digits; FastAPI or Python reads some of them as numbers."""
INVALID_IDS = ["0", "-1", "1.5", "abc", "true", str(2**63), str(10**30), "%00", "٣", "1e3"]
INVALID_VALUES: list[Any] = [0, -1, 1.5, True, "abc", "", None, {}, [], [1], 2**63, 10**30, "\x00"]


@pytest.fixture
async def home(world: World) -> Realm:
    """People and records of one client."""
    return await build_realm(world)


async def test_paths_and_queries_reject_invalid_ids(
    world: World, portal_app: FastAPI, home: Realm
) -> None:
    """The portal rejects them or finds nothing, and never fails."""
    person = home.people[Role.SUPERUSER]
    faults = []
    for method, route in list_routes(portal_app):
        template = route.path + get_sample(f"{method} {route.path}").query
        if method != "GET" or "{" not in template or route.path.startswith("/auth"):
            continue
        for bad_id in INVALID_IDS:
            path = template
            for name in home.ids:
                path = path.replace("{" + name + "}", bad_id if bad_id == "%00" else quote(bad_id))
            answer = await world.http.get(path, headers=person.headers)
            if answer.status_code >= 500:
                faults.append(f"{path}: {answer.status_code}")
    assert faults == []


async def test_an_id_in_a_query_is_digits_only(
    world: World, portal_app: FastAPI, home: Realm
) -> None:
    """Any other text, or a number too large for an id, is an error of the parameter."""
    person = home.people[Role.CLIENT_ADMIN]
    deviations, count = [], 0
    texts = itertools.cycle((*NO_DIGITS, "9" * 19, "9" * 400))
    for method, route in list_routes(portal_app):
        if not route.query_id_names or Role.CLIENT_ADMIN not in (route.policy.roles or ()):
            continue
        path = build_path(method, route, home.ids, person).partition("?")[0]
        body = get_sample(f"{method} {route.path}").build_body(world, home.ids)
        for name in route.query_id_names:
            # No more than four texts, because reports have a quota.
            for text in (str(2**53), *itertools.islice(texts, 3)):
                answer = await world.http.request(
                    method, path, params={name: text}, headers=person.headers, json=body
                )
                fields = [error["field"] for error in answer.json().get("errors", ())]
                count += 1
                if answer.status_code != 400 or fields != [name]:
                    deviations.append(f"{method} {path}?{name}={text[:20]}: {answer.text[:200]}")
    assert deviations == []
    assert count > 60


async def test_an_id_in_a_path_is_digits_only(
    world: World, portal_app: FastAPI, home: Realm
) -> None:
    """Any other text gets the answer for a nonexistent record, and is audited like one."""
    deviations, count = [], 0
    for number, (method, route) in enumerate(list_routes(portal_app)):
        text = NO_DIGITS[number % len(NO_DIGITS)]
        roles = route.policy.roles or ()
        person = next((home.people[role] for role in Role if role in roles), None)
        if not route.path_id_names or person is None:
            continue
        for name in route.path_id_names:
            ids = {**home.ids, name: quote(text)}
            after = world.run_sql("SELECT coalesce(max(id), 0) FROM audit_events")
            body = get_sample(f"{method} {route.path}").build_body(world, home.ids)
            answer = await world.http.request(
                method, build_path(method, route, ids, person), headers=person.headers, json=body
            )
            audit_rows = world.fetch_rows(
                "SELECT detail->>'route' FROM audit_events WHERE action = 'refuse' AND id > %s",
                (after,),
            )
            if (answer.status_code, answer.json().get("code"), audit_rows) != (
                404,
                "not_found",
                [(route.path,)],
            ):
                deviations.append(f"{method} {route.path} {text!r}: {answer.text} {audit_rows}")
            count += 1
    assert deviations == []
    assert count > 100


async def test_other_spellings_of_an_id_find_no_record(world: World, home: Realm) -> None:
    person = home.people[Role.CLIENT_BASIC]
    patient_id = home.ids["patient_id"]
    for text in (f"+{patient_id}", f"{patient_id}.0", f"{patient_id}_0", f" {patient_id}"):
        answer = await world.http.get(f"/api/v2/patients/{quote(text)}", headers=person.headers)
        missing_answer = await world.http.get(
            "/api/v2/patients/9007199254740000", headers=person.headers
        )
        assert (answer.status_code, answer.content) == (404, missing_answer.content), text
    assert (
        await world.http.get(f"/api/v2/patients/{patient_id}", headers=person.headers)
    ).status_code == 200


def build_mutants(body: Any) -> Iterator[tuple[str, Any]]:
    """Yield (description, body) for copies of the body in which one value is replaced."""
    for path, _ in list_values(body):
        for bad_value in INVALID_VALUES:
            description = f"{'.'.join(map(str, path))} = {bad_value!r:.20}"
            yield description, replace_value(body, path, bad_value)


def list_values(body: Any, start: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield (path, value) for each value of a body; the path has the keys and positions to it."""
    steps = body.items() if isinstance(body, dict) else enumerate(body)
    for step, value in steps:
        path = (*start, step)
        yield path, value
        if isinstance(value, dict | list):
            yield from list_values(value, path)


def replace_value(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of the body with another value at this path."""
    changed_body = copy.deepcopy(body)
    target = changed_body
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    return changed_body


async def test_bodies_reject_invalid_values(world: World, portal_app: FastAPI, home: Realm) -> None:
    """Any value in any place of any body is accepted or rejected, and never causes a fault."""
    people = [home.people[Role.CLIENT_BASIC], home.people[Role.LABORATORY]]
    routes_by_name = {f"{method} {route.path}": route for method, route in list_routes(portal_app)}
    faults, attempts = [], 0
    for name, request_sample in load_samples().items():
        if name.startswith(("POST /auth", "PUT /auth")):
            continue
        method, _ = name.split(" ", 1)
        body = request_sample.build_body(world, home.ids)
        if not isinstance(body, dict | list):
            continue
        path = build_path(method, routes_by_name[name], home.ids, people[0])
        for person in people:
            for mutation, changed_body in build_mutants(body):
                attempts += 1
                answer = await world.http.request(
                    method, path, headers=person.headers, json=changed_body
                )
                if answer.status_code >= 500:
                    faults.append(f"{name} {mutation}: {answer.status_code}")
                if answer.status_code == 403:
                    break
    assert faults == []
    assert attempts > 300


# Optional parts of bodies that hold numbers; the samples leave them out.
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
    "POST /api/v2/orders/{order_id}/pathology-release": {"orderTestIds": [1]},
    "PUT /api/v2/orders/{order_id}/toxicology-entry": {"results": [{"orderTestId": 1}]},
    "POST /api/v2/orders/{order_id}/toxicology-release": {"orderTestIds": [1]},
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


async def test_rejects_true_as_a_number(world: World, portal_app: FastAPI, home: Realm) -> None:
    """'true' does not count as 1 at any depth of a body, so it never touches record 1."""
    routes_by_name = {f"{method} {route.path}": route for method, route in list_routes(portal_app)}
    checked_names = set()
    for name, request_sample in load_samples().items():
        method, _ = name.split(" ", 1)
        roles = routes_by_name[name].policy.roles
        is_for_lab = roles is None or Role.LABORATORY in roles
        lab = home.people[Role.LABORATORY if is_for_lab else Role.SUPERUSER]
        body = request_sample.build_body(world, home.ids)
        if name.startswith(("POST /auth", "PUT /auth")) or not isinstance(body, dict):
            continue
        body = {**body, **NUMBERS.get(name, {})}
        path = build_path(method, routes_by_name[name], home.ids, lab)
        for field, changed_body in build_true_mutants(body):
            if routes_by_name[name].policy.fresh_sign_in:
                await world.sign_in(lab)
            answer = await world.http.request(method, path, headers=lab.headers, json=changed_body)
            assert answer.status_code == 400, f"{name} {field}: {answer.text}"
            messages_by_field = {e["field"]: e["message"] for e in answer.json()["errors"]}
            assert messages_by_field == {field: messages.VALUE_INVALID}, name
            checked_names.add(name)
    assert checked_names >= set(NUMBERS)


def build_true_mutants(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the path of each number in the body, and the body with true in its place."""
    for path, value in list_values(body):
        if type(value) is int:
            yield ".".join(map(str, path)), replace_value(body, path, value=True)


@pytest.mark.parametrize("text", NO_DIGITS)
async def test_the_text_of_an_id_in_a_body_is_digits_only(
    world: World, home: Realm, text: str
) -> None:
    """A text that Python reads as a number, such as '1_0', never touches record 10."""
    headers = home.people[Role.CLIENT_ADMIN].headers
    path = "/api/v2/requisitions/change-bill-to"
    body = {"billTo": "Client", "ids": [text]}
    answer = await world.http.put(path, headers=headers, json=body)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["ids.0"]
