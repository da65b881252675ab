"""A report needs the same number of statements for any number of records in a batch."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import pytest
from fastapi import FastAPI

from app.drawing.pages import OrderResultsPage
from app.server.access.work import Work
from app.server.paperwork.service.order_results import build_pages
from app.server.paperwork.service.report import BATCH
from tests.server.accounts.builders import Person
from tests.server.orders.canceling import cancel_tests
from tests.server.results.clinical.bench import Bench
from tests.server.results.microbiology.bench import Bench as CultureBench
from tests.server.results.microbiology.bench import build_organism, find_reason
from tests.server.results.pathology.bench import Bench as PathologyBench
from tests.server.results.toxicology.bench import Bench as ToxicologyBench
from tests.server.wire import trace_wire
from tests.server.world import World

pytestmark = pytest.mark.usefixtures("remembered_sessions")

CODES = ("GLU", "K", "COVID", "UCUL", "UBENZ", "QDIA", "SURG")
ORDER_REPORTS = [f"/api/v2/reports/order/{name}" for name in ("results", "log", "details")]
PREVIEW = "/api/v2/reports/order/results-preview"
NOON = datetime.fromisoformat("2026-01-01T12:00:00")
REQUISITION_REPORTS = ["/api/v2/reports/requisition", "/api/v2/reports/requisition/log"]


@dataclass
class OrderBatch:
    """Orders with tests of all families; the first and the last have results of all kinds."""

    world: World
    lab: Person
    nurse: Person
    requisition_ids: list[int]
    order_ids: list[int]


async def fill_order(world: World, lab: Person, nurse: Person, order_id: int) -> None:
    """Release results of every family with corrections, and cancel a test."""
    bench = Bench(world, lab, nurse, order_id)
    for answer in (
        await bench.enter(GLU="90", K="4.1"),
        await bench.release(),
        await bench.correct(words="Typed from the wrong line", GLU="512"),
        await bench.release(),
        await cancel_tests(bench, "SARS-COV-2 RNA"),
    ):
        assert answer.status_code == 200, answer.text
    cultures = CultureBench(world, {"lab": lab, "nurse": nurse}, order_id)
    await cultures.publish(organisms=[build_organism(AMP=">16", CIP="0.5")])
    reason = await find_reason(cultures)
    await cultures.publish(organisms=[build_organism(AMP="2", CIP="0.5")], reasonCode=reason)
    toxicology = ToxicologyBench(world, lab, nurse, order_id)
    await toxicology.publish(UBENZ="POSITIVE", QDIA="400")
    corrected_result = {"result": "40", "reasonCode": "INSTRUMENT", "explanation": "Carry-over"}
    await toxicology.publish(QDIA=corrected_result)
    await PathologyBench(world, lab, nurse, order_id).publish()


@pytest.fixture
async def batch(world: World) -> OrderBatch:
    """A full batch of orders."""
    client = world.create_client()
    physician_id = world.create_physician(client)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    patients = [world.create_patient(client, physician=physician_id) for _ in range(2)]
    ids = []
    for number in range(BATCH):
        requisition = await world.save_requisition(
            nurse,
            patients[number % 2],
            *CODES,
            physicianId=physician_id,
            medications=[{"name": "VALIUM 5 MG"}],
        )
        ids.append(requisition["id"])
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": ids}
    )
    assert receive_answer.status_code == 200, receive_answer.text
    order_ids = [row["orderId"] for row in receive_answer.json()]
    for order_id in (order_ids[0], order_ids[-1]):
        await fill_order(world, lab, nurse, order_id)
    return OrderBatch(world, lab, nurse, ids, order_ids)


async def count_statements(
    app: FastAPI, world: World, person: Person, path: str, ids: list[int]
) -> int:
    """Return the number of statements of a report."""
    database = app.state.portal.database
    # Start from one fresh connection: an old one may still deallocate statements. The first
    # request then absorbs SQLAlchemy's questions about the server.
    await database.engine.dispose()
    await world.http.get("/api/v2/requisitions/0", headers=person.headers)
    with trace_wire(database) as traffic:
        answer = await world.http.post(path, headers=person.headers, json={"ids": ids})
    assert answer.status_code == 200, answer.text
    return traffic.statements


async def test_statements_do_not_depend_on_the_number_of_records(
    batch: OrderBatch, portal_app: FastAPI
) -> None:
    reports: list[tuple[str, Person, list[int]]] = [
        *((path, batch.nurse, batch.order_ids) for path in ORDER_REPORTS),
        (PREVIEW, batch.lab, batch.order_ids),
        *((path, batch.nurse, batch.requisition_ids) for path in REQUISITION_REPORTS),
    ]
    for path, person, ids in reports:
        of_one = await count_statements(portal_app, batch.world, person, path, ids[:1])
        of_all = await count_statements(portal_app, batch.world, person, path, ids)
        assert 0 < of_all == of_one, (path, of_one, of_all)


async def test_a_report_in_a_batch_equals_a_single_report(
    batch: OrderBatch, portal_app: FastAPI
) -> None:
    portal = portal_app.state.portal
    actor = await portal.authentication.find_actor_of_user(UUID(batch.nurse.user_id))

    async def build(ids: list[int]) -> list[OrderResultsPage]:
        async with portal.database.transaction(actor) as transaction:
            pages = await build_pages(Work(transaction, portal), ids)
        return [replace(page, printed=NOON) for page in pages]

    batch_pages = await build(batch.order_ids)
    for index in (0, 1, BATCH - 1):
        assert [batch_pages[index]] == await build([batch.order_ids[index]])
    first, pending = batch_pages[0], batch_pages[1]
    lines = {line.name: line for line in first.results}
    assert "was 90 mg/dL" in lines["GLUCOSE"].corrections[0]
    assert lines["CULTURE, URINE"].corrections
    assert first.cancellations and not pending.cancellations
    assert not any(line.value for line in pending.results)
