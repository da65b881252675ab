"""Cutoffs and limits of the specimen are for the unit that their test had."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.contract import messages
from tests.server.results.toxicology.bench import NOTHING_DETECTED, Bench, receive_order
from tests.server.world import World


@contextmanager
def change_unit(world: World, code: str, unit: str, **limits: float) -> Iterator[None]:
    """Give a test another unit for a while; ``limits`` are those of the new unit."""
    before = world.fetch_rows(
        "SELECT t.unit, m.unit, m.low, m.high, t.id FROM lab_tests t"
        " JOIN toxicology_tests m ON m.test_id = t.id WHERE t.code = %s",
        (code,),
    )[0]
    *stored, test_id = before
    world.run_sql("UPDATE lab_tests SET unit = %s WHERE id = %s", (unit, test_id))
    change = "UPDATE toxicology_tests SET unit = %s, low = %s, high = %s WHERE test_id = %s"
    if limits:
        world.run_sql(change, (unit, limits["low"], limits["high"], test_id))
    try:
        yield
    finally:
        world.run_sql("UPDATE lab_tests SET unit = %s WHERE id = %s", (stored[0], test_id))
        world.run_sql(change, (*stored[1:], test_id))


async def get_row(bench: Bench, code: str) -> dict:
    """Read a row of the entry screen."""
    return next(row for row in (await bench.read_entry())["rows"] if row["code"] == code)


async def test_a_number_is_not_compared_with_a_cutoff_in_another_unit(world: World) -> None:
    bench = await receive_order(world)
    name = (await get_row(bench, "QDIA"))["name"]
    with change_unit(world, "QDIA", "mg/L"):
        message = messages.TOXICOLOGY_LIMITS_IN_OTHER_UNIT.format(
            test=name, unit="ng/mL", test_unit="mg/L"
        )
        row = await get_row(bench, "QDIA")
        assert (row["cutOff"], row["unitNotice"]) == (None, message)
        answer = await bench.enter(QDIA="0.4")
        assert answer.json()["errors"] == [{"field": "results.0.result", "message": message}]
        assert (await bench.enter(QDIA="NEGATIVE")).status_code == 200


async def test_a_comment_does_not_move_a_result_to_the_new_unit(world: World) -> None:
    bench = await receive_order(world)
    await bench.enter(QDIA="400")
    with change_unit(world, "QDIA", "mg/L"):
        row = await get_row(bench, "QDIA")
        assert (row["unit"], row["resultUnit"]) == ("mg/L", "ng/mL")
        answer = await bench.enter(QDIA={"result": "400", "comment": "By a second method"})
        assert answer.status_code == 200, answer.text
        assert (await bench.release("QDIA")).status_code == 200
        [result] = [row for row in await bench.read("alpha-results") if row["result"] == "400"]
        assert (result["unit"], result["cutOff"], result["isDetected"]) == (
            "ng/mL",
            "20 ng/mL",
            True,
        )


async def test_a_validity_result_is_judged_by_the_limits_of_its_own_unit(
    world: World, bench: Bench
) -> None:
    await bench.enter(**NOTHING_DETECTED, VCRE="5")
    # 5 mg/dL is too dilute. As mmol/L it would be valid.
    with change_unit(world, "VCRE", "mmol/L", low=1.8, high=35):
        assert (await bench.release()).status_code == 200
        assert await bench.read("unexpected-negative-results") == []
        reasons = await bench.read_reasons("other-medications")
        assert reasons[0] == "No verdict on DIAZEPAM: CREATININE FOR VALIDITY 5 is below 20"


async def test_the_release_of_many_orders_stops(world: World, bench: Bench, parse_problem) -> None:
    await bench.enter(**NOTHING_DETECTED, VCRE="100")
    path = "/api/v2/orders/release-results"
    body = {"ids": [bench.order_id]}
    with change_unit(world, "QDIA", "mg/L"):
        answer = await world.http.post(path, headers=bench.lab.headers, json=body)
        name = (await get_row(bench, "QDIA"))["name"]
        text = messages.RELEASE_UNIT.format(test=name)
        assert (answer.status_code, text in parse_problem(answer)["detail"]) == (409, True)
    answer = await world.http.post(path, headers=bench.lab.headers, json=body)
    assert answer.status_code == 200, answer.text
