"""A test that several panels of an order contain has one result (DECISIONS, Results)."""

import httpx
import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from tests.server.exports.desk import Desk
from tests.server.results.toxicology.bench import Bench, receive_order
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for two panels with the same test, of a patient who reports oxycodone."""
    world.add_panel("XTOX", "QOXY")
    world.add_panel("YTOX", "QOXY", "QFEN")
    return await receive_order(world, "OXYCODONE", codes=("XTOX", "YTOX"))


async def list_rows(bench: Bench) -> list[dict]:
    """List the two rows of the test on the entry screen."""
    return [row for row in (await bench.read_entry())["rows"] if row["code"] == "QOXY"]


async def enter_rows(bench: Bench, *values: str | None, **others: str) -> httpx.Response:
    """Enter a value in each of the two rows, unless it is None."""
    rows = await list_rows(bench)
    results = [
        {"orderTestId": row["orderTestId"], "result": value, **others}
        for row, value in zip(rows, values, strict=True)
        if value is not None
    ]
    return await bench.world.http.put(
        f"{bench.path}/toxicology-entry", headers=bench.lab.headers, json={"results": results}
    )


@pytest.mark.parametrize("values", [("300", None), (None, "300"), ("300", "300")])
async def test_one_entry_answers_for_both(bench: Bench, values: tuple[str | None, ...]) -> None:
    assert (await enter_rows(bench, *values)).status_code == 200
    assert [row["result"] for row in await list_rows(bench)] == ["300", "300"]
    query = "SELECT count(*) FROM toxicology_results WHERE order_id = %s"
    assert bench.world.run_sql(query, (bench.order_id,)) == 1
    await bench.publish(QFEN="0")
    rows = [row for row in await bench.read("alpha-results") if row["name"] == "OXYCODONE, URINE"]
    assert [(row["result"], row["status"]) for row in rows] == [("300", ResultStatus.FINAL)] * 2
    assert (await bench.read_order())["status"] == OrderStatus.FINAL
    [verdict, test] = await bench.read("expected-results")
    assert (verdict["tests"], test["result"]) == (["OXYCODONE, URINE"], "300")


async def test_the_second_row_names_the_first_where_it_is_entered(bench: Bench) -> None:
    first, second = await list_rows(bench)
    assert (first["sameAs"], second["sameAs"]) == (None, first["orderTestId"])
    await enter_rows(bench, "300", None)
    assert [row["sameAs"] for row in await list_rows(bench)] == [None, first["orderTestId"]]
    # Nothing can be entered in a canceled row.
    await bench.world.http.post(
        f"{bench.path}/cancel",
        headers=bench.lab.headers,
        json={"orderTestIds": [first["orderTestId"]], "reason": "DUPLICATE"},
    )
    assert (await list_rows(bench))[1]["sameAs"] is None


async def test_a_canceled_row_has_no_result(bench: Bench) -> None:
    assert (await enter_rows(bench, "300", None)).status_code == 200
    canceled_id = (await list_rows(bench))[0]["orderTestId"]
    answer = await bench.world.http.post(
        f"{bench.path}/cancel",
        headers=bench.lab.headers,
        json={"orderTestIds": [canceled_id], "reason": "SPECIMEN"},
    )
    assert answer.status_code == 200, answer.text
    await bench.publish(QFEN="0")
    rows = [row for row in await bench.read("alpha-results") if row["name"] == "OXYCODONE, URINE"]
    assert {row["status"]: row["result"] for row in rows} == {
        ResultStatus.CANCELED: None,
        ResultStatus.FINAL: "300",
    }


async def test_rejects_two_different_values(bench: Bench, parse_problem) -> None:
    answer = await enter_rows(bench, "300", "0")
    assert answer.status_code == 400
    text = messages.RESULT_TYPED_TWICE.format(test="OXYCODONE, URINE")
    assert parse_problem(answer)["errors"] == [{"field": "results.1.result", "message": text}]


async def test_is_corrected_withheld_and_shown_again_once(bench: Bench) -> None:
    await enter_rows(bench, "300", None)
    await bench.publish(QFEN="0")
    answer = await enter_rows(bench, None, "400", reasonCode="REPEAT")
    assert answer.status_code == 200, answer.text
    assert (await bench.release()).status_code == 200
    ids = [row["orderTestId"] for row in await list_rows(bench)]
    for act, body, results in (
        ("withhold", {"kind": "review", "reason": "SPECIMEN"}, [None, None]),
        ("restore", {}, ["400", "400"]),
    ):
        answer = await bench.world.http.post(
            f"{bench.path}/toxicology-{act}",
            headers=bench.lab.headers,
            json={"orderTestIds": ids[:1] if act == "withhold" else ids, **body},
        )
        assert answer.status_code == 200, answer.text
        rows = [r for r in await bench.read("alpha-results") if r["name"] == "OXYCODONE, URINE"]
        assert [row["result"] for row in rows] == results
        assert len({row["withheld"] for row in rows}) == 1


async def test_a_canceled_row_leaves_the_result_to_the_other(bench: Bench) -> None:
    ids = [row["orderTestId"] for row in await list_rows(bench)]
    answer = await bench.world.http.post(
        f"{bench.path}/cancel",
        headers=bench.lab.headers,
        json={"orderTestIds": ids[:1], "reason": "DUPLICATE"},
    )
    assert answer.status_code == 200, answer.text
    assert (await enter_rows(bench, None, "300")).status_code == 200
    await bench.publish(QFEN="0")
    assert len(await bench.read_reasons("expected-results")) == 1
    assert (await bench.read_order())["status"] == OrderStatus.FINAL


async def test_the_result_of_a_canceled_row_belongs_to_the_other(bench: Bench) -> None:
    await enter_rows(bench, "300", None)
    canceled, other = [row["orderTestId"] for row in await list_rows(bench)]
    answer = await bench.world.http.post(
        f"{bench.path}/cancel",
        headers=bench.lab.headers,
        json={"orderTestIds": [canceled], "reason": "DUPLICATE"},
    )
    assert answer.status_code == 200, answer.text
    query = "SELECT order_test_id FROM toxicology_results WHERE order_id = %s"
    assert bench.world.run_sql(query, (bench.order_id,)) == other
    await bench.publish(QFEN="0")
    exported_rows = await Desk(bench.world).export(bench.nurse)
    assert [row["Result"] for row in exported_rows] == ["300", "0"]


async def test_results_that_were_entered_separately_still_show(bench: Bench) -> None:
    await enter_rows(bench, "300", None)
    other = (await list_rows(bench))[1]["orderTestId"]
    query = (
        "INSERT INTO toxicology_results (order_id, order_test_id, revision, value, is_detected, "
        "entered_at) VALUES (%s, %s, 1, '0', false, now()) RETURNING id"
    )
    bench.world.run_sql(query, (bench.order_id, other))
    assert [row["result"] for row in await list_rows(bench)] == ["300", "0"]
