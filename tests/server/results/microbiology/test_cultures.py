"""Entering, releasing, and reading cultures."""

from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from tests.server.results.microbiology.bench import (
    COLI,
    NO_GROWTH,
    Bench,
    build_organism,
    list_errors,
    list_interpretations,
    receive_cultures,
)
from tests.server.world import World


class TestEntering:
    """PUT microbiology-entry."""

    async def test_interprets_by_the_breakpoints(self, bench: Bench) -> None:
        answer = await bench.enter(source="BLOOD", organisms=[COLI])
        assert answer.status_code == 200, answer.text
        [test] = answer.json()["tests"]
        assert list_interpretations(test) == {"AMP": "R", "CZO": "S", "CIP": "R"}
        [amp, *_] = test["culture"]["organisms"][0]["sensitivity"]
        assert (amp["mic"], amp["limits"], amp["isManual"]) == (">16", "S <= 4, R >= 16", False)
        assert (test["status"], test["enteredBy"]) == (ResultStatus.UNRELEASED, "Ada Tester")
        assert (await bench.read_order())["status"] == OrderStatus.UNRELEASED

    async def test_the_source_decides_which_breakpoints_apply(self, bench: Bench) -> None:
        organism = build_organism(CZO="8")
        blood = await bench.enter(source="BLOOD", organisms=[organism])
        assert list_interpretations(blood.json()["tests"][0]) == {"CZO": "R"}
        urine = await bench.enter(source="URINE_CC", organisms=[organism])
        assert list_interpretations(urine.json()["tests"][0]) == {"CZO": "S"}

    async def test_marks_an_interpretation_that_was_set_by_hand(self, bench: Bench) -> None:
        rows = [
            {"antibiotic": "AMP", "mic": "4", "interpretation": "R"},
            {"antibiotic": "CIP", "mic": "0.12", "interpretation": "S"},
            {"antibiotic": "COL", "interpretation": "S"},
        ]
        answer = await bench.enter(organisms=[{"code": "ECOLI", "sensitivity": rows}])
        panel = answer.json()["tests"][0]["culture"]["organisms"][0]["sensitivity"]
        assert [
            (susceptibility["interpretation"], susceptibility["isManual"])
            for susceptibility in panel
        ] == [
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
        assert list_interpretations(answer.json()["tests"][0]) == {"AMP": "S", "CIP": "S"}

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
            (
                {"collected": "2199-12-31T00:00:00", "findings": NO_GROWTH},
                "collected",
                messages.CULTURE_DATE_IN_FUTURE,
            ),
            # Times that no lab clock can show.
            (
                {"collected": "9999-12-31T23:59:59-12:00", "findings": NO_GROWTH},
                "collected",
                messages.VALUE_INVALID,
            ),
            (
                {"collected": "0001-01-01T00:00:00+14:00", "findings": NO_GROWTH},
                "collected",
                messages.VALUE_INVALID,
            ),
            (
                {"collected": "1970-01-01T23:59:00", "findings": NO_GROWTH},
                "collected",
                messages.CULTURE_DATE_BEFORE_BIRTH,
            ),
            (
                {"findings": [{"code": "GRWBC"}, {"code": "GRWBC", "quantity": "FEW"}]},
                "findings.1.code",
                "Leukocytes: this finding is entered twice",
            ),
            ({"result": "MAYBE"}, "result", messages.VALUE_INVALID),
            (
                {
                    "findings": [{"code": "GRGNR"}, {"code": "NG48"}],
                    "organisms": [{"code": "ECOLI"}],
                },
                "findings.1.code",
                "No growth after 48 hours, but Escherichia coli is listed. Remove one of the two",
            ),
        ],
    )
    async def test_rejects_invalid_input(
        self, bench: Bench, body: dict[str, Any], field: str, message: str
    ) -> None:
        assert list_errors(await bench.enter(**body)) == {field: message}
        assert (await bench.read_test())["status"] == ResultStatus.PENDING

    async def test_reads_a_collection_time_with_an_offset_on_the_lab_clock(
        self, bench: Bench
    ) -> None:
        await bench.enter(collected="2026-01-15T18:30:00Z", findings=NO_GROWTH)
        assert (await bench.read_test())["culture"]["collected"] == "2026-01-15T12:30:00"

    async def test_rejects_susceptible_for_an_intrinsic_resistance(self, bench: Bench) -> None:
        organism = build_organism("KPNEU", CIP="0.06", AMP="2")
        assert list_errors(await bench.enter(organisms=[organism])) == {
            "organisms.0.sensitivity.1.interpretation": (
                "Klebsiella pneumoniae is intrinsically resistant to Ampicillin"
            )
        }

    async def test_rejects_susceptible_for_a_resistance_that_the_mark_says(
        self, bench: Bench
    ) -> None:
        organism = build_organism("SAURE", OXA="0.5", VAN="1")
        assert list_errors(await bench.enter(organisms=[organism | {"mark": "MRSA"}])) == {
            "organisms.0.sensitivity.0.interpretation": (
                "Staphylococcus aureus is marked MRSA, so it is not susceptible to Oxacillin."
                " Change one of the two"
            )
        }
        organism = build_organism("SAURE", OXA=">4", VAN="1")
        answer = await bench.enter(organisms=[organism | {"mark": "MRSA"}])
        assert answer.status_code == 200, answer.text

    async def test_does_not_change_the_order_for_the_same_culture(self, bench: Bench) -> None:
        version = (await bench.enter(organisms=[COLI])).json()["version"]
        assert (await bench.enter(organisms=[COLI])).json()["version"] == version

    async def test_rejects_a_stale_version(self, bench: Bench) -> None:
        version = (await bench.enter(organisms=[COLI])).json()["version"]
        headers = {"If-Match": f'"{version - 1}"'}
        answer = await bench.enter(headers=headers, findings=NO_GROWTH)
        assert answer.status_code == 412
        assert list_interpretations(await bench.read_test())

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
        count_query = "SELECT count(*) FROM cultures WHERE order_id = %s"
        assert bench.world.run_sql(count_query, (bench.order_id,)) == 1

    async def test_rejects_tests_of_other_families(self, world: World) -> None:
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

    async def test_returns_the_answer_of_a_save_without_saving(self, bench: Bench) -> None:
        test_id = (await bench.read_test())["orderTestId"]
        organisms = [build_organism(AMP=">16", VAN="1", CIP="x", GEN="")]
        answer = await bench.call(
            "POST", f"microbiology-entry/{test_id}/check", {"organisms": organisms}
        )
        body = answer.json()
        assert list_interpretations({"culture": body}) == {
            "AMP": "R",
            "VAN": None,
            "CIP": None,
            "GEN": None,
        }
        assert body["errors"] == [
            {"field": "organisms.0.sensitivity.2.mic", "message": messages.MIC_INVALID}
        ]
        gaps = [gap["field"] for gap in body["finalGaps"]]
        assert gaps == [f"organisms.0.sensitivity.{i}.mic" for i in (1, 2, 3)]
        assert (await bench.read_test())["isEntered"] is False


class TestCanceled:
    """Canceled orders and tests."""

    async def test_a_canceled_order_shows_canceled_results(self, bench: Bench) -> None:
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
        panels = {organism["code"]: organism["panel"] for organism in lists["organisms"]}
        assert panels["ECOLI"][:2] == ["AMP", "AMC"]
        assert "FOS" in panels["ECOLI"]
        assert "FOS" not in panels["KPNEU"]
        assert panels["NFLOR"] == []
        assert lists["antibiotics"][0]["className"] == "Penicillins"
