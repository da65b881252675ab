"""Versions keep the method and the limits by which they were judged (ADR 107)."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.server.results.cumulative.steps import EVER
from tests.server.results.toxicology.bench import NOTHING_DETECTED, Bench, receive_order
from tests.server.world import World

FAULT = "CREATININE FOR VALIDITY 5 is below 20"


@contextmanager
def change_table(world: World, code: str, **values: object) -> Iterator[None]:
    """Change columns of the table of toxicology tests for a while."""
    names = ", ".join(values)
    where = "test_id = (SELECT id FROM lab_tests WHERE code = %s)"
    before = world.fetch_rows(f"SELECT {names} FROM toxicology_tests WHERE {where}", (code,))[0]
    places = ", ".join(f"{name} = %s" for name in values)
    change = f"UPDATE toxicology_tests SET {places} WHERE {where}"
    world.run_sql(change, (*values.values(), code))
    try:
        yield
    finally:
        world.run_sql(change, (*before, code))


async def find_row(bench: Bench, code: str) -> dict:
    """Read a test's row as the nurse."""
    [test_id] = await bench.find_ids(code)
    return next(row for row in await bench.read("alpha-results") if row["key"] == str(test_id))


class TestLimits:
    """The limits of a valid specimen."""

    async def test_a_change_of_the_table_leaves_released_results(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        before = await find_row(bench, "VCRE")
        assert (before["validityRange"], before["isInvalid"]) == ("20 - 400", True)
        with change_table(bench.world, "VCRE", low=2, high=300):
            assert await find_row(bench, "VCRE") == before
            # Another release judges the verdicts again, by the limits of each result.
            await bench.publish(QFEN={"result": "1", "reasonCode": "REPEAT"})
            rows = await bench.read("alpha-results")
            assert {row["specimenFault"] for row in rows} == {FAULT}
            assert await bench.read("unexpected-negative-results") == []

    async def test_lists_mark_what_was_invalid(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="5")
        path = f"{bench.path}/toxicology-cumulative-results?{EVER}"
        with change_table(bench.world, "VCRE", low=2):
            [day] = (await bench.world.http.get(path, headers=bench.nurse.headers)).json()
        marks = {row["testId"]: row["isAbnormal"] for row in day["orders"][0]["results"]}
        assert marks[bench.world.get_test_id("VCRE")] is True
        assert marks[bench.world.get_test_id("QFEN")] is False

    async def test_a_valid_specimen_stays_valid(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="100")
        with change_table(bench.world, "VCRE", low=200):
            row = await find_row(bench, "VCRE")
            assert (row["validityRange"], row["isInvalid"]) == ("20 - 400", False)
            await bench.publish(QFEN={"result": "1", "reasonCode": "REPEAT"})
            assert len(await bench.read_reasons("unexpected-negative-results")) == 2

    async def test_the_next_entry_has_the_new_limits(self, bench: Bench) -> None:
        await bench.publish(**NOTHING_DETECTED, VCRE="100")
        with change_table(bench.world, "VCRE", low=200):
            [row] = [row for row in (await bench.read_entry())["rows"] if row["code"] == "VCRE"]
            assert (row["low"], row["judgedLimits"]) == ("200", {"low": "20", "high": "400"})
            await bench.publish(VCRE={"result": "101", "reasonCode": "REPEAT"})
            row = await find_row(bench, "VCRE")
            assert (row["validityRange"], row["isInvalid"]) == ("200 - 400", True)

    async def test_a_test_without_a_result_shows_the_current_limits(self, world: World) -> None:
        bench = await receive_order(world)
        with change_table(world, "VCRE", low=200):
            row = await find_row(bench, "VCRE")
            assert row["validityRange"] == "200 - 400"

    async def test_a_number_without_a_stored_method_is_not_judged(self, bench: Bench) -> None:
        """A portal from before ADR 107 entered it during the update."""
        await bench.enter(**NOTHING_DETECTED, VCRE="5")
        bench.world.run_sql(
            "UPDATE toxicology_results SET method = NULL, low = NULL, high = NULL"
            " WHERE order_id = %s",
            (bench.order_id,),
        )
        assert (await bench.release()).status_code == 200
        reasons = await bench.read_reasons("other-medications")
        assert reasons[0] == "No verdict on DIAZEPAM: CREATININE FOR VALIDITY is not judged"
        assert await bench.read("unexpected-negative-results") == []


class TestMethod:
    """How the test worked when its result was found."""

    async def test_a_released_screen_stays_presumptive(self, world: World) -> None:
        bench = await receive_order(world)
        await bench.publish(UBENZ="POSITIVE", VCRE="100")
        with change_table(world, "UBENZ", method="confirmation"):
            assert (await find_row(bench, "UBENZ"))["isPresumptive"] is True
            await bench.publish(QFEN="0")
            verdicts = await bench.read("unexpected-positive-results")
            assert {row["isPresumptive"] for row in verdicts if row["rxVerification"]} == {True}
