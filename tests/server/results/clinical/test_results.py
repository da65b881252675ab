"""Entering, correcting and releasing results."""

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus, ResultType
from tests.server.results.clinical.bench import (
    Bench,
    receive_another_order,
    receive_order,
)
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for CBC, glucose and a test with choices."""
    return await receive_order(world, "CBC", "GLU", "COVID")


class TestEntering:
    """PUT result-entry."""

    async def test_flags_by_range_sex_and_age(self, bench: Bench) -> None:
        answer = await bench.enter(HGB="11.9", GLU="99", COVID="detected", WBC="<2")
        flags = {r["code"]: r["flag"] for r in answer.json()["rows"]}
        assert flags == {"CBC": None, "WBC": "LL", "HGB": "L", "GLU": "N", "COVID": "POS"}
        # 12.9 would be low for a man.
        assert (await bench.enter(HGB="12.9")).status_code == 200
        assert (await bench.get_row("HGB"))["flag"] == "N"

    @pytest.mark.parametrize(
        ("code", "value", "message"),
        [
            ("GLU", "abc", messages.RESULT_NOT_A_NUMBER.format(test="GLUCOSE")),
            ("GLU", "1.2.3", messages.RESULT_NOT_A_NUMBER.format(test="GLUCOSE")),
            (
                "COVID",
                "MAYBE",
                messages.RESULT_NOT_A_CHOICE.format(test="SARS-COV-2 RNA", value="MAYBE"),
            ),
        ],
    )
    async def test_rejects_invalid_results(
        self, bench: Bench, parse_problem, code: str, value: str, message: str
    ) -> None:
        answer = await bench.enter(**{code: value, "HGB": "13"})
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["message"] == message
        assert all(row["result"] is None for row in (await bench.read_entry())["rows"])

    async def test_a_cut_off_accepts_only_numbers_and_its_choices(
        self, world: World, parse_problem
    ) -> None:
        cut_off = int(ResultType.SPECIFIC_CUT_OFF)
        world.add_lab_test("XINDEX", result_type=cut_off)
        world.add_lab_test("XWORDS", result_type=cut_off, choices=["POSITIVE", "NEGATIVE"])
        bench = await receive_order(world, "XINDEX", "XWORDS")
        answer = await bench.enter(XINDEX="POSITIVE", XWORDS="MAYBE")
        assert [error["message"] for error in parse_problem(answer)["errors"]] == [
            messages.RESULT_NOT_A_NUMBER.format(test="TEST XINDEX"),
            messages.RESULT_NOT_A_CHOICE.format(test="TEST XWORDS", value="MAYBE"),
        ]
        assert (await bench.enter(XINDEX="1.2", XWORDS="positive")).status_code == 200

    async def test_names_the_index_of_each_invalid_value(self, bench: Bench, parse_problem) -> None:
        await bench.enter(COVID="DETECTED")
        await bench.release()
        answer = await bench.enter(WBC="5", GLU="abc", HGB="44,5", COVID="")
        assert answer.status_code == 400
        assert [(e["field"], e["message"]) for e in parse_problem(answer)["errors"]] == [
            ("results.1.result", messages.RESULT_NOT_A_NUMBER.format(test="GLUCOSE")),
            ("results.2.result", messages.RESULT_NOT_A_NUMBER.format(test="HEMOGLOBIN")),
            ("results.3.result", messages.VALUE_REQUIRED),
        ]

    async def test_rejects_a_stale_version(self, bench: Bench) -> None:
        version = (await bench.read_entry())["version"]
        first = await bench.enter(version, GLU="90")
        second = await bench.enter(version, GLU="95")
        assert (first.status_code, second.status_code) == (200, 412)

    async def test_rejects_results_of_an_order_canceled_meanwhile(self, bench: Bench) -> None:
        await bench.read_entry()
        answer = await bench.world.commit_meanwhile(
            "UPDATE orders SET status = %s, version = version + 1 WHERE id = %s",
            (OrderStatus.CANCELED, bench.order_id),
            bench.enter(GLU="90"),
        )
        assert answer.status_code == 409
        assert (await bench.read_order())["status"] == OrderStatus.CANCELED

    async def test_shows_who_entered_a_result(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        names = {r["code"]: r["enteredBy"] for r in (await bench.read_entry())["rows"]}
        assert (names["GLU"], names["WBC"]) == ("Ada Tester", None)

    async def test_names_the_patient_the_client_and_the_collection(self, bench: Bench) -> None:
        entry, order = await bench.read_entry(), await bench.read_order()
        assert entry["clientName"] == order["patientClient"]["name"]
        assert entry["collectionDate"] == order["collectionDate"]
        names = ("code", "lastName", "firstName", "middleName", "birthDate", "gender")
        assert [entry["patient"][name] for name in names] == [
            order["patient"][name] for name in names
        ]
        assert entry["patient"]["code"].startswith("P")

    async def test_audits_reading_the_screen(self, bench: Bench) -> None:
        await bench.read_entry()
        assert bench.world.fetch_rows(
            "SELECT role, record_ids FROM audit_events"
            " WHERE action = 'read' AND kind = 'order-results' AND user_id = %s",
            (bench.lab.user_id,),
        ) == [("Laboratory", [bench.order_id])]

    async def test_audits_writes_with_the_number_of_results(self, bench: Bench) -> None:
        await bench.enter(GLU="90", WBC="5")
        await bench.release("GLU")
        assert bench.world.fetch_rows(
            "SELECT action, record_ids, detail FROM audit_events WHERE kind = 'order-results'"
            " AND user_id = %s AND action <> 'read' ORDER BY id",
            (bench.lab.user_id,),
        ) == [
            ("enter", [bench.order_id], {"tests": 2}),
            ("release", [bench.order_id], {"tests": 1}),
        ]

    async def test_each_write_increments_the_version(self, bench: Bench) -> None:
        first = (await bench.read_entry())["version"]
        await bench.enter(GLU="90")
        assert (await bench.read_entry())["version"] == first + 1
        await bench.release()
        assert (await bench.read_entry())["version"] == first + 2

    async def test_shows_the_status_of_each_test(self, bench: Bench) -> None:
        async def read_statuses() -> dict[str, int]:
            return {r["code"]: r["status"] for r in (await bench.read_entry())["rows"]}

        await bench.enter(GLU="90", WBC="5")
        await bench.release("WBC")
        statuses = await read_statuses()
        assert (statuses["COVID"], statuses["GLU"], statuses["WBC"]) == (
            ResultStatus.PENDING,
            ResultStatus.UNRELEASED,
            ResultStatus.FINAL,
        )
        assert statuses["CBC"] == ResultStatus.NONE
        results = await bench.read_results(bench.lab)
        assert results["GLUCOSE"]["status"] == ResultStatus.UNRELEASED

    async def test_shows_the_patients_last_value(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        later = await receive_another_order(bench, "GLU")
        [row] = (await later.read_entry())["rows"]
        assert row["previousResult"] == "90"
        assert row["previousDate"] is not None
        [row] = [r for r in (await bench.read_entry())["rows"] if r["code"] == "GLU"]
        assert (row["previousResult"], row["previousDate"]) == (None, None)

    async def test_clients_cannot_enter(self, bench: Bench) -> None:
        answer = await bench.world.http.get(
            f"{bench.path}/result-entry", headers=bench.nurse.headers
        )
        assert answer.status_code == 403

    async def test_an_empty_result_withdraws_an_unreleased_entry(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        answer = await bench.enter(GLU="")
        assert {r["code"]: r["result"] for r in answer.json()["rows"]}["GLU"] is None
        assert (await bench.read_order())["status"] == OrderStatus.PENDING

    async def test_rejects_a_comment_without_a_result(self, bench: Bench, parse_problem) -> None:
        answer = await bench.enter(GLU="", write={"comment": "HEMOLYZED"})
        assert answer.status_code == 400
        text = messages.RESULT_COMMENT_ALONE.format(test="GLUCOSE")
        assert parse_problem(answer)["errors"] == [{"field": "results.0.result", "message": text}]

    async def test_a_withdrawn_entry_takes_its_comment_along(
        self, bench: Bench, parse_problem
    ) -> None:
        await bench.enter(GLU="90", write={"comment": "HEMOLYZED"})
        answer = await bench.enter(GLU="", write={"comment": "ASK FOR ANOTHER"})
        assert parse_problem(answer)["errors"][0]["field"] == "results.0.result"
        assert (await bench.enter(GLU="", write={"comment": "HEMOLYZED"})).status_code == 200
        row = await bench.get_row("GLU")
        assert (row["result"], row["comment"]) == (None, None)


class TestReleasing:
    """POST release."""

    async def test_clients_see_unreleased_results_as_pending(self, bench: Bench) -> None:
        await bench.enter(GLU="512")
        assert (await bench.read_order())["status"] == OrderStatus.UNRELEASED
        assert (await bench.read_order())["hasAlert"] is False
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (
            row["result"] is None and row["flag"] is None and row["status"] == ResultStatus.PENDING
        )
        assert (await bench.read_results(bench.lab))["GLUCOSE"]["result"] == "512"

    async def test_members_follow_their_panel(self, bench: Bench) -> None:
        rows = await bench.read_results(bench.nurse)
        panel = rows["COMPLETE BLOOD COUNT"]
        assert (panel["isPanel"], panel["parentKey"]) == (True, None)
        for member in ("WHITE BLOOD CELLS", "HEMOGLOBIN"):
            assert (rows[member]["isPanel"], rows[member]["parentKey"]) == (False, panel["key"])

    async def test_tests_of_other_families_are_left_out(self, world: World) -> None:
        bench = await receive_order(world, "BCUL", "GLU")
        for person in (bench.nurse, bench.lab):
            assert set(await bench.read_results(person)) == {"GLUCOSE"}
        await bench.enter(GLU="90")
        await bench.release()
        statement = "SELECT status FROM order_tests WHERE order_id = %s ORDER BY position"
        rows = world.fetch_rows(statement, (bench.order_id,))
        assert rows == [(ResultStatus.PENDING,), (ResultStatus.FINAL,)]

    async def test_marks_a_number_that_was_not_judged(self, world: World) -> None:
        world.add_lab_test("NORANGE", unit="mg/dL")
        world.add_lab_test("COLOR", result_type=32)
        bench = await receive_order(world, "NORANGE", "COLOR", "GLU", "K")
        await bench.enter(NORANGE="8.00", COLOR="AMBER", GLU="<100")
        await bench.release()
        results = await bench.read_results(bench.nurse)
        marks = {name: row["hasNoRange"] for name, row in results.items()}
        assert marks == {
            "TEST NORANGE": True,
            "TEST COLOR": False,
            "GLUCOSE": False,
            "POTASSIUM": False,
        }
        assert [row["flag"] for row in results.values()] == [None] * 4

    async def test_shows_the_range_of_a_pending_result(self, bench: Bench) -> None:
        results = await bench.read_results(bench.nurse)
        ranges = {name: row["referenceRange"] for name, row in results.items()}
        assert ranges == {
            "COMPLETE BLOOD COUNT": None,
            "WHITE BLOOD CELLS": "4 - 11",
            "HEMOGLOBIN": "12 - 15.5",
            "GLUCOSE": "70 - 99",
            "SARS-COV-2 RNA": "NOT DETECTED",
        }

    async def test_releasing_some_makes_the_order_partial_and_all_final(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release("GLU")
        assert (await bench.read_order())["status"] == OrderStatus.PARTIAL
        await bench.enter(WBC="5", HGB="13")
        await bench.release()
        assert (await bench.read_order())["status"] == OrderStatus.PARTIAL, (
            "one test is still pending"
        )
        await bench.enter(WBC="5", HGB="13", COVID="NOT DETECTED")
        await bench.release()
        order = await bench.read_order()
        assert order["status"] == OrderStatus.FINAL and order["reported"] is not None

    async def test_critical_results_raise_the_alert(self, bench: Bench) -> None:
        await bench.enter(GLU="512", WBC="6")
        await bench.release()
        order = await bench.read_order()
        assert order["hasAlert"] is True and order["alert"] == "CRITICAL"
        # The lab has to report the glucose, and nothing else.
        items = bench.world.fetch_rows(
            "SELECT i.name FROM critical_items i JOIN critical_notices n ON n.id = i.notice_id"
            " WHERE n.order_id = %s",
            (bench.order_id,),
        )
        assert items == [("GLUCOSE",)]

    async def test_rejects_a_release_without_entered_results(
        self, bench: Bench, parse_problem
    ) -> None:
        answer = await bench.release()
        assert answer.status_code == 400
        assert parse_problem(answer)["detail"] == messages.RESULT_NOTHING_TO_RELEASE

    async def test_tests_of_other_orders_look_nonexistent(self, bench: Bench) -> None:
        answer = await bench.world.http.post(
            f"{bench.path}/release", headers=bench.lab.headers, json={"orderTestIds": [999999999]}
        )
        assert (answer.status_code, answer.json()["detail"]) == (404, messages.NOT_FOUND)


class TestCorrecting:
    """Changes to released results."""

    async def test_adds_a_version_marked_as_correction(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        await bench.correct(GLU="190")
        await bench.release()
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert row["result"] == "190" and row["isCorrected"] is True and row["flag"] == "H"
        versions = bench.world.fetch_rows(
            "SELECT revision, value, is_current FROM results WHERE order_id = %s ORDER BY revision",
            (bench.order_id,),
        )
        assert versions == [(1, "90", False), (2, "190", True)]

    async def test_marks_corrections_until_released(self, bench: Bench) -> None:
        async def list_corrections() -> list[str]:
            return [r["code"] for r in (await bench.read_entry())["rows"] if r["isCorrection"]]

        await bench.enter(GLU="90")
        await bench.release()
        await bench.correct(GLU="190", WBC="5")
        assert await list_corrections() == ["GLU"]
        await bench.release()
        assert await list_corrections() == []

    async def test_clients_see_the_released_version_until_the_correction_is_released(
        self, bench: Bench
    ) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        await bench.correct(GLU="190")
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert row["result"] == "90" and row["status"] == ResultStatus.FINAL

    async def test_withdrawing_a_correction_restores_the_released_version(
        self, bench: Bench
    ) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        await bench.correct(GLU="190")
        await bench.enter(GLU="")
        assert {r["code"]: r["result"] for r in (await bench.read_entry())["rows"]}["GLU"] == "90"
        assert (await bench.read_results(bench.nurse))["GLUCOSE"]["result"] == "90"

    async def test_a_final_order_stays_final_during_a_correction(self, bench: Bench) -> None:
        await bench.enter(GLU="90", WBC="5", HGB="13", COVID="NOT DETECTED")
        await bench.release()
        await bench.correct(GLU="600")
        assert (await bench.read_order())["status"] == OrderStatus.FINAL
        assert (await bench.read_order())["hasAlert"] is False
        await bench.release()
        assert (await bench.read_order())["hasAlert"] is True

    async def test_entering_again_after_withdrawing_is_not_a_correction(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.enter(GLU="")
        await bench.enter(GLU="91")
        await bench.release()
        row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert row["result"] == "91" and row["isCorrected"] is False
