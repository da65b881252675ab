"""Entering, correcting and releasing toxicology results, and the verdicts on them."""

from collections.abc import Callable

import pytest

from app.contract import messages
from app.contract.enumerations import LABELS, OrderStatus, ResultStatus, ToxicologyVerdict
from seeds.reference.toxicology import EDITION
from tests.server.paperwork.reading import extract_text
from tests.server.results.toxicology.bench import (
    CODES,
    NOTHING_DETECTED,
    Bench,
    change_choices,
    receive_order,
)
from tests.server.world import World


class TestEntering:
    """PUT toxicology-entry."""

    async def test_judges_values_by_the_cut_off(self, bench: Bench) -> None:
        rows = (await bench.enter(QDIA="20", QOXA="19", QFEN="<2", UBENZ="positive")).json()["rows"]
        assert {row["code"]: row["isDetected"] for row in rows} == {
            "UBENZ": True,
            "QDIA": True,
            "QOXA": False,
            "QOXY": None,
            "QFEN": False,
            "VCRE": None,
        }
        assert {row["code"]: row["cutOff"] for row in rows}["QDIA"] == "20"

    async def test_accepts_the_unit_of_the_test(self, bench: Bench) -> None:
        rows = (await bench.enter(QDIA="120 ng/mL", QOXA="<9NG/ML")).json()["rows"]
        results = {row["code"]: (row["result"], row["isDetected"]) for row in rows}
        assert results["QDIA"] == ("120", True)
        assert results["QOXA"] == ("<9", False)

    @pytest.mark.parametrize(
        ("code", "value", "message"),
        [
            ("QDIA", "maybe", messages.TOXICOLOGY_NOT_A_RESULT.format(test="DIAZEPAM, URINE")),
            (
                "QDIA",
                "<21",
                messages.TOXICOLOGY_UNCLEAR.format(
                    test="DIAZEPAM, URINE", value="<21", cut_off="20 ng/mL"
                ),
            ),
            (
                "UBENZ",
                "5",
                messages.RESULT_NOT_A_CHOICE.format(test="BENZODIAZEPINES SCREEN", value="5"),
            ),
            (
                "QDIA",
                "120 ug/L",
                messages.RESULT_OTHER_UNIT.format(
                    test="DIAZEPAM, URINE", unit="ng/mL", other="ug/L"
                ),
            ),
            ("VCRE", "x", messages.RESULT_NOT_A_NUMBER.format(test="CREATININE FOR VALIDITY")),
        ],
    )
    async def test_rejects_invalid_results(
        self, bench: Bench, parse_problem, code: str, value: str, message: str
    ) -> None:
        answer = await bench.enter(QFEN="0", **{code: value})
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "results.1.result", "message": message}
        ]
        assert all(row["result"] is None for row in (await bench.read_entry())["rows"])

    async def test_rejects_a_choice_that_says_neither(
        self, bench: Bench, parse_problem: Callable[..., dict]
    ) -> None:
        name = "BENZODIAZEPINES SCREEN"
        with change_choices(bench.world, "UBENZ", "Negative", "Positive", "PRESUMPTIVE POSITIVE"):
            answer = await bench.enter(UBENZ="PRESUMPTIVE POSITIVE")
            assert answer.status_code == 400
            assert parse_problem(answer)["errors"] == [
                {
                    "field": "results.0.result",
                    "message": messages.TOXICOLOGY_NOT_A_RESULT.format(test=name),
                }
            ]
            answer = await bench.enter(UBENZ="maybe")
            assert parse_problem(answer)["errors"][0]["message"] == (
                messages.RESULT_NOT_A_CHOICE.format(test=name, value="MAYBE")
            )

    async def test_the_case_of_a_choice_does_not_matter(self, bench: Bench) -> None:
        with change_choices(bench.world, "UBENZ", "Negative", "Positive"):
            rows = (await bench.enter(UBENZ="Positive")).json()["rows"]
        [row] = [row for row in rows if row["code"] == "UBENZ"]
        assert (row["result"], row["isDetected"]) == ("POSITIVE", True)
        assert row["choices"] == ["NEGATIVE", "POSITIVE"]

    async def test_previews_the_verdicts_of_a_release(self, bench: Bench) -> None:
        entry = (await bench.enter(QOXA="150", QFEN="9")).json()
        assert entry["medications"] == ["VALIUM 5 MG", "PERCOCET"]
        assert [(v["kind"], v["name"]) for v in entry["verdicts"]] == [
            ("consistent", "DIAZEPAM"),
            ("other", "ACETAMINOPHEN"),
            ("other", "OXYCODONE"),
            ("unexpectedPositive", "FENTANYL"),
        ]
        assert await bench.read("expected-results") == []

    async def test_shows_clients_nothing_before_the_release(self, bench: Bench) -> None:
        await bench.enter(QOXA="150")
        rows = await bench.read("alpha-results")
        assert {row["result"] for row in rows} == {None}
        assert {row["status"] for row in rows} == {ResultStatus.PENDING}
        lab_rows = await bench.read("alpha-results", bench.lab)
        assert {row["result"] for row in lab_rows} == {None, "150"}

    async def test_rejects_a_stale_version(self, bench: Bench) -> None:
        version = (await bench.read_entry())["version"]
        first = await bench.enter(version=version, QOXA="150")
        second = await bench.enter(version=version, QOXA="160")
        assert (first.status_code, second.status_code) == (200, 412)

    async def test_an_empty_result_withdraws_an_entry(self, bench: Bench) -> None:
        await bench.enter(QOXA="150")
        rows = (await bench.enter(QOXA="")).json()["rows"]
        assert {row["result"] for row in rows} == {None}
        assert (await bench.read_order())["status"] == OrderStatus.PENDING

    async def test_rejects_a_comment_without_a_result(
        self, bench: Bench, parse_problem: Callable[..., dict]
    ) -> None:
        answer = await bench.enter(QOXA={"result": "", "comment": "HEMOLYZED"})
        assert answer.status_code == 400
        text = messages.RESULT_COMMENT_ALONE.format(test="OXAZEPAM, URINE")
        assert parse_problem(answer)["errors"] == [{"field": "results.0.result", "message": text}]
        await bench.enter(QOXA={"result": "150", "comment": "HEMOLYZED"})
        # A withdrawn entry takes its comment along.
        answer = await bench.enter(QOXA={"result": "", "comment": "HEMOLYZED"})
        assert answer.status_code == 200, answer.text
        assert {row["comment"] for row in answer.json()["rows"]} == {None}

    async def test_the_same_results_change_nothing(self, bench: Bench) -> None:
        first = (await bench.enter(QOXA="150")).json()["version"]
        assert (await bench.enter(QOXA="150")).json()["version"] == first

    async def test_rejects_a_result_of_a_canceled_test(self, bench: Bench) -> None:
        bench.world.run_sql(
            "UPDATE order_tests SET status = %s WHERE order_id = %s RETURNING 1",
            (ResultStatus.CANCELED, bench.order_id),
        )
        assert (await bench.enter(QOXA="150")).status_code == 400


class TestReleasing:
    """POST toxicology-release stores the verdicts."""

    async def test_the_entry_says_who_released_a_result_and_when(self, bench: Bench) -> None:
        await bench.publish(QOXA="150")
        rows = (await bench.read_entry())["rows"]
        [row] = [row for row in rows if row["code"] == "QOXA"]
        [shown_row] = [
            row for row in await bench.read("alpha-results") if row["name"] == "OXAZEPAM, URINE"
        ]
        assert row["releasedAt"] and row["releasedBy"]
        assert (row["releasedAt"], row["releasedBy"]) == (
            shown_row["releasedAt"],
            shown_row["releasedBy"],
        )

    async def test_says_why_results_are_consistent_and_what_was_not_tested(
        self, bench: Bench
    ) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QOXA": "150", "QOXY": "300", "VCRE": "100"})
        assert await bench.read_reasons("expected-results") == [
            "OXAZEPAM is a metabolite of the reported DIAZEPAM",
            "The reported OXYCODONE was detected",
        ]
        assert await bench.read("other-medications") == [
            {
                "medicationName": "PERCOCET (ACETAMINOPHEN)",
                "rxVerification": "ACETAMINOPHEN was not tested",
            }
        ]
        order = await bench.read_order()
        assert (order["status"], order["hasAlert"]) == (OrderStatus.FINAL, False)

    async def test_shows_the_tests_behind_a_verdict(self, bench: Bench) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QOXA": "150", "VCRE": "100"})
        verdict, test = (await bench.read("expected-results"))[:2]
        assert (verdict["medicationName"], verdict["tests"]) == (
            "VALIUM 5 MG (DIAZEPAM)",
            ["OXAZEPAM, URINE"],
        )
        assert (test["parentKey"], test["name"], test["result"], test["cutOff"]) == (
            verdict["key"],
            "OXAZEPAM, URINE",
            "150",
            "20 ng/mL",
        )
        assert test["detectionWindow"] == "3-10 days"

    async def test_only_numbers_have_a_unit(self, bench: Bench) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QFEN": "9"}, VCRE="100")
        await bench.publish(
            QFEN={"result": "NEGATIVE", "reasonCode": "SPECIMEN", "explanation": "Carry-over"}
        )
        rows = {row["name"]: row for row in await bench.read("alpha-results")}
        assert rows["DIAZEPAM, URINE"]["unit"] == "ng/mL"
        oxycodone, fentanyl = rows["OXYCODONE, URINE"], rows["FENTANYL, URINE"]
        assert (oxycodone["result"], oxycodone["unit"]) == ("NEGATIVE", None)
        assert oxycodone["cutOff"] == "50 ng/mL"
        assert (fentanyl["unit"], fentanyl["correctedFrom"][0]["unit"]) == (None, "ng/mL")

    async def test_names_unexpected_negatives(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="100")
        assert await bench.read_reasons("unexpected-negative-results") == [
            "Neither DIAZEPAM nor a metabolite of it was detected",
            "Neither OXYCODONE nor a metabolite of it was detected",
        ]

    async def test_an_unexpected_positive_alerts_with_the_labs_label(self, world: World) -> None:
        bench = await receive_order(world)
        await bench.publish(**{**NOTHING_DETECTED, "UBENZ": "POSITIVE", "QOXA": "150"}, VCRE="100")
        assert await bench.read_reasons("unexpected-positive-results") == [
            "OXAZEPAM was detected, and no reported medication explains it"
        ]
        order = await bench.read_order()
        assert order["hasToxicologyUnexpectedPositive"] is True
        assert (order["hasAlert"], order["alert"]) == (True, "ABNORMAL")
        assert order["alertBadges"] == ["ABNORMAL"]
        page_answer = await world.http.get(
            "/api/v2/orders/remote-operations",
            headers=bench.nurse.headers,
            params={"alertResults": "true"},
        )
        [row] = page_answer.json()["data"]
        assert (row["alert"], row["hasAlert"], row["criticalToxResults"]) == (
            "ABNORMAL",
            True,
            False,
        )
        settings_answer = await world.http.get(
            "/api/v2/public-settings/toxicology-results", headers=bench.nurse.headers
        )
        assert settings_answer.json() == {"abnormalResult": "ABNORMAL"}

    async def test_an_unexpected_critical_substance_is_critical_too(self, bench: Bench) -> None:
        await bench.publish(QFEN="9")
        order = await bench.read_order()
        assert (order["alert"], order["alertBadges"]) == ("CRITICAL", ["CRITICAL", "ABNORMAL"])
        page_answer = await bench.world.http.get(
            "/api/v2/orders/remote-operations", headers=bench.nurse.headers
        )
        [row] = page_answer.json()["data"]
        assert (row["alert"], row["criticalToxResults"]) == ("CRITICAL", True)

    async def test_stores_the_medications_and_the_edition_of_the_tables(self, bench: Bench) -> None:
        await bench.publish(QOXA="150")
        bench.world.run_sql(
            "DELETE FROM requisition_medications m USING orders o"
            " WHERE o.requisition_id = m.requisition_id AND o.id = %s RETURNING 1",
            (bench.order_id,),
        )
        assert bench.world.fetch_rows(
            "SELECT revision, medications, edition FROM toxicology_assessments WHERE order_id = %s",
            (bench.order_id,),
        ) == [(1, ["VALIUM 5 MG", "PERCOCET"], EDITION)]
        assert (await bench.read_reasons("expected-results")) == [
            "OXAZEPAM is a metabolite of the reported DIAZEPAM"
        ]

    async def test_a_correction_needs_a_reason_and_shows_the_earlier_result(
        self, bench: Bench
    ) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QFEN": "9"}, VCRE="100")
        for reason in ({}, {"reasonCode": "OTHER", "explanation": " "}):
            rejected_answer = await bench.enter(QFEN={"result": "0", **reason})
            assert rejected_answer.status_code == 400
        await bench.publish(
            QFEN={"result": "0", "reasonCode": "SPECIMEN", "explanation": "Wrong specimen"}
        )
        rows = {row["name"]: row for row in await bench.read("alpha-results")}
        fentanyl = rows["FENTANYL, URINE"]
        assert (fentanyl["result"], fentanyl["explanation"]) == ("0", "Wrong specimen")
        [version] = fentanyl["correctedFrom"]
        assert [version[key] for key in ("result", "unit", "releasedBy")] == [
            "9",
            fentanyl["unit"],
            "Ada Tester",
        ]
        assert await bench.read("unexpected-positive-results") == []
        order = await bench.read_order()
        assert (order["status"], order["hasAlert"]) == (OrderStatus.FINAL, False)

    async def test_an_entered_correction_changes_nothing_for_clients(self, bench: Bench) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QFEN": "9"}, VCRE="100")
        await bench.enter(
            QFEN={"result": "0", "reasonCode": "SPECIMEN", "explanation": "Wrong specimen"}
        )
        assert len(await bench.read_reasons("unexpected-positive-results")) == 1
        order = await bench.read_order()
        assert (order["status"], order["alert"]) == (OrderStatus.FINAL, "CRITICAL")

    async def test_a_released_screen_is_presumptive_until_its_confirmation(
        self, world: World
    ) -> None:
        bench = await receive_order(world)
        await bench.publish(UBENZ="POSITIVE")
        [verdict, _] = await bench.read("unexpected-positive-results")
        assert (verdict["name"], verdict["isPresumptive"]) == ("BENZODIAZEPINES SCREEN", True)
        await bench.publish(QOXA="150")
        [verdict, _] = await bench.read("unexpected-positive-results")
        assert (verdict["name"], verdict["isPresumptive"]) == ("OXAZEPAM", False)

    async def test_rejects_a_release_without_results_and_of_foreign_tests(
        self, bench: Bench
    ) -> None:
        assert (await bench.release()).status_code == 400
        answer = await bench.world.http.post(
            f"{bench.path}/toxicology-release",
            headers=bench.lab.headers,
            json={"orderTestIds": [1]},
        )
        assert answer.status_code == 404


class TestScope:
    """Who may read and enter."""

    async def test_patients_read_released_results(self, bench: Bench) -> None:
        await bench.publish(QOXA="150")
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person("Patient", patient_ids=[patient_id])
        rows = await bench.read("expected-results", patient)
        assert [row["result"] for row in rows] == ["DETECTED", "150"]

    async def test_patients_do_not_read_who_released_a_version(self, bench: Bench) -> None:
        await bench.publish(QOXA="150")
        await bench.publish(
            QOXA={"result": "160", "reasonCode": "SPECIMEN", "explanation": "Repeat"}
        )
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person("Patient", patient_ids=[patient_id])
        for part in ("expected-results", "alpha-results"):
            nurse_rows, patient_rows = await bench.read(part), await bench.read(part, patient)
            [for_nurse] = [row for row in nurse_rows if row["result"] == "160"]
            [for_patient] = [row for row in patient_rows if row["result"] == "160"]
            assert for_nurse["releasedBy"] == "Ada Tester"
            assert for_nurse["correctedFrom"][0]["releasedBy"] == "Ada Tester"
            assert for_patient["releasedBy"] is None
            assert for_patient["correctedFrom"][0]["releasedBy"] is None
            assert for_patient["correctedFrom"][0]["result"] == "150"
            assert for_patient["releasedAt"] == for_nurse["releasedAt"]
            assert for_patient["explanation"] == "Repeat"

    @pytest.mark.parametrize(
        "part",
        [
            "alpha-results",
            "expected-results",
            "unexpected-negative-results",
            "unexpected-positive-results",
            "other-medications",
            "entry",
        ],
    )
    async def test_other_clients_see_no_order(self, bench: Bench, part: str) -> None:
        stranger = await bench.world.create_person(
            "Client Basic", client_ids=[bench.world.create_client()]
        )
        with bench.world.allow_result_entry("Enabled", "ClientBasic"):
            answer = await bench.world.http.get(
                f"{bench.path}/toxicology-{part}", headers=stranger.headers
            )
        assert answer.status_code == 404


class TestPrinting:
    """The results and verdicts on the result report of the order."""

    async def print_report(self, bench: Bench) -> str:
        """Return the text of the result report, as the nurse prints it."""
        answer = await bench.world.http.get(
            "/api/v2/reports/order/results",
            headers=bench.nurse.headers,
            params={"ids": bench.order_id},
        )
        assert answer.status_code == 200, answer.text
        return extract_text(answer.content)

    async def test_prints_pending_tests_before_the_release(self, bench: Bench) -> None:
        await bench.enter(QDIA="250")
        text = await self.print_report(bench)
        assert "250" not in text.split()
        assert text.count("PENDING") >= len(CODES) - 1

    async def test_prints_the_verdicts_and_why(self, bench: Bench) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QOXA": "150", "QFEN": "40"})
        text = await self.print_report(bench)
        for kind in (ToxicologyVerdict.CONSISTENT, ToxicologyVerdict.UNEXPECTED_POSITIVE):
            assert LABELS[ToxicologyVerdict][kind] in text
        for reason in await bench.read_reasons("expected-results"):
            assert reason in " ".join(text.split())
        assert "Cut-off 20" in text

    async def test_prints_corrected_results(self, bench: Bench) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QFEN": "40"})
        correction = {"result": "4", "reasonCode": "INSTRUMENT", "explanation": "Carry-over"}
        await bench.publish(QFEN=correction)
        text = " ".join((await self.print_report(bench)).split())
        assert "Instrument or reagent fault, Carry-over" in text
        assert "was 40 ng/mL" in text
