"""Reflex tests: released results that add tests to their order (ADR 49)."""

import asyncio

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultKind, ResultStatus
from tests.server.paperwork.reading import extract_text
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a hormone; above 10 the lab adds a second one, which is measured in plasma."""
    world.add_lab_test("XTSH", unit="mIU/L")
    world.add_lab_test("XFT4", unit="ng/dL", container="Purple Top")
    world.add_reflex_rule("XTSH", "XFT4")
    return await receive_order(world, "XTSH")


async def list_codes(bench: Bench) -> list[str]:
    """List the codes of the order's tests in result entry."""
    return [row["code"] for row in (await bench.read_entry())["rows"]]


async def read_report(bench: Bench, report: str) -> str:
    """Read the text of a report as the nurse prints it."""
    answer = await bench.world.http.get(
        f"/api/v2/reports/order/{report}?ids={bench.order_id}", headers=bench.nurse.headers
    )
    return " ".join(extract_text(answer.content).split())


def format_removed_reason(change: str) -> str:
    """Return the text that says that this change removed the reason for the added test."""
    return messages.TEST_ADDED_GONE_SINCE.format(change=change)


REASON = messages.TEST_ADDED.format(test="TEST XTSH", result="12.5")
CORRECTED_REASON = messages.TEST_ADDED_CORRECTED.format(test="TEST XTSH", result="1.25")
GONE_REASON = f"{REASON}. {format_removed_reason(CORRECTED_REASON)}"
WITHDRAWN = format_removed_reason(messages.TEST_ADDED_WITHDRAWN.format(test="TEST XTSH"))


class TestRelease:
    """A released result that meets an active rule adds a test in the same transaction."""

    async def test_adds_a_pending_test_that_says_why(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        assert await list_codes(bench) == ["XTSH"]
        answer = await bench.release()
        assert answer.status_code == 200, answer.text
        _, row = answer.json()["rows"]
        assert (row["code"], row["addedBecause"], row["isReasonGone"]) == ("XFT4", REASON, False)
        assert row["status"] == ResultStatus.PENDING
        assert answer.json()["version"] == (await bench.read_entry())["version"]

    async def test_a_final_order_is_open_again(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        assert (await bench.read_order())["status"] == OrderStatus.PARTIAL
        await bench.enter(XFT4="1.2")
        await bench.release()
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_the_order_says_why_the_test_was_added(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        [added_test] = (await bench.read_order())["addedTests"]
        assert (added_test["name"], added_test["because"]) == ("TEST XFT4", REASON)
        assert added_test["addedBy"] == "Ada Tester"
        results = await bench.read_results(bench.nurse)
        assert results["TEST XFT4"]["status"] == ResultStatus.PENDING

    async def test_report_and_details_say_why_the_test_was_added(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        for report in ("results", "details"):
            assert f"TEST XFT4: {REASON}" in await read_report(bench, report), report

    async def test_order_is_found_by_the_added_test(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        test_ids = bench.world.run_sql(
            "SELECT test_ids FROM orders WHERE id = %s", (bench.order_id,)
        )
        assert test_ids == [bench.world.get_test_id("XTSH"), bench.world.get_test_id("XFT4")]

    async def test_audits_the_rule(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        assert bench.world.fetch_rows(
            "SELECT user_id::text, detail FROM audit_events WHERE action = 'add-tests'"
            " AND record_ids = %s::bigint[]",
            ([bench.order_id],),
        ) == [(bench.lab.user_id, {"rules": ["XTSH-XFT4"]})]

    async def test_expects_an_additional_tube(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        answer = await bench.world.http.get(f"{bench.path}/specimens", headers=bench.lab.headers)
        tubes = [(t["number"], t["container"], t["state"]) for t in answer.json()["tubes"]]
        assert tubes == [(1, "Gold Top", "received"), (2, "Purple Top", "expected")]

    async def test_adds_tests_to_many_orders_at_once(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        answer = await bench.world.http.post(
            "/api/v2/orders/release-results",
            headers=bench.lab.headers,
            json={"ids": [bench.order_id]},
        )
        [order] = answer.json()["data"]
        assert order["status"] == OrderStatus.PARTIAL
        assert await list_codes(bench) == ["XTSH", "XFT4"]

    async def test_an_added_row_takes_over_the_result_of_a_canceled_one(self, world: World) -> None:
        for code in ("XFIRST", "XHELD", "XNEXT"):
            world.add_lab_test(code)
        world.add_panel("XBOTH", "XHELD", "XNEXT")
        world.add_reflex_rule("XFIRST", "XBOTH")
        bench = await receive_order(world, "XFIRST", "XHELD")
        await bench.enter(XFIRST="12", XHELD="5")
        canceled_id = (await bench.get_row("XHELD"))["orderTestId"]
        assert (await bench.post("cancel", "XHELD", reason="SPECIMEN")).status_code == 200
        assert (await bench.release("XFIRST")).status_code == 200
        rows = [r for r in (await bench.read_entry())["rows"] if r["code"] == "XHELD"]
        [owner_id] = {r["sameAs"] or r["orderTestId"] for r in rows}
        assert owner_id != canceled_id
        assert [r["result"] for r in rows] == [None, "5"]
        assert (await bench.release()).status_code == 200
        assert (await bench.read_results(bench.nurse))["TEST XHELD"]["result"] == "5"

    async def test_adds_a_panel_with_its_members(self, world: World) -> None:
        world.add_lab_test("XIRON")
        world.add_lab_test("XFERR")
        world.add_panel("XIRONP", "XIRON", "XFERR")
        world.add_lab_test("XHGB")
        world.add_reflex_rule("XHGB", "XIRONP", "below", low=None, high=10)
        bench = await receive_order(world, "XHGB")
        await bench.enter(XHGB="9.9")
        rows = (await bench.release()).json()["rows"]
        assert [(row["code"], row["level"]) for row in rows] == [
            ("XHGB", 0),
            ("XIRONP", 0),
            ("XIRON", 1),
            ("XFERR", 1),
        ]
        assert {row["parentId"] for row in rows[2:]} == {rows[1]["orderTestId"]}
        assert [row["addedBecause"] is None for row in rows] == [True, False, True, True]
        await bench.enter(XIRON="1", XFERR="2")
        await bench.release()
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_adds_a_culture(self, world: World) -> None:
        world.add_lab_test(
            "XULE", result_type=32, choices=["NEGATIVE", "1+"], normal_choices=["NEGATIVE"]
        )
        world.add_reflex_rule("XULE", "UCUL", "equals", low=None, words=["1+"])
        bench = await receive_order(world, "XULE")
        await bench.enter(XULE="1+")
        await bench.release()
        types_answer = await bench.world.http.get(
            f"{bench.path}/results-types", headers=bench.lab.headers
        )
        assert types_answer.json()["hasMicrobiologyResult"] is True
        kind = world.run_sql(
            "SELECT kind FROM order_tests WHERE order_id = %s AND name = 'CULTURE, URINE'",
            (bench.order_id,),
        )
        assert kind == ResultKind.MICROBIOLOGY
        assert (await bench.read_order())["status"] == OrderStatus.PARTIAL


class TestNothingToAdd:
    """A test is added only for a certain reason, and never twice."""

    @pytest.mark.parametrize("value", ["9.9", "10", "<12", "<=50", ">9"])
    async def test_ignores_a_value_that_may_not_meet_the_condition(
        self, bench: Bench, value: str
    ) -> None:
        await bench.enter(XTSH=value)
        await bench.release()
        assert await list_codes(bench) == ["XTSH"]
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_ignores_an_inactive_rule(self, world: World) -> None:
        world.add_lab_test("XOFF")
        world.add_lab_test("XOFF2")
        world.add_reflex_rule("XOFF", "XOFF2", is_active=False)
        bench = await receive_order(world, "XOFF")
        await bench.enter(XOFF="50")
        await bench.release()
        assert await list_codes(bench) == ["XOFF"]

    async def test_adds_no_test_that_a_panel_of_the_order_contains(self, bench: Bench) -> None:
        bench.world.add_panel("XTHYR", "XFT4")
        other_bench = await receive_order(bench.world, "XTSH", "XTHYR")
        await other_bench.enter(XTSH="12.5")
        await other_bench.release("XTSH")
        assert await list_codes(other_bench) == ["XTSH", "XTHYR", "XFT4"]

    async def test_adds_no_panel_whose_members_are_ordered(self, bench: Bench) -> None:
        world = bench.world
        world.add_lab_test("XTRIG")
        world.add_panel("XTHYR2", "XTSH", "XFT4")
        world.add_reflex_rule("XTRIG", "XTHYR2")
        other_bench = await receive_order(world, "XTRIG", "XTSH", "XFT4")
        await other_bench.enter(XTRIG="50")
        await other_bench.release("XTRIG")
        assert await list_codes(other_bench) == ["XTRIG", "XTSH", "XFT4"]

    async def test_adds_no_canceled_test_again(self, bench: Bench) -> None:
        other_bench = await receive_order(bench.world, "XTSH", "XFT4")
        await other_bench.post("cancel", "XFT4", reason="SPECIMEN")
        await other_bench.enter(XTSH="12.5")
        await other_bench.release("XTSH")
        assert await list_codes(other_bench) == ["XTSH", "XFT4"]
        assert (await other_bench.get_row("XFT4"))["status"] == ResultStatus.CANCELED

    async def test_adds_nothing_before_the_release(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.post("holds", "XTSH", reason="CONTROL")
        assert (await bench.release("XTSH")).status_code == 409
        assert await list_codes(bench) == ["XTSH"]

    async def test_adds_no_private_test_of_another_client(self, bench: Bench) -> None:
        world = bench.world
        world.add_lab_test("XTRIG2")
        world.add_lab_test("XOWN", client_id=world.create_client())
        world.add_reflex_rule("XTRIG2", "XOWN")
        other_bench = await receive_order(world, "XTRIG2")
        await other_bench.enter(XTRIG2="50")
        await other_bench.release()
        assert await list_codes(other_bench) == ["XTRIG2"]

    async def test_adds_a_test_once_despite_cyclic_rules(self, bench: Bench) -> None:
        world = bench.world
        for code in ("XA", "XB", "XC"):
            world.add_lab_test(code)
        for pair in (("XA", "XB"), ("XB", "XC"), ("XC", "XA"), ("XB", "XA")):
            world.add_reflex_rule(*pair)
        other_bench = await receive_order(world, "XA")
        for code in ("XA", "XB", "XC"):
            await other_bench.enter(**{code: "50"})
            assert (await other_bench.release(code)).status_code == 200
        assert await list_codes(other_bench) == ["XA", "XB", "XC"]
        assert (await other_bench.read_order())["status"] == OrderStatus.FINAL

    async def test_adds_a_test_once_despite_a_correction(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        await bench.correct(XTSH="13")
        await bench.release("XTSH")
        assert await list_codes(bench) == ["XTSH", "XFT4"]

    async def test_adds_a_test_once_in_two_concurrent_releases(self, bench: Bench) -> None:
        bench.world.add_lab_test("XTRIG3")
        bench.world.add_reflex_rule("XTRIG3", "XFT4")
        other_bench = await receive_order(bench.world, "XTSH", "XTRIG3")
        await other_bench.enter(XTSH="12.5", XTRIG3="50")
        answers = await asyncio.gather(other_bench.release("XTSH"), other_bench.release("XTRIG3"))
        assert [answer.status_code for answer in answers] == [200, 200]
        assert await list_codes(other_bench) == ["XTSH", "XTRIG3", "XFT4"]

    async def test_adds_a_test_once_in_a_repeated_request(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        headers = {**bench.lab.headers, "Idempotency-Key": f"reflex-{bench.order_id}"}

        async def release():
            return await bench.world.http.post(
                f"{bench.path}/release", headers=headers, json={"orderTestIds": None}
            )

        first, second = await release(), await release()
        assert (first.status_code, second.status_code) == (200, 200)
        assert first.json() == second.json()
        assert await list_codes(bench) == ["XTSH", "XFT4"]

    async def test_database_rejects_a_second_addition(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        assert (
            bench.world.run_sql(
                "SELECT count(*) FROM order_additions WHERE order_id = %s", (bench.order_id,)
            )
            == 1
        )
        copied_rows = bench.world.fetch_rows(
            "INSERT INTO order_additions (order_id, order_test_id, rule_id, trigger_test_id,"
            " trigger_revision, added_at) SELECT order_id, trigger_test_id, rule_id,"
            " trigger_test_id, trigger_revision, added_at FROM order_additions WHERE order_id = %s"
            " ON CONFLICT (order_id, rule_id) DO NOTHING RETURNING id",
            (bench.order_id,),
        )
        assert copied_rows == []


class TestCorrection:
    """An added test after its reason changes."""

    async def test_a_correction_that_meets_the_condition_adds_the_test(self, bench: Bench) -> None:
        await bench.enter(XTSH="5")
        await bench.release()
        await bench.correct(XTSH="12.5")
        assert await list_codes(bench) == ["XTSH"]
        await bench.release("XTSH")
        assert (await bench.get_row("XFT4"))["addedBecause"] == REASON
        assert (await bench.read_order())["status"] == OrderStatus.PARTIAL

    async def test_a_correction_that_removes_the_reason_leaves_the_test(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        await bench.correct(XTSH="1.25")
        assert (await bench.get_row("XFT4"))["isReasonGone"] is False
        await bench.release("XTSH")
        row = await bench.get_row("XFT4")
        assert (row["addedBecause"], row["isReasonGone"]) == (GONE_REASON, True)
        answer = await bench.post("cancel", "XFT4", reason="SPECIMEN")
        assert answer.status_code == 200, answer.text
        order = await bench.read_order()
        assert order["status"] == OrderStatus.FINAL
        assert order["addedTests"][0]["isCanceled"] is True

    async def test_everybody_reads_that_the_reason_is_gone(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        await bench.correct(XTSH="1.25")
        [added_test] = (await bench.read_order())["addedTests"]
        # Nobody outside the lab learns of a correction that is not released.
        assert (added_test["because"], added_test["isReasonGone"]) == (REASON, False)
        await bench.release("XTSH")
        [added_test] = (await bench.read_order())["addedTests"]
        assert (added_test["because"], added_test["isReasonGone"]) == (GONE_REASON, True)
        assert added_test["isCanceled"] is False
        for report in ("results", "details"):
            assert f"TEST XFT4: {GONE_REASON}" in await read_report(bench, report), report
        await bench.post("cancel", "XFT4", reason="SPECIMEN")
        assert f"TEST XFT4 (CANCELED): {GONE_REASON}" in await read_report(bench, "results")

    async def test_another_correction_restores_the_reason(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        for value, is_gone in (("1.25", True), ("11", False)):
            await bench.correct(XTSH=value)
            await bench.release("XTSH")
            [added_test] = (await bench.read_order())["addedTests"]
            assert added_test["isReasonGone"] is is_gone
        change = messages.TEST_ADDED_CORRECTED.format(test="TEST XTSH", result="11")
        assert added_test["because"] == f"{REASON}. {change}"
        assert (await bench.get_row("XFT4"))["addedBecause"] == added_test["because"]

    async def test_correcting_the_comment_does_not_change_the_reason(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        write = {"correction": {"reason": "TRANSCRIPTION"}, "comment": "Measured twice"}
        await bench.enter(write=write, XTSH="12.5")
        await bench.release("XTSH")
        [added_test] = (await bench.read_order())["addedTests"]
        assert (added_test["because"], added_test["isReasonGone"]) == (REASON, False)

    async def test_withdrawn_reason_stays_inside_the_lab(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        await bench.post("withhold", "XTSH", kind="withdrawn", reason="REPEAT")
        # The order page is what the lab reads to a client, and its report leaves the lab.
        for person in (bench.nurse, bench.lab):
            order_answer = await bench.world.http.get(bench.path, headers=person.headers)
            [added_test] = order_answer.json()["addedTests"]
            reason_without_value = messages.TEST_ADDED_OF.format(test="TEST XTSH")
            assert added_test["because"] == f"{reason_without_value}. {WITHDRAWN}"
        row = await bench.get_row("XFT4")
        assert (row["addedBecause"], row["isReasonGone"]) == (f"{REASON}. {WITHDRAWN}", True)

    async def test_corrected_reason_under_review_stays_inside_the_lab(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        await bench.correct(XTSH="13.75")
        await bench.release("XTSH")
        await bench.post("withhold", "XTSH", kind="review", reason="REPEAT")
        for person in (bench.nurse, bench.lab):
            order_answer = await bench.world.http.get(bench.path, headers=person.headers)
            [added_test] = order_answer.json()["addedTests"]
            assert added_test["because"] == messages.TEST_ADDED_OF.format(test="TEST XTSH")

    async def test_reason_under_review_is_not_gone(self, bench: Bench) -> None:
        await bench.enter(XTSH="12.5")
        await bench.release()
        await bench.post("withhold", "XTSH", kind="review", reason="REPEAT")
        assert (await bench.get_row("XFT4"))["isReasonGone"] is False
