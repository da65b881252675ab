"""Live changes: recipients, resuming, and the end of the stream."""

import asyncio
import json
from dataclasses import dataclass

import psycopg
import pytest
from fastapi import FastAPI

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor
from app.server.changes.feed import ChangedRecord, Feed, Position, Subscription, delete_old_changes
from app.server.database.pools import Database
from tests.server.accounts.builders import Person
from tests.server.orders.practice import open_practice
from tests.server.requisitions.builders import SIGNATURE
from tests.server.results.clinical.bench import receive_order
from tests.server.world import World

CHANGES = "/api/v2/changes"


@dataclass
class Event:
    """A server-sent event."""

    name: str
    position: str | None
    data: dict


def parse_events(text: str) -> list[Event]:
    """Parse the events of an answer."""
    parsed_events = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in lines:
            parsed_events.append(Event(lines["event"], lines.get("id"), json.loads(lines["data"])))
    return parsed_events


_XMIN = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
_XMAX = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"


async def wait_for_open_transactions(world: World) -> None:
    """Wait until all current transactions have ended, including those of other tests.

    Only then does the feed publish the changes that were committed in the meantime.
    """
    current = world.run_sql(_XMAX)
    async with asyncio.timeout(60):
        while world.run_sql(_XMIN) < current:
            await asyncio.sleep(0.02)


async def fetch_events(
    world: World, person: Person, position: str | None, *, wait: bool = True
) -> list[Event]:
    """Return the events that the person receives after this position."""
    if wait:
        await wait_for_open_transactions(world)
    headers = {**person.headers, **({"Last-Event-ID": position} if position else {})}
    answer = await world.http.get(CHANGES, headers=headers, params={"once": "true"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return parse_events(answer.text)


async def fetch_position(world: World, person: Person) -> str:
    """Return the current position in the stream."""
    [ready] = await fetch_events(world, person, None)
    assert ready.position
    return ready.position


async def fetch_changes(world: World, person: Person, position: str) -> set[tuple[str, int, int]]:
    """Return kind, id, and version of each change that the person receives after this position."""
    received_events = await fetch_events(world, person, position)
    return {
        (e.data["kind"], e.data["id"], e.data["version"])
        for e in received_events
        if e.name == "change"
    }


class TestRecipients:
    """Recipients of a change."""

    async def test_reaches_the_client_and_the_lab_but_no_other_client(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        other = await world.create_person("Client Basic", client_ids=[world.create_client()])
        lab = await world.create_person("Laboratory")
        position = await fetch_position(world, nurse)
        requisition = await world.save_requisition(nurse, world.create_patient(client))
        expected = ("requisition", requisition["id"], requisition["version"])
        assert await fetch_changes(world, nurse, position) == {expected}
        assert expected in await fetch_changes(world, lab, position)
        assert await fetch_changes(world, other, position) == set()

    async def test_receiving_changes_the_requisition_and_adds_an_order(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, world.create_patient(client))
        position = await fetch_position(world, nurse)
        answer = await world.http.post(
            "/api/v2/requisitions/receive", json={"ids": [requisition["id"]]}, headers=lab.headers
        )
        [receive_answer] = answer.json()
        changes = await fetch_changes(world, nurse, position)
        assert {(kind, record_id) for kind, record_id, _ in changes} == {
            ("requisition", requisition["id"]),
            ("order", receive_answer["orderId"]),
        }

    async def test_names_the_patient_whose_values_other_orders_show(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        patient = world.create_patient(client)
        position = await fetch_position(world, nurse)
        await world.save_requisition(nurse, patient)
        events = await fetch_events(world, nurse, position)
        assert [e.data["patientId"] for e in events if e.name == "change"] == [patient]

    async def test_a_signature_changes_the_requisition_and_its_order(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        other = await world.create_person("Client Basic", client_ids=[world.create_client()])
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, world.create_patient(client))
        answer = await world.http.post(
            "/api/v2/requisitions/receive", json={"ids": [requisition["id"]]}, headers=lab.headers
        )
        order_id = answer.json()[0]["orderId"]
        order = (await world.http.get(f"/api/v2/orders/{order_id}", headers=nurse.headers)).json()
        for act, body in (
            ("sign-multiple", {"image": SIGNATURE, "ordersIds": [order_id]}),
            ("unsign-multiple", {"ordersIds": [order_id]}),
        ):
            position = await fetch_position(world, nurse)
            await world.sign_in(nurse)
            answer = await world.http.post(
                f"/api/v2/orders/{act}", headers=nurse.headers, json=body
            )
            assert answer.status_code == 200, answer.text
            changes = await fetch_changes(world, nurse, position)
            assert {(kind, record_id) for kind, record_id, _ in changes} == {
                ("requisition", requisition["id"]),
                ("order", order_id),
            }
            assert ("order", order_id, order["version"]) in changes
            assert await fetch_changes(world, other, position) == set()

    async def test_a_physician_who_loses_an_order_is_notified(self, world: World) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        client, patient, requisition_id = world.fetch_rows(
            "SELECT client_id, patient_id, requisition_id FROM orders WHERE id = %s", (order_id,)
        )[0]
        new_physician_id = world.create_physician(client)
        new, other = [
            await world.create_person("Physician", physician_ids=[physician_id])
            for physician_id in (new_physician_id, world.create_physician(client))
        ]
        old, nurse = practice.people["physician"], practice.people["nurse"]
        position = await fetch_position(world, nurse)
        answer = await world.http.put(
            f"/api/v2/orders/{order_id}/billing-information",
            headers=nurse.headers,
            json={"physicianId": new_physician_id},
        )
        assert answer.status_code == 200, answer.text
        expected = {("order", order_id), ("requisition", requisition_id)}
        for person in (old, new, nurse):
            events = await fetch_events(world, person, position)
            changes = [e.data for e in events if e.name == "change"]
            assert {(c["kind"], c["id"]) for c in changes} == expected, person
            assert {c["patientId"] for c in changes} == {patient}
        assert await fetch_changes(world, other, position) == set()
        # The earlier physician sees neither the row nor the order any longer.
        answer = await world.http.get(
            "/api/v2/orders/ids", headers=old.headers, params={"ids": order_id}
        )
        assert (answer.status_code, answer.json()) == (200, [])
        answer = await world.http.get(f"/api/v2/orders/{order_id}", headers=old.headers)
        assert answer.status_code == 404

    async def test_a_requisition_for_another_clients_patient_leaves_the_client(
        self, world: World
    ) -> None:
        clients = [world.create_client(), world.create_client()]
        nurses = [await world.create_person("Client Basic", client_ids=[c]) for c in clients]
        both = await world.create_person("Client Admin", client_ids=clients)
        requisition = await world.save_requisition(nurses[0], world.create_patient(clients[0]))
        position = await fetch_position(world, both)
        answer = await world.http.post(
            f"/api/v2/requisitions/{requisition['id']}",
            headers=both.headers,
            json={"patientId": world.create_patient(clients[1])},
        )
        assert answer.status_code == 200, answer.text
        # Its tests, which were not sent, are ordered from the other client's list.
        assert answer.json()["tests"]
        for nurse in nurses:
            changes = await fetch_changes(world, nurse, position)
            assert {(kind, record_id) for kind, record_id, _ in changes} == {
                ("requisition", requisition["id"])
            }

    async def test_a_call_about_a_critical_result_changes_its_order(self, world: World) -> None:
        bench = await receive_order(world, "K")
        other = await world.create_person("Client Basic", client_ids=[world.create_client()])
        await bench.enter(K="7.2")
        await bench.release()
        order_version = (await bench.read_order())["version"]
        notices = await world.http.get(
            "/api/v2/critical-results/remote-operations",
            headers=bench.lab.headers,
            params={"orderIds": bench.order_id},
        )
        [notice] = notices.json()["data"]
        call = {"toldName": "Ann", "method": "phone", "isTold": True, "hasReadBack": True}
        version = notice["version"]
        for act, body in (("calls", call), ("close", {})):
            position = await fetch_position(world, bench.nurse)
            answer = await world.http.post(
                f"/api/v2/critical-results/{notice['id']}/{act}",
                headers={**bench.lab.headers, "If-Match": f'"{version}"'},
                json=body,
            )
            assert answer.status_code == 200, answer.text
            version = answer.json()["version"]
            changes = await fetch_changes(world, bench.nurse, position)
            assert changes == {("order", bench.order_id, order_version)}
            assert await fetch_changes(world, other, position) == set()

    async def test_a_rolled_back_save_is_not_published(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        requisition = await world.save_requisition(nurse, world.create_patient(client))
        position = await fetch_position(world, nurse)
        with psycopg.connect(world.owner_url) as connection:
            connection.execute(
                "UPDATE requisitions SET version = version + 1 WHERE id = %s", (requisition["id"],)
            )
            connection.rollback()
        assert await fetch_changes(world, nurse, position) == set()

    async def test_a_late_commit_is_not_skipped(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        slow = await world.save_requisition(nurse, world.create_patient(client))
        quick = await world.save_requisition(nurse, world.create_patient(client))
        position = await fetch_position(world, nurse)
        with psycopg.connect(world.owner_url) as connection:
            connection.execute(
                "UPDATE requisitions SET version = version + 1 WHERE id = %s", (slow["id"],)
            )
            world.run_sql(
                "UPDATE requisitions SET version = version + 1 WHERE id = %s RETURNING id",
                (quick["id"],),
            )
            early_events = await fetch_events(world, nurse, position, wait=False)
            position = early_events[-1].position or position
        later_changes = await fetch_changes(world, nurse, position)
        changed_ids = {record_id for _, record_id, _ in later_changes}
        changed_ids |= {e.data["id"] for e in early_events if e.name == "change"}
        assert changed_ids == {slow["id"], quick["id"]}


class TestResuming:
    """Resuming after an interruption."""

    async def test_the_ready_event_has_no_position_before_missed_changes(
        self, world: World
    ) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        position = await fetch_position(world, nurse)
        await world.save_requisition(nurse, world.create_patient(client))
        [ready, *missed_events] = await fetch_events(world, nurse, position)
        assert ready.position is None
        assert [event.name for event in missed_events] == ["change"]


class TestBadInput:
    """Invalid positions and parameters, and people without access."""

    @pytest.mark.parametrize(
        "position", ["x", "1", "1-2-3", "-1-2", "1-99999999999999999999", "²-1", "1_0-1"]
    )
    async def test_rejects_an_invalid_position(self, world: World, position: str) -> None:
        nurse = await world.create_person("Client Basic", client_ids=[world.create_client()])
        headers = {**nurse.headers, "Last-Event-ID": position.encode()}
        answer = await world.http.get(CHANGES, headers=headers, params={"once": "true"})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "Last-Event-ID"

    async def test_rejects_an_unknown_parameter(self, world: World) -> None:
        nurse = await world.create_person("Client Basic", client_ids=[world.create_client()])
        answer = await world.http.get(CHANGES, headers=nurse.headers, params={"all": "1"})
        assert answer.status_code == 400

    async def test_rejects_an_invalid_boolean(self, world: World) -> None:
        nurse = await world.create_person("Client Basic", client_ids=[world.create_client()])
        answer = await world.http.get(CHANGES, headers=nurse.headers, params={"once": "maybe"})
        assert answer.status_code == 400

    @pytest.mark.parametrize(
        "change",
        ["active = false", "client_ids = ARRAY[1::bigint]"],
        ids=["a deactivated account", "another client"],
    )
    async def test_the_stream_ends_at_once_with_the_access(
        self, world: World, portal_app: FastAPI, monkeypatch: pytest.MonkeyPatch, change: str
    ) -> None:
        monkeypatch.setattr("app.server.changes.endpoints.KEEPALIVE_SECONDS", 3_600)
        nurse = await world.create_person("Client Basic", client_ids=[world.create_client()])
        feed = portal_app.state.portal.changes
        stream_task = asyncio.create_task(world.http.get(CHANGES, headers=nurse.headers))
        async with asyncio.timeout(60):
            while nurse.user_id not in {
                subscriber.actor.user_text for subscriber in feed._subscribers
            }:
                await asyncio.sleep(0.02)
            world.run_sql(f"UPDATE users SET {change} WHERE id = %s", (nurse.user_id,))
            assert (await stream_task).status_code == 200

    async def test_requires_sign_in(self, world: World) -> None:
        assert (await world.http.get(CHANGES)).status_code == 401


@pytest.fixture
async def feed(app_url: str):
    """A running feed for one test."""
    database = Database(app_url, read_size=2, write_size=2)
    await database.open()
    feed = Feed(database)
    task = asyncio.create_task(feed.run())
    yield feed
    task.cancel()
    await database.close()


class TestSubscriptions:
    """Subscriptions to one feed."""

    async def test_a_record_that_moves_is_announced_on_both_sides(
        self, world: World, feed: Feed
    ) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        requisition = await world.save_requisition(nurse, world.create_patient(client))
        physicians = [world.create_physician(client) for _ in range(2)]
        change = "UPDATE requisitions SET physician_id = %s, version = version + 1 WHERE id = %s"
        world.run_sql(change, (physicians[0], requisition["id"]))
        await wait_for_open_transactions(world)
        old, new = (Actor(kind=ScopeKind.PHYSICIAN, ids=(key,)) for key in physicians)
        async with feed.subscribe(old) as left, feed.subscribe(new) as joined:
            world.run_sql(change, (physicians[1], requisition["id"]))
            for subscription in (left, joined):
                [announced] = await subscription.wait_for_changes(10)
                assert announced.record_id == requisition["id"]

    async def test_a_change_arrives_at_once(self, world: World, feed: Feed) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        mine = Actor(kind=ScopeKind.CLIENT, ids=(client,))
        foreign = Actor(kind=ScopeKind.CLIENT, ids=(client + 1_000_000,))
        async with (
            feed.subscribe(mine) as subscription,
            feed.subscribe(foreign) as foreign_subscription,
        ):
            requisition = await world.save_requisition(nurse, world.create_patient(client))
            [change] = await subscription.wait_for_changes(10)
            assert (change.kind, change.record_id) == ("requisition", requisition["id"])
            assert await foreign_subscription.wait_for_changes(0.1) == []

    async def test_only_the_last_of_many_changes_arrives(self, world: World, feed: Feed) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        requisition = await world.save_requisition(nurse, world.create_patient(client))
        async with feed.subscribe(Actor(kind=ScopeKind.CLIENT, ids=(client,))) as subscription:
            with psycopg.connect(world.owner_url) as connection:
                for _ in range(5):
                    connection.execute(
                        "UPDATE requisitions SET version = version + 1 WHERE id = %s",
                        (requisition["id"],),
                    )
            [change] = await subscription.wait_for_changes(10)
            assert change.version == requisition["version"] + 5

    async def test_ending_the_feed_ends_every_subscription(self, feed: Feed) -> None:
        async with feed.subscribe(Actor(kind=ScopeKind.STAFF)) as subscription:
            task = asyncio.create_task(subscription.wait_for_changes(60))
            await asyncio.sleep(0)
            feed.end()
            await asyncio.wait_for(task, 5)
            assert subscription.has_ended

    async def test_a_slow_subscriber_is_overrun(self) -> None:
        subscription = Subscription(Actor(kind=ScopeKind.STAFF), Position(0, 0))
        change = ChangedRecord(Position(1, 1), "requisition", record_id=1, version=1, scope={})
        subscription.add_visible([change] * 2_001)  # one more than the limit
        assert await subscription.wait_for_changes(1) == []
        assert subscription.is_overrun

    async def test_deletes_old_changes(self, world: World, portal_app: FastAPI) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        old = await world.save_requisition(nurse, world.create_patient(client))
        recent = await world.save_requisition(nurse, world.create_patient(client))
        world.run_sql(
            "UPDATE changes SET at = at - interval '25 hours' WHERE record_id = %s RETURNING id",
            (old["id"],),
        )
        assert await delete_old_changes(portal_app.state.portal) >= 1
        remaining_rows = world.fetch_rows(
            "SELECT record_id FROM changes WHERE record_id = ANY(%s) AND kind = 'requisition'",
            ([old["id"], recent["id"]],),
        )
        assert remaining_rows == [(recent["id"],)]
