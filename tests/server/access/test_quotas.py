"""Quotas of costly and revealing calls."""

import asyncio
from dataclasses import replace
from fnmatch import fnmatchcase

import pytest
from prometheus_client import REGISTRY

from app.server.access.quotas import QUOTAS, Limit, Quota, QuotaExceeded, QuotaUse, find_quota
from app.server.access.routing import PortalRoute
from app.server.actor import ANONYMOUS
from app.server.database.pools import Database
from app.server.slices import SLICES
from tests.server.accounts.builders import Person
from tests.server.world import World

_CHECK = "/api/v2/patients/validate-ssn"


def list_routes() -> list[PortalRoute]:
    """Return the routes of all slices."""
    return [
        route
        for slice_ in SLICES
        for router in slice_.routers
        for route in router.routes
        if isinstance(route, PortalRoute)
    ]


@pytest.fixture
def route_quota(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Quota:
    """A small quota for the SSN check, on the running routes."""
    world: World = request.getfixturevalue("world")
    quota = Quota(f"of-test-{world.create_client()}", person=Limit(2, 30), address=Limit(4, 30))
    for route in list_routes():
        if route.path == _CHECK:
            monkeypatch.setattr(route, "quota", quota)
    return quota


async def check_ssn(world: World, person: Person) -> int:
    """Check a number, and return the status."""
    answer = await world.http.post(_CHECK, headers=person.headers, json={"ssn": "666001234"})
    return answer.status_code


class TestDeclarations:
    """``QUOTAS``."""

    @pytest.mark.parametrize("pattern", [pattern for quota in QUOTAS for pattern in quota.routes])
    def test_every_pattern_matches_a_route(self, pattern: str) -> None:
        quota = next(quota for quota in QUOTAS if pattern in quota.routes)
        assert any(
            fnmatchcase(f"{method} {route.path}", pattern) and route.quota is quota
            for route in list_routes()
            for method in route.methods or ()
        )

    @pytest.mark.parametrize(
        ("call", "name"),
        [
            (f"GET {_CHECK}", "social-security-number"),
            (f"POST {_CHECK}", "social-security-number"),
            ("GET /api/records/patients/validate-ssn", "social-security-number"),
            ("POST /api/v2/patients/look-alikes", "look-alikes"),
            ("PUT /api/system/users/{account_id}", "user-changes"),
            ("GET /api/v2/address/zip-code/{zip_code}/zip-code-extra", "zip-plus4"),
            ("POST /api/v2/requisitions/transmission", "sending"),
            ("POST /api/v2/orders/transmission", "sending"),
            ("POST /api/v2/reports/requisition", "reports"),
            ("POST /api/v2/requisitions/{requisition_id}/documents", "uploads"),
            ("POST /api/v2/orders/{order_id}/documents", "uploads"),
            ("POST /api/v2/requisitions/label-prints", "labels"),
            ("GET /api/v2/requisitions/{requisition_id}/labels", "labels"),
            ("GET /api/v2/requisitions/labels", "labels"),
            ("POST /api/v2/result-exports", "exports"),
            ("POST /api/v2/orders/advanced-search/export", "exports"),
            ("POST /api/v2/audit-events/export", "exports"),
            ("GET /api/v2/result-exports/preview", "export-previews"),
        ],
    )
    def test_costly_and_revealing_calls_have_a_quota(self, call: str, name: str) -> None:
        quota = find_quota(*call.split(" "))
        assert quota is not None and quota.name == name

    def test_lists_have_no_quota(self) -> None:
        assert find_quota("GET", "/api/v2/patients/remote-operations") is None


class TestSpending:
    """``QuotaUse.spend``, with its state in the database."""

    @pytest.fixture
    def database(self, world: World) -> Database:
        database: Database = world.app.state.portal.database
        return database

    def _build_use(self, world: World, person: str, address: str) -> QuotaUse:
        quota = Quota(f"of-test-{world.create_client()}", Limit(3, 10), Limit(5, 10))
        return QuotaUse(quota, person, address)

    async def _count_allowed(self, database: Database, use: QuotaUse, calls: int) -> int:
        allowed_count = 0
        for _ in range(calls):
            try:
                await use.spend(database, ANONYMOUS)
                allowed_count += 1
            except QuotaExceeded:
                pass
        return allowed_count

    async def test_allows_a_burst_and_then_one_call_at_a_time(
        self, world: World, database: Database
    ) -> None:
        use = self._build_use(world, "A", "B")
        assert await self._count_allowed(database, use, 5) == 3
        world.run_sql(
            "UPDATE quota_counts SET free_at = free_at - interval '10 seconds' WHERE quota = %s",
            (use.quota.name,),
        )
        assert await self._count_allowed(database, use, 5) == 1

    async def test_people_of_an_address_share_its_limit(
        self, world: World, database: Database
    ) -> None:
        use = self._build_use(world, "A", "B")
        assert await self._count_allowed(database, use, 3) == 3
        assert await self._count_allowed(database, replace(use, person="C"), 3) == 2
        assert await self._count_allowed(database, replace(use, person="D", address="E"), 3) == 3

    async def test_a_rejected_call_does_not_count(self, world: World, database: Database) -> None:
        use = self._build_use(world, "A", "B")
        await self._count_allowed(database, use, 20)
        assert await self._count_allowed(database, replace(use, person="C"), 3) == 2

    async def test_concurrent_calls_of_several_connections_agree(
        self, world: World, database: Database
    ) -> None:
        use = self._build_use(world, "A", "B")
        outcomes = await asyncio.gather(
            *(use.spend(database, ANONYMOUS) for _ in range(20)), return_exceptions=True
        )
        assert sum(outcome is None for outcome in outcomes) == 3

    async def test_says_how_long_to_wait(self, world: World, database: Database) -> None:
        use = self._build_use(world, "A", "B")
        await self._count_allowed(database, use, 3)
        with pytest.raises(QuotaExceeded) as caught:
            await use.spend(database, ANONYMOUS)
        assert 1 <= int(caught.value.headers["Retry-After"]) <= 10


class TestRoutes:
    """A route with a quota."""

    async def test_answers_when_to_try_again(
        self, world: World, nurse: Person, route_quota: Quota, parse_problem
    ) -> None:
        assert [await check_ssn(world, nurse) for _ in range(2)] == [200, 200]
        answer = await world.http.post(_CHECK, headers=nurse.headers, json={"ssn": "666001234"})
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["retry-after"]) <= 30
        assert parse_problem(answer)["code"] == "quota_exceeded"

    async def test_a_denial_is_counted_and_audited(
        self, world: World, nurse: Person, route_quota: Quota
    ) -> None:
        for _ in range(3):
            await check_ssn(world, nurse)
        metric = REGISTRY.get_sample_value(
            "portal_quota_refusals_total", {"quota": route_quota.name}
        )
        assert metric == 1
        rows = world.fetch_rows(
            "SELECT detail->>'code', detail->>'route' FROM audit_events"
            " WHERE user_id = %s AND action = 'refuse'",
            (nurse.user_id,),
        )
        assert rows == [("quota_exceeded", _CHECK)]

    async def test_failed_calls_count_toward_the_quota(
        self, world: World, nurse: Person, route_quota: Quota
    ) -> None:
        statuses = [
            (await world.http.post(_CHECK, headers=nurse.headers, json=body)).status_code
            for body in ({}, {}, {"ssn": "666001234"})
        ]
        assert statuses == [400, 400, 429]
