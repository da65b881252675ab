"""The lab that performed a released result, in each family (42 CFR 493.1291(c))."""

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest

from app.contract import messages
from tests.server.exports.desk import Desk
from tests.server.results.clinical.bench import receive_difference
from tests.server.results.clinical.bench import receive_order as receive_clinical
from tests.server.results.family_benches import CASES, Bench, receive_order
from tests.server.results.test_withholding import print_report
from tests.server.world import World


@pytest.fixture(params=CASES)
async def bench(world: World, request: pytest.FixtureRequest) -> Bench:
    """An order with a released result, of each family except clinical results."""
    bench = await receive_order(world, request.param)
    await bench.publish(bench.case.first)
    return bench


def get_lab_name(world: World) -> str:
    """Return the name that the lab has on its reports."""
    query = "SELECT value ->> 'name' FROM lab_settings WHERE name = 'report'"
    return str(world.run_sql(query))


def rename_lab(world: World) -> AbstractContextManager[None]:
    """Give the lab another name within the context."""
    report = world.run_sql("SELECT value FROM lab_settings WHERE name = 'report'")
    return world.change_setting("report", {**report, "name": "NORTH LAB"})


def list_comments(row: dict[str, Any]) -> list[str]:
    """Return the report comments of a result, whatever its family calls them."""
    if "data" in row:
        return list(row["data"]["resultReportComments"])
    if "results" in row:
        return list(row["results"][-1]["resultReportComments"])
    return list(row["resultReportComments"])


class TestPerformingLab:
    """Page, report, and export name the lab that performed a result."""

    async def test_a_result_keeps_the_lab_of_its_entry(self, bench: Bench) -> None:
        text = messages.RESULT_PERFORMED_BY.format(lab=get_lab_name(bench.world))
        for person in ("nurse", "patient", "lab"):
            row, _ = await bench.read_result(person)
            assert text not in list_comments(row), person
        assert text not in await print_report(bench, "nurse")
        with rename_lab(bench.world):
            for person in ("nurse", "patient", "lab"):
                row, _ = await bench.read_result(person)
                assert text in list_comments(row), person
                assert text in await print_report(bench, person), person

    async def test_a_correction_is_performed_by_the_lab_of_its_entry(self, bench: Bench) -> None:
        with rename_lab(bench.world):
            await bench.publish(bench.case.corrected)
            row, _ = await bench.read_result("nurse")
            text = messages.RESULT_PERFORMED_BY.format(lab="NORTH LAB")
            assert text not in list_comments(row)
        row, _ = await bench.read_result("nurse")
        assert text in list_comments(row)

    async def test_the_export_names_it(self, bench: Bench) -> None:
        rows = await Desk(bench.world).export(bench.people["nurse"])
        assert {row["Performing Lab"] for row in rows} == {get_lab_name(bench.world)}


async def test_the_final_release_of_a_culture_keeps_the_lab_of_its_entry(world: World) -> None:
    bench = await receive_order(world, "microbiology")
    await bench.enter({"source": "URINE_CC", "findings": [{"code": "NG"}]})
    assert (await bench.release(kind="preliminary")).status_code == 200
    with rename_lab(world):
        assert (await bench.release(kind="final")).status_code == 200
        row, _ = await bench.read_result("nurse")
        assert row["label"] == "FINAL"
        text = messages.RESULT_PERFORMED_BY.format(lab=get_lab_name(world))
        assert text not in list_comments(row)
        [comment] = list_comments(row)
        assert comment.startswith("Performed by")


class TestClinicalComments:
    """``resultReportComments`` of clinical results (R 3)."""

    async def test_name_another_performing_lab(self, world: World) -> None:
        bench = await receive_clinical(world, "GLU")
        await bench.enter(GLU="95", write={"comment": "FASTING"})
        await bench.release()
        assert (await bench.read_results(bench.nurse))["GLUCOSE"]["resultReportComments"] == []
        text = messages.RESULT_PERFORMED_BY.format(lab=get_lab_name(world))
        with rename_lab(world):
            row = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert (row["comment"], row["resultReportComments"]) == ("FASTING", [text])

    async def test_say_that_a_result_was_calculated(self, world: World) -> None:
        bench = await receive_difference(world)
        await bench.enter(XWHOLE="1.0", XPART="0.4")
        assert (await bench.release()).status_code == 200
        results = await bench.read_results(bench.nurse)
        title = results["TEST XREST"]["calculated"]
        assert title
        assert results["TEST XREST"]["resultReportComments"] == [
            messages.RESULT_FORMULA.format(formula=title)
        ]
        assert results["TEST XPART"]["resultReportComments"] == []


class TestToxicologyComments:
    """``data.resultReportComments`` of toxicology results (R 3)."""

    async def test_say_that_a_screen_is_presumptive(self, world: World) -> None:
        bench = await receive_order(world, replace(CASES["toxicology"], code="UBENZ"))
        row, _ = await bench.read_result("nurse")
        assert list_comments(row) == []
        await bench.publish({"result": "POSITIVE"})
        row, _ = await bench.read_result("nurse")
        assert list_comments(row) == [messages.RESULT_PRESUMPTIVE]
        assert messages.RESULT_PRESUMPTIVE in await print_report(bench, "nurse")
