"""Release of cultures, and which of them are critical."""

from typing import Any

import pytest

from app.contract.enumerations import OrderStatus, ResultStatus
from tests.server.results.microbiology.bench import (
    COLI,
    NO_GROWTH,
    Bench,
    build_organism,
    find_reason,
    list_errors,
    receive_cultures,
)
from tests.server.world import World


class TestReleasing:
    """POST microbiology-release."""

    async def test_a_preliminary_release_shows_as_such(self, bench: Bench) -> None:
        await bench.publish(
            "preliminary",
            source="URINE_CC",
            site="LARM",
            collected="2026-05-06T07:08:00",
            findings=[{"code": "GRWBC", "quantity": "FEW"}],
            organisms=[{"code": "GNR"}],
            preliminaryComment="Identification follows.",
            comment="Call us.",
        )
        result = await bench.read_result()
        assert (result["label"], result["status"]) == ("PRELIMINARY", ResultStatus.PRELIMINARY)
        assert (result["sources"], result["collectionSite"]) == (["Urine, clean catch"], "Left arm")
        assert result["collected"] == "2026-05-06T07:08:00"
        assert result["findings"] == [{"name": "Leukocytes", "cultureQuantityName": "Few"}]
        [organism] = result["organisms"]
        assert (organism["name"], organism["sensitivity"]) == ("Gram-negative rods", [])
        assert result["preliminaryReleased"] is True
        assert result["preliminaryResultComment"] == "Identification follows."
        assert result["resultReportComments"] == ["Call us."]
        assert (result["resultType"], result["tests"]) == (64, ["CULTURE, URINE"])
        assert result["releasedBy"] == "Ada Tester"
        order = await bench.read_order()
        assert order["status"] == OrderStatus.PRELIMINARY
        assert order["reported"]

    async def test_preliminary_to_final_is_not_a_correction(self, bench: Bench) -> None:
        await bench.publish("preliminary", organisms=[{"code": "GNR"}])
        await bench.publish(organisms=[COLI])
        result = await bench.read_result()
        assert (result["label"], result["corrections"]) == ("FINAL", [])
        assert [culture["organisms"][0]["name"] for culture in result["earlier"]] == [
            "Gram-negative rods"
        ]
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_a_preliminary_result_becomes_final_unchanged(self, bench: Bench) -> None:
        await bench.publish("preliminary", findings=NO_GROWTH)
        release_answer = await bench.release()
        assert release_answer.status_code == 200, release_answer.text
        result = await bench.read_result()
        assert (result["label"], result["revision"], len(result["earlier"])) == ("FINAL", 2, 1)
        second_answer = await bench.release()
        assert (second_answer.status_code, second_answer.json()["code"]) == (
            400,
            "nothing_to_release",
        )

    async def test_a_preliminary_correction_before_the_final_result_waits(
        self, bench: Bench
    ) -> None:
        await bench.publish("preliminary", organisms=[{"code": "GNR"}])
        await bench.enter(organisms=[COLI])
        result = await bench.read_result()
        assert (result["label"], result["organisms"][0]["name"]) == (
            "PRELIMINARY",
            "Gram-negative rods",
        )
        lab_result = await bench.read_result(bench.lab)
        assert (lab_result["label"], lab_result["organisms"][0]["name"]) == (
            "PENDING",
            "Escherichia coli",
        )

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"comment": "Words alone"}, "findings"),
            ({"organisms": [{"code": "GNR"}]}, "organisms.0.code"),
            ({"findings": [{"code": "NGTD"}]}, "findings"),
            ({"organisms": [build_organism(quantity=None)]}, "organisms.0.quantity"),
            ({"organisms": [build_organism(AMP="")]}, "organisms.0.sensitivity.0.mic"),
        ],
    )
    async def test_an_incomplete_culture_is_rejected(
        self, bench: Bench, body: dict[str, Any], field: str
    ) -> None:
        assert (await bench.enter(**body)).status_code == 200
        test_id = (await bench.read_test())["orderTestId"]
        errors = list_errors(await bench.release())
        assert f"tests.{test_id}.{field}" in errors
        assert (await bench.read_result())["label"] == "PENDING"

    async def test_one_incomplete_culture_prevents_the_release_of_all(self, world: World) -> None:
        bench = await receive_cultures(world, "UCUL", "BCUL")
        await bench.enter("UCUL", findings=NO_GROWTH)
        await bench.enter("BCUL", organisms=[{"code": "GNR"}])
        errors = list_errors(await bench.release())
        incomplete_id = (await bench.read_test("BCUL"))["orderTestId"]
        assert {field.split(".")[1] for field in errors} == {str(incomplete_id)}
        assert errors[f"tests.{incomplete_id}.organisms.0.quantity"] == (
            "CULTURE, BLOOD, Gram-negative rods: enter the quantity"
        )
        assert all(text.startswith("CULTURE, BLOOD") for text in errors.values())
        assert (await bench.read_result())["label"] == "PENDING"
        test_id = (await bench.read_test("UCUL"))["orderTestId"]
        answer = await bench.release(orderTestIds=[test_id])
        assert answer.status_code == 200
        assert (await bench.read_order())["status"] == OrderStatus.PARTIALLY_RELEASED

    async def test_a_preliminary_release_cannot_follow_a_final_result(self, bench: Bench) -> None:
        await bench.publish(findings=NO_GROWTH)
        await bench.enter(findings=[{"code": "NG48"}], reasonCode=await find_reason(bench))
        assert list(list_errors(await bench.release("preliminary")).values()) == [
            "CULTURE, URINE: a final result is released, so a preliminary one cannot follow"
        ]

    async def test_tests_of_other_families_look_nonexistent(self, bench: Bench) -> None:
        await bench.enter(findings=NO_GROWTH)
        assert (await bench.release(orderTestIds=[1])).status_code == 404

    async def test_a_test_with_choices_has_a_result(self, world: World) -> None:
        bench = await receive_cultures(world, "MRSA")
        await bench.enter("MRSA", comment="Repeat.")
        assert (await bench.release()).status_code == 400
        await bench.publish(code="MRSA", result="detected")
        result = await bench.read_result(name="MRSA SCREEN")
        assert (result["result"], result["isAbnormal"]) == ("DETECTED", True)


class TestCritical:
    """Cultures that must be called."""

    async def test_a_positive_blood_culture_is_critical_when_preliminary(
        self, world: World
    ) -> None:
        bench = await receive_cultures(world, "BCUL")
        gram = [{"code": "GRGPCCL", "quantity": "BOT1"}]
        await bench.enter("BCUL", source="BLOOD", findings=gram)
        assert (await bench.read_order())["hasAlert"] is False
        assert (await bench.release("preliminary")).status_code == 200
        order = await bench.read_order()
        assert (order["hasAlert"], order["alert"]) == (True, "CRITICAL")
        assert order["criticalKinds"] == ["microbiology"]
        assert (await bench.read_result(name="CULTURE, BLOOD"))["isCritical"] is True
        kinds_query = "SELECT critical_kinds FROM orders WHERE id = %s"
        assert world.run_sql(kinds_query, (bench.order_id,)) == 2

    async def test_a_critical_choice_is_critical(self, world: World) -> None:
        change = "UPDATE lab_tests SET critical_choices = %s WHERE code = 'MRSA'"
        world.run_sql(change, (["Detected"],))
        try:
            bench = await receive_cultures(world, "MRSA")
            order_test_id = (await bench.read_test("MRSA"))["orderTestId"]
            path = f"microbiology-entry/{order_test_id}/check"
            answer = await bench.call("POST", path, {"result": "detected"})
            assert answer.json()["isCritical"] is True
            await bench.publish(code="MRSA", result="detected")
        finally:
            world.run_sql(change, ([],))
        assert (await bench.read_order())["criticalKinds"] == ["microbiology"]
        query = (
            "SELECT i.result FROM critical_items i JOIN critical_notices n ON n.id = i.notice_id "
            "WHERE n.order_id = %s"
        )
        assert world.fetch_rows(query, (bench.order_id,)) == [("DETECTED",)]

    async def test_a_correction_ends_the_alert(self, world: World) -> None:
        bench = await receive_cultures(world, "BCUL")
        await bench.publish(code="BCUL", source="BLOOD", organisms=[COLI])
        await bench.publish(
            code="BCUL",
            source="BLOOD",
            findings=[{"code": "NG5"}],
            reasonCode=await find_reason(bench),
        )
        assert (await bench.read_order())["hasAlert"] is False
