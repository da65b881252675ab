"""Autoverification: entered results that are released automatically."""

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from tests.server.results.automation.bench import add_range, change_test, set_rule
from tests.server.results.clinical.bench import (
    Bench,
    receive_another_order,
    receive_order,
)
from tests.server.world import World


class TestEntry:
    """Entered results of tests with a rule that is on."""

    async def test_releases_a_result_within_the_limits_automatically(self, bench: Bench) -> None:
        answer = await bench.enter(VGLU="90", K="4")
        rows = {row["code"]: row for row in answer.json()["rows"]}
        assert rows["VGLU"]["status"] == ResultStatus.FINAL
        assert rows["VGLU"]["releasedBy"] == messages.AUTOVERIFICATION
        # Without a rule, a result waits as before.
        assert (rows["K"]["status"], rows["K"]["waitsBecause"]) == (ResultStatus.UNRELEASED, None)
        results = await bench.read_results(bench.nurse)
        assert (results["TEST VGLU"]["result"], results["POTASSIUM"]["result"]) == ("90", None)
        order = await bench.read_order()
        assert order["status"] == OrderStatus.PARTIALLY_RELEASED
        assert order["isUnread"] is True
        assert order["reported"] is not None

    async def test_the_answer_lists_released_and_waiting_results(self, bench: Bench) -> None:
        world = bench.world
        world.add_lab_test("VHELD", unit="g/L")
        add_range(world, "VHELD", 70, 99, 40, 400)
        set_rule(world, "VHELD")
        other_bench = await receive_order(world, "VGLU", "VHELD", "K")
        answer = (await other_bench.enter(VGLU="90", VHELD="121", K="4")).json()
        assert answer["autoverified"] == [
            {"name": "TEST VGLU", "result": "90 mg/dL", "reason": None},
            {"name": "TEST VHELD", "result": "121 g/L", "reason": messages.WAITS_LIMITS},
        ]
        assert (await other_bench.read_entry())["autoverified"] == []
        # The answer names only results of its own save.
        assert (await other_bench.enter(K="4.1")).json()["autoverified"] == []

    async def test_only_the_lab_sees_who_released_a_result(self, bench: Bench) -> None:
        await bench.enter(VGLU="90", K="4")
        await bench.release("K")
        results = await bench.read_results(bench.lab)
        assert results["TEST VGLU"]["releasedBy"] == messages.AUTOVERIFICATION
        assert results["POTASSIUM"]["releasedBy"] == "Ada Tester"
        for row in (await bench.read_results(bench.nurse)).values():
            assert row["releasedBy"] is None

    async def test_the_version_names_the_rule_and_no_person(self, bench: Bench) -> None:
        await bench.enter(VGLU="90")
        assert bench.world.fetch_rows(
            "SELECT r.released_by, r.autoverified_version, r.released_at = r.entered_at,"
            " r.entered_by::text FROM results r WHERE r.order_id = %s",
            (bench.order_id,),
        ) == [(None, 3, True, bench.lab.user_id)]

    async def test_the_audit_log_names_the_rule_and_the_person(self, bench: Bench) -> None:
        await bench.enter(VGLU="90")
        assert bench.world.fetch_rows(
            "SELECT user_id::text, kind, detail FROM audit_events WHERE action = 'autoverify'"
            " AND record_ids = %s::bigint[]",
            ([bench.order_id],),
        ) == [
            (
                bench.lab.user_id,
                "order-results",
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

    async def test_a_critical_result_is_never_released_automatically(self, bench: Bench) -> None:
        set_rule(bench.world, "VGLU", low=0, high=1000, allows_abnormal=True)
        await bench.enter(VGLU="401")
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED
        assert (await bench.read_order())["hasAlert"] is False

    async def test_abnormal_results_are_released_if_the_rule_allows_it(self, bench: Bench) -> None:
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

    async def test_waits_for_a_specimen_that_was_not_received(self, bench: Bench) -> None:
        bench.world.run_sql(
            "UPDATE specimens SET state = 'expected', received_at = NULL WHERE order_id = %s",
            (bench.order_id,),
        )
        await bench.enter(VGLU="90")
        assert messages.WAITS_NO_SPECIMEN in (await bench.get_row("VGLU"))["waitsBecause"]

    async def test_waits_without_a_range(self, world: World) -> None:
        world.add_lab_test("VNONE")
        set_rule(world, "VNONE")
        bench = await receive_order(world, "VNONE")
        await bench.enter(VNONE="90")
        assert messages.WAITS_NO_RANGE in (await bench.get_row("VNONE"))["waitsBecause"]

    async def test_waits_where_the_range_depends_on_an_unknown_sex(self, bench: Bench) -> None:
        world = bench.world
        world.add_lab_test("VSEX")
        add_range(world, "VSEX", 70, 99, None, None)
        add_range(world, "VSEX", 80, 120, None, None, gender="MALE")
        set_rule(world, "VSEX")
        other_bench = await receive_order(world, "VSEX")
        world.run_sql(
            "UPDATE orders SET patient_gender = 'UNKNOWN' WHERE id = %s", (other_bench.order_id,)
        )
        await other_bench.enter(VSEX="90")
        assert messages.WAITS_SEX_UNKNOWN in (await other_bench.get_row("VSEX"))["waitsBecause"]

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

    async def test_waits_if_the_tests_own_delta_limit_is_exceeded(self, world: World) -> None:
        world.add_lab_test("VOWN", unit="mg/dL", delta_percent=10, delta_days=30)
        add_range(world, "VOWN", 70, 120, None, None)
        set_rule(world, "VOWN")
        first = await receive_order(world, "VOWN")
        await first.enter(VOWN="80")
        later = await receive_another_order(first, "VOWN")
        await later.enter(VOWN="89")
        assert messages.WAITS_DELTA in (await later.get_row("VOWN"))["waitsBecause"]

    async def test_does_not_compare_results_of_different_units(self, world: World) -> None:
        world.add_lab_test("VUNIT", unit="mg/dL")
        add_range(world, "VUNIT", 1, 120, None, None)
        set_rule(world, "VUNIT", low=1, delta_percent=10, delta_days=30)
        first = await receive_order(world, "VUNIT")
        await first.enter(VUNIT="80")
        change_test(world, "VUNIT", "unit = 'mmol/L'")
        set_rule(world, "VUNIT", low=1, delta_percent=10, delta_days=30)
        later = await receive_another_order(first, "VUNIT")
        await later.enter(VUNIT="82")
        # 82 mmol/L may differ from 80 mg/dL by any factor, so a person looks at it.
        assert messages.WAITS_DELTA in (await later.get_row("VUNIT"))["waitsBecause"]

    @pytest.mark.parametrize(
        ("change", "reason"),
        [("unit = 'mmol/L'", messages.WAITS_UNIT), ("method = 'HPLC'", messages.WAITS_METHOD)],
    )
    async def test_waits_since_the_test_has_another_unit_or_method(
        self, world: World, change: str, reason: str
    ) -> None:
        code = "VNOW" + change[0].upper()
        world.add_lab_test(code, unit="mg/dL", method="Oxidase")
        add_range(world, code, 1, 120, None, None)
        set_rule(world, code, low=1)
        bench = await receive_order(world, code)
        # Within the limits as a number, but the limits were meant for something else.
        change_test(world, code, change)
        answer = (await bench.enter(**{code: "90"})).json()
        assert [row["reason"] for row in answer["autoverified"]] == [reason]
        row = await bench.get_row(code)
        assert row["status"] == ResultStatus.UNRELEASED
        assert row["waitsBecause"] == messages.RESULT_WAITS.format(reason=reason)
        assert (await bench.read_results(bench.nurse))[f"TEST {code}"]["result"] is None
        set_rule(world, code, low=1)
        await bench.enter(**{code: "91"})
        assert (await bench.get_row(code))["status"] == ResultStatus.FINAL

    async def test_a_retyped_result_is_judged_again(self, bench: Bench) -> None:
        await bench.enter(VGLU="120")
        assert (await bench.get_row("VGLU"))["waitsBecause"] is not None
        await bench.enter(VGLU="95")
        row = await bench.get_row("VGLU")
        assert (row["status"], row["waitsBecause"]) == (ResultStatus.FINAL, None)

    async def test_an_automatic_release_counts_as_verification(self, bench: Bench) -> None:
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

    async def test_an_automatic_release_adds_reflex_tests(self, bench: Bench) -> None:
        world = bench.world
        world.add_lab_test("VADD")
        world.add_reflex_rule("VGLU", "VADD", low=94)
        await bench.enter(VGLU="95")
        row = await bench.get_row("VADD")
        reason = messages.TEST_ADDED.format(test="TEST VGLU", result="95 (N)")
        assert row["addedBecause"] == reason
        [added_test] = (await bench.read_order())["addedTests"]
        assert added_test["addedBy"] == messages.AUTOVERIFICATION
        world.run_sql("UPDATE reflex_rules SET is_active = false WHERE code = 'VGLU-VADD'")

    async def test_a_calculated_result_follows_its_inputs(self, world: World) -> None:
        for code in ("VWHOLE", "VPART"):
            world.add_lab_test(code, unit="mg/dL", decimals=1)
        world.add_lab_test(
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
        results = await bench.read_results(bench.nurse)
        assert (results["TEST VREST"]["result"], results["TEST VPART"]["result"]) == ("79.0", "11")

    async def test_waits_if_the_rule_is_off(self, bench: Bench) -> None:
        set_rule(bench.world, "VGLU", is_on=False)
        await bench.enter(VGLU="90")
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED

    @pytest.mark.parametrize("value", [{}, {"enabled": False}, {"enabled": "true"}])
    async def test_waits_unless_the_lab_uses_autoverification(
        self, bench: Bench, value: dict
    ) -> None:
        with bench.world.change_setting("autoverification", value):
            await bench.enter(VGLU="90")
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED

    async def test_a_result_that_a_client_entered_waits(self, bench: Bench) -> None:
        flags = {"resultEntryEnabled": True, "resultEntryClientBasic": True}
        with bench.world.change_setting("result-entry", flags):
            answer = await bench.enter(VGLU="90", person=bench.nurse)
        assert answer.status_code == 200, answer.text
        assert (await bench.get_row("VGLU"))["status"] == ResultStatus.UNRELEASED

    async def test_the_details_name_autoverification(self, bench: Bench) -> None:
        await bench.enter(VGLU="90")
        timeline_answer = await bench.world.http.get(
            f"/api/v2/patients/{(await bench.read_order())['patient']['id']}/timeline",
            headers=bench.nurse.headers,
        )
        [event] = [e for e in timeline_answer.json()["data"] if e["kind"] == "released"]
        assert event["by"] == messages.AUTOVERIFICATION
