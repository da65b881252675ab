"""Entering, releasing, and reading cultures."""

from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from tests.server.results.microbiology.bench import Bench, build_organism, receive_cultures
from tests.server.world import World

COLI = build_organism(AMP=">16", CZO="<=1", CIP="0.5")
NO_GROWTH = [{"code": "NG"}]


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for a urine culture."""
    return await receive_cultures(world, "UCUL")


def list_flags(test: dict[str, Any]) -> dict[str, str | None]:
    """Return the interpretations of the first organism by antibiotic."""
    [organism, *_] = test["culture"]["organisms"]
    return {each["antibiotic"]: each["interpretation"] for each in organism["sensitivity"]}


def list_errors(answer: Any) -> dict[str, str]:
    """Return the messages of a rejected request by field."""
    assert answer.status_code == 400, answer.text
    return {error["field"]: error["message"] for error in answer.json()["errors"]}


class TestEntering:
    """PUT microbiology-entry."""

    async def test_interprets_by_the_breakpoints(self, bench: Bench) -> None:
        answer = await bench.enter(source="BLOOD", organisms=[COLI])
        assert answer.status_code == 200, answer.text
        [test] = answer.json()["tests"]
        assert list_flags(test) == {"AMP": "R", "CZO": "S", "CIP": "R"}
        [amp, *_] = test["culture"]["organisms"][0]["sensitivity"]
        assert (amp["mic"], amp["limits"], amp["isManual"]) == (">16", "S <= 4, R >= 16", False)
        assert (test["status"], test["enteredBy"]) == (ResultStatus.UNRELEASED, "Ada Tester")
        assert (await bench.read_order())["status"] == OrderStatus.UNRELEASED

    async def test_the_source_decides_which_breakpoints_apply(self, bench: Bench) -> None:
        organism = build_organism(CZO="8")
        blood = await bench.enter(source="BLOOD", organisms=[organism])
        assert list_flags(blood.json()["tests"][0]) == {"CZO": "R"}
        urine = await bench.enter(source="URINE_CC", organisms=[organism])
        assert list_flags(urine.json()["tests"][0]) == {"CZO": "S"}

    async def test_marks_an_interpretation_that_was_set_by_hand(self, bench: Bench) -> None:
        rows = [
            {"antibiotic": "AMP", "mic": "4", "interpretation": "R"},
            {"antibiotic": "CIP", "mic": "0.12", "interpretation": "S"},
            {"antibiotic": "COL", "interpretation": "S"},
        ]
        answer = await bench.enter(organisms=[{"code": "ECOLI", "sensitivity": rows}])
        panel = answer.json()["tests"][0]["culture"]["organisms"][0]["sensitivity"]
        assert [(each["interpretation"], each["isManual"]) for each in panel] == [
            ("R", True),
            ("S", False),
            ("S", True),
        ]

    async def test_zones_and_etests_have_their_limits(self, bench: Bench) -> None:
        rows = [
            {"antibiotic": "AMP", "method": "ZONE", "mic": "22"},
            {"antibiotic": "CIP", "method": "ETEST", "mic": "0.19"},
        ]
        answer = await bench.enter(organisms=[{"code": "ECOLI", "sensitivity": rows}])
        assert list_flags(answer.json()["tests"][0]) == {"AMP": "S", "CIP": "S"}

    @pytest.mark.parametrize(
        ("body", "field", "message"),
        [
            (
                {"organisms": [{"sensitivity": [{"antibiotic": "AMP", "mic": "4"}]}]},
                "organisms.0.code",
                messages.ORGANISM_REQUIRED,
            ),
            ({"organisms": [{"code": "X"}]}, "organisms.0.code", messages.ORGANISM_UNKNOWN),
            (
                {"organisms": [build_organism(AMP="4 mg")]},
                "organisms.0.sensitivity.0.mic",
                messages.MIC_INVALID,
            ),
            (
                {
                    "organisms": [
                        {
                            "code": "ECOLI",
                            "sensitivity": [{"antibiotic": "AMP", "method": "ZONE", "mic": "220"}],
                        }
                    ]
                },
                "organisms.0.sensitivity.0.mic",
                messages.ZONE_INVALID,
            ),
            (
                {"organisms": [build_organism(XYZ="4")]},
                "organisms.0.sensitivity.0.antibiotic",
                messages.ANTIBIOTIC_UNKNOWN,
            ),
            (
                {"organisms": [{"code": "ECOLI", "sensitivity": [{"antibiotic": "AMP"}] * 2}]},
                "organisms.0.sensitivity.1.antibiotic",
                "Ampicillin is entered twice",
            ),
            (
                {
                    "organisms": [
                        {
                            "code": "ECOLI",
                            "sensitivity": [{"antibiotic": "AMP", "interpretation": "HH"}],
                        }
                    ]
                },
                "organisms.0.sensitivity.0.interpretation",
                messages.VALUE_INVALID,
            ),
            ({"source": "X", "findings": NO_GROWTH}, "source", messages.VALUE_INVALID),
            ({"site": "URINE_CC", "findings": NO_GROWTH}, "site", messages.VALUE_INVALID),
            ({"findings": [{"code": "X"}]}, "findings.0.code", messages.VALUE_INVALID),
            (
                {"findings": [{"code": "NG", "quantity": "X"}]},
                "findings.0.quantity",
                messages.VALUE_INVALID,
            ),
            (
                {"collected": "1900-01-01T00:00:00", "findings": NO_GROWTH},
                "collected",
                messages.CULTURE_DATE_INVALID,
            ),
            ({"result": "MAYBE"}, "result", messages.VALUE_INVALID),
        ],
    )
    async def test_rejects_invalid_input(
        self, bench: Bench, body: dict[str, Any], field: str, message: str
    ) -> None:
        assert list_errors(await bench.enter(**body)) == {field: message}
        assert (await bench.read_test())["status"] == ResultStatus.PENDING

    async def test_rejects_s_for_an_intrinsic_resistance(self, bench: Bench) -> None:
        organism = build_organism("KPNEU", CIP="0.06", AMP="2")
        assert list_errors(await bench.enter(organisms=[organism])) == {
            "organisms.0.sensitivity.1.interpretation": (
                "Klebsiella pneumoniae is intrinsically resistant to Ampicillin"
            )
        }

    async def test_does_not_change_the_order_for_the_same_culture(self, bench: Bench) -> None:
        first = (await bench.enter(organisms=[COLI])).json()["version"]
        assert (await bench.enter(organisms=[COLI])).json()["version"] == first

    async def test_rejects_a_stale_version(self, bench: Bench) -> None:
        version = (await bench.enter(organisms=[COLI])).json()["version"]
        headers = {"If-Match": f'"{version - 1}"'}
        answer = await bench.enter(headers=headers, findings=NO_GROWTH)
        assert answer.status_code == 412
        assert list_flags(await bench.read_test())

    async def test_each_save_is_a_version_with_its_parts(self, bench: Bench) -> None:
        await bench.enter(organisms=[COLI])
        await bench.enter(findings=NO_GROWTH)
        rows = bench.world.fetch_rows(
            "SELECT c.revision, c.is_current, count(o.*) FROM cultures c LEFT JOIN"
            " culture_organisms o ON o.culture_id = c.id WHERE c.order_id = %s"
            " GROUP BY c.id ORDER BY c.revision",
            (bench.order_id,),
        )
        assert rows == [(1, False, 1), (2, True, 0)]

    async def test_an_empty_culture_withdraws_the_entry(self, bench: Bench) -> None:
        await bench.enter(organisms=[COLI])
        answer = await bench.enter(source="BLOOD")
        [test] = answer.json()["tests"]
        assert (test["isEntered"], test["status"]) == (False, ResultStatus.PENDING)
        assert (await bench.read_order())["status"] == OrderStatus.PENDING
        await bench.publish(findings=NO_GROWTH)

    async def test_repeating_a_save_with_its_key_is_one_save(self, bench: Bench) -> None:
        headers = {"Idempotency-Key": f"culture-{bench.order_id}"}
        first = await bench.enter(headers=headers, organisms=[COLI])
        assert (await bench.enter(headers=headers, organisms=[COLI])).json() == first.json()
        count = "SELECT count(*) FROM cultures WHERE order_id = %s"
        assert bench.world.run_sql(count, (bench.order_id,)) == 1

    async def test_tests_of_other_families_are_not_there(self, world: World) -> None:
        bench = await receive_cultures(world, "UCUL", "GLU")
        glucose = world.run_sql(
            "SELECT id FROM order_tests WHERE order_id = %s AND kind = 'clinical'",
            (bench.order_id,),
        )
        part = f"microbiology-entry/{glucose}"
        assert (await bench.call("PUT", part, {"findings": NO_GROWTH})).status_code == 404
        assert [t["code"] for t in (await bench.read_entry())["tests"]] == ["UCUL"]


class TestChecking:
    """POST microbiology-entry/check."""

    async def test_answers_what_a_save_would_say_and_stores_nothing(self, bench: Bench) -> None:
        test_id = (await bench.read_test())["orderTestId"]
        organisms = [build_organism(AMP=">16", VAN="1", CIP="x", GEN="")]
        answer = await bench.call(
            "POST", f"microbiology-entry/{test_id}/check", {"organisms": organisms}
        )
        body = answer.json()
        assert list_flags({"culture": body}) == {"AMP": "R", "VAN": None, "CIP": None, "GEN": None}
        assert body["errors"] == [
            {"field": "organisms.0.sensitivity.2.mic", "message": messages.MIC_INVALID}
        ]
        gaps = [gap["field"] for gap in body["finalGaps"]]
        assert gaps == [f"organisms.0.sensitivity.{i}.mic" for i in (1, 2, 3)]
        assert (await bench.read_test())["isEntered"] is False


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

    async def test_preliminary_to_final_is_no_correction(self, bench: Bench) -> None:
        await bench.publish("preliminary", organisms=[{"code": "GNR"}])
        await bench.publish(organisms=[COLI])
        result = await bench.read_result()
        assert (result["label"], result["corrections"]) == ("FINAL", [])
        assert [each["organisms"][0]["name"] for each in result["earlier"]] == [
            "Gram-negative rods"
        ]
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    async def test_a_preliminary_result_becomes_final_unchanged(self, bench: Bench) -> None:
        await bench.publish("preliminary", findings=NO_GROWTH)
        released = await bench.release()
        assert released.status_code == 200, released.text
        result = await bench.read_result()
        assert (result["label"], result["revision"], len(result["earlier"])) == ("FINAL", 2, 1)
        again = await bench.release()
        assert (again.status_code, again.json()["code"]) == (400, "nothing_to_release")

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
        own = await bench.read_result(bench.lab)
        assert (own["label"], own["organisms"][0]["name"]) == ("PENDING", "Escherichia coli")

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
    async def test_half_a_culture_is_rejected(
        self, bench: Bench, body: dict[str, Any], field: str
    ) -> None:
        assert (await bench.enter(**body)).status_code == 200
        test_id = (await bench.read_test())["orderTestId"]
        errors = list_errors(await bench.release())
        assert f"tests.{test_id}.{field}" in errors
        assert (await bench.read_result())["label"] == "PENDING"

    async def test_one_incomplete_culture_stops_all(self, world: World) -> None:
        bench = await receive_cultures(world, "UCUL", "BCUL")
        await bench.enter("UCUL", findings=NO_GROWTH)
        await bench.enter("BCUL", organisms=[{"code": "GNR"}])
        assert (await bench.release()).status_code == 400
        assert (await bench.read_result())["label"] == "PENDING"
        test_id = (await bench.read_test("UCUL"))["orderTestId"]
        chosen = await bench.release(orderTestIds=[test_id])
        assert chosen.status_code == 200
        assert (await bench.read_order())["status"] == OrderStatus.PARTIALLY_RELEASED

    async def test_nothing_preliminary_follows_a_final_result(self, bench: Bench) -> None:
        await bench.publish(findings=NO_GROWTH)
        await bench.enter(findings=[{"code": "NG48"}], reasonCode=await find_reason(bench))
        assert list(list_errors(await bench.release("preliminary")).values()) == [
            "CULTURE, URINE: a final result is out, so a preliminary one cannot follow"
        ]

    async def test_other_tests_are_not_there(self, bench: Bench) -> None:
        await bench.enter(findings=NO_GROWTH)
        assert (await bench.release(orderTestIds=[1])).status_code == 404

    async def test_a_test_with_choices_has_a_result(self, world: World) -> None:
        bench = await receive_cultures(world, "MRSA")
        await bench.enter("MRSA", comment="Repeat.")
        assert (await bench.release()).status_code == 400
        await bench.publish(code="MRSA", result="detected")
        result = await bench.read_result(name="MRSA SCREEN")
        assert (result["result"], result["isAbnormal"]) == ("DETECTED", True)


async def find_reason(bench: Bench) -> str:
    """Return the code of a reason for a correction."""
    answer = await bench.world.http.get(
        "/api/v2/reasons?kind=correction", headers=bench.lab.headers
    )
    return answer.json()[0]["code"]


class TestCorrecting:
    """Changing what was released."""

    async def test_needs_a_reason(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        changed = [build_organism(AMP="2", CZO="<=1", CIP="0.5")]
        assert list_errors(await bench.enter(organisms=changed)) == {
            "reasonCode": messages.CULTURE_REASON_REQUIRED
        }
        unknown = await bench.enter(organisms=changed, reasonCode="X")
        assert list_errors(unknown) == {"reasonCode": messages.VALUE_INVALID}

    async def test_shows_what_it_was_and_is_and_why(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        reason = await find_reason(bench)
        changed = [build_organism(AMP="2", CZO="<=1", CIP="0.5")]
        entered = await bench.enter(organisms=changed, reasonCode=reason, explanation="Read again.")
        [test] = entered.json()["tests"]
        assert (test["status"], test["culture"]["isCorrection"]) == (ResultStatus.FINAL, True)
        assert (await bench.read_result())["corrections"] == []
        assert (await bench.release()).status_code == 200
        result = await bench.read_result()
        [correction] = result["corrections"]
        assert correction["changes"] == [
            {"subject": "Escherichia coli, Ampicillin", "was": ">16 R", "now": "2 S"}
        ]
        assert correction["explanation"] == "Read again."
        assert correction["reason"]
        assert (correction["releasedBy"], correction["revision"]) == ("Ada Tester", 2)
        [earlier] = result["earlier"]
        [organism] = earlier["organisms"]
        assert organism["sensitivity"][0]["microbiologyInterpretationType"] == "R"

    async def test_patients_do_not_read_who_released_a_version(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        changed, reason = [build_organism("KPNEU", CIP="0.06")], await find_reason(bench)
        await bench.publish(organisms=changed, reasonCode=reason, explanation="Other isolate")
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person("Patient", patient_ids=[patient_id])
        named, shown = await bench.read_result(), await bench.read_result(patient)

        def list_names(result: Any) -> list[str | None]:
            versions = (result, *result["earlier"], *result["corrections"])
            return [version["releasedBy"] for version in versions]

        assert list_names(named) == ["Ada Tester"] * 3
        assert list_names(shown) == [None] * 3
        [correction] = shown["corrections"]
        assert correction == {**named["corrections"][0], "releasedBy": None}
        assert correction["explanation"] == "Other isolate"

    async def test_withdrawing_a_correction_restores_the_release(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        reason = await find_reason(bench)
        await bench.enter(findings=NO_GROWTH, reasonCode=reason)
        [test] = (await bench.enter()).json()["tests"]
        assert (test["isReleased"], list_flags(test)["AMP"]) == (True, "R")

    async def test_a_released_version_never_changes(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        before = bench.world.fetch_rows(
            "SELECT to_jsonb(c) - 'is_current' FROM cultures c WHERE order_id = %s",
            (bench.order_id,),
        )
        await bench.publish(findings=NO_GROWTH, reasonCode=await find_reason(bench))
        after = bench.world.fetch_rows(
            "SELECT to_jsonb(c) - 'is_current' FROM cultures c WHERE order_id = %s"
            " AND revision = 1",
            (bench.order_id,),
        )
        assert after == before


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
        masks = "SELECT critical_kinds FROM orders WHERE id = %s"
        assert world.run_sql(masks, (bench.order_id,)) == 2

    async def test_a_correction_ends_it(self, world: World) -> None:
        bench = await receive_cultures(world, "BCUL")
        await bench.publish(code="BCUL", source="BLOOD", organisms=[COLI])
        await bench.publish(
            code="BCUL",
            source="BLOOD",
            findings=[{"code": "NG5"}],
            reasonCode=await find_reason(bench),
        )
        assert (await bench.read_order())["hasAlert"] is False


class TestCanceled:
    """Canceled orders and tests."""

    async def test_a_canceled_order_says_so(self, bench: Bench) -> None:
        bench.world.run_sql("UPDATE orders SET status = 32 WHERE id = %s", (bench.order_id,))
        result = await bench.read_result()
        assert (result["label"], result["status"]) == ("CANCELED", ResultStatus.CANCELED)
        assert (await bench.enter(findings=NO_GROWTH)).status_code == 409

    async def test_a_canceled_test_accepts_nothing(self, bench: Bench) -> None:
        await bench.enter(findings=NO_GROWTH)
        bench.world.run_sql(
            "UPDATE order_tests SET status = 32 WHERE order_id = %s", (bench.order_id,)
        )
        assert (await bench.enter(organisms=[COLI])).status_code == 400
        assert (await bench.release()).json()["code"] == "nothing_to_release"
        assert (await bench.read_result())["label"] == "CANCELED"


class TestLists:
    """GET microbiology/lists."""

    async def test_offers_organisms_with_the_lab_panel(self, bench: Bench) -> None:
        answer = await bench.world.http.get("/api/v2/microbiology/lists", headers=bench.lab.headers)
        lists = answer.json()
        assert lists["breakpointEdition"] == "Demo 2026"
        assert lists["sources"][0] == {"code": "BLOOD", "name": "Blood", "words": None}
        assert {mark["code"] for mark in lists["marks"]} >= {"MRSA", "ESBL", "VRE"}
        panels = {each["code"]: each["panel"] for each in lists["organisms"]}
        assert panels["ECOLI"][:2] == ["AMP", "AMC"]
        assert "FOS" in panels["ECOLI"]
        assert "FOS" not in panels["KPNEU"]
        assert panels["NFLOR"] == []
        assert lists["antibiotics"][0]["className"] == "Penicillins"
