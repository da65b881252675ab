"""Each operation answers with every status that the OpenAPI document lists (ADR 86).

``test_generated_requests`` proves the other direction. Here every operation is called in a few
situations, each of which leads to one status. ``_OTHER_TESTS`` names the tests of statuses to which
no single call leads.
"""

from base64 import b64encode
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import psycopg
import pytest
from fastapi import FastAPI

from app.basics.errors import TooManyTries
from app.contract.enumerations import Role
from app.server.access.document import find_error_statuses
from app.server.access.quotas import QuotaExceeded, QuotaUse
from app.server.access.routing import READ_METHODS, PortalRoute
from app.server.database.pools import Database
from app.server.fair_queue import FairQueue
from tests.contract.test_spec_coverage import check_reference
from tests.server.accounts.builders import Person
from tests.server.samples import (
    NONEXISTENT_IDS,
    Ids,
    build_path,
    build_realm,
    get_sample,
    list_routes,
)
from tests.server.world import World

_NO_IMAGE = "data:image/png;base64,bm90IGFuIGltYWdl"
_TEXT = b64encode(b"plain text").decode()
_PEOPLE = {"content": b64encode(b"Email,Last Name,First Name,Role,Codes\r\na@b.test").decode()}
_LONG = "<p>long</p>" * 300
_BODY_CHANGES: dict[tuple[str, int], dict[str, Any]] = {
    ("PUT /auth/user/{user_id}", 415): {"user": {"data": {"signImage": _NO_IMAGE}}},
    ("PUT /api/system/lab-settings", 415): {"logo": _NO_IMAGE},
    ("POST /api/v2/orders/sign-multiple", 415): {"image": _NO_IMAGE},
    ("POST /api/v2/requisitions/sign-multiple", 415): {"image": _NO_IMAGE},
    ("POST /api/v2/orders/{order_id}/documents", 415): {"content": _TEXT},
    ("POST /api/v2/requisitions/{requisition_id}/documents", 415): {"content": _TEXT},
    ("POST /api/system/users/import", 424): _PEOPLE,
    ("POST /api/system/users/import/preview", 424): _PEOPLE,
    ("POST /api/v2/requisitions", 429): {"comments": _LONG},
    ("POST /api/v2/requisitions/{requisition_id}", 429): {"comments": _LONG},
    ("PUT /api/v2/orders/{order_id}/billing-information", 429): {"comments": _LONG},
    ("PUT /api/v2/orders/{order_id}/pathology-entry/{order_test_id}", 429): {"comment": _LONG},
    ("POST /api/v2/requisitions/label-prints", 429): {"ids": [1, 2, 3, 4, 5, 6]},
    ("POST /auth/jwt/refresh", 503): {"refreshToken": "nope"},
    ("POST /auth/logout", 503): {"refreshToken": "nope"},
    **{
        ("POST /auth/login", status): {"loginId": "nobody@test.lab", "password": "nope"}
        for status in (403, 404, 429, 503)
    },
}
"""Changes to the body of an operation's sample that lead to a status."""
_OTHER_TESTS: dict[str, dict[tuple[str, int], str]] = {
    "accounts/test_second_factor.py": {
        (
            "POST /auth/second-factor/setup",
            409,
        ): "TestSetup::test_turns_on_with_recovery_codes_and_ends_other_sessions",
    },
    "orders/test_acknowledge.py": {
        (
            "PUT /api/v2/orders/acknowledge",
            412,
        ): "TestAcknowledging::test_rejects_results_that_changed_since_they_were_shown",
    },
    "orders/test_bill_to.py": {
        (
            "PUT /api/v2/orders/change-bill-to",
            412,
        ): "TestRejections::test_names_an_order_that_changed_since_it_was_shown",
    },
    "orders/test_sign.py": {
        (
            "POST /api/v2/orders/sign-multiple",
            412,
        ): "TestSigning::test_does_not_sign_orders_that_changed_since_they_were_shown",
        (
            "POST /api/v2/orders/unsign-multiple",
            412,
        ): "TestUnsigningSeveral::test_rejects_orders_that_changed_since_they_were_shown",
    },
    "paperwork/test_canceled.py": {
        (
            "GET /api/v2/reports/labels",
            409,
        ): "TestLabels::test_rejects_labels_of_a_canceled_requisition",
        (
            "GET /api/v2/requisitions/labels",
            409,
        ): "TestLabels::test_rejects_labels_of_a_canceled_requisition",
        (
            "GET /api/v2/requisitions/{requisition_id}/labels",
            409,
        ): "TestLabels::test_rejects_labels_of_a_canceled_requisition",
    },
    "paperwork/test_label_prints.py": {
        (
            "POST /api/v2/requisitions/label-prints",
            409,
        ): "TestJobs::test_labels_that_no_longer_exist_are_a_conflict",
    },
    "password_recovery/test_recovery.py": {
        (
            "POST /auth/user/forgot-password",
            404,
        ): "TestRequesting::test_says_that_an_email_is_unknown",
    },
    "patients/test_patients.py": {
        (
            "PUT /api/v2/patients/{patient_id}",
            429,
        ): "TestSocialSecurityNumber::test_saving_cannot_be_used_to_search_for_numbers",
        (
            "POST /api/v2/patients",
            429,
        ): "TestSocialSecurityNumber::test_saving_cannot_be_used_to_search_for_numbers",
    },
    "requisitions/test_change_bill_to.py": {
        (
            "PUT /api/v2/requisitions/change-bill-to",
            412,
        ): "TestChangeBillTo::test_names_a_requisition_with_a_newer_version",
    },
    "requisitions/test_signing.py": {
        (
            "POST /api/v2/requisitions/sign-multiple",
            412,
        ): "TestSigning::test_does_not_sign_a_changed_version",
    },
    "results/automation/test_try_out.py": {
        (
            "POST /api/v2/autoverification/try-out",
            409,
        ): "TestTryOut::test_gives_up_when_it_takes_too_long",
    },
    "support/test_support.py": {
        (
            "POST /api/system/supplies/email",
            424,
        ): "TestWriting::test_reports_that_it_is_not_configured",
    },
    "transmissions/test_results.py": {
        (
            "POST /api/v2/orders/transmission",
            424,
        ): "TestRejections::test_a_lab_without_mail_and_fax_says_so",
    },
    "users/test_sign_up.py": {
        (
            "POST /api/system/anonymous-users/sign-up/{application_id}",
            404,
        ): "TestSigningUp::test_requires_that_every_field_matches_the_record",
        (
            "POST /api/system/anonymous-users/sign-up/{application_id}",
            409,
        ): "TestSigningUp::test_reports_an_email_in_use_only_if_the_record_matches",
    },
}
"""The tests, by file, of statuses to which no single call leads."""
_MANY = "ids=1&ids=2&ids=3&ids=4&ids=5&ids=6"
"""So many ids that requests for their labels take turns."""
_SPACES = b" " * 1_100_000
"""Added to a body, they make it so large that it waits for a turn."""
_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Call:
    """A call of an operation, with its sample, by somebody who may call it."""

    world: World
    method: str
    route: PortalRoute
    ids: Ids
    person: Person | None
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its method and path."""
        return f"{self.method} {self.route.path}"

    @property
    def is_write(self) -> bool:
        """Whether it has a body."""
        return self.method not in READ_METHODS

    async def send(
        self,
        headers: dict[str, str] | None = None,
        *,
        query: str = "",
        content: bytes | None = None,
        tail: bytes = b"",
    ) -> int:
        """Send the call, perhaps with a longer query or other content, and return the status."""
        path = build_path(self.method, self.route, self.ids, self.person)
        if query:
            path += ("&" if "?" in path else "?") + query
        body = get_sample(self.name).build_body(self.world, self.ids)
        if self.changes:
            body = {**(body or {}), **self.changes}
        if content is None:
            content = httpx.Request("POST", "http://portal.test", json=body).content
        if self.person is not None and self.route.policy.fresh_sign_in:
            self.world.start_session(self.person)
        answer = await self.world.http.request(
            self.method,
            path,
            content=content + tail if self.is_write else None,
            headers={**_JSON, **(self.person.headers if self.person else {}), **(headers or {})},
        )
        return answer.status_code


@dataclass
class Walk:
    """The calls of all operations, and the statuses that they answered with."""

    calls: list[Call]
    statuses: dict[str, set[int]]

    async def provoke_status(self, status: int, send: Callable[[Call], Awaitable[int]]) -> None:
        """Send each call that documents this status and has not answered with it yet."""
        for call in self.calls:
            documented_statuses = find_error_statuses(call.route, call.method)
            if status in documented_statuses - self.statuses[call.name]:
                call.world.run_sql("DELETE FROM quota_counts")
                changes = _BODY_CHANGES.get((call.name, status), {})
                self.statuses[call.name].add(await send(replace(call, changes=changes)))

    def list_missing(self) -> list[tuple[str, int]]:
        """List the documented statuses that no call has answered with."""
        return [
            (call.name, status)
            for call in self.calls
            for status in sorted(find_error_statuses(call.route, call.method))
            if status not in self.statuses[call.name]
        ]


@pytest.fixture
async def walk(world: World, portal_app: FastAPI) -> Walk:
    """A walk with the records of one client."""
    home = await build_realm(world)
    calls = []
    for method, route in list_routes(portal_app):
        if route.include_in_schema:
            roles = route.policy.roles or ()
            role = next((role for role in (Role.CLIENT_BASIC, *Role) if role in roles), None)
            ids = {"file_name": "x", **home.ids}
            calls.append(Call(world, method, route, ids, home.people[role] if role else None))
    return Walk(calls, defaultdict(set))


@contextmanager
def require_second_factor(world: World) -> Iterator[None]:
    """Require a second factor of all roles, which nobody has set up."""
    world.run_sql(
        "INSERT INTO lab_settings (name, value)"
        " VALUES ('sign-in', jsonb_build_object('secondFactorRoles', %s::text[]))",
        (list(Role),),
    )
    try:
        yield
    finally:
        world.run_sql("DELETE FROM lab_settings WHERE name = 'sign-in'")


async def _fail_call(*_: Any, **__: Any) -> Any:
    raise psycopg.OperationalError("away")


@asynccontextmanager
async def _fail_to_open(*_: Any) -> AsyncIterator[None]:
    await _fail_call()
    yield


async def _exceed_limit(*_: Any) -> None:
    raise QuotaExceeded("wait")


@asynccontextmanager
async def _deny_place(*_: Any) -> AsyncIterator[None]:
    raise TooManyTries("wait")
    yield


async def test_every_documented_status_is_an_answer(
    world: World, portal_app: FastAPI, walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_people = portal_app.state.portal.authentication.clear_cache
    # The caller, and the page from which the call comes.
    await walk.provoke_status(401, lambda call: replace(call, person=None).send())
    with require_second_factor(world):
        forget_people()
        await walk.provoke_status(403, lambda call: call.send())
    forget_people()
    page_headers = {"X-Refresh-Transport": "cookie", "Origin": "https://other.test"}
    await walk.provoke_status(403, lambda call: call.send(page_headers))
    # The form of the request.
    await walk.provoke_status(400, lambda call: call.send(query="flavor=red", content=b"\0"))
    await walk.provoke_status(413, lambda call: call.send({"Content-Length": "99999999999"}))
    await walk.provoke_status(404, lambda call: replace(call, ids=NONEXISTENT_IDS).send())
    letters: Ids = defaultdict(lambda: "x")
    await walk.provoke_status(404, lambda call: replace(call, ids=letters).send())
    # The state of the portal.
    with monkeypatch.context() as patch:
        patch.setattr(Database, "read", _fail_call)
        patch.setattr(Database, "transaction", _fail_to_open)
        forget_people()
        await walk.provoke_status(503, lambda call: call.send())
    with monkeypatch.context() as patch:
        patch.setattr(QuotaUse, "spend", _exceed_limit)
        await walk.provoke_status(429, lambda call: call.send())
    with monkeypatch.context() as patch:
        patch.setattr(FairQueue, "hold_place", _deny_place)
        await walk.provoke_status(429, lambda call: call.send(query="" if call.is_write else _MANY))
        await walk.provoke_status(429, lambda call: call.send(tail=_SPACES))
    # The state of the record.
    for call in walk.calls:
        if call.person is not None:
            world.run_sql(
                "INSERT INTO idempotency_keys (user_id, key, request_hash)"
                " VALUES (%s, 'used', '') ON CONFLICT DO NOTHING",
                (call.person.user_id,),
            )
    await walk.provoke_status(409, lambda call: call.send({"Idempotency-Key": "used"}))
    with world.allow_result_entry("Enabled", "SuperUser", "ClientAdmin", "ClientBasic"):
        await walk.provoke_status(412, lambda call: call.send({"If-Match": '"99999"'}))
    await walk.provoke_status(415, lambda call: call.send())
    await walk.provoke_status(424, lambda call: call.send())
    assert set(walk.list_missing()) == {pair for pairs in _OTHER_TESTS.values() for pair in pairs}


@pytest.mark.parametrize("file", _OTHER_TESTS)
def test_the_tests_named_for_other_statuses_exist(file: str) -> None:
    for test in _OTHER_TESTS[file].values():
        assert check_reference(f"tests/server/{file}::{test}") is None
