"""Columns of configured tests, here potassium and glucose, in the order search (R 2.1)."""

import pytest

from tests.server.accounts.builders import Person
from tests.server.results import family_benches
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.results.toxicology import bench as drugs
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for glucose, potassium, and a test without a column."""
    return await receive_order(world, "GLU", "K", "HGB")


async def read_cells(bench: Bench, person: Person) -> list[dict]:
    """Read the order's results in the order search."""
    answer = await bench.world.http.get(
        f"/api/v2/orders/remote-operations?ids={bench.order_id}", headers=person.headers
    )
    assert answer.status_code == 200, answer.text
    [row] = answer.json()["data"]
    return row["orderResults"]


async def list_columns(bench: Bench) -> list[dict]:
    """Read which tests have a column."""
    path = "/api/v2/public-settings/web-results"
    return (await bench.world.http.get(path, headers=bench.nurse.headers)).json()["tests"]


class TestCells:
    """An order's columns in the order search."""

    async def test_cells_show_released_results_in_the_order_of_the_columns(
        self, bench: Bench
    ) -> None:
        await bench.enter(GLU="512", K="4.1", HGB="14")
        assert await read_cells(bench, bench.lab) == []
        await bench.release()
        listed_columns = await list_columns(bench)
        columns = {column["code"]: column["id"] for column in listed_columns}
        assert list(columns) == ["K", "GLU"]
        cells = await read_cells(bench, bench.nurse)
        assert [cell["testId"] for cell in cells] == list(columns.values())
        assert cells == await read_cells(bench, bench.lab)
        glucose = (await bench.read_results(bench.nurse))["GLUCOSE"]
        assert listed_columns[1]["unit"] == glucose["unit"]
        assert {**cells[1], "testId": 0} == {
            "testId": 0,
            "results": "512",
            "reportAs": f"512 {glucose['unit']}",
            "flag": glucose["flag"],
            "isAbnormal": True,
            "isCritical": glucose["isCritical"],
            "hasNoRange": False,
        }

    async def test_cells_mark_a_number_that_was_not_judged(self, world: World) -> None:
        world.add_lab_test("NORANGE", unit="mg/dL")
        bench = await receive_order(world, "NORANGE")
        await bench.enter(NORANGE="8.00")
        await bench.release()
        [[test_id]] = world.fetch_rows("SELECT id FROM lab_tests WHERE code = 'NORANGE'")
        with world.change_setting("web-results", {"tests": [test_id]}):
            [cell] = await read_cells(bench, bench.nurse)
        assert (cell["results"], cell["flag"], cell["hasNoRange"]) == ("8.00", None, True)

    async def test_cells_show_the_correction_once_it_is_released(self, bench: Bench) -> None:
        await bench.enter(GLU="512")
        await bench.release("GLU")
        await bench.correct(GLU="90")
        assert [c["results"] for c in await read_cells(bench, bench.nurse)] == ["512"]
        assert [c["results"] for c in await read_cells(bench, bench.lab)] == ["512"]
        await bench.release("GLU")
        assert [c["results"] for c in await read_cells(bench, bench.nurse)] == ["90"]

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_cells_hide_a_withheld_result(self, bench: Bench, kind: str) -> None:
        await bench.enter(GLU="512")
        await bench.release("GLU")
        await bench.correct(GLU="90")
        await bench.release("GLU")
        answer = await bench.post("withhold", "GLU", kind=kind, reason="SPECIMEN")
        assert answer.status_code == 200, answer.text
        assert await read_cells(bench, bench.nurse) == []
        assert await read_cells(bench, bench.lab) == []


class TestToxicologyCells:
    """The cells of a toxicology test."""

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_hide_a_withheld_result_from_everybody(self, world: World, kind: str) -> None:
        bench = await family_benches.receive_order(world, "toxicology")
        await bench.publish(bench.case.first)
        path = f"/api/v2/orders/remote-operations?ids={bench.order_id}"

        async def read_values(person: str) -> list[str]:
            answer = await world.http.get(path, headers=bench.people[person].headers)
            [row] = answer.json()["data"]
            return [cell["results"] for cell in row["orderResults"]]

        with world.change_setting("web-results", {"tests": [world.get_test_id(bench.case.code)]}):
            for person in ("nurse", "lab"):
                assert await read_values(person) == [bench.case.first["result"]]
            await bench.act("withhold", kind=kind, reason="SPECIMEN")
            for person in ("nurse", "lab"):
                assert await read_values(person) == []

    async def test_have_the_flags_of_the_verdicts(self, world: World) -> None:
        bench = await drugs.receive_order(world, "PERCOCET")
        codes = ("QFEN", "UBENZ", "QOXY", "QOXA", "VCRE")
        await bench.publish(QFEN="9", UBENZ="POSITIVE", QOXY="300", QOXA="<20", VCRE="3")
        path = f"/api/v2/orders/remote-operations?ids={bench.order_id}"

        async def read_flags(person: Person) -> dict[str, tuple[str | None, bool, bool]]:
            answer = await world.http.get(path, headers=person.headers)
            [row] = answer.json()["data"]
            cells = {cell["testId"]: cell for cell in row["orderResults"]}
            return {
                code: (cell["flag"], cell["isAbnormal"], cell["isCritical"])
                for code in codes
                if (cell := cells.get(world.get_test_id(code)))
            }

        flags = {
            "QFEN": ("AA", True, True),
            "UBENZ": ("A", True, False),
            "QOXY": (None, False, False),
            "QOXA": (None, False, False),
            "VCRE": ("A", True, False),
        }
        columns = {"tests": [world.get_test_id(code) for code in codes]}
        with world.change_setting("web-results", columns):
            assert await read_flags(bench.nurse) == flags
            # An entered correction changes nothing before its release.
            await bench.enter(QFEN={"result": "0", "reasonCode": "REPEAT"})
            assert await read_flags(bench.nurse) == await read_flags(bench.lab) == flags
            assert (await bench.release("QFEN")).status_code == 200
            assert (await read_flags(bench.nurse))["QFEN"] == (None, False, False)


class TestSetting:
    """The tests that have a column."""

    async def test_has_five_tests_at_most(self, bench: Bench) -> None:
        rows = bench.world.fetch_rows(
            "SELECT id FROM lab_tests WHERE kind IN ('clinical', 'toxicology') AND NOT is_panel"
            " ORDER BY id LIMIT 7"
        )
        ids = [row[0] for row in rows]
        with bench.world.change_setting("web-results", {"tests": ids}):
            assert [column["id"] for column in await list_columns(bench)] == ids[:5]

    @pytest.mark.parametrize("code", ["UCUL", "SURG", "CBC"])
    async def test_a_test_that_never_has_a_value_has_no_column(
        self, bench: Bench, code: str
    ) -> None:
        tests = [bench.world.get_test_id(test) for test in (code, "K")]
        with bench.world.change_setting("web-results", {"tests": tests}):
            assert [column["code"] for column in await list_columns(bench)] == ["K"]

    async def test_without_tests_there_are_no_columns(self, bench: Bench) -> None:
        with bench.world.change_setting("web-results", {}):
            await bench.enter(GLU="512")
            await bench.release("GLU")
            assert await list_columns(bench) == []
            assert await read_cells(bench, bench.nurse) == []
