"""POST release-results: the results of many orders at once, all or none."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus
from tests.server.accounts.builders import Person
from tests.server.results.clinical.bench import Bench, receive_another_order, receive_order
from tests.server.results.microbiology import bench as microbiology
from tests.server.results.microbiology.bench import NO_GROWTH
from tests.server.results.toxicology import bench as toxicology
from tests.server.world import World

PATH = "/api/v2/orders/release-results"
AnyBench = Bench | toxicology.Bench
CULTURE_LEFT = messages.RELEASE_SEPARATELY.format(test="CULTURE, URINE", family="Microbiology")
REPORT_LEFT = messages.RELEASE_SEPARATELY.format(test="SURGICAL PATHOLOGY", family="Pathology")


async def release_orders(
    bench: AnyBench, *benches: AnyBench, person: Person | None = None, **body: object
):
    """Release these orders together."""
    ids = [order_bench.order_id for order_bench in (bench, *benches)]
    headers = (person or bench.lab).headers
    return await bench.world.http.post(PATH, headers=headers, json={"ids": ids, **body})


def build_culture_bench(bench: Bench) -> microbiology.Bench:
    """Build a bench for the cultures of the same order."""
    people = {"lab": bench.lab, "nurse": bench.nurse}
    return microbiology.Bench(bench.world, people, bench.order_id)


async def enter_report(bench: Bench) -> None:
    """Enter the pathology report of the order."""
    http, headers = bench.world.http, bench.lab.headers
    entry_answer = await http.get(f"{bench.path}/pathology-entry", headers=headers)
    [test] = entry_answer.json()["tests"]
    answer = await http.put(
        f"{bench.path}/pathology-entry/{test['orderTestId']}",
        headers=headers,
        json={"comment": "<p>Benign nevus.</p>", "signedOutBy": "DANA HALL, MD"},
    )
    assert answer.status_code == 200, answer.text


@pytest.fixture
async def benches(world: World) -> list[Bench]:
    """Three orders of one patient with normal glucose values entered."""
    first = await receive_order(world, "GLU", "K")
    benches = [first, await receive_another_order(first, "GLU")]
    benches.append(await receive_another_order(first, "GLU"))
    for bench in benches:
        assert (await bench.enter(GLU="90")).status_code == 200
    return benches


async def list_statuses(benches: Sequence[AnyBench]) -> list[int]:
    """Read the status of each order."""
    return [(await bench.read_order())["status"] for bench in benches]


class TestProgress:
    """The progress of entry in the worklist."""

    async def test_shows_entry_progress_only_to_the_lab(self, benches: list[Bench]) -> None:
        started_bench, ready_bench, held_bench = benches
        answer = await held_bench.post("holds", "GLU", reason="CONTROL")
        assert answer.status_code == 200, answer.text
        ids = [bench.order_id for bench in benches]
        rows = await self._list_rows(started_bench.lab, started_bench.world, ids=ids)
        assert [rows[i]["entry"] for i in ids] == [
            {"open": 1, "entered": 1, "held": 0, "separate": 0},
            {"open": 0, "entered": 1, "held": 0, "separate": 0},
            {"open": 0, "entered": 1, "held": 1, "separate": 0},
        ]
        entered_rows = await self._list_rows(
            started_bench.lab, started_bench.world, ids=ids, allEntered="true"
        )
        assert sorted(entered_rows) == sorted([ready_bench.order_id, held_bench.order_id])
        for row in (
            await self._list_rows(started_bench.nurse, started_bench.world, ids=ids)
        ).values():
            assert row["entry"] is None

    @staticmethod
    async def _list_rows(person: Person, world: World, **params: Any) -> dict[int, dict[str, Any]]:
        path = "/api/v2/orders/remote-operations"
        answer = await world.http.get(path, headers=person.headers, params=params)
        assert answer.status_code == 200, answer.text
        return {row["id"]: row for row in answer.json()["data"]}


class TestReleasing:
    """The results that are released."""

    async def test_releases_every_order(self, benches: list[Bench]) -> None:
        answer = await release_orders(*benches)
        assert answer.status_code == 200, answer.text
        rows = answer.json()["data"]
        assert [row["id"] for row in rows] == [bench.order_id for bench in benches]
        expected = [OrderStatus.PARTIAL, OrderStatus.FINAL, OrderStatus.FINAL]
        assert [row["status"] for row in rows] == expected
        assert await list_statuses(benches) == expected
        result = (await benches[1].read_results(benches[1].nurse))["GLUCOSE"]
        assert result["result"] == "90"
        audit_rows = benches[0].world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE action = 'release' AND user_id = %s",
            (benches[0].lab.user_id,),
        )
        assert sorted(ids for (ids,) in audit_rows) == sorted([b.order_id] for b in benches)

    async def test_says_which_results_stay_unreleased_and_why(self, benches: list[Bench]) -> None:
        first = benches[0]
        await first.enter(K="4.0")
        await first.post("holds", "K", reason="CONTROL")
        answer = await release_orders(*benches)
        assert answer.status_code == 200, answer.text
        remaining_results = [row["left"] for row in answer.json()["data"]]
        assert [len(reasons) for reasons in remaining_results] == [1, 0, 0]
        assert remaining_results[0][0].startswith("POTASSIUM is on hold")

    async def test_releases_toxicology_with_its_verdicts(self, world: World) -> None:
        bench = await toxicology.receive_order(world, "VALIUM 5 MG")
        await bench.enter(QDIA="50", VCRE="90")
        answer = await release_orders(bench)
        assert answer.status_code == 200, answer.text
        rows = await bench.read("expected-results")
        assert [row["tests"] for row in rows if row["parentKey"] is None] == [["DIAZEPAM, URINE"]]


class TestSeparateFamilies:
    """Entered cultures and pathology reports, which are released on their own screens."""

    async def test_names_entered_cultures_and_reports(self, world: World) -> None:
        bench = await receive_order(world, "K", "UCUL", "SURG")
        cultures = build_culture_bench(bench)
        await bench.enter(K="4.0")
        assert (await cultures.enter(findings=NO_GROWTH)).status_code == 200
        await enter_report(bench)
        assert (await self._read_progress(bench))["separate"] == 2
        answer = await release_orders(bench)
        assert answer.status_code == 200, answer.text
        [row] = answer.json()["data"]
        assert row["left"] == [CULTURE_LEFT, REPORT_LEFT]
        assert row["status"] == OrderStatus.PARTIALLY_RELEASED

    async def test_an_order_with_only_a_culture_says_where_to_release_it(
        self, world: World
    ) -> None:
        bench = await receive_order(world, "UCUL")
        assert (await build_culture_bench(bench).enter(findings=NO_GROWTH)).status_code == 200
        answer = await release_orders(bench)
        assert answer.status_code == 409
        code = (await bench.read_order())["codeValue"]
        stop = messages.RELEASE_STOPPED.format(code=code, reason=CULTURE_LEFT)
        assert answer.json()["detail"] == stop

    async def test_names_a_culture_on_hold_with_the_reason(self, world: World) -> None:
        bench = await receive_order(world, "K", "UCUL")
        cultures = build_culture_bench(bench)
        await bench.enter(K="4.0")
        await cultures.enter(findings=NO_GROWTH)
        ids = [(await cultures.read_test())["orderTestId"]]
        hold = {"orderTestIds": ids, "reason": "CONTROL"}
        answer = await cultures.call("POST", "microbiology-holds", hold)
        assert answer.status_code == 200, answer.text
        [row] = (await release_orders(bench)).json()["data"]
        [reason] = row["left"]
        assert reason.startswith("CULTURE, URINE is on hold")

    async def test_names_released_cultures_only_with_a_correction(self, world: World) -> None:
        bench = await receive_order(world, "K", "GLU", "UCUL")
        cultures = build_culture_bench(bench)
        await cultures.publish(findings=NO_GROWTH, source="URINE_CC")
        await bench.enter(K="4.0")
        [row] = (await release_orders(bench)).json()["data"]
        assert row["left"] == []
        await bench.enter(GLU="90")
        organisms = [{"code": "NFLOR", "quantity": "FEW"}]
        answer = await cultures.enter(source="URINE_CC", organisms=organisms, reasonCode="SPECIMEN")
        assert answer.status_code == 200, answer.text
        [row] = (await release_orders(bench)).json()["data"]
        assert row["left"] == [CULTURE_LEFT]

    @staticmethod
    async def _read_progress(bench: Bench) -> dict[str, int]:
        path = f"/api/v2/orders/remote-operations?ids={bench.order_id}"
        answer = await bench.world.http.get(path, headers=bench.lab.headers)
        return answer.json()["data"][0]["entry"]


class TestStopping:
    """One order that a person should look at stops all."""

    async def expect_stop(self, benches: Sequence[AnyBench], reason: str) -> None:
        """Release all; expect that the last order stops it, and that no result was released."""
        code = (await benches[-1].read_order())["codeValue"]
        answer = await release_orders(*benches)
        assert answer.status_code == 409, answer.text
        assert answer.json()["detail"] == messages.RELEASE_STOPPED.format(code=code, reason=reason)
        assert await list_statuses(benches[:-1]) == [OrderStatus.UNRELEASED] * (len(benches) - 1)

    async def test_a_critical_result_stops_the_release(self, benches: list[Bench]) -> None:
        await benches[-1].enter(GLU="500")
        await self.expect_stop(benches, messages.RELEASE_CRITICAL.format(test="GLUCOSE"))

    async def test_a_rejected_specimen_stops_the_release(self, benches: list[Bench]) -> None:
        last = benches[-1]
        answer = await last.world.http.put(
            f"{last.path}/specimens",
            headers=last.lab.headers,
            json={"tubes": [{"number": 1, "state": "rejected", "reason": "HEMOLYZED"}]},
        )
        assert answer.status_code == 200, answer.text
        await self.expect_stop(benches, messages.RELEASE_SPECIMEN.format(test="GLUCOSE"))

    async def test_a_value_of_an_earlier_specimen_stops_the_release(
        self, benches: list[Bench]
    ) -> None:
        last = benches[-1]
        for tube in (
            {"number": 1, "state": "rejected", "reason": "HEMOLYZED"},
            {"number": 1, "state": "received"},
        ):
            answer = await last.world.http.put(
                f"{last.path}/specimens", headers=last.lab.headers, json={"tubes": [tube]}
            )
            assert answer.status_code == 200, answer.text
        last.world.run_sql(
            "UPDATE specimens SET received_at = received_at + interval '1 hour'"
            " WHERE order_id = %s AND state = 'received'",
            (last.order_id,),
        )
        assert (await last.get_row("GLU"))["predatesSpecimen"] is True
        await self.expect_stop(benches, messages.RELEASE_BEFORE_SPECIMEN.format(test="GLUCOSE"))

    async def test_a_value_without_a_received_specimen_stops_the_release(
        self, benches: list[Bench]
    ) -> None:
        last = benches[-1]
        answer = await last.world.http.put(
            f"{last.path}/specimens",
            headers=last.lab.headers,
            json={"tubes": [{"number": 1, "state": "expected"}]},
        )
        assert answer.status_code == 200, answer.text
        await self.expect_stop(benches, messages.RELEASE_BEFORE_SPECIMEN.format(test="GLUCOSE"))

    async def test_a_remark_about_the_specimen_stops_the_release(
        self, benches: list[Bench]
    ) -> None:
        last = benches[-1]
        tube = {"number": 1, "state": "received", "conditions": ["HEMOLYZED"]}
        answer = await last.world.http.put(
            f"{last.path}/specimens", headers=last.lab.headers, json={"tubes": [tube]}
        )
        assert answer.status_code == 200, answer.text
        await self.expect_stop(benches, messages.RELEASE_REMARK.format(test="GLUCOSE"))

    async def test_a_correction_stops_the_release(self, benches: list[Bench]) -> None:
        await benches[-1].release("GLU")
        await benches[-1].correct(GLU="91")
        await self.expect_stop(benches, messages.RELEASE_CORRECTION.format(test="GLUCOSE"))

    async def test_a_test_on_hold_stops_the_release(self, benches: list[Bench]) -> None:
        await benches[-1].post("holds", "GLU", reason="CONTROL")
        answer = await release_orders(*benches)
        assert answer.status_code == 409
        assert "is on hold" in answer.json()["detail"]
        assert await list_statuses(benches[:-1]) == [OrderStatus.UNRELEASED] * 2

    async def test_an_order_without_results_stops_the_release(self, benches: list[Bench]) -> None:
        benches.append(await receive_another_order(benches[0], "K"))
        await self.expect_stop(benches, messages.RESULT_NOTHING_TO_RELEASE)

    async def test_an_unreported_drug_stops_the_release(
        self, world: World, benches: list[Bench]
    ) -> None:
        bench = await toxicology.receive_order(world)
        await bench.enter(QFEN="50", VCRE="90")
        await self.expect_stop(
            [*benches, bench], messages.RELEASE_UNEXPECTED.format(drug="FENTANYL")
        )

    async def test_a_drug_that_readers_see_already_does_not_stop_the_release(
        self, world: World
    ) -> None:
        bench = await toxicology.receive_order(world)
        await bench.publish(QFEN="50", VCRE="90")
        await bench.enter(QOXY="NEGATIVE")
        headers, body = bench.lab.headers, {"ids": [bench.order_id]}
        answer = await world.http.post(PATH, headers=headers, json=body)
        assert answer.status_code == 200, answer.text

    async def test_an_order_that_changed_since_it_was_shown_stops_the_release(
        self, benches: list[Bench]
    ) -> None:
        versions = {bench.order_id: (await bench.read_order())["version"] for bench in benches}
        await benches[-1].enter(GLU="91")
        answer = await release_orders(*benches, versions=versions)
        assert answer.status_code == 412
        code = (await benches[-1].read_order())["codeValue"]
        assert answer.json()["detail"] == messages.RELEASE_ORDER_CHANGED.format(code=code)
        assert await list_statuses(benches) == [OrderStatus.UNRELEASED] * 3

    async def test_a_nonexistent_order_stops_the_release(self, benches: list[Bench]) -> None:
        ids = [benches[0].order_id, 9_007_199_254_740_991]
        answer = await release_orders(benches[0], ids=ids)
        assert answer.status_code == 404
        assert await list_statuses(benches[:1]) == [OrderStatus.UNRELEASED]

    async def test_an_empty_list_is_rejected(self, benches: list[Bench], parse_problem) -> None:
        answer = await release_orders(benches[0], ids=[])
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "ids"

    async def test_clients_never_release(self, benches: list[Bench]) -> None:
        answer = await release_orders(benches[0], person=benches[0].nurse)
        assert answer.status_code == 403


async def test_two_people_release_the_same_orders_once(benches: list[Bench]) -> None:
    world = benches[0].world
    colleague = await world.create_person("Laboratory")
    backwards = [bench.order_id for bench in reversed(benches)]
    answers = await asyncio.gather(
        release_orders(*benches), release_orders(benches[0], person=colleague, ids=backwards)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    rows = world.fetch_rows(
        "SELECT count(*) FROM results WHERE order_id = ANY(%s) AND released_at IS NOT NULL",
        (backwards,),
    )
    assert rows == [(3,)]


async def test_finds_orders_with_an_unreleased_test_urgent_first(benches: list[Bench]) -> None:
    world, lab = benches[0].world, benches[0].lab
    order_ids = [bench.order_id for bench in benches]
    world.run_sql(
        "UPDATE requisitions SET priority = 'STAT' WHERE id ="
        " (SELECT requisition_id FROM orders WHERE id = %s)",
        (order_ids[1],),
    )

    async def find_orders(**query: Any) -> list[int]:
        patient = (await benches[0].read_order())["patient"]["id"]
        answer = await world.http.get(
            "/api/v2/orders/remote-operations",
            headers=lab.headers,
            params={"patient": patient, **query},
        )
        assert answer.status_code == 200, answer.text
        return [row["id"] for row in answer.json()["data"]]

    glucose, potassium = world.get_test_id("GLU"), world.get_test_id("K")
    assert await find_orders(openTests=potassium) == [order_ids[0]]
    assert await find_orders(openTests=glucose, sort="priority,id") == [
        order_ids[1],
        order_ids[0],
        order_ids[2],
    ]
    await benches[2].release("GLU")
    assert await find_orders(openTests=[glucose, potassium], sort="id") == order_ids[:2]
