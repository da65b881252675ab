"""Entering, correcting and releasing toxicology results, and the verdicts on them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import (
    LABELS,
    OrderStatus,
    Reopening,
    ResultStatus,
    ToxicologyVerdict,
)
from seeds.reference.toxicology import EDITION
from tests.server.paperwork.test_paperwork import extract_text
from tests.server.world import Person, World

CODES = ("UBENZ", "QDIA", "QOXA", "QOXY", "QFEN", "VCRE")
NOTHING_DETECTED = {
    "UBENZ": "NEGATIVE",
    "QDIA": "0",
    "QOXA": "<20",
    "QOXY": "NEGATIVE",
    "QFEN": "0",
}


class Bench:
    """An order for drugs of abuse on the lab's bench."""

    def __init__(self, world: World, lab: Person, nurse: Person, order_id: int) -> None:
        self.world, self.lab, self.nurse, self.order_id = world, lab, nurse, order_id
        self.path = f"/api/v2/orders/{order_id}"

    async def read_entry(self) -> dict:
        """Read the entry screen."""
        path = f"{self.path}/toxicology-entry"
        answer = await self.world.http.get(path, headers=self.lab.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def enter(self, *, version: int | None = None, **values: str | dict):
        """Enter values by test code; a value may be a whole write."""
        ids = {row["code"]: row["orderTestId"] for row in (await self.read_entry())["rows"]}
        headers = dict(self.lab.headers)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        results = [
            {"orderTestId": ids[code], **(value if isinstance(value, dict) else {"result": value})}
            for code, value in values.items()
        ]
        return await self.world.http.put(
            f"{self.path}/toxicology-entry", headers=headers, json={"results": results}
        )

    async def release(self, *codes: str):
        """Release these tests, or all."""
        ids = {row["code"]: row["orderTestId"] for row in (await self.read_entry())["rows"]}
        return await self.world.http.post(
            f"{self.path}/toxicology-release",
            headers=self.lab.headers,
            json={"orderTestIds": [ids[code] for code in codes] if codes else None},
        )

    async def publish(self, **values: str | dict) -> None:
        """Enter and release values."""
        entry_answer = await self.enter(**values)
        assert entry_answer.status_code == 200, entry_answer.text
        release_answer = await self.release()
        assert release_answer.status_code == 200, release_answer.text

    async def read(self, part: str, person: Person | None = None) -> list[dict]:
        """Read a section of the results as a person; by default as the nurse."""
        answer = await self.world.http.get(
            f"{self.path}/toxicology-{part}", headers=(person or self.nurse).headers
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def read_reasons(self, part: str) -> list[str]:
        """Read why each verdict of a section was reached."""
        return [row["rxVerification"] for row in await self.read(part) if row["rxVerification"]]

    async def find_ids(self, *codes: str) -> list[int]:
        """Find the ids of the order's tests by code."""
        ids = {row["code"]: row["orderTestId"] for row in (await self.read_entry())["rows"]}
        return [ids[code] for code in codes]

    async def act(self, act: str, *codes: str, **body: Any) -> None:
        """Withhold, show again, or hold the results of tests."""
        answer = await self.world.http.post(
            f"{self.path}/toxicology-{act}",
            headers=self.lab.headers,
            json={"orderTestIds": await self.find_ids(*codes), **body},
        )
        assert answer.status_code == 200, answer.text

    async def cancel(self, *codes: str) -> None:
        """Cancel tests of the order."""
        ids = await self.find_ids(*codes)
        await self._send("cancel", {"orderTestIds": ids, "reason": "SPECIMEN"})

    async def reinstate(self, *codes: str) -> None:
        """Reinstate canceled tests of the order."""
        await self._send("reinstate", {"orderTestIds": await self.find_ids(*codes)})

    async def _send(self, act: str, body: dict) -> None:
        answer = await self.world.http.post(
            f"{self.path}/{act}", headers=self.lab.headers, json=body
        )
        assert answer.status_code == 200, answer.text

    async def release_many(self) -> None:
        """Release the order from the worklist."""
        answer = await self.world.http.post(
            "/api/v2/orders/release-results",
            headers=self.lab.headers,
            json={"ids": [self.order_id]},
        )
        assert answer.status_code == 200, answer.text

    async def read_order(self) -> dict:
        """Read the order as the nurse."""
        return (await self.world.http.get(self.path, headers=self.nurse.headers)).json()


async def receive_order(world: World, *medications: str) -> Bench:
    """Receive an order of a patient who reports these medications."""
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(
        nurse,
        world.create_patient(client),
        *CODES,
        medications=[{"name": name} for name in medications],
    )
    answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    return Bench(world, lab, nurse, answer.json()[0]["orderId"])


@contextmanager
def change_choices(world: World, code: str, *choices: str) -> Iterator[None]:
    """Give a test of the catalog these choices within the context."""
    before = world.run_sql("SELECT choices FROM lab_tests WHERE code = %s", (code,))
    change = "UPDATE lab_tests SET choices = %s WHERE code = %s"
    world.run_sql(change, (list(choices), code))
    try:
        yield
    finally:
        world.run_sql(change, (before, code))


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order of a patient who reports Valium and Percocet."""
    return await receive_order(world, "VALIUM 5 MG", "PERCOCET")


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

    async def find_abnormal_orders(self, bench: Bench) -> list[int]:
        """Find the nurse's orders with an abnormal result."""
        rows = bench.world.fetch_rows(
            "SELECT id FROM orders WHERE id = %s AND has_abnormal", (bench.order_id,)
        )
        return [row[0] for row in rows]

    async def test_says_why_results_are_consistent_and_what_was_not_tested(
        self, bench: Bench
    ) -> None:
        await bench.publish(**{**NOTHING_DETECTED, "QOXA": "150", "QOXY": "300", "VCRE": "100"})
        assert await bench.read_reasons("expected-results") == [
            "OXAZEPAM IS A METABOLITE OF THE REPORTED DIAZEPAM",
            "THE REPORTED OXYCODONE WAS DETECTED",
        ]
        assert await bench.read("other-medications") == [
            {
                "medicationName": "PERCOCET (ACETAMINOPHEN)",
                "rxVerification": "ACETAMINOPHEN WAS NOT TESTED",
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
            "NEITHER DIAZEPAM NOR A METABOLITE OF IT WAS DETECTED",
            "NEITHER OXYCODONE NOR A METABOLITE OF IT WAS DETECTED",
        ]

    async def test_an_invalid_specimen_has_no_negative_verdict(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY 5 IS BELOW 20"
        )

    async def test_a_missing_validity_result_allows_no_negative_verdict(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED)
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY IS PENDING"
        )
        # It makes nothing abnormal, and the specimen is not called invalid.
        assert (await bench.read_entry())["specimenFault"] is None
        assert await self.find_abnormal_orders(bench) == []
        await bench.publish(VCRE="100")
        assert len(await bench.read_reasons("unexpected-negative-results")) == 2
        assert await self.find_abnormal_orders(bench) == [bench.order_id]

    async def test_results_accuse_nobody_while_the_validity_result_is_under_review(
        self, bench: Bench
    ) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        await bench.act("withhold", "VCRE", kind="review", reason="SPECIMEN")
        assert await bench.read("unexpected-negative-results") == []
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY IS PENDING"
        )
        await bench.act("restore", "VCRE")
        assert (await bench.read_reasons("other-medications"))[0] == (
            "NO VERDICT ON DIAZEPAM: CREATININE FOR VALIDITY 5 IS BELOW 20"
        )

    async def test_results_accuse_nobody_while_the_validity_result_is_on_hold(
        self, bench: Bench
    ) -> None:
        await bench.act("holds", "VCRE", reason="CONTROL")
        assert (await bench.enter(**NOTHING_DETECTED, VCRE="100")).status_code == 200
        await bench.release_many()
        assert await bench.read("unexpected-negative-results") == []
        assert (
            "CREATININE FOR VALIDITY IS PENDING"
            in ((await bench.read_reasons("other-medications"))[0])
        )

    async def test_a_canceled_validity_test_blocks_no_verdict(self, bench: Bench) -> None:
        await bench.cancel("VCRE")
        await bench.publish(**NOTHING_DETECTED)
        assert len(await bench.read_reasons("unexpected-negative-results")) == 2

    async def test_an_unexpected_positive_alerts_with_the_labs_label(self, world: World) -> None:
        bench = await receive_order(world)
        await bench.publish(**{**NOTHING_DETECTED, "UBENZ": "POSITIVE", "QOXA": "150"}, VCRE="100")
        assert await bench.read_reasons("unexpected-positive-results") == [
            "OXAZEPAM WAS DETECTED, AND NO REPORTED MEDICATION EXPLAINS IT"
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
        assert (order["alert"], order["alertBadges"]) == ("CRITICAL", ["ABNORMAL", "CRITICAL"])
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
            "OXAZEPAM IS A METABOLITE OF THE REPORTED DIAZEPAM"
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


class TestCanceling:
    """POST cancel and reinstate judge the other results again."""

    @pytest.fixture
    async def bench(self, world: World) -> Bench:
        """An order of a patient who reports oxycodone, in which one result is pending."""
        bench = await receive_order(world, "OXYCODONE")
        values = {**NOTHING_DETECTED, "VCRE": "100"}
        del values["QOXY"]
        await bench.publish(**values)
        assert await bench.read_reasons("other-medications") == [
            "A RESULT FOR OXYCODONE IS PENDING"
        ]
        return bench

    async def test_a_verdict_does_not_wait_for_a_canceled_test(self, world: World) -> None:
        bench = await receive_order(world, "DIAZEPAM")
        values = {**NOTHING_DETECTED, "VCRE": "100"}
        del values["QDIA"]
        await bench.publish(**values)
        assert await bench.read_reasons("other-medications") == ["A RESULT FOR DIAZEPAM IS PENDING"]
        await bench.cancel("QDIA")
        assert await bench.read("other-medications") == []
        [reason] = await bench.read_reasons("unexpected-negative-results")
        assert reason == "NEITHER DIAZEPAM NOR A METABOLITE OF IT WAS DETECTED"
        order = await bench.read_order()
        assert order["status"] == OrderStatus.FINAL

    async def test_a_medication_without_another_test_was_not_tested(self, bench: Bench) -> None:
        await bench.cancel("QOXY")
        assert await bench.read_reasons("other-medications") == ["OXYCODONE WAS NOT TESTED"]

    async def test_a_verdict_waits_for_a_reinstated_test(self, world: World) -> None:
        bench = await receive_order(world, "DIAZEPAM")
        await bench.cancel("QDIA")
        values = {**NOTHING_DETECTED, "VCRE": "100"}
        del values["QDIA"]
        await bench.publish(**values)
        assert len(await bench.read_reasons("unexpected-negative-results")) == 1
        await bench.reinstate("QDIA")
        assert await bench.read("unexpected-negative-results") == []
        assert await bench.read_reasons("other-medications") == ["A RESULT FOR DIAZEPAM IS PENDING"]
        await bench.publish(QDIA="250")
        [reason] = await bench.read_reasons("expected-results")
        assert reason == "THE REPORTED DIAZEPAM WAS DETECTED"

    async def test_a_changed_verdict_asks_for_another_acknowledgment(self, bench: Bench) -> None:
        answer = await bench.world.http.put(
            f"/api/v2/orders/acknowledge?ids={bench.order_id}",
            headers=bench.nurse.headers,
            json={},
        )
        assert answer.status_code == 200, answer.text
        await bench.cancel("QOXY")
        order = await bench.read_order()
        assert order["reopened"]["kind"] == Reopening.VERDICT

    async def test_canceling_without_a_release_gives_no_verdicts(self, world: World) -> None:
        bench = await receive_order(world, "OXYCODONE")
        await bench.cancel("QOXY")
        assert await bench.read("other-medications") == []


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
