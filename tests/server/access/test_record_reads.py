"""Reads of one record: one statement, the same for every id and every person (ADR 42)."""

from typing import Any

import msgspec
import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

from app.contract.enumerations import Role
from app.server.access.answers import answer_shape
from app.server.access.schemas import Shape
from app.server.orders.schemas import OrderRead
from app.server.results.clinical.schemas import ClinicalResultRow
from app.server.results.microbiology.schemas import MicrobiologyResult
from tests.server.results.clinical.bench import Bench as ClinicalBench
from tests.server.results.clinical.bench import receive_order
from tests.server.results.microbiology.bench import Bench as CultureBench
from tests.server.results.microbiology.bench import build_organism, find_reason, receive_cultures
from tests.server.samples import Realm, build_realm
from tests.server.wire import trace_reads, trace_wire
from tests.server.world import World

pytestmark = pytest.mark.usefixtures("remembered_sessions")

PARTS = (
    "",
    "/results-types",
    "/clinical-results",
    "/microbiology-results",
    "/pathology-results",
    "/toxicology-alpha-results",
    "/toxicology-expected-results",
    "/toxicology-unexpected-negative-results",
    "/toxicology-unexpected-positive-results",
    "/toxicology-other-medications",
)
"""The requests of the order page."""
SHAPES: dict[str, TypeAdapter[Any]] = {
    "": TypeAdapter(OrderRead),
    "/clinical-results": TypeAdapter(list[ClinicalResultRow]),
    "/microbiology-results": TypeAdapter(list[MicrobiologyResult]),
}
"""Answers that are not built by a ``Shape``, and their types."""


@pytest.fixture
async def home(world: World) -> Realm:
    """People and records of one client."""
    return await build_realm(world)


@pytest.mark.parametrize("part", PARTS)
async def test_a_read_takes_one_statement_in_one_round_trip(
    world: World, portal_app: FastAPI, home: Realm, part: str
) -> None:
    database = portal_app.state.portal.database
    path = f"/api/v2/orders/{home.ids['order_id']}{part}"
    for role in Role:
        headers = home.people[role].headers
        await world.http.get(path, headers=headers)  # Checks once whether the session is valid.
        with trace_wire(database) as writes:
            assert (await world.http.get(path, headers=headers)).status_code == 200
        assert writes.round_trips == 0, role
        with trace_reads(database) as reads:
            await world.http.get(path, headers=headers)
        # The other statement sets the scope.
        assert (reads.round_trips, reads.statements) == (1, 2), role


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("text", ["abc", "1.5", "-1", "%D9%A3", "true", "1" * 19, "9" * 400])
async def test_answers_an_invalid_id_like_other_routes(
    world: World, home: Realm, part: str, text: str
) -> None:
    headers = home.people[Role.LABORATORY].headers
    answer = await world.http.get(f"/api/v2/orders/{text}{part}", headers=headers)
    other_answer = await world.http.get(f"/api/v2/orders/{text}/documents", headers=headers)
    assert answer.status_code in (400, 404)
    assert (answer.status_code, answer.content) == (other_answer.status_code, other_answer.content)


@pytest.mark.parametrize("part", PARTS)
async def test_a_cached_plan_returns_only_own_records(world: World, part: str, home: Realm) -> None:
    other = await build_realm(world)
    for role in (Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT):
        # Often enough that every pooled connection prepares the statement and serves both clients.
        for _ in range(8):
            for reader, owner in ((home, home), (home, other), (other, other), (other, home)):
                answer = await world.http.get(
                    f"/api/v2/orders/{owner.ids['order_id']}{part}",
                    headers=reader.people[role].headers,
                )
                assert answer.status_code == (200 if reader is owner else 404), role


async def test_a_read_is_audited_once_and_a_foreign_record_is_not(
    world: World, home: Realm
) -> None:
    other = await build_realm(world)
    nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[home.ids["client_id"]])
    for part in PARTS:
        for order_id in (home.ids["order_id"], other.ids["order_id"]):
            await world.http.get(f"/api/v2/orders/{order_id}{part}", headers=nurse.headers)
    rows = world.fetch_rows(
        "SELECT action, kind, record_ids, role FROM audit_events WHERE user_id = %s"
        " AND action <> 'refuse' ORDER BY id",
        (nurse.user_id,),
    )
    own = [home.ids["order_id"]]
    read = ("read", "order", own, Role.CLIENT_BASIC)
    # Reading the kinds of result is not an access to results.
    results = ("read", "order-results", own, Role.CLIENT_BASIC)
    assert rows == [read, *[results] * (len(PARTS) - 2)]


async def test_answers_have_the_documented_shape(world: World) -> None:
    checked_count = 0
    for bench in await _create_benches(world):
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await world.create_person(Role.PATIENT, patient_ids=[patient_id])
        for part, adapter in SHAPES.items():
            for person in (bench.lab, bench.nurse, patient):
                answer = await world.http.get(f"{bench.path}{part}", headers=person.headers)
                # The database writes spaces between the values, so remove these before comparing.
                content = msgspec.json.format(answer.content, indent=-1)
                assert adapter.dump_json(adapter.validate_json(content), by_alias=True) == content
                checked_count += len(answer.json())
    assert checked_count > 20


async def _create_benches(world: World) -> list[ClinicalBench | CultureBench]:
    """Create orders with pending, entered, released, corrected, and withheld results."""
    clinical = await receive_order(world, "CBC", "GLU", "K")
    await clinical.enter(WBC="5", HGB="3", GLU="80", K="4.1")
    await clinical.release("WBC", "GLU", "K")
    assert (await clinical.correct(GLU="90", words="Typed twice")).status_code == 200
    await clinical.release("GLU")
    await clinical.post("withhold", "K", kind="review", reason="SPECIMEN")
    culture = await receive_cultures(world, "UCUL", "BCUL")
    await culture.publish(
        kind="preliminary",
        organisms=[build_organism(AMP=">16", CIP="0.5")],
        collected="2026-01-02T03:04:05",
        comment="Mixed",
    )
    changed_organisms = [build_organism(AMP="2", CIP="0.5"), build_organism("KPNEU", CIP="0.06")]
    reason = await find_reason(culture)
    await culture.publish(organisms=changed_organisms, reasonCode=reason, explanation="Read again")
    return [clinical, culture]


async def test_a_read_returns_the_version_for_the_next_write(world: World, home: Realm) -> None:
    path, lab = f"/api/v2/orders/{home.ids['order_id']}", home.people[Role.LABORATORY]
    answer = await world.http.get(path, headers=lab.headers)
    assert answer.headers["etag"] == f'"{answer.json()["version"]}"'


async def test_a_write_answers_as_the_next_read(world: World) -> None:
    bench = await receive_order(world, "GLU")
    body = {"reason": "SPECIMEN", "words": "Twice"}
    cancel_answer = await world.http.post(
        f"{bench.path}/cancel", headers=bench.lab.headers, json=body
    )
    assert cancel_answer.status_code == 200, cancel_answer.text
    read_answer = await world.http.get(bench.path, headers=bench.lab.headers)
    assert (read_answer.content, read_answer.headers["etag"]) == (
        cancel_answer.content,
        cancel_answer.headers["etag"],
    )
    (reason,) = read_answer.json()["cancellationReasons"]
    assert (reason["words"], reason["canceledBy"]) == ("Twice", "Ada Tester")


class _Thing(Shape):
    some_name: str


def test_answers_have_the_names_of_the_wire() -> None:
    answer = answer_shape(list[_Thing], [_Thing(some_name="é")])
    assert answer.body == '[{"someName":"é"}]'.encode()
    assert answer.media_type == "application/json"
