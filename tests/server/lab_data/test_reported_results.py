"""Changing a range, unit, or name never changes what was reported."""

from typing import Any

from tests.server.lab_data.desk import Desk, Samples
from tests.server.paperwork.reading import extract_text
from tests.server.results.clinical.bench import (
    Bench,
    receive_another_order,
    receive_order,
)
from tests.server.results.microbiology.bench import build_organism, receive_cultures
from tests.server.results.toxicology.bench import Bench as ToxicologyBench

REPORT = "/api/v2/reports/order/results"
PREVIEW = "/api/v2/result-exports/preview"


async def find_row(desk: Desk, kind: str, filter_: str) -> dict[str, Any]:
    """Read the one row that a filter finds."""
    [first] = (await desk.send("GET", f"/{kind}?{filter_}")).json()["data"]
    row: dict[str, Any] = (await desk.send("GET", f"/{kind}/{first['id']}")).json()
    return row


async def read_reported_results(bench: Bench) -> dict[str, Any]:
    """Read everything that people outside the lab see of an order's results."""
    http, headers = bench.world.http, bench.nurse.headers
    report_answer = await http.get(f"{REPORT}?ids={bench.order_id}", headers=headers)
    export_answer = await http.get(
        PREVIEW, params={"startDate": "2026-03-04", "endDate": "2026-03-04"}, headers=headers
    )
    cumulative_answer = await http.get(
        f"{bench.path}/clinical-cumulative-results?records=1", headers=headers
    )
    assert cumulative_answer.status_code == 200, cumulative_answer.text
    lines = extract_text(report_answer.content).splitlines()
    return {
        "results": await bench.read_results(bench.nurse),
        "report": [line for line in lines if "ZINC" in line],
        "export": export_answer.json()["data"],
        "cumulative": cumulative_answer.json(),
    }


async def test_changing_a_test_does_not_change_reports(desk: Desk, samples: Samples) -> None:
    code = f"ZN{samples.number}"
    desk.world.add_lab_test(code, name="ZINC OLD", unit="ug/dL")
    first = {"test": code, "ageFromDays": 0, "ageToDays": 60000, "low": "60", "high": "120"}
    await desk.create("reference-ranges", **first)
    bench = await receive_order(desk.world, code)
    await bench.enter(**{code: "130"})
    await bench.release()
    before = await read_reported_results(bench)
    [old] = before["results"].values()
    assert (old["name"], old["unit"], old["flag"]) == ("ZINC OLD", "ug/dL", "H")
    assert before["report"]

    test = await find_row(desk, "lab-tests", f"column.code={code}")
    change_answer = await desk.change("lab-tests", test, name="ZINC NEW", unit="umol/L")
    assert change_answer.status_code == 200, change_answer.text
    range_ = await find_row(desk, "reference-ranges", f"parent={code}")
    limits = {"low": "70", "high": "140", "unit": "umol/L"}
    assert (await desk.change("reference-ranges", range_, **limits)).status_code == 200
    assert await read_reported_results(bench) == before

    another = await receive_another_order(bench, code)
    await another.enter(**{code: "130"})
    await another.release()
    [new] = (await another.read_results(another.nurse)).values()
    assert (new["name"], new["unit"], new["flag"]) == ("ZINC NEW", "umol/L", "N")
    assert new["referenceRange"] == "70 - 140"


async def test_other_families_keep_names_units_and_cutoffs(desk: Desk) -> None:
    bench = await receive_cultures(desk.world, "UCUL", "QDIA")
    await bench.publish(organisms=[build_organism(AMP="2")])
    toxicology = ToxicologyBench(desk.world, bench.lab, bench.nurse, bench.order_id)
    await toxicology.publish(QDIA="400")

    async def read_results() -> list[Any]:
        answers = []
        for part in ("microbiology-results", "toxicology-alpha-results"):
            path = f"/api/v2/orders/{bench.order_id}/{part}"
            answers.append(await desk.world.http.get(path, headers=bench.nurse.headers))
        return [answer.json() for answer in answers]

    before = await read_results()
    culture = await find_row(desk, "lab-tests", "column.code=UCUL")
    drug = await find_row(desk, "lab-tests", "column.code=QDIA")
    cutoff = await find_row(desk, "toxicology-tests", "column.test=QDIA")
    changes = (
        ("lab-tests", culture, {"name": "RENAMED CULTURE"}),
        ("lab-tests", drug, {"name": "RENAMED DRUG", "unit": "mg/L"}),
        ("toxicology-tests", cutoff, {"cutOff": "1", "unit": "mg/L"}),
    )
    for kind, row, values in changes:
        assert (await desk.change(kind, row, **values)).status_code == 200
    after = await read_results()
    for kind, row, values in changes:
        path = f"/{kind}/{row['id']}"
        previous = {name: row["values"][name] for name in values}
        assert (await desk.send("PUT", path, {"values": previous})).status_code == 200
    assert after == before


async def test_an_ended_range_does_not_flag_results(desk: Desk, samples: Samples) -> None:
    code = f"ZE{samples.number}"
    desk.world.add_lab_test(code, name="ZINC", unit="ug/dL")
    row = await desk.create(
        "reference-ranges", test=code, ageFromDays=0, ageToDays=60000, low="60", high="120"
    )
    assert (await desk.change("reference-ranges", row, active=False)).status_code == 200
    bench = await receive_order(desk.world, code)
    await bench.enter(**{code: "130"})
    await bench.release()
    [result] = (await bench.read_results(bench.nurse)).values()
    assert (result["flag"], result["referenceRange"]) == (None, None)
