"""No call shows a withheld culture, toxicology result, or report to people outside the lab."""

from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.exports.desk import Desk
from tests.server.paperwork.reading import extract_text
from tests.server.results.family_benches import CASES, Bench, receive_order
from tests.server.world import World

_EVER = "startDate=2000-01-01&endDate=2100-01-01"
_SEARCH = "/api/v2/orders/advanced-search"
_OF_ORDER = (
    "",
    "/results-types",
    "/clinical-results",
    "/last-values",
    "/microbiology-results",
    "/pathology-results",
    "/toxicology-alpha-results",
    "/toxicology-expected-results",
    "/toxicology-unexpected-negative-results",
    "/toxicology-unexpected-positive-results",
    "/toxicology-other-medications",
    *(f"/{kind}-cumulative-results?{_EVER}" for kind in ("clinical", "toxicology", "microbiology")),
)
_REPORTS = ("results", "details", "log")
_SHOWN_BY = {
    "microbiology": {"/microbiology-results", f"/microbiology-cumulative-results?{_EVER}"},
    "toxicology": {"/toxicology-alpha-results", f"/toxicology-cumulative-results?{_EVER}"},
    "pathology": {"/pathology-results"},
}
"""The calls below an order that show the released result of a case."""
_CONDITIONS: dict[str, dict[str, Any]] = {
    "microbiology": {"field": "organism", "operator": "contains", "value": "flora"},
    "toxicology": {"field": "unexpectedDrug", "operator": "contains", "value": "fentanyl"},
    "pathology": {"field": "hasCritical", "operator": "=", "value": True},
}


@pytest.fixture(params=CASES)
async def bench(world: World, request: pytest.FixtureRequest) -> Bench:
    """An order with a released result, of each family."""
    received_bench = await receive_order(world, request.param)
    received_bench.people["admin"] = await world.create_person(
        Role.CLIENT_ADMIN, client_ids=[received_bench.client]
    )
    await received_bench.publish(received_bench.case.first)
    return received_bench


async def list_calls_that_show_the_result(bench: Bench, person: str) -> set[str]:
    """Read everything about the order as a person, and return the calls that show the result."""
    world, headers = bench.world, bench.people[person].headers
    texts = {}
    for part in _OF_ORDER:
        answer = await world.http.get(f"{bench.path}{part}", headers=headers)
        assert answer.status_code == 200, (part, answer.text)
        texts[part] = answer.text
    for name in _REPORTS:
        answer = await world.http.get(
            f"/api/v2/reports/order/{name}", headers=headers, params={"ids": bench.order_id}
        )
        assert answer.status_code == 200, (name, answer.text)
        texts[name] = " ".join(extract_text(answer.content).split())
    answer = await world.http.get(
        f"/api/v2/orders/remote-operations?{_EVER}&ids={bench.order_id}", headers=headers
    )
    texts["list"] = answer.text
    if person != "patient":
        preview = f"/api/v2/result-exports/preview?{_EVER}&clientIds={bench.client}"
        answer = await world.http.get(preview, headers=headers)
        assert answer.status_code == 200, answer.text
        texts["preview"] = answer.text
        texts["export"] = str(await Desk(world).export(bench.people[person]))
    return {call for call, text in texts.items() if bench.case.words[0] in text}


async def list_order_ids(bench: Bench, person: str) -> set[int]:
    """Return the ids of the orders that a search for the released result finds."""
    query = {"combinator": "and", "rules": [_CONDITIONS[bench.case.family]]}
    answer = await bench.world.http.post(
        _SEARCH, headers=bench.people[person].headers, json={"query": query, "columns": []}
    )
    assert answer.status_code == 200, answer.text
    return {row["id"] for row in answer.json()["data"]}


@pytest.mark.parametrize("kind", ["review", "withdrawn"])
async def test_no_call_shows_a_withheld_result_outside_the_lab(bench: Bench, kind: str) -> None:
    shown_calls = _SHOWN_BY[bench.case.family]
    people = {"nurse": {"preview", "export"}, "admin": {"preview", "export"}, "patient": set()}
    for person, exports in people.items():
        assert (
            await list_calls_that_show_the_result(bench, person)
            >= shown_calls | {"results"} | exports
        )
    await bench.act("withhold", kind=kind, reason="SPECIMEN")
    for person in people:
        assert await list_calls_that_show_the_result(bench, person) == set(), person


@pytest.mark.parametrize("kind", ["review", "withdrawn"])
async def test_result_entry_hides_a_withheld_result_from_people_outside_the_lab(
    bench: Bench, kind: str
) -> None:
    words, path = bench.case.words[0], f"{bench.case.family}-entry"
    with bench.world.allow_result_entry("Enabled", "ClientBasic"):
        assert words in (await bench.send("GET", path, person="nurse")).text
        await bench.act("withhold", kind=kind, reason="SPECIMEN", words="Mixed up in rack 7")
        lab_answer = await bench.send("GET", path)
        assert words in lab_answer.text and "rack 7" in lab_answer.text
        answer = await bench.send("GET", path, person="nurse")
        assert answer.status_code == 200
        assert words not in answer.text
        withheld = (await bench.read_test("nurse"))["withheld"]
        assert withheld["kind"] == kind
        assert (withheld["reason"], withheld["words"], withheld["by"]) == (None, None, None)
        # A correction by a nurse follows the hidden revision, and the answer shows only that.
        answer = await bench.enter(bench.case.corrected, "nurse")
        assert answer.status_code == 200, answer.text
        assert words not in answer.text and bench.case.words[1] in answer.text


@pytest.mark.parametrize("kind", ["review", "withdrawn"])
async def test_no_search_finds_a_withheld_result(bench: Bench, kind: str) -> None:
    people = ("nurse", "admin", "lab")
    for person in people:
        assert bench.order_id in await list_order_ids(bench, person), person
    await bench.act("withhold", kind=kind, reason="SPECIMEN")
    for person in people:
        assert bench.order_id not in await list_order_ids(bench, person), person
