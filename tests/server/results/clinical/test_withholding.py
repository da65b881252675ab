"""Corrections with a reason, reviews, withdrawals, holds, and verification."""

import re

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus, Role
from tests.server.exports.desk import Desk
from tests.server.paperwork.reading import extract_text
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.results.family_benches import hold_everywhere_meanwhile
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for glucose and potassium, with a released glucose of 512."""
    bench = await receive_order(world, "GLU", "K")
    await bench.enter(GLU="512")
    assert (await bench.release("GLU")).status_code == 200
    return bench


class TestCorrecting:
    """A released result changes only with a reason."""

    async def test_needs_a_reason(self, bench: Bench, parse_problem) -> None:
        answer = await bench.enter(GLU="90")
        text = messages.RESULT_NEEDS_CORRECTION.format(test="GLUCOSE")
        assert (answer.status_code, parse_problem(answer)["code"]) == (409, "correction_required")
        assert parse_problem(answer)["errors"] == [
            {"field": "results.0.correction", "message": text}
        ]

    @pytest.mark.parametrize(
        ("reason", "words", "field", "message"),
        [
            ("NONSENSE", "", "results.0.correction.reason", messages.REASON_UNKNOWN),
            ("OTHER", " ", "results.0.correction.words", messages.REASON_NEEDS_WORDS),
        ],
    )
    async def test_needs_a_reason_of_the_list(
        self, bench: Bench, parse_problem, reason: str, words: str, field: str, message: str
    ) -> None:
        answer = await bench.correct(reason, words, GLU="90")
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [{"field": field, "message": message}]

    async def test_an_unreleased_correction_keeps_its_reason(self, bench: Bench) -> None:
        await bench.correct("SPECIMEN", "Tube of the bed beside", GLU="90")
        assert (await bench.enter(GLU="91")).status_code == 200
        row = await bench.get_row("GLU")
        assert (row["reason"], row["reasonWords"]) == (
            "Wrong specimen or patient",
            "Tube of the bed beside",
        )
        assert (row["releasedResult"], row["result"]) == ("512", "91")

    async def test_shows_the_earlier_value_and_by_whom_when_and_why_it_was_corrected(
        self, bench: Bench
    ) -> None:
        await bench.correct("SPECIMEN", "Tube of the bed beside", GLU="90")
        assert (await bench.read_results(bench.nurse))["GLUCOSE"]["corrections"] == []
        await bench.release("GLU")
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        [correction] = row["corrections"]
        assert row["result"] == "90"
        assert correction.pop("correctedAt")
        assert correction == {
            "result": "512",
            "flag": "HH",
            "unit": "mg/dL",
            "referenceRange": "70 - 99",
            "comment": None,
            "correctedBy": "Ada Tester",
            "reason": "Wrong specimen or patient",
            "words": "Tube of the bed beside",
        }

    async def test_patients_see_no_names(self, bench: Bench) -> None:
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person(Role.PATIENT, patient_ids=[patient_id])
        await bench.correct(GLU="90")
        await bench.release("GLU")
        [correction] = (await bench.read_results(patient))["GLUCOSE"]["corrections"]
        assert (correction["result"], correction["correctedBy"]) == ("512", None)


class TestWithholding:
    """POST withhold and restore."""

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_nobody_outside_the_lab_sees_the_value(self, bench: Bench, kind: str) -> None:
        assert (await bench.read_order())["hasAlert"] is True
        answer = await bench.post("withhold", "GLU", kind=kind, reason="SPECIMEN", words="Mixed up")
        assert answer.status_code == 200, answer.text
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (row["result"], row["flag"], row["withheld"]) == (None, None, kind)
        assert (await bench.read_results(bench.lab))["GLUCOSE"]["result"] == "512"
        order = await bench.read_order()
        assert (order["status"], order["hasAlert"]) == (OrderStatus.UNRELEASED, False)
        entry = await bench.get_row("GLU")
        assert entry["withheld"]["kind"] == kind
        assert (entry["withheld"]["by"], entry["withheld"]["words"]) == ("Ada Tester", "Mixed up")

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_result_entry_hides_the_value_outside_the_lab(
        self, bench: Bench, kind: str
    ) -> None:
        await bench.post("withhold", "GLU", kind=kind, reason="SPECIMEN", words="Mixed up")
        path = f"/api/v2/orders/{bench.order_id}/result-entry"
        with bench.world.allow_result_entry("Enabled", "ClientBasic"):
            answer = await bench.world.http.get(path, headers=bench.nurse.headers)
        assert answer.status_code == 200, answer.text
        [row] = [row for row in answer.json()["rows"] if row["code"] == "GLU"]
        names = ("result", "measured", "flag", "comment", "releasedResult", "enteredBy")
        assert [row[name] for name in names] == [None] * len(names)
        assert (row["status"], row["withheld"]["kind"]) == (ResultStatus.FINAL, kind)
        assert (row["withheld"]["reason"], row["withheld"]["words"]) == (None, None)
        assert '"512"' not in answer.text and "Mixed up" not in answer.text

    async def test_the_database_hides_a_withheld_result_from_clients(self, bench: Bench) -> None:
        await bench.post("withhold", "GLU", kind="review", reason="SPECIMEN")
        path = "/api/v2/reports/order/results"
        answer = await bench.world.http.get(
            path, params={"ids": bench.order_id}, headers=bench.nurse.headers
        )
        assert answer.status_code == 200
        assert not re.search(r"\b512\b", extract_text(answer.content))

    async def test_a_review_can_become_a_withdrawal(self, bench: Bench) -> None:
        await bench.post("withhold", "GLU", kind="review", reason="REPEAT")
        answer = await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        assert answer.status_code == 200, answer.text
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (row["result"], row["withheld"]) == (None, "withdrawn")
        assert (await bench.get_row("GLU"))["withheld"]["reason"] == "Wrong specimen or patient"
        assert (await bench.post("restore", "GLU")).status_code == 400
        await bench.correct("SPECIMEN", GLU="90")
        await bench.release("GLU")
        assert (await bench.read_results(bench.nurse))["GLUCOSE"]["corrections"] == []

    async def test_ending_a_review_shows_the_value_again(self, bench: Bench) -> None:
        await bench.post("withhold", "GLU", kind="review", reason="REPEAT")
        assert (await bench.post("restore", "GLU")).status_code == 200
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (row["result"], row["withheld"]) == ("512", None)
        assert (await bench.read_order())["hasAlert"] is True

    async def test_the_audit_counts_a_repeated_test_once(self, bench: Bench) -> None:
        assert (
            await bench.post("withhold", "GLU", "GLU", kind="review", reason="REPEAT")
        ).status_code == 200
        assert (await bench.post("restore", "GLU", "GLU")).status_code == 200
        counts = bench.world.run_sql(
            "SELECT array_agg((detail ->> 'tests')::int) FROM audit_events"
            " WHERE kind = 'order-results' AND action IN ('withhold', 'restore')"
            " AND record_ids = ARRAY[%s::bigint]",
            (bench.order_id,),
        )
        assert counts == [1, 1]

    @pytest.mark.parametrize(("kind", "earlier"), [("review", ["512"]), ("withdrawn", [])])
    async def test_a_correction_shows_the_result_again(
        self, bench: Bench, kind: str, earlier: list[str]
    ) -> None:
        await bench.post("withhold", "GLU", kind=kind, reason="SPECIMEN")
        await bench.correct("SPECIMEN", GLU="90")
        assert (await bench.read_results(bench.nurse))["GLUCOSE"]["result"] is None
        await bench.release("GLU")
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (row["result"], row["withheld"]) == ("90", None)
        assert [correction["result"] for correction in row["corrections"]] == earlier

    async def test_the_correction_of_a_withdrawn_value_is_marked_for_every_reader(
        self, bench: Bench
    ) -> None:
        await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        await bench.correct("SPECIMEN", "Tube of the bed beside", GLU="90")
        await bench.release("GLU")
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (row["isCorrected"], row["corrections"]) == (True, [])
        assert (row["reason"], row["reasonWords"]) == (
            "Wrong specimen or patient",
            "Tube of the bed beside",
        )
        for person in (bench.nurse, bench.lab):
            answer = await bench.world.http.get(
                "/api/v2/reports/order/results",
                params={"ids": bench.order_id},
                headers=person.headers,
            )
            text = " ".join(extract_text(answer.content).split())
            assert "PARTIAL, CORRECTED" in text
            assert "90 (corrected)" in text
            reasons = "(Wrong specimen or patient, Tube of the bed beside)"
            assert f"by Ada Tester {reasons}" in text
            assert not re.search(r"\b512\b", text)  # a code may contain it
        [exported] = await Desk(bench.world).export(bench.nurse)
        assert (exported["Result Status"], exported["Corrected"]) == ("CORRECTED", "Yes")
        path = f"{bench.path}/clinical-cumulative-results?startDate=2000-01-01&endDate=2100-01-01"
        [day] = (await bench.world.http.get(path, headers=bench.nurse.headers)).json()
        assert day["orders"][0]["results"][0]["isCorrected"] is True

    @pytest.mark.parametrize(
        ("act", "message"),
        [
            ("withhold", messages.RESULT_NOTHING_TO_WITHHOLD),
            ("restore", messages.RESULT_NOTHING_UNDER_REVIEW),
        ],
    )
    async def test_needs_a_result_in_that_state(
        self, bench: Bench, parse_problem, act: str, message: str
    ) -> None:
        answer = await bench.post(act, "K", kind="review", reason="REPEAT")
        assert (answer.status_code, parse_problem(answer)["detail"]) == (400, message)

    @pytest.mark.parametrize("act", ["withhold", "restore"])
    async def test_a_canceled_test_has_no_result(self, bench: Bench, act: str) -> None:
        assert (await bench.post("cancel", "K", reason="SPECIMEN")).status_code == 200
        answer = await bench.post(act, "K", kind="review", reason="REPEAT")
        assert answer.status_code == 400

    async def test_a_withdrawn_value_can_be_reported_again(self, bench: Bench) -> None:
        await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        assert (await bench.enter(GLU="512")).json()["version"] == (await bench.read_entry())[
            "version"
        ]
        assert not (await bench.get_row("GLU"))["isCorrection"]
        await bench.correct("SPECIMEN", GLU="512")
        assert (await bench.get_row("GLU"))["isCorrection"]
        assert (await bench.release("GLU")).status_code == 200
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (row["result"], row["withheld"], row["corrections"]) == ("512", None, [])

    async def test_a_withdrawn_value_cannot_be_restored(self, bench: Bench) -> None:
        await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        await bench.post("withhold", "GLU", kind="review", reason="REPEAT")
        assert (await bench.post("restore", "GLU")).status_code == 400
        assert (await bench.read_results(bench.nurse))["GLUCOSE"]["withheld"] == "withdrawn"


class TestHolds:
    """POST holds and lift."""

    async def test_a_held_test_cannot_be_released(self, bench: Bench, parse_problem) -> None:
        await bench.enter(K="4.0")
        hold_answer = await bench.post("holds", "K", reason="CONTROL", words="2-2s")
        assert hold_answer.status_code == 200, hold_answer.text
        answer = await bench.release("K")
        text = messages.RESULT_ON_HOLD.format(test="POTASSIUM", reason="Control out of range, 2-2s")
        assert (answer.status_code, parse_problem(answer)["detail"]) == (409, text)
        [hold] = (await bench.get_row("K"))["holds"]
        assert (hold["reason"], hold["words"], hold["placedBy"], hold["everyOrder"]) == (
            "Control out of range",
            "2-2s",
            "Ada Tester",
            False,
        )

    async def test_releasing_all_leaves_out_held_tests(self, bench: Bench) -> None:
        await bench.correct(GLU="90")
        await bench.enter(K="4.0")
        await bench.post("holds", "K", reason="CONTROL")
        assert (await bench.release()).status_code == 200
        results = await bench.read_results(bench.nurse)
        assert (results["GLUCOSE"]["result"], results["POTASSIUM"]["result"]) == ("90", None)

    async def test_a_test_is_held_once_in_an_order(self, bench: Bench, parse_problem) -> None:
        assert (await bench.post("holds", "K", reason="CONTROL", words="2-2s")).status_code == 200
        answer = await bench.post("holds", "GLU", "K", reason="REAGENT")
        problem = parse_problem(answer)
        assert (answer.status_code, problem["code"]) == (400, "nothing_to_change")
        assert problem["detail"] == messages.RESULT_HELD_ALREADY.format(
            test="POTASSIUM", reason="Control out of range"
        )
        records = (await bench.read_entry())["holdRecords"]
        assert [(record["test"], record["words"]) for record in records] == [("POTASSIUM", "2-2s")]

    async def test_two_people_do_not_hold_every_order_at_once(
        self, world: World, parse_problem
    ) -> None:
        world.add_lab_test("XTWICE")
        bench = await receive_order(world, "XTWICE")
        row = await bench.get_row("XTWICE")
        answer = await hold_everywhere_meanwhile(
            world,
            row["orderTestId"],
            await world.create_person(Role.LABORATORY),
            bench.post("holds", "XTWICE", reason="REAGENT", everyOrder=True),
        )
        problem = parse_problem(answer)
        assert (answer.status_code, problem["detail"]) == (
            400,
            messages.RESULT_HELD_EVERYWHERE_ALREADY.format(
                test=row["name"], reason="Control out of range"
            ),
        )

    async def test_a_canceled_test_cannot_be_held(self, bench: Bench, parse_problem) -> None:
        order_test_id = (await bench.get_row("K"))["orderTestId"]
        canceled_answer = await bench.world.http.post(
            f"{bench.path}/cancel",
            headers=bench.lab.headers,
            json={"orderTestIds": [order_test_id], "reason": "DUPLICATE"},
        )
        assert canceled_answer.status_code == 200, canceled_answer.text
        answer = await bench.post("holds", "K", reason="CONTROL")
        assert (answer.status_code, parse_problem(answer)["detail"]) == (
            400,
            messages.RESULT_TEST_CANCELED.format(test="POTASSIUM"),
        )
        assert (await bench.read_entry())["holdRecords"] == []

    async def test_a_lifted_hold_says_who_lifted_it(self, bench: Bench) -> None:
        await bench.enter(K="4.0")
        await bench.post("holds", "K", reason="CONTROL")
        [hold] = (await bench.get_row("K"))["holds"]
        path = f"{bench.path}/holds/{hold['id']}/lift"
        for status in (200, 404):
            answer = await bench.world.http.post(
                path, headers=bench.lab.headers, json={"words": "New control in range"}
            )
            assert answer.status_code == status
        [record] = (await bench.read_entry())["holdRecords"]
        assert (record["test"], record["placedBy"]) == ("POTASSIUM", "Ada Tester")
        assert (record["liftedBy"], record["liftedWords"]) == ("Ada Tester", "New control in range")
        assert (await bench.release("K")).status_code == 200
        assert bench.world.fetch_rows(
            "SELECT lifted_by::text, lifted_words FROM result_holds WHERE id = %s", (hold["id"],)
        ) == [(bench.lab.user_id, "New control in range")]

    async def test_a_hold_of_every_order_holds_other_orders(self, bench: Bench) -> None:
        bench.world.add_lab_test("XLI")
        other = await receive_order(bench.world, "XLI")
        first = await receive_order(bench.world, "XLI")
        await first.post("holds", "XLI", reason="REAGENT", everyOrder=True)
        await other.enter(XLI="0.8")
        assert (await other.release()).status_code == 409
        [hold] = (await other.get_row("XLI"))["holds"]
        lift_answer = await bench.world.http.post(
            f"{other.path}/holds/{hold['id']}/lift", headers=bench.lab.headers, json={}
        )
        assert lift_answer.status_code == 200
        assert (await other.release()).status_code == 200
        # The hold was lifted before the later order reached the lab.
        later = await receive_order(bench.world, "XLI")
        bench.world.run_sql(
            "UPDATE orders SET received_at = received_at + interval '1 minute' WHERE id = %s",
            (later.order_id,),
        )
        records = [
            (await order_bench.read_entry())["holdRecords"] for order_bench in (other, first, later)
        ]
        assert [[row["everyOrder"] for row in rows] for rows in records] == [[True], [True], []]


class TestVerifying:
    """Verification and release as the steps of two people."""

    async def test_one_person_verifies_and_another_releases(
        self, bench: Bench, parse_problem
    ) -> None:
        world = bench.world
        other = await world.create_person(Role.LABORATORY)
        flags = {"resultEntryEnabled": True, "resultVerificationRequired": True}
        with world.change_setting("result-entry", flags):
            await bench.enter(K="4.0")
            rejected_answer = await bench.release("K")
            text = messages.RESULT_NOT_VERIFIED.format(test="POTASSIUM")
            assert (rejected_answer.status_code, parse_problem(rejected_answer)["detail"]) == (
                409,
                text,
            )
            assert (await bench.post("verify", "K")).status_code == 200
            assert (await bench.read_entry())["verificationRequired"] is True
            assert (await bench.get_row("K"))["verifiedBy"] == "Ada Tester"
            rejected_answer = await bench.release("K")
            text = messages.RESULT_VERIFIED_BY_YOU.format(test="POTASSIUM")
            assert parse_problem(rejected_answer)["detail"] == text
            assert (await bench.release("K", person=other)).status_code == 200

    async def test_a_changed_result_must_be_verified_again(self, bench: Bench) -> None:
        await bench.enter(K="4.0")
        await bench.post("verify")
        await bench.enter(K="4.1")
        assert (await bench.get_row("K"))["verifiedBy"] is None

    async def test_needs_an_entered_result(self, bench: Bench, parse_problem) -> None:
        answer = await bench.post("verify", "K")
        assert parse_problem(answer)["detail"] == messages.RESULT_NOTHING_TO_VERIFY
