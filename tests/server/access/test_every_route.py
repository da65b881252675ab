"""Every route, called as every role, with own, foreign and nonexistent records."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI

from app.contract.enumerations import Role
from app.server.access.policy import LAB_STAFF, allow
from app.server.access.routing import build_router
from tests.server.accounts.builders import Person
from tests.server.drafts import samples as drafts
from tests.server.results.clinical import samples as clinical
from tests.server.samples import (
    NONEXISTENT_IDS,
    Sample,
    build_path,
    build_realm,
    find_missing_samples,
    get_sample,
    list_routes,
    list_tables,
    load_samples,
)
from tests.server.world import World


@pytest.fixture(autouse=True)
def result_entry_for_all_roles(world: World) -> Iterator[None]:
    """Let every role enter results, so that only the route's policy decides."""
    with world.allow_result_entry("Enabled", "SuperUser", "ClientAdmin", "ClientBasic"):
        yield


async def send_request(
    world: World, method: str, path: str, person: Person | None, body: Any
) -> Any:
    """Send one request as the person and return the answer."""
    return await world.http.request(
        method, path, headers=person.headers if person else {}, json=body
    )


def test_a_route_without_a_policy_cannot_be_built() -> None:
    async def endpoint() -> None: ...

    with pytest.raises(LookupError, match="declares no policy"):
        build_router("/x", "x").get("/y")(endpoint)


def test_a_route_with_a_policy_can_be_built() -> None:
    async def endpoint() -> None: ...

    build_router("/x", "x").get("/y")(allow(LAB_STAFF)(endpoint))


def test_every_write_has_a_sample(portal_app: FastAPI) -> None:
    writes = {f"{m} {r.path}" for m, r in list_routes(portal_app) if m != "GET"}
    assert writes == {name for name in load_samples() if not name.startswith("GET ")}


async def test_reads_reject_unknown_parameters(world: World, portal_app: FastAPI) -> None:
    """DECISIONS: 'An unknown parameter or column is a 400, not ignored.'"""
    home = await build_realm(world)
    accepted_calls = []
    for method, route in list_routes(portal_app):
        if method != "GET" or not route.path.startswith(("/api/", "/auth/")):
            continue
        role = min(route.policy.roles or {Role.SUPERUSER})
        path = build_path(method, route, home.ids, home.people[role])
        path += f"{'&' if '?' in path else '?'}flavor=red"
        answer = await send_request(world, method, path, home.people[role], None)
        if answer.status_code != 400 or answer.json()["errors"][0]["field"] != "flavor":
            accepted_calls.append((path, answer.status_code))
    assert accepted_calls == []


async def test_documents_the_answer_to_another_version(world: World, portal_app: FastAPI) -> None:
    """The client of these tests rejects an answer that the contract does not document."""
    home = await build_realm(world)
    problems = []
    for method, route in list_routes(portal_app):
        if method == "GET" or route.policy.roles is None or "{" not in route.path:
            continue
        person = home.people[min(route.policy.roles)]
        body = get_sample(f"{method} {route.path}").build_body(world, home.ids)
        headers = {**person.headers, "If-Match": '"999999"'}
        path = build_path(method, route, home.ids, person)
        try:
            await world.http.request(method, path, headers=headers, json=body)
        except AssertionError as error:
            problems.append(str(error))
    assert not problems, "\n".join(problems)


class TestMissingSamples:
    """The missing samples that ``make check`` reports."""

    def test_every_write_has_a_sample(self) -> None:
        assert find_missing_samples() == []

    def test_names_the_file_of_a_write_without_a_sample(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delitem(drafts.SAMPLES, "DELETE /api/v2/requisitions/drafts/{draft_id}")
        assert find_missing_samples() == [
            "tests/server/drafts/samples.py:"
            " DELETE /api/v2/requisitions/drafts/{draft_id} has no sample"
        ]

    def test_names_a_sample_without_a_route(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(clinical.SAMPLES, "POST /api/v2/gone", Sample())
        assert find_missing_samples() == [
            "tests/server/results/clinical/samples.py:"
            " POST /api/v2/gone is not a route of the slice"
        ]


async def test_rejects_requests_without_a_valid_token(world: World, portal_app: FastAPI) -> None:
    for method, route in list_routes(portal_app):
        if route.policy.roles is None:
            continue
        body = get_sample(f"{method} {route.path}").build_body(world, NONEXISTENT_IDS)
        path = build_path(method, route, NONEXISTENT_IDS)
        answer = await send_request(world, method, path, None, body)
        assert answer.status_code == 401, f"{method} {route.path}: {answer.status_code}"
        stranger = Person("x", "x", token="dead.token.here")
        answer = await send_request(world, method, path, stranger, body)
        assert answer.status_code == 401, f"{method} {route.path}: {answer.status_code}"


async def test_forbids_roles_outside_the_policy(world: World, portal_app: FastAPI) -> None:
    home = await build_realm(world)
    for method, route in list_routes(portal_app):
        for role in set(Role) - (route.policy.roles or set(Role)):
            body = get_sample(f"{method} {route.path}").build_body(world, home.ids)
            path = build_path(method, route, home.ids, home.people[role])
            answer = await send_request(world, method, path, home.people[role], body)
            assert answer.status_code == 403, f"{role} {method} {route.path}: {answer.text}"


async def test_every_role_of_the_policy_reads_own_records(
    world: World, portal_app: FastAPI
) -> None:
    home = await build_realm(world)
    for method, route in list_routes(portal_app):
        if method != "GET" or route.policy.roles is None:
            continue
        for role in route.policy.roles:
            path = build_path(method, route, home.ids, home.people[role])
            answer = await send_request(world, method, path, home.people[role], None)
            assert answer.status_code == 200, f"{role} {path}: {answer.status_code} {answer.text}"


async def test_foreign_records_answer_like_nonexistent_ones(
    world: World, portal_app: FastAPI
) -> None:
    home, other = await build_realm(world), await build_realm(world)
    scoped_roles = (Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT)
    for method, route in list_routes(portal_app):
        name = f"{method} {route.path}"
        sample = get_sample(name)
        if route.policy.roles is None or "/remote-operations" in route.path:
            continue
        if not (route.param_convertors or callable(sample.body) or "{" in sample.query):
            continue  # The route names no record.
        for role in [r for r in scoped_roles if r in route.policy.roles]:
            person = await world.sign_in(home.people[role])
            foreign_path = build_path(method, route, other.ids, other.people[role])
            nonexistent_path = build_path(method, route, NONEXISTENT_IDS)
            foreign_body = sample.build_body(world, other.ids)
            nonexistent_body = sample.build_body(world, NONEXISTENT_IDS)
            foreign_answer = await send_request(world, method, foreign_path, person, foreign_body)
            nonexistent_answer = await send_request(
                world, method, nonexistent_path, person, nonexistent_body
            )
            expected = (200,) if sample.omits_foreign else (400, 404)
            assert foreign_answer.status_code in expected, f"{role} {name}: {foreign_answer.text}"
            assert foreign_answer.content == nonexistent_answer.content, f"{role} {name}"


async def test_foreign_ids_change_nothing(world: World, portal_app: FastAPI) -> None:
    home, other = await build_realm(world), await build_realm(world)

    def read_rows() -> list[Any]:
        return [
            world.fetch_rows(f"SELECT * FROM {table} WHERE {column} = %s", (other.ids[key],))
            for table, column, key in list_tables()
        ]

    before = read_rows()
    for method, route in list_routes(portal_app):
        if method == "GET" or route.policy.roles is None:
            continue
        for role in (Role.CLIENT_ADMIN, Role.PHYSICIAN, Role.PATIENT):
            person = await world.sign_in(home.people[role])
            body = get_sample(f"{method} {route.path}").build_body(world, other.ids)
            path = build_path(method, route, other.ids, other.people[role])
            await send_request(world, method, path, person, body)
    assert read_rows() == before


async def test_lists_show_only_own_records(world: World, portal_app: FastAPI) -> None:
    home, other = await build_realm(world), await build_realm(world)
    for kind, key in (
        ("patients", "patient_id"),
        ("requisitions", "requisition_id"),
        ("orders", "order_id"),
    ):
        for role in (Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT):
            for query in ("", f"?clientIds={other.ids['client_id']}"):
                answer = await world.http.get(
                    f"/api/v2/{kind}/remote-operations{query}",
                    headers=home.people[role].headers,
                )
                ids = [row["id"] for row in answer.json()["data"]]
                assert ids == ([] if query else [home.ids[key]]), (role, kind, query)
