"""Reviews, withdrawals, holds, and second persons in each family except clinical results."""

from typing import Any

import psycopg
import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from tests.server.exports.desk import Desk
from tests.server.paperwork.reading import extract_text
from tests.server.results.family_benches import (
    CASES,
    Bench,
    hold_everywhere_meanwhile,
    receive_order,
)
from tests.server.world import World


@pytest.fixture(params=CASES)
async def entry_bench(world: World, request: pytest.FixtureRequest) -> Bench:
    """A received order of each family."""
    return await receive_order(world, request.param)


@pytest.fixture
async def bench(entry_bench: Bench) -> Bench:
    """An order with a released result, of each family."""
    await entry_bench.publish(entry_bench.case.first)
    return entry_bench


async def print_report(bench: Bench, person: str) -> str:
    """Return the text of the result report, as this person prints it."""
    answer = await bench.world.http.get(
        "/api/v2/reports/order/results",
        headers=bench.people[person].headers,
        params={"ids": bench.order_id},
    )
    assert answer.status_code == 200, answer.text
    return " ".join(extract_text(answer.content).split())


def count_visible(bench: Bench) -> int:
    """Count the versions of the result that the database shows to the client."""
    table = {
        "microbiology": "cultures",
        "toxicology": "toxicology_results",
        "pathology": "pathology_reports",
    }[bench.case.family]
    with psycopg.connect(bench.world.owner_url) as connection:
        connection.execute("SET LOCAL ROLE as_client")
        connection.execute("SELECT set_config('app.ids', %s, true)", (f"{{{bench.client}}}",))
        row = connection.execute(
            f"SELECT count(*) FROM {table} WHERE order_id = %s", (bench.order_id,)
        ).fetchone()
    assert row is not None
    return int(row[0])


class TestWithholding:
    """POST {family}-withhold and {family}-restore."""

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_nobody_outside_the_lab_sees_the_result(self, bench: Bench, kind: str) -> None:
        word = bench.case.words[0]
        assert word in (await bench.read_result("nurse"))[1]
        answer = await bench.act("withhold", kind=kind, reason="SPECIMEN", words="Mixed up")
        assert answer.status_code == 200, answer.text
        for person in ("nurse", "patient"):
            row, text = await bench.read_result(person)
            assert (row["withheld"], word in text) == (kind, False), person
            assert row["withheldAt"]
        assert word in (await bench.read_result("lab"))[1]
        order = await bench.read_order()
        assert (order["status"], order["hasAlert"]) == (OrderStatus.UNRELEASED, False)
        withheld = (await bench.read_test())["withheld"]
        assert (withheld["kind"], withheld["by"]) == (kind, "Ada Tester")
        assert withheld["words"] == "Mixed up"

    @pytest.mark.parametrize(
        ("kind", "label"),
        [("review", messages.RESULT_UNDER_REVIEW), ("withdrawn", messages.RESULT_WITHDRAWN)],
    )
    async def test_reports_mention_the_withholding_and_its_time(
        self, bench: Bench, kind: str, label: str
    ) -> None:
        await bench.act("withhold", kind=kind, reason="SPECIMEN")
        bench.world.run_sql(
            "UPDATE order_tests SET withheld_at = '2026-03-04 09:15' WHERE order_id = %s",
            (bench.order_id,),
        )
        for person in ("nurse", "lab"):
            text = await print_report(bench, person)
            assert bench.case.words[0] not in text
            assert label in text
            assert "09:15" in text

    async def test_reports_say_that_an_older_withholding_has_no_time(self, bench: Bench) -> None:
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        bench.world.run_sql(
            "UPDATE order_tests SET withheld_at = NULL WHERE order_id = %s", (bench.order_id,)
        )
        expected = messages.RESULT_WITHHELD_TIMELESS.format(words=messages.RESULT_WITHDRAWN)
        text = await print_report(bench, "nurse")
        # A narrow column breaks the line before the last word.
        start, last_word = expected.rsplit(" ", 1)
        assert start in text
        assert last_word in text

    async def test_the_database_hides_a_withheld_result_from_clients(self, bench: Bench) -> None:
        assert count_visible(bench) == 1
        await bench.act("withhold", kind="review", reason="SPECIMEN")
        assert count_visible(bench) == 0

    async def test_a_review_can_become_a_withdrawal(self, bench: Bench) -> None:
        await bench.act("withhold", kind="review", reason="SPECIMEN")
        answer = await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        assert answer.status_code == 200, answer.text
        row, text = await bench.read_result("nurse")
        assert (row["withheld"], bench.case.words[0] in text) == ("withdrawn", False)
        assert count_visible(bench) == 0
        assert (await bench.act("restore")).status_code == 400

    async def test_ending_a_review_shows_the_result_again(self, bench: Bench) -> None:
        await bench.act("withhold", kind="review", reason="REPEAT")
        answer = await bench.act("restore")
        assert answer.status_code == 200, answer.text
        row, text = await bench.read_result("nurse")
        assert (row["withheld"], row["withheldAt"]) == (None, None)
        assert bench.case.words[0] in text
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    @pytest.mark.parametrize(("kind", "is_legible"), [("review", True), ("withdrawn", False)])
    async def test_a_correction_shows_a_result_again(
        self, bench: Bench, kind: str, is_legible: bool
    ) -> None:
        await bench.act("withhold", kind=kind, reason="SPECIMEN")
        await bench.publish(bench.case.corrected)
        earlier, now = bench.case.words
        row, text = await bench.read_result("nurse")
        assert (row["withheld"], now in text) == (None, True)
        assert (earlier in text) is is_legible
        assert now in await print_report(bench, "nurse")
        assert (earlier in await print_report(bench, "lab")) is is_legible
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_a_withdrawn_result_cannot_be_restored(self, bench: Bench) -> None:
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        await bench.act("withhold", kind="review", reason="REPEAT")
        answer = await bench.act("restore")
        assert (answer.status_code, answer.json()["code"]) == (400, "nothing_to_change")
        assert (await bench.read_result("nurse"))[0]["withheld"] == "withdrawn"

    async def test_a_withdrawn_result_can_be_reported_again(self, bench: Bench) -> None:
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        body = {**bench.case.first, "reasonCode": "REPEAT"}
        if "kind" in bench.case.corrected:
            body["kind"] = bench.case.corrected["kind"]
        await bench.publish(body)
        result, text = await bench.read_result("nurse")
        assert result["withheld"] is None
        assert bench.case.words[0] in text

    async def test_needs_a_released_result_and_a_reason(self, entry_bench: Bench) -> None:
        answer = await entry_bench.act("withhold", kind="review", reason="REPEAT")
        assert answer.json()["detail"] == messages.RESULT_NOTHING_TO_WITHHOLD
        await entry_bench.publish(entry_bench.case.first)
        answer = await entry_bench.act("withhold", kind="review", reason="NONSENSE")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "reason")

    async def test_only_the_lab_may_withhold(self, bench: Bench) -> None:
        for act in ("withhold", "restore", "holds"):
            answer = await bench.act(act, "nurse", kind="review", reason="REPEAT")
            assert answer.status_code == 403, act


class TestCorrectionsOfWithdrawnResults:
    """A correction says that it is one, although the earlier value stays inside the lab."""

    @pytest.mark.parametrize("family", ["microbiology", "toxicology"])
    async def test_is_marked_for_every_reader(self, world: World, family: str) -> None:
        bench = await receive_order(world, family)
        await bench.publish(bench.case.first)
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        await bench.publish(bench.case.corrected)
        for person in ("nurse", "patient", "lab"):
            text = await print_report(bench, person)
            assert "FINAL, CORRECTED" in text, person
            assert "(corrected)" in text, person
            assert "(Wrong specimen or patient)" in text, person
            assert bench.case.words[0] not in text, person
        row, _ = await bench.read_result("nurse")
        if family == "microbiology":
            [correction] = row["corrections"]
            assert (correction["reason"], correction["changes"]) == (
                "Wrong specimen or patient",
                [],
            )
        else:
            assert (row["reason"], row["correctedFrom"]) == ("Wrong specimen or patient", [])

    @pytest.mark.parametrize("family", ["microbiology", "toxicology"])
    async def test_is_marked_in_exports_and_cumulative_results(
        self, world: World, family: str
    ) -> None:
        bench = await receive_order(world, family)
        await bench.publish(bench.case.first)
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        await bench.publish(bench.case.corrected)
        rows = await Desk(world).export(bench.people["nurse"])
        assert {(row["Result Status"], row["Corrected"]) for row in rows} == {("CORRECTED", "Yes")}
        assert bench.case.words[0] not in str(rows)
        path = f"{family}-cumulative-results?startDate=2000-01-01&endDate=2100-01-01"
        [day] = (await bench.send("GET", path, person="nurse")).json()
        assert day["orders"][0]["results"][0]["isCorrected"] is True

    async def test_a_revised_report_is_exported_as_corrected(self, world: World) -> None:
        bench = await receive_order(world, "pathology")
        await bench.publish(bench.case.first)
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        await bench.publish(bench.case.corrected)
        [row] = await Desk(world).export(bench.people["nurse"])
        assert (row["Result Status"], row["Corrected"]) == ("CORRECTED", "Yes")

    @pytest.mark.parametrize("family", ["microbiology", "toxicology"])
    async def test_a_reason_does_not_mark_a_first_result_as_corrected(
        self, world: World, family: str
    ) -> None:
        bench = await receive_order(world, family)
        await bench.publish({**bench.case.first, "reasonCode": "SPECIMEN"})
        assert "CORRECTED" not in await print_report(bench, "nurse")


class TestHolds:
    """POST {family}-holds and lift."""

    async def test_a_held_test_cannot_be_released(self, entry_bench: Bench) -> None:
        await entry_bench.enter(entry_bench.case.first)
        hold_answer = await entry_bench.act("holds", reason="CONTROL")
        assert hold_answer.status_code == 200, hold_answer.text
        test = await entry_bench.read_test()
        [hold] = test["holds"]
        assert hold["everyOrder"] is False
        for is_chosen in (True, False):
            answer = await entry_bench.release(is_chosen=is_chosen)
            assert (answer.status_code, answer.json()["code"]) == (409, "not_releasable")
        assert answer.json()["detail"] == test["leftBecause"]
        assert hold["reason"] in test["leftBecause"]
        path = f"{entry_bench.case.family}-holds/{hold['id']}/lift"
        assert (await entry_bench.send("POST", path, {})).status_code == 200
        assert (await entry_bench.release()).status_code == 200

    async def test_the_lab_sees_who_placed_and_lifted_a_hold(self, entry_bench: Bench) -> None:
        lifter = entry_bench.people["other"].user_id
        entry_bench.world.run_sql("UPDATE users SET first_name = 'Lia' WHERE id = %s", (lifter,))
        await entry_bench.act("holds", reason="CONTROL", words="2-2s")
        [hold] = (await entry_bench.read_test())["holds"]
        path = f"{entry_bench.case.family}-holds/{hold['id']}/lift"
        answer = await entry_bench.send("POST", path, {"words": "New control"}, "other")
        entry = await entry_bench.send("GET", f"{entry_bench.case.family}-entry")
        assert answer.json()["holdRecords"] == entry.json()["holdRecords"]
        [record] = entry.json()["holdRecords"]
        assert record.pop("liftedAt") >= record["placedAt"]
        assert record == {
            **{key: hold[key] for key in ("id", "reason", "words", "placedAt", "everyOrder")},
            "test": record["test"],
            "placedBy": "Ada Tester",
            "liftedBy": "Lia Tester",
            "liftedWords": "New control",
        }
        assert record["test"]

    async def test_a_test_is_held_once_in_an_order(
        self, entry_bench: Bench, parse_problem: Any
    ) -> None:
        assert (await entry_bench.act("holds", reason="CONTROL")).status_code == 200
        answer = await entry_bench.act("holds", reason="REAGENT")
        problem = parse_problem(answer)
        assert (answer.status_code, problem["code"]) == (400, "nothing_to_change")
        test = await entry_bench.read_test()
        assert problem["detail"] == messages.RESULT_HELD_ALREADY.format(
            test=test["name"], reason="Control out of range"
        )
        assert len(test["holds"]) == 1

    async def test_a_test_held_in_its_order_can_be_held_in_every_order(
        self, world: World, entry_bench: Bench, parse_problem: Any
    ) -> None:
        await entry_bench.act("holds", reason="CONTROL")
        try:
            answer = await entry_bench.act("holds", reason="REAGENT", everyOrder=True)
            assert answer.status_code == 200, answer.text
            again = parse_problem(await entry_bench.act("holds", reason="REAGENT", everyOrder=True))
            assert again["detail"].startswith((await entry_bench.read_test())["name"])
            assert [hold["everyOrder"] for hold in (await entry_bench.read_test())["holds"]] == [
                False,
                True,
            ]
        finally:
            world.run_sql("UPDATE result_holds SET lifted_at = now() WHERE order_id IS NULL")

    async def test_two_people_do_not_hold_every_order_at_once(
        self, world: World, entry_bench: Bench, parse_problem: Any
    ) -> None:
        test = await entry_bench.read_test()
        try:
            answer = await hold_everywhere_meanwhile(
                world,
                test["orderTestId"],
                entry_bench.people["other"],
                entry_bench.act("holds", reason="REAGENT", everyOrder=True),
            )
            assert (answer.status_code, parse_problem(answer)["detail"]) == (
                400,
                messages.RESULT_HELD_EVERYWHERE_ALREADY.format(
                    test=test["name"], reason="Control out of range"
                ),
            )
        finally:
            world.run_sql("UPDATE result_holds SET lifted_at = now() WHERE order_id IS NULL")

    async def test_a_canceled_test_cannot_be_held(
        self, entry_bench: Bench, parse_problem: Any
    ) -> None:
        test = await entry_bench.read_test()
        canceled_answer = await entry_bench.send(
            "POST",
            "cancel",
            {"orderTestIds": [test["orderTestId"]], "reason": "DUPLICATE"},
        )
        assert canceled_answer.status_code == 200, canceled_answer.text
        world = entry_bench.world
        # Only an order with another test stays open.
        world.run_sql(
            "UPDATE orders SET status = %s WHERE id = %s",
            (OrderStatus.PENDING, entry_bench.order_id),
        )
        answer = await entry_bench.act("holds", reason="CONTROL")
        assert (answer.status_code, parse_problem(answer)["detail"]) == (
            400,
            messages.RESULT_TEST_CANCELED.format(test=test["name"]),
        )

    async def test_a_hold_can_cover_every_order(self, world: World, entry_bench: Bench) -> None:
        another = await receive_order(world, entry_bench.case.family)
        await another.enter(another.case.first)
        try:
            await entry_bench.act("holds", reason="CONTROL", everyOrder=True)
            [hold] = (await another.read_test())["holds"]
            assert hold["everyOrder"] is True
            assert (await another.release()).status_code == 409
        finally:
            world.run_sql("UPDATE result_holds SET lifted_at = now() WHERE order_id IS NULL")
        assert (await another.release()).status_code == 200


class TestSecondPerson:
    """Releases where the lab requires two people (ADR 53)."""

    @pytest.fixture(autouse=True)
    def require_two(self, world: World):
        """Require two people."""
        flags = {"resultEntryEnabled": True, "resultVerificationRequired": True}
        with world.change_setting("result-entry", flags):
            yield

    async def test_a_result_is_not_released_by_the_person_who_entered_it(
        self, entry_bench: Bench
    ) -> None:
        await entry_bench.enter(entry_bench.case.first)
        obstacle = (await entry_bench.read_test())["leftBecause"]
        for is_chosen in (True, False):
            answer = await entry_bench.release(is_chosen=is_chosen)
            assert (answer.status_code, answer.json()["detail"]) == (409, obstacle)
        assert obstacle.endswith("was entered by you; another person must release it")
        assert (await entry_bench.read_test("other"))["leftBecause"] is None
        assert (await entry_bench.release("other")).status_code == 200


class TestPathology:
    """Cases that only reports with addenda have."""

    async def test_an_addendum_waits_for_a_revision_of_a_withheld_report(
        self, world: World
    ) -> None:
        bench = await receive_order(world, "pathology")
        await bench.publish(bench.case.first)
        addendum = {"kind": 2, "comment": "<p>Ki-67.</p>", "signedOutBy": "DANA HALL, MD"}
        assert (await bench.enter(addendum)).status_code == 200
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        assert (await bench.read_test())["nextKinds"] == [4]
        text = messages.PATHOLOGY_WITHHELD.format(test=(await bench.read_test())["name"])
        for answer in (await bench.release(), await bench.enter({**addendum, "flag": "A"})):
            assert (answer.status_code, answer.json()["errors"][0]["message"]) == (400, text)


class TestMicrobiology:
    """Cases that only cultures with stages have."""

    async def test_a_withheld_preliminary_culture_cannot_become_final(self, world: World) -> None:
        bench = await receive_order(world, "microbiology")
        await bench.enter(bench.case.first)
        await bench.release(kind="preliminary")
        await bench.act("withhold", kind="review", reason="REPEAT")
        assert (await bench.release(is_chosen=True)).status_code == 400


class TestToxicology:
    """Cases that only results with verdicts have."""

    async def test_withdrawing_a_result_removes_its_verdict(self, world: World) -> None:
        bench = await receive_order(world, "toxicology")
        await bench.publish(bench.case.first)
        part = "toxicology-unexpected-positive-results"
        assert (await bench.send("GET", part, person="nurse")).json()
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        assert (await bench.send("GET", part, person="nurse")).json() == []
        row, _ = await bench.read_result("nurse")
        assert row["status"] == ResultStatus.PENDING
