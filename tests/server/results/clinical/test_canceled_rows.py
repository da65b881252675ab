"""An analyte in two panels, one of whose rows is canceled (ADR 92)."""

import re

import pytest

from app.contract.enumerations import ResultStatus
from tests.server.accounts.builders import Person
from tests.server.paperwork.reading import extract_text
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.world import World


@pytest.fixture(params=["first", "second"])
async def bench(world: World, request: pytest.FixtureRequest) -> Bench:
    """An order for two panels with glucose, which was entered and then canceled in one panel."""
    world.add_panel("XBMP", "GLU", "K")
    world.add_panel("XCMP", "HGB", "GLU")
    bench = await receive_order(world, "XBMP", "XCMP")
    await bench.enter(GLU="500")
    rows = [row for row in (await bench.read_entry())["rows"] if row["code"] == "GLU"]
    canceled_id = rows[0 if request.param == "first" else 1]["orderTestId"]
    answer = await world.http.post(
        f"{bench.path}/cancel",
        headers=bench.lab.headers,
        json={"orderTestIds": [canceled_id], "reason": "SPECIMEN"},
    )
    assert answer.status_code == 200, answer.text
    return bench


async def list_rows(bench: Bench, person: Person) -> dict[int, dict]:
    """List the rows of glucose on the order page, by status."""
    answer = await bench.world.http.get(f"{bench.path}/clinical-results", headers=person.headers)
    return {row["status"]: row for row in answer.json() if row["name"] == "GLUCOSE"}


class TestCanceledRow:
    """The row says CANCELED and nothing else; the other row has the result."""

    async def test_the_order_page_shows_no_result(self, bench: Bench) -> None:
        assert (await list_rows(bench, bench.lab))[ResultStatus.CANCELED]["result"] is None
        await bench.release()
        for person in (bench.lab, bench.nurse):
            rows = await list_rows(bench, person)
            assert rows[ResultStatus.FINAL]["result"] == "500"
            canceled_row = rows[ResultStatus.CANCELED]
            assert (canceled_row["result"], canceled_row["flag"]) == (None, None)
            assert canceled_row["isCritical"] is False

    async def test_the_order_page_shows_no_correction(self, bench: Bench) -> None:
        await bench.release()
        await bench.correct(GLU="90")
        await bench.release()
        rows = await list_rows(bench, bench.nurse)
        assert rows[ResultStatus.FINAL]["isCorrected"] is True
        canceled_row = rows[ResultStatus.CANCELED]
        assert (canceled_row["isCorrected"], canceled_row["corrections"]) == (False, [])

    async def test_result_entry_marks_the_row(self, bench: Bench) -> None:
        rows = {row["status"]: row for row in (await bench.read_entry())["rows"]}
        open_row, canceled_row = rows[ResultStatus.UNRELEASED], rows[ResultStatus.CANCELED]
        assert (open_row["result"], open_row["sameAs"]) == ("500", None)
        assert canceled_row["result"] is None
        assert canceled_row["sameAs"] == open_row["orderTestId"]

    async def test_the_reason_names_its_panel(self, bench: Bench) -> None:
        [reason] = (await bench.read_order())["cancellationReasons"]
        rows = (await bench.read_entry())["rows"]
        canceled_row = next(row for row in rows if row["status"] == ResultStatus.CANCELED)
        panel = next(row for row in rows if row["orderTestId"] == canceled_row["parentId"])
        assert reason["tests"] == [f"GLUCOSE ({panel['name']})"]
        answer = await bench.world.http.get(
            "/api/v2/reports/order/results",
            params={"ids": bench.order_id},
            headers=bench.nurse.headers,
        )
        assert reason["tests"][0] in " ".join(extract_text(answer.content).split())

    @pytest.mark.parametrize("path", ["order/results", "order/results-preview"])
    async def test_the_report_prints_the_result_once(self, bench: Bench, path: str) -> None:
        if path == "order/results":
            await bench.release()
            answer = await bench.world.http.get(
                f"/api/v2/reports/{path}",
                params={"ids": bench.order_id},
                headers=bench.nurse.headers,
            )
        else:
            answer = await bench.world.http.post(
                f"/api/v2/reports/{path}",
                json={"ids": [bench.order_id]},
                headers=bench.lab.headers,
            )
        assert answer.status_code == 200, answer.text
        text = extract_text(answer.content)
        assert len(re.findall(r"\b500\b", text)) == 1
        assert text.count("CANCELED") >= 1
