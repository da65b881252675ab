"""Correction of released cultures."""

from typing import Any

from app.contract import messages
from app.contract.enumerations import ResultStatus
from tests.server.paperwork.reading import extract_text
from tests.server.results.microbiology.bench import (
    COLI,
    NO_GROWTH,
    Bench,
    build_organism,
    find_reason,
    list_errors,
    list_interpretations,
)


class TestCorrecting:
    """Changing what was released."""

    async def test_needs_a_reason(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        changed_organisms = [build_organism(AMP="2", CZO="<=1", CIP="0.5")]
        assert list_errors(await bench.enter(organisms=changed_organisms)) == {
            "reasonCode": messages.CULTURE_REASON_REQUIRED
        }
        unknown_answer = await bench.enter(organisms=changed_organisms, reasonCode="X")
        assert list_errors(unknown_answer) == {"reasonCode": messages.VALUE_INVALID}
        other_answer = await bench.enter(organisms=changed_organisms, reasonCode="OTHER")
        assert list_errors(other_answer) == {"explanation": messages.REASON_NEEDS_WORDS}

    async def test_shows_the_earlier_and_the_current_culture_and_the_reason(
        self, bench: Bench
    ) -> None:
        await bench.publish(organisms=[COLI])
        reason = await find_reason(bench)
        changed_organisms = [build_organism(AMP="2", CZO="<=1", CIP="0.5")]
        entry_answer = await bench.enter(
            organisms=changed_organisms, reasonCode=reason, explanation="Read again."
        )
        [test] = entry_answer.json()["tests"]
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

    async def test_the_report_has_the_words_of_the_screen(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        await bench.publish(
            organisms=[build_organism("KPNEU", CIP="0.06")], reasonCode=await find_reason(bench)
        )
        answer = await bench.world.http.get(
            "/api/v2/reports/order/results",
            headers=bench.nurse.headers,
            params={"ids": bench.order_id},
        )
        text = " ".join(extract_text(answer.content).split())
        assert "Escherichia coli, Ampicillin: was >16 R, is not reported" in text
        assert "Klebsiella pneumoniae: was not reported, is" in text

    async def test_patients_do_not_read_who_released_a_version(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        changed_organisms, reason = [build_organism("KPNEU", CIP="0.06")], await find_reason(bench)
        await bench.publish(
            organisms=changed_organisms, reasonCode=reason, explanation="Other isolate"
        )
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person("Patient", patient_ids=[patient_id])
        nurse_result, patient_result = await bench.read_result(), await bench.read_result(patient)

        def list_names(result: Any) -> list[str | None]:
            versions = (result, *result["earlier"], *result["corrections"])
            return [version["releasedBy"] for version in versions]

        assert list_names(nurse_result) == ["Ada Tester"] * 3
        assert list_names(patient_result) == [None] * 3
        [correction] = patient_result["corrections"]
        assert correction == {**nurse_result["corrections"][0], "releasedBy": None}
        assert correction["explanation"] == "Other isolate"

    async def test_withdrawing_a_correction_restores_the_release(self, bench: Bench) -> None:
        await bench.publish(organisms=[COLI])
        reason = await find_reason(bench)
        await bench.enter(findings=NO_GROWTH, reasonCode=reason)
        [test] = (await bench.enter()).json()["tests"]
        assert (test["isReleased"], list_interpretations(test)["AMP"]) == (True, "R")

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
