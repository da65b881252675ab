"""The predicates of repositories and statements, tested without row-level security."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI

from app.contract.enumerations import Role, ScopeKind
from app.server.actor import Actor
from tests.server.samples import NONEXISTENT_IDS, build_path, build_realm, get_sample, list_routes
from tests.server.world import World

_CONFINED_ROLES = {
    ScopeKind.CLIENT: (Role.CLIENT_ADMIN, Role.CLIENT_BASIC),
    ScopeKind.PHYSICIAN: (Role.PHYSICIAN,),
    ScopeKind.PATIENT: (Role.PATIENT,),
}


@pytest.fixture
def result_entry_for_all_roles(world: World) -> Iterator[None]:
    """Let every role enter results, so that only the scope decides."""
    with world.allow_result_entry("Enabled", "SuperUser", "ClientAdmin", "ClientBasic"):
        yield


@pytest.fixture
def no_row_security(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the statements of confined actors run with the database role of lab staff."""

    def choose_role(actor: Actor) -> str:
        kind = ScopeKind.STAFF if actor.kind in _CONFINED_ROLES else actor.kind
        return f"as_{kind}"

    monkeypatch.setattr(Actor, "database_role", property(choose_role))


async def test_foreign_records_look_nonexistent(
    world: World, portal_app: FastAPI, no_row_security: None, result_entry_for_all_roles: None
) -> None:
    home, other = await build_realm(world), await build_realm(world)
    shown_records = []
    for method, route in list_routes(portal_app):
        name = f"{method} {route.path}"
        sample = get_sample(name)
        is_list = "/remote-operations" in route.path
        has_ids = route.param_convertors or "{" in sample.query
        if method != "GET" or route.policy.roles is None or is_list or not has_ids:
            continue
        for roles in _CONFINED_ROLES.values():
            for role in [role for role in roles if role in route.policy.roles]:
                person = await world.sign_in(home.people[role])
                foreign_path = build_path(method, route, other.ids, other.people[role])
                foreign_answer = await world.http.get(foreign_path, headers=person.headers)
                nonexistent_path = build_path(method, route, NONEXISTENT_IDS)
                nonexistent_answer = await world.http.get(nonexistent_path, headers=person.headers)
                if foreign_answer.content != nonexistent_answer.content:
                    shown_records.append(f"{role} {name}: {foreign_answer.status_code}")
    assert shown_records == []
