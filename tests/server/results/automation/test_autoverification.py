"""Autoverification: entered results that go out by themselves, and rules that were tried out."""

from collections.abc import Iterator

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.access.reader import TooSlow
from app.server.results.automation.service import try_out
from tests.server.results.clinical.bench import (
    Bench,
    add_lab_test,
    receive_another_order,
    receive_order,
)
from tests.server.results.reflex.test_reflex import add_rule as add_reflex_rule
from tests.server.world import Person, World

PATH = "/api/v2/autoverification"
PERIOD = {"startDate": "2026-03-01", "endDate": "2026-03-31"}
LIMITS = {"low": 70, "high": 120, "allowsAbnormal": False, "deltaPercent": 20, "deltaDays": 30}


def add_range(world: World, code: str, *limits: float | None, gender: str | None = None) -> None:
    """Add a reference range for a sex and all ages, unless an earlier test of the run did."""
    world.run_sql(
        "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, low, high,"
        " critical_low, critical_high) SELECT t.id, %s::text, 0, 60000, %s, %s, %s, %s"
        " FROM lab_tests t WHERE t.code = %s AND NOT EXISTS (SELECT 1 FROM reference_ranges g"
        " WHERE g.test_id = t.id AND g.gender IS NOT DISTINCT FROM %s::text)",
        (gender, *limits, code, gender),
    )


def set_rule(world: World, code: str, **columns: object) -> None:
    """Give a test a rule from 70 to 120 that is on, in version 3."""
    values = {"low": 70, "high": 120, "is_on": True, "version": 3, **columns}
    world.run_sql(
        "DELETE FROM autoverification_rules WHERE test_id = %s", (world.get_test_id(code),)
    )
    names = ", ".join(values)
    world.run_sql(
        f"INSERT INTO autoverification_rules (test_id, changed_at, {names})"
        " VALUES (%s, now()" + ", %s" * len(values) + ")",
        (world.get_test_id(code), *values.values()),
    )


@pytest.fixture(autouse=True)
def lab_uses_autoverification(world: World) -> Iterator[None]:
    """Switch the lab's setting on within each test."""
    with world.change_setting("autoverification", {"enabled": True}):
        yield


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a test with a range from 70 to 99, critical from 40 to 400, and a rule."""
    add_lab_test(world, "VGLU", unit="mg/dL", plausible_high=500)
    add_range(world, "VGLU", 70, 99, 40, 400)
    set_rule(world, "VGLU")
    return await receive_order(world, "VGLU", "K")


class TestEntry:
    """What an entered result does where a rule is on."""

    async def test_goes_out_by_itself_within_the_limits(self, bench: Bench) -> None:
        answer = await bench.enter(VGLU="90", K="4")
        rows = {row["code"]: row for row in answer.json()["rows"]}
        assert rows["VGLU"]["status"] == ResultStatus.FINAL
        assert rows["VGLU"]["releasedBy"] == messages.AUTOVERIFICATION
        # Without a rule, a result waits as it always did.
        assert (rows["K"]["status"], rows["K"]["waitsBecause"]) == (ResultStatus.UNRELEASED, None)
        shown = await bench.read_results(bench.nurse)
        assert (shown["TEST VGLU"]["result"], shown["POTASSIUM"]["result"]) == ("90", None)
        order = await bench.read_order()
        assert order["status"] == OrderStatus.PARTIALLY_RELEASED
        assert order["isUnread"] is True
        assert order["reported"] is not None

    async def test_the_version_names_the_rule_and_nobody(self, bench: Bench) -> None:
        await bench.enter(VGLU="90")
        assert bench.world.fetch_rows(
            "SELECT r.released_by, r.autoverified_version, r.released_at = r.entered_at,"
            " r.entered_by::text FROM results r WHERE r.order_id = %s",
            (bench.order_id,),
        ) == [(None, 3, True, bench.lab.user_id)]

    async def test_the_audit_log_names_both(self, bench: Bench) -> None:
        await bench.enter(VGLU="90")
        assert bench.world.fetch_rows(
            "SELECT user_id::text, detail FROM audit_events WHERE action = 'autoverify'"
            " AND record_ids = %s::bigint[]",
            ([bench.order_id],),
        ) == [
            (
                bench.lab.user_id,
                {"releasedBy": "Autoverification", "ruleVersions": {"VGLU": 3}},
            )
        ]

    @pytest.mark.parametrize(
        ("value", "reason"),
        [
            ("69", messages.WAITS_LIMITS),
            ("121", messages.WAITS_LIMITS),
            ("<90", messages.WAITS_NOT_EXACT),
            ("100", messages.WAITS_ABNORMAL),
            ("39", messages.WAITS_CRITICAL),
            ("401", messages.WAITS_CRITICAL),
        ],
    )
    async def test_waits_for_a_person(self, bench: Bench, value: str, reason: str) -> None:
        await bench.enter(VGLU=value)
        row = await bench.get_row("VGLU")
        assert row["status"] == ResultStatus.UNRELEASED
        assert row["waitsBecause"] == messages.RESULT_WAITS.format(reason=reason)
        assert (await bench.read_results(bench.nurse))["TEST VGLU"]["result"] is None

    async def test_a_critical_result_never_goes_out_by_itself(self, bench: Bench) -> None:
        set_rule(bench.world, "VGLU", low=0, high=1000, allows_abnormal=True)
        await bench.enter(VGLU="401")
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED
        assert (await bench.read_order())["hasAlert"] is False

    async def test_abnormal_results_go_out_where_the_rule_allows_it(self, bench: Bench) -> None:
        set_rule(bench.world, "VGLU", allows_abnormal=True)
        await bench.enter(VGLU="110")
        row = await bench.get_row("VGLU")
        assert (row["flag"], row["status"]) == ("H", ResultStatus.FINAL)

    async def test_a_confirmed_unusual_value_waits(self, bench: Bench) -> None:
        set_rule(bench.world, "VGLU", high=1000, allows_abnormal=True)
        await bench.enter(write={"isConfirmed": True}, VGLU="90")
        assert messages.WAITS_UNUSUAL in (await bench.get_row("VGLU"))["waitsBecause"]

    async def test_waits_while_the_test_is_on_hold(self, bench: Bench) -> None:
        await bench.post("holds", "VGLU", reason="CONTROL")
        await bench.enter(VGLU="90")
        assert messages.WAITS_HOLD in (await bench.get_row("VGLU"))["waitsBecause"]

    async def test_waits_for_a_specimen_with_a_remark(self, bench: Bench) -> None:
        bench.world.run_sql(
            "UPDATE orders SET specimen_condition = 'HEMOLYZED' WHERE id = %s", (bench.order_id,)
        )
        await bench.enter(VGLU="90")
        assert messages.WAITS_SPECIMEN in (await bench.get_row("VGLU"))["waitsBecause"]

    async def test_waits_without_a_range(self, world: World) -> None:
        add_lab_test(world, "VNONE")
        set_rule(world, "VNONE")
        bench = await receive_order(world, "VNONE")
        await bench.enter(VNONE="90")
        assert messages.WAITS_NO_RANGE in (await bench.get_row("VNONE"))["waitsBecause"]

    async def test_waits_where_the_range_depends_on_an_unknown_sex(self, bench: Bench) -> None:
        world = bench.world
        add_lab_test(world, "VSEX")
        add_range(world, "VSEX", 70, 99, None, None)
        add_range(world, "VSEX", 80, 120, None, None, gender="MALE")
        set_rule(world, "VSEX")
        ordered = await receive_order(world, "VSEX")
        world.run_sql(
            "UPDATE orders SET patient_gender = 'UNKNOWN' WHERE id = %s", (ordered.order_id,)
        )
        await ordered.enter(VSEX="90")
        assert messages.WAITS_SEX_UNKNOWN in (await ordered.get_row("VSEX"))["waitsBecause"]

    async def test_a_correction_waits(self, bench: Bench) -> None:
        await bench.enter(VGLU="90")
        await bench.correct(VGLU="91")
        row = await bench.get_row("VGLU")
        assert messages.WAITS_CORRECTION in row["waitsBecause"]
        assert (await bench.read_results(bench.nurse))["TEST VGLU"]["result"] == "90"

    async def test_a_large_change_waits(self, bench: Bench) -> None:
        set_rule(bench.world, "VGLU", delta_percent=10, delta_days=30)
        await bench.enter(VGLU="80")
        later = await receive_another_order(bench, "VGLU")
        await later.enter(VGLU="89")
        assert messages.WAITS_DELTA in (await later.get_row("VGLU"))["waitsBecause"]
        await later.enter(VGLU="88")
        assert (await later.get_row("VGLU"))["status"] == ResultStatus.FINAL

    async def test_typing_again_judges_again(self, bench: Bench) -> None:
        await bench.enter(VGLU="120")
        assert (await bench.get_row("VGLU"))["waitsBecause"] is not None
        await bench.enter(VGLU="95")
        row = await bench.get_row("VGLU")
        assert (row["status"], row["waitsBecause"]) == (ResultStatus.FINAL, None)

    async def test_counts_as_verified(self, bench: Bench) -> None:
        flags = {"resultEntryEnabled": True, "resultVerificationRequired": True}
        with bench.world.change_setting("result-entry", flags):
            await bench.enter(VGLU="90", K="4")
            assert (await bench.get_row("VGLU"))["status"] == ResultStatus.FINAL
            assert (await bench.release("K")).status_code == 409
        assert bench.world.fetch_rows(
            "SELECT verified_at = released_at, verified_by FROM results"
            " WHERE order_id = %s AND released_at IS NOT NULL",
            (bench.order_id,),
        ) == [(True, None)]

    async def test_leads_to_reflex_tests(self, bench: Bench) -> None:
        world = bench.world
        add_lab_test(world, "VADD")
        add_reflex_rule(world, "VGLU", "VADD", low=94)
        await bench.enter(VGLU="95")
        row = await bench.get_row("VADD")
        reason = messages.TEST_ADDED.format(test="TEST VGLU", result="95 (N)")
        assert row["addedBecause"] == reason
        [added] = (await bench.read_order())["addedTests"]
        assert added["addedBy"] == messages.AUTOVERIFICATION
        world.run_sql("UPDATE reflex_rules SET is_active = false WHERE code = 'VGLU-VADD'")

    async def test_a_calculated_result_follows_its_inputs(self, world: World) -> None:
        for code in ("VWHOLE", "VPART"):
            add_lab_test(world, code, unit="mg/dL", decimals=1)
        add_lab_test(
            world,
            "VREST",
            unit="mg/dL",
            decimals=1,
            formula="indirect-bilirubin",
            formula_inputs=["VWHOLE", "VPART"],
            formula_source="Definition",
        )
        for code in ("VWHOLE", "VPART", "VREST"):
            add_range(world, code, 0, 100, None, None)
        set_rule(world, "VWHOLE")
        set_rule(world, "VREST", low=0)
        bench = await receive_order(world, "VREST", "VWHOLE", "VPART")
        await bench.enter(VWHOLE="90", VPART="10")
        assert messages.WAITS_INPUT in (await bench.get_row("VREST"))["waitsBecause"]
        set_rule(world, "VPART", low=0)
        await bench.enter(VPART="11")
        assert (await bench.get_row("VREST"))["releasedBy"] == messages.AUTOVERIFICATION
        shown = await bench.read_results(bench.nurse)
        assert (shown["TEST VREST"]["result"], shown["TEST VPART"]["result"]) == ("79.0", "11")

    async def test_waits_if_the_rule_is_off(self, bench: Bench) -> None:
        set_rule(bench.world, "VGLU", is_on=False)
        await bench.enter(VGLU="90")
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED

    @pytest.mark.parametrize("value", [{}, {"enabled": False}, {"enabled": "true"}])
    async def test_waits_unless_the_lab_uses_it(self, bench: Bench, value: dict) -> None:
        with bench.world.change_setting("autoverification", value):
            await bench.enter(VGLU="90")
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED

    async def test_waits_if_a_client_entered_it(self, bench: Bench) -> None:
        flags = {"resultEntryEnabled": True, "resultEntryClientBasic": True}
        with bench.world.change_setting("result-entry", flags):
            answer = await bench.enter(VGLU="90", person=bench.nurse)
        assert answer.status_code == 200, answer.text
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED

    async def test_the_details_name_autoverification(self, bench: Bench) -> None:
        await bench.enter(VGLU="90")
        timeline = await bench.world.http.get(
            f"/api/v2/patients/{(await bench.read_order())['patient']['id']}/timeline",
            headers=bench.nurse.headers,
        )
        [event] = [e for e in timeline.json()["data"] if e["kind"] == "released"]
        assert event["by"] == messages.AUTOVERIFICATION


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
        """Switch a rule."""
        headers = {**self.person.headers}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.http.post(
            f"{PATH}/rules/{test_id}/switch", headers=headers, json={"isOn": is_on}
        )

    async def try_out(self, test_id: int | None = None, **values: object):
        """Try limits out."""
        return await self.http.post(
            f"{PATH}/try-out",
            headers=self.person.headers,
            json={"testId": test_id, **PERIOD, **values},
        )


@pytest.fixture
async def desk(world: World) -> Desk:
    """A Superuser's desk."""
    return Desk(world, await world.create_person("Superuser"))


class TestRules:
    """Changing, trying out, and switching."""

    async def test_is_off_until_exactly_its_limits_were_tried_out(
        self, world: World, desk: Desk
    ) -> None:
        add_lab_test(world, "VNEW")
        test_id = world.get_test_id("VNEW")
        made = await desk.change(test_id)
        assert (made.status_code, made.json()["isOn"]) == (200, False)
        rejected = await desk.switch(test_id)
        assert rejected.status_code == 409
        assert rejected.json()["detail"] == messages.AUTOVERIFICATION_NOT_TRIED
        assert (await desk.try_out(test_id, limits={**LIMITS, "high": 119})).status_code == 200
        assert (await desk.switch(test_id)).status_code == 409
        assert (await desk.try_out(test_id, limits=LIMITS)).status_code == 200
        rule = await desk.read(test_id)
        assert (rule["isTried"], rule["canSwitchOn"]["allowed"]) == (True, True)
        switched = (await desk.switch(test_id)).json()
        assert (switched["isOn"], switched["version"]) == (True, 2)
        assert switched["switchedBy"] == "Ada Tester"
        [row] = (
            await world.http.get(
                f"{PATH}/remote-operations?testIds={test_id}", headers=desk.person.headers
            )
        ).json()["data"]
        assert (row["code"], row["isOn"], row["isTried"]) == ("VNEW", True, True)

    async def test_changed_limits_switch_it_off(self, world: World, desk: Desk) -> None:
        add_lab_test(world, "VCHG")
        set_rule(world, "VCHG")
        test_id = world.get_test_id("VCHG")
        same = await desk.change(test_id, deltaPercent=None, deltaDays=None)
        assert (same.json()["isOn"], same.json()["version"]) == (True, 3)
        other = await desk.change(test_id, high=119)
        assert (other.json()["isOn"], other.json()["version"]) == (False, 4)
        audited = world.fetch_rows(
            "SELECT detail ->> 'high' FROM audit_events WHERE kind = 'autoverification-rule'"
            " AND user_id = %s",
            (desk.person.user_id,),
        )
        assert audited == [("119",)]

    async def test_switching_off_needs_nothing(self, world: World, desk: Desk) -> None:
        add_lab_test(world, "VOFF")
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
        add_lab_test(world, "VLAB")
        set_rule(world, "VLAB", is_on=False)
        test_id = world.get_test_id("VLAB")
        desk = Desk(world, await world.create_person("Laboratory"))
        assert (await desk.try_out(test_id)).status_code == 200
        assert (await desk.change(test_id)).status_code == 403
        assert (await desk.switch(test_id)).status_code == 403
        assert (await desk.read(test_id))["canSwitchOn"]["allowed"] is False

    async def test_everybody_learns_whether_the_lab_uses_it(self, bench: Bench) -> None:
        path = "/api/v2/public-settings/autoverification"
        answer = await bench.world.http.get(path, headers=bench.nurse.headers)
        assert answer.json()["enabled"] is True
        assert answer.json()["canChange"]["allowed"] is False


class TestTryOut:
    """What limits would have done with past results."""

    async def test_counts_what_goes_out_what_waits_and_what_was_corrected(
        self, world: World, desk: Desk
    ) -> None:
        add_lab_test(world, "VTRY", unit="mg/dL")
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
        withdrawn = await receive_order(world, "VTRY")
        await withdrawn.enter(VTRY="80")
        await withdrawn.release()
        await withdrawn.post("withhold", "VTRY", kind="withdrawn", reason="REPEAT")
        unreleased = await receive_order(world, "VTRY")
        await unreleased.enter(VTRY="80")
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
            ((await withdrawn.read_order())["codeValue"], "80 mg/dL", None),
        }

    async def test_agrees_with_what_entry_does(self, world: World, desk: Desk) -> None:
        add_lab_test(world, "VSAME", plausible_high=300, delta_percent=50, delta_days=10)
        add_range(world, "VSAME", 70, 99, 40, 400)
        set_rule(world, "VSAME", delta_percent=20, delta_days=30)
        values = ("90", "70", "69.9", "99", "100", "<90", "39", "120", "121", "71", "90.5", "75")
        bench = await receive_order(world, "VSAME")
        waited: dict[str, int] = {}
        for place, value in enumerate(values):
            if place:
                bench = await receive_another_order(bench, "VSAME")
            await bench.enter(VSAME=value)
            row = await bench.get_row("VSAME")
            if row["status"] == ResultStatus.UNRELEASED:
                words = row["waitsBecause"]
                waited[words] = waited.get(words, 0) + 1
                assert (await bench.release()).status_code == 200
        limits = {**LIMITS, "deltaPercent": 20, "deltaDays": 30}
        trial = (await desk.try_out(world.get_test_id("VSAME"), limits=limits)).json()
        assert trial["results"] == len(values)
        assert trial["released"] == len(values) - sum(waited.values())
        assert {
            messages.RESULT_WAITS.format(reason=row["words"]): row["count"]
            for row in trial["obstacles"]
        } == waited

    async def test_of_all_rules_uses_their_limits(self, bench: Bench, desk: Desk) -> None:
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
        add_lab_test(world, "VAUD")
        add_range(world, "VAUD", 70, 99, None, None)
        order = await receive_order(world, "VAUD")
        await order.enter(VAUD="90")
        await order.release()
        await order.correct(VAUD="85")
        await order.release()
        await desk.try_out(world.get_test_id("VAUD"), limits=LIMITS)
        assert world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE kind = 'order-results' AND action = 'read'"
            " AND user_id = %s",
            (desk.person.user_id,),
        ) == [([order.order_id],)]

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
