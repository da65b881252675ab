"""Permissions of entering and releasing results, by role and by the lab's settings (P 6)."""

from itertools import combinations

import psycopg
import pytest

from app.contract import messages
from app.contract.enumerations import ResultStatus, Role
from tests.server.results.automation.bench import add_range, set_rule
from tests.server.results.clinical.bench import receive_order
from tests.server.samples import Realm, build_people
from tests.server.world import World

FLAGS = ("Enabled", "SuperUser", "ClientAdmin", "ClientBasic")
SETTINGS = [chosen_flags for count in range(5) for chosen_flags in combinations(FLAGS, count)]
FLAG_OF_ROLE = {
    Role.SUPERUSER: "SuperUser",
    Role.CLIENT_ADMIN: "ClientAdmin",
    Role.CLIENT_BASIC: "ClientBasic",
}
AUTOMATIC = ("autoverification", {"enabled": True})
RELEASERS = {Role.SUPERUSER, Role.LABORATORY}


def can_enter(role: Role, flags: tuple[str, ...]) -> bool:
    """Whether DECISIONS allows a role to enter: Laboratory if enabled, others by their flags."""
    return "Enabled" in flags and (role is Role.LABORATORY or FLAG_OF_ROLE.get(role) in flags)


@pytest.fixture
async def home(world: World) -> Realm:
    """A client with an order, and a person of every role."""
    home = await build_people(world)
    requisition = await world.save_requisition(
        home.people[Role.CLIENT_BASIC],
        home.ids["patient_id"],
        physicianId=home.ids["physician_id"],
    )
    answer = await world.http.post(
        "/api/v2/requisitions/receive",
        headers=home.people[Role.LABORATORY].headers,
        json={"ids": [requisition["id"]]},
    )
    home.ids["order_id"] = answer.json()[0]["orderId"]
    return home


class Desk:
    """A person who works on one order."""

    def __init__(self, world: World, home: Realm, role: Role) -> None:
        self.http, self.person = world.http, home.people[role]
        self.path = f"/api/v2/orders/{home.ids['order_id']}"

    async def read_order(self):
        """Read the order."""
        return await self.http.get(self.path, headers=self.person.headers)

    async def read_entry(self):
        """Read the result entry screen."""
        return await self.http.get(f"{self.path}/result-entry", headers=self.person.headers)

    async def enter(self, row: int, value: str):
        """Enter a value for a test, with a reason in case it is released."""
        correction = {"reason": "TRANSCRIPTION", "words": None}
        body = {"results": [{"orderTestId": row, "result": value, "correction": correction}]}
        return await self.http.put(
            f"{self.path}/result-entry", headers=self.person.headers, json=body
        )

    async def release(self):
        """Release all entered results."""
        return await self.http.post(
            f"{self.path}/release", headers=self.person.headers, json={"orderTestIds": None}
        )


@pytest.fixture
async def row(world: World, home: Realm) -> int:
    """A test of the order that has a result."""
    return world.run_sql(
        "SELECT id FROM order_tests WHERE order_id = %s AND NOT is_panel ORDER BY id LIMIT 1",
        (home.ids["order_id"],),
    )


@pytest.mark.parametrize("flags", SETTINGS, ids=lambda flags: "+".join(flags) or "none")
async def test_entering_follows_role_and_settings(
    world: World, home: Realm, row: int, flags: tuple[str, ...]
) -> None:
    with world.allow_result_entry(*flags):
        for count, role in enumerate(Role):
            desk, is_allowed = Desk(world, home, role), can_enter(role, flags)
            screen = await desk.read_entry()
            assert screen.status_code == (200 if is_allowed or role in RELEASERS else 403), role
            if screen.status_code == 200:
                assert screen.json()["canEnterResults"]["allowed"] is is_allowed, role
                assert screen.json()["canRelease"]["allowed"] is (role in RELEASERS), role
            order = (await desk.read_order()).json()
            assert order["canEnterResults"]["allowed"] is is_allowed, role
            assert order["canRelease"]["allowed"] is (role in RELEASERS), role
            entry_answer = await desk.enter(row, str(90 + count))
            assert entry_answer.status_code == (200 if is_allowed else 403), (
                role,
                entry_answer.text,
            )
            settings_answer = await world.http.get(
                "/api/system/settings/result-entry", headers=desk.person.headers
            )
            assert settings_answer.json()["canEnterResults"]["allowed"] is is_allowed, role
            assert settings_answer.json()["canReleaseResults"]["allowed"] is (role in RELEASERS), (
                role
            )


@pytest.mark.parametrize("flags", [(), FLAGS], ids=["nothing is on", "everything is on"])
async def test_release_does_not_follow_the_flags(
    world: World, home: Realm, row: int, flags: tuple[str, ...]
) -> None:
    for role in Role:
        with world.allow_result_entry("Enabled"):
            value = f"{100 + list(Role).index(role)}"
            assert (await Desk(world, home, Role.LABORATORY).enter(row, value)).status_code == 200
        with world.allow_result_entry(*flags):
            release_answer = await Desk(world, home, role).release()
        assert release_answer.status_code == (200 if role in RELEASERS else 403), role


class TestClientBasic:
    """Result entry by a Client Basic with its flag on."""

    async def test_unreleased_results_are_visible_in_result_entry_only(
        self, world: World, home: Realm, row: int
    ) -> None:
        desk = Desk(world, home, Role.CLIENT_BASIC)
        with world.allow_result_entry("Enabled", "ClientBasic"):
            entry_answer = await desk.enter(row, "91")
            screen = await desk.read_entry()
        for answer in (entry_answer, screen):
            assert {r["orderTestId"]: r["result"] for r in answer.json()["rows"]}[row] == "91"
        for role in (Role.CLIENT_BASIC, Role.CLIENT_ADMIN, Role.PHYSICIAN, Role.PATIENT):
            results_answer = await world.http.get(
                f"{desk.path}/clinical-results", headers=home.people[role].headers
            )
            assert "91" not in [result["result"] for result in results_answer.json()], role

    async def test_correcting_a_released_result_adds_a_version(
        self, world: World, home: Realm, row: int
    ) -> None:
        desk, lab = Desk(world, home, Role.CLIENT_BASIC), Desk(world, home, Role.LABORATORY)
        with world.allow_result_entry("Enabled", "ClientBasic"):
            await lab.enter(row, "92")
            assert (await lab.release()).status_code == 200
            correction_answer = await desk.enter(row, "93")
            withdrawal_answer = await desk.enter(row, "")
        assert correction_answer.status_code == 200, correction_answer.text
        correction = {r["orderTestId"]: r for r in correction_answer.json()["rows"]}[row]
        assert (correction["result"], correction["isCorrection"]) == ("93", True)
        assert {r["orderTestId"]: r["result"] for r in withdrawal_answer.json()["rows"]}[
            row
        ] == "92"

    async def test_orders_of_other_clients_look_nonexistent(self, world: World, row: int) -> None:
        stranger = await world.create_person(Role.CLIENT_BASIC, client_ids=[world.create_client()])
        order_id = world.run_sql("SELECT order_id FROM order_tests WHERE id = %s", (row,))
        with world.allow_result_entry("Enabled", "ClientBasic"):
            for method, body in (("GET", None), ("PUT", {"results": []})):
                answer = await world.http.request(
                    method,
                    f"/api/v2/orders/{order_id}/result-entry",
                    headers=stranger.headers,
                    json=body,
                )
                assert answer.status_code == 404

    async def test_a_canceled_order_gives_the_reason(
        self, world: World, home: Realm, row: int, parse_problem
    ) -> None:
        desk = Desk(world, home, Role.CLIENT_BASIC)
        code = world.run_sql(
            "UPDATE orders SET status = 32 WHERE id = %s RETURNING code", (home.ids["order_id"],)
        )
        reason = messages.ORDER_READ_ONLY.format(code=code, status="CANCELED")
        with world.allow_result_entry("Enabled", "ClientBasic"):
            screen = (await desk.read_entry()).json()
            rejected_answer = await desk.enter(row, "94")
        assert screen["canEnterResults"] == {"allowed": False, "reason": reason}
        assert (rejected_answer.status_code, parse_problem(rejected_answer)["detail"]) == (
            409,
            reason,
        )


class TestDatabasePolicies:
    """The second lock: a client writes results only in a transaction that declares it."""

    @pytest.mark.parametrize(
        ("declared_act", "is_written"), [("", False), ("enter-results", True)], ids=["plain", "act"]
    )
    async def test_a_client_writes_only_in_a_declared_transaction(
        self, app_url: str, home: Realm, row: int, declared_act: str, is_written: bool
    ) -> None:
        writes = (
            "UPDATE orders SET status = 2 WHERE id = %(order)s",
            "UPDATE order_tests SET status = 4 WHERE id = %(row)s",
            "INSERT INTO results (order_id, order_test_id, revision, value, entered_at)"
            " VALUES (%(order)s, %(row)s, 99, '1', now())",
        )
        for statement in writes:
            with psycopg.connect(app_url) as connection:
                connection.execute(
                    "SELECT set_config('role', 'as_client', true),"
                    " set_config('app.ids', %s, true), set_config('app.act', %s, true)",
                    (f"{{{home.ids['client_id']}}}", declared_act),
                )
                values = {"order": home.ids["order_id"], "row": row}
                if is_written:
                    assert connection.execute(statement, values).rowcount == 1
                else:
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        connection.execute(statement, values)
                connection.rollback()


@pytest.mark.parametrize("flags", SETTINGS, ids=lambda flags: "+".join(flags) or "none")
async def test_only_results_entered_by_the_lab_are_released_automatically(
    world: World, home: Realm, flags: tuple[str, ...]
) -> None:
    code = f"AVR{home.ids['client_id']}"
    world.add_lab_test(code)
    add_range(world, code, 70, 99, None, None)
    set_rule(world, code)
    for role in Role:
        bench = await receive_order(world, code)
        [row] = (await bench.read_entry())["rows"]
        clerk = home.people[role]
        if role not in RELEASERS:
            client = world.run_sql("SELECT client_id FROM orders WHERE id = %s", (bench.order_id,))
            clerk = await world.create_person(role, client_ids=[client])
        with world.allow_result_entry(*flags), world.change_setting(*AUTOMATIC):
            entry_answer = await world.http.put(
                f"{bench.path}/result-entry",
                headers=clerk.headers,
                json={"results": [{"orderTestId": row["orderTestId"], "result": "90"}]},
            )
        assert entry_answer.status_code == (200 if can_enter(role, flags) else 403), role
        if entry_answer.status_code == 200:
            is_released = role in RELEASERS
            status = ResultStatus.FINAL if is_released else ResultStatus.UNRELEASED
            assert entry_answer.json()["rows"][0]["status"] == status, role


@pytest.mark.parametrize("flags", [(), FLAGS], ids=["nothing is on", "everything is on"])
async def test_rules_of_autoverification_do_not_follow_the_flags(
    world: World, home: Realm, flags: tuple[str, ...]
) -> None:
    code = f"AVS{home.ids['client_id']}"
    world.add_lab_test(code)
    # A try-out without results does not count.
    bench = await receive_order(world, code)
    await bench.enter(**{code: "80"})
    await bench.release()
    test_id, limits = world.get_test_id(code), {"low": 70, "high": 99}
    path = "/api/v2/autoverification"
    period = {"startDate": "2026-03-01", "endDate": "2026-03-31"}
    for role in (Role.SUPERUSER, *Role):
        headers = home.people[role].headers
        with world.allow_result_entry(*flags):
            change_answer = await world.http.put(
                f"{path}/rules/{test_id}", headers=headers, json=limits
            )
            trial_answer = await world.http.post(
                f"{path}/try-out", headers=headers, json={"testId": test_id, **period}
            )
            read_answer = await world.http.get(f"{path}/rules/{test_id}", headers=headers)
            switch_answer = await world.http.post(
                f"{path}/rules/{test_id}/switch", headers=headers, json={"isOn": True}
            )
        may_change, may_try = role is Role.SUPERUSER, role in RELEASERS
        assert change_answer.status_code == (200 if may_change else 403), role
        assert trial_answer.status_code == (200 if may_try else 403), role
        assert read_answer.status_code == (200 if may_try else 403), role
        assert (switch_answer.status_code == 403) is not may_change, role
    assert world.run_sql("SELECT is_on FROM autoverification_rules WHERE test_id = %s", (test_id,))
