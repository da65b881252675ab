"""Every route x {anonymous, six roles} x {own, foreign, nonexistent}."""

import uuid
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI

from app.contract.enumerations import Role
from app.server.access.policy import LAB_STAFF, allow
from app.server.access.routing import PortalRoute, portal_router
from tests.server.world import SIGNATURE, Person, World

NOWHERE = 9_007_199_254_740_000
NOWHERE_UUID = "00000000-0000-4000-8000-000000000000"

# What a write needs besides the path to get as far as looking its record up.
BODIES: dict[str, Any] = {
    "POST /auth/login": None,
    "POST /auth/jwt/refresh": None,
    "POST /auth/logout": None,
    "PUT /auth/user/{user_id}": {"user": {"firstName": "Ada"}},
    "POST /api/v2/patients": "patient",
    "PUT /api/v2/patients/{patient_id}": {"bed": "2"},
    "PUT /api/v2/patients/client-physician": "place",
    "POST /api/v2/patients/look-alikes": "look-alikes",
    "POST /api/v2/patients/{patient_id}/save-billing-info": [],
    "POST /api/v2/patients/{patient_id}/save-responsible-parties": [],
    "POST /api/v2/patients/{patient_id}/save-diagnoses": [],
    "POST /api/v2/patients/{patient_id}/save-medications": [],
    "POST /api/v2/requisitions": "requisition",
    "POST /api/v2/requisitions/{requisition_id}": {"comments": "seen"},
    "POST /api/v2/requisitions/{requisition_id}/unsign": {},
    "POST /api/v2/requisitions/{requisition_id}/cancel": {"comment": "not needed"},
    "POST /api/v2/requisitions/{requisition_id}/save-billing-info": [],
    "POST /api/v2/requisitions/{requisition_id}/save-diagnoses": [],
    "POST /api/v2/requisitions/{requisition_id}/save-medications": [],
    "POST /api/v2/requisitions/{requisition_id}/documents": {
        "fileName": "scan.pdf",
        "content": "JVBERi0xLjQK",
    },
    "DELETE /api/v2/requisitions/{requisition_id}/documents/{document_id}": None,
    "PUT /api/v2/requisitions/change-bill-to": "bill-to",
    "POST /api/v2/favorite-panels": {"name": "MINE", "tests": [{"id": NOWHERE}]},
    "PUT /api/v2/favorite-panels/{favorite_id}": {"name": "MINE"},
    "DELETE /api/v2/favorite-panels/{favorite_id}": None,
    "POST /api/v2/requisitions/sign-multiple": "sign",
    "POST /api/v2/requisitions/receive": "receive",
    "POST /api/v2/requisitions/transmission": "transmission",
    "PUT /api/v2/requisitions/drafts/{draft_id}": "draft",
    "DELETE /api/v2/requisitions/drafts/{draft_id}": None,
    "PUT /api/v2/orders/{order_id}/result-entry": {"results": []},
    "POST /api/v2/orders/{order_id}/release": {"orderTestIds": None},
    "POST /api/v2/reports/requisition": "requisition_ids",
    "POST /api/v2/reports/requisition/log": "requisition_ids",
    "POST /api/v2/reports/requisition/stream": "requisition_ids",
    "POST /api/v2/reports/requisition/log/stream": "requisition_ids",
    "POST /api/v2/reports/order/results": "order_ids",
}
QUERIES = {
    "/api/v2/changes": "?once=true",
    "/api/v2/patients/check-clients": "?patientId={patient_id}&clientIds={client_id}",
    "/api/v2/patients/ids": "?ids={patient_id}",
    "/api/v2/patients/remote-operations-all-entries": "?clientIds={client_id}",
    "/api/v2/diagnoses/filter-by-patient-id": "?patientId={patient_id}",
    "/api/v2/medications/filter-by-patient-id": "?patientId={patient_id}",
    "/api/v2/tests/frequent": "?clientId={client_id}",
    "/api/v2/tests/with-children": "?testId=1",
    "/api/v2/tests/ids-with-children": "?ids=1",
    "/api/v2/requisitions/{requisition_id}/documents/download": "?name=scan.pdf",
    "/api/v2/requisitions/ids": "?ids={requisition_id}",
    "/api/v2/orders/ids": "?ids={order_id}",
    "/api/v2/requisitions/labels": "?ids={requisition_id}",
    "/api/v2/requisitions/transmissions": "?ids={requisition_id}",
    "/api/v2/reports/requisition": "?ids={requisition_id}",
    "/api/v2/reports/requisition/log": "?ids={requisition_id}",
    "/api/v2/reports/labels": "?ids={requisition_id}",
    "/api/v2/reports/order/results": "?ids={order_id}",
}
_NAMING = ("download", "requisition", "log", "results", "transmissions", "labels")
# Calls that narrow: to them a foreign record is no record, and what is left is the answer.
NARROWING = {path for path in QUERIES if not path.endswith(_NAMING)} | {
    "/api/v2/patients/look-alikes",
    "/api/v2/address/zip-code/{zip_code}/zip-code-extra",
}


@dataclass
class Realm:
    """One client's people and records."""

    people: dict[Role, Person]
    ids: dict[str, Any]
    patient: int
    client: int


def routes(app: FastAPI) -> list[tuple[str, PortalRoute]]:
    """Every route with its method."""
    found = []
    for route in _flat(app.routes):
        if isinstance(route, PortalRoute):
            found += [(method, route) for method in sorted(route.methods or ()) if method != "HEAD"]
    return found


def _flat(items: Any) -> list[Any]:
    flat: list[Any] = []
    for item in items:
        inner = getattr(item, "original_router", None) or getattr(item, "router", None)
        flat += _flat(inner.routes) if inner is not None else [item]
    return flat


async def realm(world: World) -> Realm:
    """A client with people of every role and one record of every kind."""
    client = world.client()
    doctor = world.physician(client)
    patient = world.patient(client, physician=doctor)
    world.record(patient)
    people = {
        Role.SUPERUSER: await world.person(Role.SUPERUSER),
        Role.LABORATORY: await world.person(Role.LABORATORY),
        Role.CLIENT_ADMIN: await world.person(Role.CLIENT_ADMIN, client_ids=[client]),
        Role.CLIENT_BASIC: await world.person(Role.CLIENT_BASIC, client_ids=[client]),
        Role.PHYSICIAN: await world.person(Role.PHYSICIAN, physician_ids=[doctor]),
        Role.PATIENT: await world.person(Role.PATIENT, patient_ids=[patient]),
    }
    nurse = people[Role.CLIENT_BASIC]
    done = await world.requisition(nurse, patient, physicianId=doctor)
    attached = await world.http.post(
        f"/api/v2/requisitions/{done['id']}/documents",
        headers=nurse.headers,
        json={"fileName": "scan.pdf", "content": "JVBERi0xLjQK"},
    )
    assert attached.status_code == 201, attached.text
    received = await world.http.post(
        "/api/v2/requisitions/receive",
        headers=people[Role.LABORATORY].headers,
        json={"ids": [done["id"]]},
    )
    await world.sign_in(nurse)
    await world.http.post(
        "/api/v2/requisitions/sign-multiple",
        headers=nurse.headers,
        json={"image": SIGNATURE, "requisitionsIds": [done["id"]]},
    )
    draft = str(uuid.uuid4())
    kept = await world.http.put(
        f"/api/v2/requisitions/drafts/{draft}",
        headers=nurse.headers,
        json={"patientId": patient, "content": {"comments": "begun"}},
    )
    assert kept.status_code == 200, kept.text
    ids = {
        "draft_id": draft,
        "client_id": client,
        "unit_id": 0,
        "patient_id": patient,
        "bill_type_id": 1,
        "zip_code": "60601",
        "requisition_id": done["id"],
        "document_id": attached.json()["id"],
        "favorite_id": world.sql(
            "INSERT INTO favorite_panels (user_id, name) VALUES (%s, 'ONE') RETURNING id",
            (nurse.user_id,),
        ),
        "order_id": received.json()[0]["orderId"],
    }
    return Realm(people, ids, patient, client)


def path_of(route: PortalRoute, ids: dict[str, int] | None, person: Person | None) -> str:
    """The route's path with these ids, or with ids that nobody has."""
    path = route.path
    for name in route.param_convertors:
        if name == "user_id":
            value: object = person.user_id if person and ids else NOWHERE
        elif name == "draft_id":
            value = ids[name] if ids else NOWHERE_UUID
        else:
            value = ids[name] if ids else NOWHERE
        path = path.replace("{" + name + "}", str(value))
    query = QUERIES.get(route.path, "")
    return path + query.format_map(ids or defaultdict(lambda: NOWHERE))


def body_of(world: World, name: str, home: Realm | None) -> Any:
    """The body of a write, about records of ``home`` or about none that exist."""
    wanted = BODIES[name]
    patient = home.patient if home else NOWHERE
    if wanted == "requisition":
        return world.requisition_body(patient)
    if wanted == "patient":
        return {"clientId": home.client if home else NOWHERE}
    if wanted == "place":
        return {"id": patient, "bed": "2"}
    if wanted == "look-alikes":
        return {
            "lastName": "PATIENT",
            "firstName": "PAT",
            "birthDate": "1970-01-02",
            "patientId": patient,
        }
    if wanted == "draft":
        return {"patientId": patient, "content": {"comments": "seen"}}
    if wanted == "sign":
        ids = [home.ids["requisition_id"] if home else NOWHERE]
        return {"image": SIGNATURE, "requisitionsIds": ids}
    if wanted == "bill-to":
        return {"billTo": "Client", "ids": [home.ids["requisition_id"] if home else NOWHERE]}
    if wanted in ("requisition_ids", "order_ids"):
        return {"ids": [home.ids[wanted[:-1]] if home else NOWHERE]}
    if wanted == "transmission":
        ids = [home.ids["requisition_id"] if home else NOWHERE]
        return {"ids": ids, "type": "fax", "value": "312-555-0199"}
    if wanted == "receive":
        return {"ids": [home.ids["requisition_id"] if home else NOWHERE]}
    return wanted


async def ask(world: World, method: str, path: str, person: Person | None, body: Any) -> Any:
    """One request."""
    return await world.http.request(
        method, path, headers=person.headers if person else {}, json=body
    )


def test_a_route_without_a_policy_can_not_be_built() -> None:
    async def open_door() -> None: ...

    with pytest.raises(LookupError, match="declares no policy"):
        portal_router("/x", "x").get("/y")(open_door)


def test_a_route_with_a_policy_can_be_built() -> None:
    async def door() -> None: ...

    portal_router("/x", "x").get("/y")(allow(LAB_STAFF)(door))


def test_every_write_is_known_to_this_test(portal_app: FastAPI) -> None:
    writes = {f"{m} {r.path}" for m, r in routes(portal_app) if m != "GET"}
    assert writes == set(BODIES)


async def test_nobody_gets_in_without_signing_in(world: World, portal_app: FastAPI) -> None:
    for method, route in routes(portal_app):
        if route.policy.roles is None:
            continue
        body = None if method == "GET" else body_of(world, f"{method} {route.path}", None)
        answer = await ask(world, method, path_of(route, None, None), None, body)
        assert answer.status_code == 401, f"{method} {route.path}: {answer.status_code}"
        dead = Person("x", "x", token="dead.token.here")
        answer = await ask(world, method, path_of(route, None, None), dead, body)
        assert answer.status_code == 401, f"{method} {route.path}: {answer.status_code}"


async def test_roles_outside_the_policy_are_refused(world: World, portal_app: FastAPI) -> None:
    home = await realm(world)
    for method, route in routes(portal_app):
        for role in set(Role) - (route.policy.roles or set(Role)):
            body = None if method == "GET" else body_of(world, f"{method} {route.path}", home)
            path = path_of(route, home.ids, home.people[role])
            answer = await ask(world, method, path, home.people[role], body)
            assert answer.status_code == 403, f"{role} {method} {route.path}: {answer.text}"


async def test_own_records_are_read_by_every_role_of_the_policy(
    world: World, portal_app: FastAPI
) -> None:
    home = await realm(world)
    for method, route in routes(portal_app):
        if method != "GET" or route.policy.roles is None:
            continue
        for role in route.policy.roles:
            path = path_of(route, home.ids, home.people[role])
            answer = await ask(world, method, path, home.people[role], None)
            assert answer.status_code == 200, f"{role} {path}: {answer.status_code} {answer.text}"


async def test_foreign_is_byte_identical_to_nonexistent(world: World, portal_app: FastAPI) -> None:
    home, other = await realm(world), await realm(world)
    confined = (Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT)
    for method, route in routes(portal_app):
        name = f"{method} {route.path}"
        if route.policy.roles is None or "/remote-operations" in route.path:
            continue
        query = QUERIES.get(route.path, "")
        if not route.param_convertors and BODIES.get(name) is None and "{" not in query:
            continue
        for role in [r for r in confined if r in route.policy.roles]:
            person = await world.sign_in(home.people[role])
            foreign_path = path_of(route, other.ids, other.people[role])
            nowhere_path = path_of(route, None, None)
            foreign_body = None if method == "GET" else body_of(world, name, other)
            nowhere_body = None if method == "GET" else body_of(world, name, None)
            foreign = await ask(world, method, foreign_path, person, foreign_body)
            nowhere = await ask(world, method, nowhere_path, person, nowhere_body)
            expected = (200,) if route.path in NARROWING else (400, 404)
            assert foreign.status_code in expected, f"{role} {name}: {foreign.text}"
            assert foreign.content == nowhere.content, f"{role} {name}"


async def test_foreign_ids_change_nothing(world: World, portal_app: FastAPI) -> None:
    home, other = await realm(world), await realm(world)

    def snapshot() -> list[Any]:
        return [
            world.rows(f"SELECT * FROM {table} WHERE {column} = %s", (other.ids[key],))
            for table, column, key in (
                ("patients", "id", "patient_id"),
                ("patient_insurance", "patient_id", "patient_id"),
                ("patient_responsible_parties", "patient_id", "patient_id"),
                ("patient_diagnoses", "patient_id", "patient_id"),
                ("patient_medications", "patient_id", "patient_id"),
                ("requisitions", "id", "requisition_id"),
                ("requisition_signatures", "requisition_id", "requisition_id"),
                ("requisition_insurance", "requisition_id", "requisition_id"),
                ("requisition_documents", "requisition_id", "requisition_id"),
                ("orders", "id", "order_id"),
                ("requisition_drafts", "id", "draft_id"),
                ("favorite_panels", "id", "favorite_id"),
            )
        ]

    before = snapshot()
    for method, route in routes(portal_app):
        if method == "GET" or route.policy.roles is None:
            continue
        for role in (Role.CLIENT_ADMIN, Role.PHYSICIAN, Role.PATIENT):
            person = await world.sign_in(home.people[role])
            body = body_of(world, f"{method} {route.path}", other)
            await ask(world, method, path_of(route, other.ids, other.people[role]), person, body)
    assert snapshot() == before


async def test_lists_hold_only_ones_own(world: World, portal_app: FastAPI) -> None:
    home, other = await realm(world), await realm(world)
    for kind, key in (
        ("patients", "patient_id"),
        ("requisitions", "requisition_id"),
        ("orders", "order_id"),
    ):
        for role in (Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT):
            for query in ("", f"?clientIds={other.client}"):
                answer = await world.http.get(
                    f"/api/v2/{kind}/remote-operations{query}",
                    headers=home.people[role].headers,
                )
                ids = [row["id"] for row in answer.json()["data"]]
                assert ids == ([] if query else [home.ids[key]]), (role, kind, query)
