"""Rules of autoverification, and what their limits would have done with past results."""

import pytest

from app.contract import messages
from app.contract.enumerations import ResultStatus
from app.server.access.reader import TooSlow
from app.server.results.automation.service import try_out
from tests.server.accounts.builders import Person
from tests.server.results.automation.bench import add_range, change_test, set_rule
from tests.server.results.clinical.bench import (
    Bench,
    receive_another_order,
    receive_order,
)
from tests.server.world import World

PATH = "/api/v2/autoverification"
PERIOD = {"startDate": "2026-03-01", "endDate": "2026-03-31"}
LIMITS = {"low": 70, "high": 120, "allowsAbnormal": False, "deltaPercent": 20, "deltaDays": 30}


class Desk:
    """A person at the screen of autoverification."""

    def __init__(self, world: World, person: Person) -> None:
        self.http, self.person = world.http, person

    async def read(self, test_id: int) -> dict:
        """Read the rule of a test."""
        answer = await self.http.get(f"{PATH}/rules/{test_id}", headers=self.person.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def change(self, test_id: int, **limits: object):
        """Change the limits of a rule."""
        return await self.http.put(
            f"{PATH}/rules/{test_id}", headers=self.person.headers, json={**LIMITS, **limits}
        )

    async def switch(self, test_id: int, is_on: bool = True, version: int | None = None):
        """Switch a rule on or off."""
        headers = {**self.person.headers}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.http.post(
            f"{PATH}/rules/{test_id}/switch", headers=headers, json={"isOn": is_on}
        )

    async def try_out(self, test_id: int | None = None, **values: object):
        """Try out limits on past results."""
        return await self.http.post(
            f"{PATH}/try-out",
            headers=self.person.headers,
            json={"testId": test_id, **PERIOD, **values},
        )


@pytest.fixture
async def desk(world: World) -> Desk:
    """A Superuser's desk."""
    return Desk(world, await world.create_person("Superuser"))


async def release_result(world: World, code: str) -> None:
    """Release a result, on which limits can then be tried out."""
    bench = await receive_order(world, code)
    await bench.enter(**{code: "90"})
    assert (await bench.release()).status_code == 200


class TestRules:
    """Changing, trying out, and switching."""

    async def test_rule_is_off_until_its_limits_were_tried_out(
        self, world: World, desk: Desk
    ) -> None:
        world.add_lab_test("VNEW")
        test_id = world.get_test_id("VNEW")
        await release_result(world, "VNEW")
        change_answer = await desk.change(test_id)
        assert (change_answer.status_code, change_answer.json()["isOn"]) == (200, False)
        rejected_answer = await desk.switch(test_id)
        assert rejected_answer.status_code == 409
        assert rejected_answer.json()["detail"] == messages.AUTOVERIFICATION_NOT_TRIED
        assert (await desk.try_out(test_id, limits={**LIMITS, "high": 119})).status_code == 200
        assert (await desk.switch(test_id)).status_code == 409
        assert (await desk.try_out(test_id, limits=LIMITS)).status_code == 200
        rule = await desk.read(test_id)
        assert (rule["isTried"], rule["canSwitchOn"]["allowed"]) == (True, True)
        switched_rule = (await desk.switch(test_id)).json()
        assert (switched_rule["isOn"], switched_rule["version"]) == (True, 2)
        assert switched_rule["switchedBy"] == "Ada Tester"
        [row] = (
            await world.http.get(
                f"{PATH}/remote-operations?testIds={test_id}", headers=desk.person.headers
            )
        ).json()["data"]
        assert (row["code"], row["isOn"], row["isTried"]) == ("VNEW", True, True)

    async def test_changed_limits_switch_the_rule_off(self, world: World, desk: Desk) -> None:
        world.add_lab_test("VCHG")
        set_rule(world, "VCHG")
        test_id = world.get_test_id("VCHG")
        unchanged_answer = await desk.change(test_id, deltaPercent=None, deltaDays=None)
        assert (unchanged_answer.json()["isOn"], unchanged_answer.json()["version"]) == (True, 3)
        change_answer = await desk.change(test_id, high=119)
        assert (change_answer.json()["isOn"], change_answer.json()["version"]) == (False, 4)
        audit_rows = world.fetch_rows(
            "SELECT detail ->> 'high' FROM audit_events WHERE kind = 'autoverification-rule'"
            " AND user_id = %s",
            (desk.person.user_id,),
        )
        assert audit_rows == [("119",)]

    @pytest.mark.parametrize(
        ("change", "message", "names"),
        [
            ("unit = 'mmol/L'", messages.AUTOVERIFICATION_OTHER_UNIT, ("mg/dL", "mmol/L")),
            ("method = NULL", messages.AUTOVERIFICATION_OTHER_METHOD, ("Oxidase", "none")),
        ],
    )
    async def test_a_rule_for_another_unit_or_method_is_saved_and_tried_out_anew(
        self, world: World, desk: Desk, change: str, message: str, names: tuple[str, str]
    ) -> None:
        code = "VUN" + change[0].upper()
        world.add_lab_test(code, unit="mg/dL", method="Oxidase")
        test_id = world.get_test_id(code)
        await release_result(world, code)
        await desk.change(test_id)
        await desk.try_out(test_id)
        world.run_sql(f"UPDATE lab_tests SET {change} WHERE id = %s", (test_id,))
        rule = await desk.read(test_id)
        reason = message.format(rule=names[0], test=names[1])
        assert (rule["unit"], rule["method"]) == ("mg/dL", "Oxidase")
        assert rule["canSwitchOn"] == {"allowed": False, "reason": reason}
        rejected_answer = await desk.switch(test_id)
        assert (rejected_answer.status_code, rejected_answer.json()["detail"]) == (409, reason)
        # A trial of the rule as it is says nothing about the new unit or method.
        await desk.try_out(test_id)
        saved_rule = (await desk.change(test_id)).json()
        assert (saved_rule["version"], saved_rule["isTried"]) == (2, False)
        assert saved_rule["unit"] == saved_rule["testUnit"]
        assert saved_rule["method"] == saved_rule["testMethod"]
        assert (await desk.switch(test_id)).json()["detail"] == messages.AUTOVERIFICATION_NOT_TRIED
        [row] = (
            await world.http.get(
                f"{PATH}/remote-operations?testIds={test_id}", headers=desk.person.headers
            )
        ).json()["data"]
        assert (row["isTried"], row["unit"], row["method"]) == (
            False,
            row["testUnit"],
            row["testMethod"],
        )
        # So far, all results are from before the change.
        trial = (await desk.try_out(test_id, limits=LIMITS)).json()
        assert (trial["results"], trial["comparable"]) == (1, 0)
        answer = await desk.switch(test_id)
        assert answer.json()["detail"] == messages.AUTOVERIFICATION_TRIED_NOTHING
        await release_result(world, code)
        await desk.try_out(test_id, limits=LIMITS)
        assert (await desk.switch(test_id)).json()["isOn"] is True

    async def test_a_try_out_without_results_proves_nothing(self, world: World, desk: Desk) -> None:
        world.add_lab_test("VNIL")
        test_id = world.get_test_id("VNIL")
        await desk.change(test_id)
        assert (await desk.try_out(test_id)).json()["comparable"] == 0
        rule = await desk.read(test_id)
        reason = messages.AUTOVERIFICATION_TRIED_NOTHING
        assert (rule["isTried"], rule["canSwitchOn"]) == (
            False,
            {"allowed": False, "reason": reason},
        )
        answer = await desk.switch(test_id)
        assert (answer.status_code, answer.json()["detail"]) == (409, reason)
        await release_result(world, "VNIL")
        # The earlier try-out does not count because there is a result now.
        assert (await desk.switch(test_id)).status_code == 409
        assert (await desk.try_out(test_id)).json()["comparable"] == 1
        assert (await desk.switch(test_id)).json()["isOn"] is True

    async def test_saving_for_another_unit_switches_the_rule_off(
        self, world: World, desk: Desk
    ) -> None:
        world.add_lab_test("VUON", unit="mg/dL")
        set_rule(world, "VUON", delta_percent=20, delta_days=30)
        test_id = world.get_test_id("VUON")
        assert (await desk.change(test_id)).json()["isOn"] is True
        world.run_sql("UPDATE lab_tests SET unit = 'mmol/L' WHERE id = %s", (test_id,))
        rule = (await desk.change(test_id)).json()
        assert (rule["isOn"], rule["version"], rule["unit"]) == (False, 4, "mmol/L")

    async def test_switching_off_needs_no_trial(self, world: World, desk: Desk) -> None:
        world.add_lab_test("VOFF")
        set_rule(world, "VOFF")
        test_id = world.get_test_id("VOFF")
        assert (await desk.switch(test_id, is_on=False, version=2)).status_code == 412
        assert (await desk.switch(test_id, is_on=False, version=3)).status_code == 200
        assert (await desk.switch(test_id, is_on=False)).status_code == 409

    @pytest.mark.parametrize(
        ("limits", "field"),
        [
            ({"low": 130}, "high"),
            ({"deltaPercent": None}, "deltaPercent"),
            ({"deltaPercent": 0}, "deltaPercent"),
            ({"deltaDays": 0}, "deltaDays"),
            ({"low": "much"}, "low"),
            ({"low": None}, "low"),
            ({"high": "1e999"}, "high"),
        ],
    )
    async def test_rejects_limits_that_make_no_sense(
        self, world: World, desk: Desk, parse_problem, limits: dict, field: str
    ) -> None:
        answer = await desk.change(world.get_test_id("GLU"), **limits)
        assert answer.status_code == 400
        assert [error["field"] for error in parse_problem(answer)["errors"]] == [field]

    @pytest.mark.parametrize("code", ["CBC", "COVID", "UCUL", "UBENZ"])
    async def test_only_tests_with_numbers_have_rules(
        self, world: World, desk: Desk, code: str
    ) -> None:
        answer = await desk.change(world.get_test_id(code))
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["message"] == messages.AUTOVERIFICATION_TEST

    async def test_laboratory_tries_out_and_changes_nothing(self, world: World) -> None:
        world.add_lab_test("VLAB")
        set_rule(world, "VLAB", is_on=False)
        test_id = world.get_test_id("VLAB")
        desk = Desk(world, await world.create_person("Laboratory"))
        assert (await desk.try_out(test_id)).status_code == 200
        assert (await desk.change(test_id)).status_code == 403
        assert (await desk.switch(test_id)).status_code == 403
        assert (await desk.read(test_id))["canSwitchOn"]["allowed"] is False

    async def test_every_role_reads_whether_the_lab_uses_autoverification(
        self, bench: Bench
    ) -> None:
        path = "/api/v2/public-settings/autoverification"
        answer = await bench.world.http.get(path, headers=bench.nurse.headers)
        assert answer.json()["enabled"] is True
        assert answer.json()["canChange"]["allowed"] is False


class TestTryOut:
    """A trial of limits on past results."""

    async def test_counts_released_waiting_and_corrected_results(
        self, world: World, desk: Desk
    ) -> None:
        world.add_lab_test("VTRY", unit="mg/dL")
        add_range(world, "VTRY", 70, 99, 40, 400)
        first = await receive_order(world, "VTRY")
        await first.enter(VTRY="90")
        await first.release()
        await first.correct(VTRY="85")
        await first.release()
        for value in ("95", "60", "98", "401", "<80"):
            later = await receive_order(world, "VTRY")
            await later.enter(VTRY=value)
            await later.release()
        withdrawn_bench = await receive_order(world, "VTRY")
        await withdrawn_bench.enter(VTRY="80")
        await withdrawn_bench.release()
        await withdrawn_bench.post("withhold", "VTRY", kind="withdrawn", reason="REPEAT")
        unreleased_bench = await receive_order(world, "VTRY")
        await unreleased_bench.enter(VTRY="80")
        test_id = world.get_test_id("VTRY")
        trial = (await desk.try_out(test_id, limits=LIMITS)).json()
        assert (trial["results"], trial["released"], trial["corrected"]) == (7, 4, 2)
        assert trial["isCapped"] is False
        assert {row["reason"]: row["count"] for row in trial["obstacles"]} == {
            "not-exact": 1,
            "critical": 1,
            "limits": 1,
        }
        [test] = trial["tests"]
        assert (test["name"], test["released"]) == ("TEST VTRY", 4)
        code = (await first.read_order())["codeValue"]
        assert {
            (row["codeValue"], row["result"], row["correctedResult"])
            for row in trial["corrections"]
        } == {
            (code, "90 mg/dL", "85 mg/dL"),
            ((await withdrawn_bench.read_order())["codeValue"], "80 mg/dL", None),
        }

    async def test_agrees_with_result_entry(self, world: World, desk: Desk) -> None:
        world.add_lab_test("VSAME", plausible_high=300, delta_percent=50, delta_days=10)
        add_range(world, "VSAME", 70, 99, 40, 400)
        set_rule(world, "VSAME", delta_percent=20, delta_days=30)
        values = ("90", "70", "69.9", "99", "100", "<90", "39", "120", "121", "71", "90.5", "75")
        bench = await receive_order(world, "VSAME")
        waiting_counts: dict[str, int] = {}
        for index, value in enumerate(values):
            if index:
                bench = await receive_another_order(bench, "VSAME")
            await bench.enter(VSAME=value)
            row = await bench.get_row("VSAME")
            if row["status"] == ResultStatus.UNRELEASED:
                words = row["waitsBecause"]
                waiting_counts[words] = waiting_counts.get(words, 0) + 1
                assert (await bench.release()).status_code == 200
        limits = {**LIMITS, "deltaPercent": 20, "deltaDays": 30}
        trial = (await desk.try_out(world.get_test_id("VSAME"), limits=limits)).json()
        # Every result but the first had an earlier one.
        assert (trial["results"], trial["withoutEarlier"]) == (len(values), 1)
        assert trial["released"] == len(values) - sum(waiting_counts.values())
        assert {
            messages.RESULT_WAITS.format(reason=row["words"]): row["count"]
            for row in trial["obstacles"]
        } == waiting_counts

    async def test_results_in_another_unit_or_by_another_method_wait(
        self, world: World, desk: Desk
    ) -> None:
        world.add_lab_test("VPAST", unit="mg/dL", method="Oxidase")
        add_range(world, "VPAST", 1, 99, None, None)
        for change in ("unit = 'mg/dL'", "unit = 'mmol/L'", "method = 'HPLC'"):
            change_test(world, "VPAST", change)
            bench = await receive_order(world, "VPAST")
            await bench.enter(VPAST="90")
            await bench.release()
        # The test now has the unit and method of the third result: mmol/L by HPLC.
        test_id = world.get_test_id("VPAST")
        trial = (await desk.try_out(test_id, limits=LIMITS)).json()
        assert (trial["results"], trial["released"]) == (3, 1)
        assert [(row["reason"], row["words"], row["count"]) for row in trial["obstacles"]] == [
            ("unit", messages.WAITS_UNIT, 1),
            ("method", messages.WAITS_METHOD, 1),
        ]

    async def test_says_which_results_had_no_earlier_value(self, world: World, desk: Desk) -> None:
        world.add_lab_test("VFIRST")
        add_range(world, "VFIRST", 70, 99, None, None)
        for _ in range(2):
            first = await receive_order(world, "VFIRST")
            await first.enter(VFIRST="90")
            await first.release()
        later = await receive_another_order(first, "VFIRST")
        await later.enter(VFIRST="80")
        await later.release()
        test_id = world.get_test_id("VFIRST")
        trial = (await desk.try_out(test_id, limits=LIMITS)).json()
        assert (trial["results"], trial["withoutEarlier"]) == (3, 2)
        limits_without_delta = {**LIMITS, "deltaPercent": None, "deltaDays": None}
        trial = (await desk.try_out(test_id, limits=limits_without_delta)).json()
        assert trial["withoutEarlier"] == 0

    async def test_does_not_compare_with_a_value_that_is_too_old(
        self, world: World, desk: Desk
    ) -> None:
        world.add_lab_test("VOLD")
        add_range(world, "VOLD", 70, 99, None, None)
        first = await receive_order(world, "VOLD")
        await first.enter(VOLD="90")
        await first.release()
        world.run_sql(
            "UPDATE orders SET collection_date = collection_date - interval '31 days'"
            " WHERE id = %s",
            (first.order_id,),
        )
        later = await receive_another_order(first, "VOLD")
        await later.enter(VOLD="70")
        await later.release()
        trial = (await desk.try_out(world.get_test_id("VOLD"), limits=LIMITS)).json()
        assert (trial["released"], trial["withoutEarlier"]) == (1, 1)

    async def test_trying_all_rules_uses_their_limits(self, bench: Bench, desk: Desk) -> None:
        await bench.enter(VGLU="90")
        trial = (await desk.try_out()).json()
        [test] = [t for t in trial["tests"] if t["testId"] == bench.world.get_test_id("VGLU")]
        assert test["results"] >= 1
        assert (await desk.read(test["testId"]))["isTried"] is True

    async def test_other_days_do_not_count(self, bench: Bench, desk: Desk) -> None:
        await bench.enter(VGLU="90")
        test_id = bench.world.get_test_id("VGLU")
        period = {"startDate": "2026-03-05", "endDate": "2026-03-06"}
        assert (await desk.try_out(test_id, **period)).json()["results"] == 0

    async def test_audits_the_orders_that_it_shows(self, world: World, desk: Desk) -> None:
        world.add_lab_test("VAUD")
        add_range(world, "VAUD", 70, 99, None, None)
        bench = await receive_order(world, "VAUD")
        await bench.enter(VAUD="90")
        await bench.release()
        await bench.correct(VAUD="85")
        await bench.release()
        await desk.try_out(world.get_test_id("VAUD"), limits=LIMITS)
        assert world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE kind = 'order-results' AND action = 'read'"
            " AND user_id = %s",
            (desk.person.user_id,),
        ) == [([bench.order_id],)]

    @pytest.mark.parametrize(
        ("values", "field"),
        [
            ({"startDate": None}, "startDate"),
            ({"endDate": "2026-02-28"}, "endDate"),
            ({"startDate": "2025-01-01"}, "startDate"),
            ({"limits": {**LIMITS, "low": 500}}, "limits.high"),
        ],
    )
    async def test_rejects_bad_requests(
        self, world: World, desk: Desk, values: dict, field: str
    ) -> None:
        answer = await desk.try_out(world.get_test_id("GLU"), **{"limits": LIMITS, **values})
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == [field]

    async def test_gives_up_when_it_takes_too_long(
        self, world: World, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def give_up(*_: object, **__: object) -> None:
            raise TooSlow

        monkeypatch.setattr(try_out, "try_limits", give_up)
        answer = await desk.try_out(world.get_test_id("GLU"), limits=LIMITS)
        assert answer.status_code == 409
        assert answer.json()["detail"] == messages.AUTOVERIFICATION_TOO_SLOW
        assert (await desk.change(world.get_test_id("GLU"))).status_code == 200
        assert (await desk.switch(world.get_test_id("GLU"))).status_code == 409
