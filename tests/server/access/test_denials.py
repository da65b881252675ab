"""Denied requests in the audit log, on every route."""

from collections import Counter
from urllib.parse import quote

import pytest
from fastapi import FastAPI

from app.contract.enumerations import Role
from app.server.access.denials import DENIED_STATUSES
from app.server.access.quotas import QuotaExceeded, QuotaUse
from tests.server.accounts.builders import Person
from tests.server.samples import NONEXISTENT_IDS, build_path, build_realm, get_sample, list_routes
from tests.server.world import World

_STRANGER_BODIES = {
    "/auth/login": {"loginId": "stranger@nowhere.test", "password": "wrong"},
    "/auth/jwt/refresh": None,
    "/auth/logout": None,
    "/auth/user/forgot-password": {"loginId": "stranger@nowhere.test"},
    "/auth/user/reset-password": {"changePasswordId": "x", "password": "Correct-Horse-2026"},
    "/api/system/anonymous-users/sign-up/{application_id}": {
        "lastName": "Nobody",
        "firstName": "Ann",
        "birthDate": "1970-01-01",
        "code": "X1",
        "email": "stranger@nowhere.test",
    },
}


def list_denials(world: World, after: int) -> list[tuple[str, str, str, str]]:
    """Return person, method, route, and code of denials after this audit row, oldest first."""
    return world.fetch_rows(
        "SELECT user_id::text, detail->>'method', detail->>'route', detail->>'code'"
        " FROM audit_events WHERE action = 'refuse' AND kind = 'request' AND id > %s ORDER BY id",
        (after,),
    )


@pytest.mark.parametrize("role", Role)
async def test_every_denial_has_an_audit_row(world: World, portal_app: FastAPI, role: Role) -> None:
    """Calls each route with the records of another client, and with nonexistent ones."""
    home, other = await build_realm(world), await build_realm(world)
    person = home.people[role]
    count = 0
    for method, route in list_routes(portal_app):
        if route.policy.roles is None:
            continue
        sample = get_sample(f"{method} {route.path}")
        expected = []
        after = world.run_sql("SELECT coalesce(max(id), 0) FROM audit_events")
        for ids, owner in ((other.ids, other.people[role]), (NONEXISTENT_IDS, None)):
            answer = await world.http.request(
                method,
                build_path(method, route, ids, owner),
                headers=person.headers,
                json=sample.build_body(world, ids),
            )
            if answer.status_code in DENIED_STATUSES:
                expected.append((person.user_id, method, route.path, answer.json()["code"]))
        assert list_denials(world, after) == expected, (method, route.path)
        count += len(expected)
    assert count > 30


async def test_every_denial_of_a_stranger_has_one_audit_row(
    world: World, portal_app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The portal denies an origin, an unknown path, and a call beyond a quota."""
    foreign_headers = {"Origin": "https://elsewhere.test", "X-Refresh-Transport": "cookie"}
    counts: Counter[int] = Counter()
    for has_quota in (True, False):
        if not has_quota:
            monkeypatch.setattr(QuotaUse, "spend", deny_all)
        for method, route in list_routes(portal_app):
            if route.policy.roles is not None or not route.policy.errors:
                continue
            body = _STRANGER_BODIES[route.path]
            path = route.path.replace("{application_id}", "12345")
            for headers in (foreign_headers, {}):
                after = world.run_sql("SELECT coalesce(max(id), 0) FROM audit_events")
                answer = await world.http.request(method, path, headers=headers, json=body)
                rows = world.fetch_rows(
                    "SELECT record_ids, detail->>'code' FROM audit_events WHERE id > %s"
                    " AND (action LIKE 'refuse%%' OR action LIKE 'fail%%')",
                    (after,),
                )
                assert answer.status_code in (204, 401, 424, *DENIED_STATUSES), answer.text
                if answer.status_code in DENIED_STATUSES:
                    counts[answer.status_code] += 1
                    assert rows in ([([], answer.json()["code"])], [([], None)]), (method, path)
    assert min(counts[status] for status in DENIED_STATUSES) >= 2, counts


async def test_missing_avatars_add_no_audit_rows(world: World) -> None:
    after = world.run_sql("SELECT coalesce(max(id), 0) FROM audit_events")
    assert (await world.http.get("/avatars/nobody.svg")).status_code == 404
    assert list_denials(world, after) == []


async def deny_all(*_: object) -> None:
    """Replace ``QuotaUse.spend``, so that a stranger has no calls left."""
    raise QuotaExceeded("Wait.", headers={"Retry-After": "1"})


async def test_a_denial_names_the_record(world: World, nurse: Person) -> None:
    foreign = world.create_patient(world.create_client())
    for patient_id in (foreign, 9_007_199_254_740_000):
        answer = await world.http.get(f"/api/v2/patients/{patient_id}", headers=nurse.headers)
        assert answer.status_code == 404
        row = world.fetch_rows(
            "SELECT role, record_ids, detail FROM audit_events WHERE user_id = %s"
            " ORDER BY id DESC LIMIT 1",
            (nurse.user_id,),
        )[0]
        assert row == (
            Role.CLIENT_BASIC,
            [patient_id],
            {"method": "GET", "route": "/api/v2/patients/{patient_id}", "code": "not_found"},
        )


@pytest.mark.parametrize("spelling", ["+{}", "0{}", "{}.0", " {}"])
async def test_no_spelling_of_an_id_hides_the_record(
    world: World, nurse: Person, spelling: str
) -> None:
    foreign = world.create_patient(world.create_client())
    path = f"/api/v2/patients/{quote(spelling.format(foreign))}"
    answer = await world.http.get(path, headers=nurse.headers)
    assert answer.status_code == 404
    rows = world.fetch_rows(
        "SELECT record_ids FROM audit_events WHERE user_id = %s ORDER BY id DESC LIMIT 1",
        (nurse.user_id,),
    )
    assert rows == [([foreign],)]
