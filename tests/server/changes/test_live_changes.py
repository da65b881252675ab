"""Live changes: who is told what, after which interruption, and when the stream ends."""

import asyncio
import json
from dataclasses import dataclass

import psycopg
import pytest
from fastapi import FastAPI

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor
from app.server.changes.feed import Feed, Position, Subscription, forget_old_changes
from app.server.database.pools import Database
from tests.server.world import Person, World

CHANGES = "/api/v2/changes"


@dataclass
class Event:
    """One server-sent event."""

    name: str
    place: str | None
    data: dict


def events(text: str) -> list[Event]:
    """The events of an answer."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in lines:
            found.append(Event(lines["event"], lines.get("id"), json.loads(lines["data"])))
    return found


_XMIN = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
_XMAX = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"


async def settled(world: World) -> None:
    """Until every transaction that is under way now is over: what happened beside it is told then,
    and other tests write to the same cluster."""
    now = world.sql(_XMAX)
    async with asyncio.timeout(60):
        while world.sql(_XMIN) < now:
            await asyncio.sleep(0.02)


async def since(
    world: World, person: Person, place: str | None, *, wait: bool = True
) -> list[Event]:
    """What this person is told of what happened after ``place``."""
    if wait:
        await settled(world)
    headers = {**person.headers, **({"Last-Event-ID": place} if place else {})}
    answer = await world.http.get(CHANGES, headers=headers, params={"once": "true"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return events(answer.text)


async def now(world: World, person: Person) -> str:
    """The present place in the stream."""
    [ready] = await since(world, person, None)
    assert ready.place
    return ready.place


async def told(world: World, person: Person, place: str) -> set[tuple[str, int, int]]:
    """(kind, id, version) of the changes after ``place``."""
    found = await since(world, person, place)
    return {(e.data["kind"], e.data["id"], e.data["version"]) for e in found if e.name == "change"}


class TestWhoIsTold:
    """A change is told to those who may see its record, and holds nothing of it."""

    async def test_the_client_and_the_lab_but_no_other_client(self, world: World) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        other = await world.person("Client Basic", client_ids=[world.client()])
        lab = await world.person("Laboratory")
        place = await now(world, nurse)
        saved = await world.requisition(nurse, world.patient(client))
        expected = ("requisition", saved["id"], saved["version"])
        assert await told(world, nurse, place) == {expected}
        assert expected in await told(world, lab, place)
        assert await told(world, other, place) == set()

    async def test_receiving_changes_the_requisition_and_begins_an_order(
        self, world: World
    ) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        lab = await world.person("Laboratory")
        saved = await world.requisition(nurse, world.patient(client))
        place = await now(world, nurse)
        answer = await world.http.post(
            "/api/v2/requisitions/receive", json={"ids": [saved["id"]]}, headers=lab.headers
        )
        [received] = answer.json()
        kinds = {(kind, number) for kind, number, _ in await told(world, nurse, place)}
        assert kinds == {("requisition", saved["id"]), ("order", received["orderId"])}

    async def test_nothing_is_told_of_a_save_that_was_rolled_back(self, world: World) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        saved = await world.requisition(nurse, world.patient(client))
        place = await now(world, nurse)
        with psycopg.connect(world.owner_url) as connection:
            connection.execute(
                "UPDATE requisitions SET version = version + 1 WHERE id = %s", (saved["id"],)
            )
            connection.rollback()
        assert await told(world, nurse, place) == set()

    async def test_one_that_was_begun_early_and_committed_late_is_not_stepped_over(
        self, world: World
    ) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        slow = await world.requisition(nurse, world.patient(client))
        quick = await world.requisition(nurse, world.patient(client))
        place = await now(world, nurse)
        with psycopg.connect(world.owner_url) as connection:
            connection.execute(
                "UPDATE requisitions SET version = version + 1 WHERE id = %s", (slow["id"],)
            )
            world.sql(
                "UPDATE requisitions SET version = version + 1 WHERE id = %s RETURNING id",
                (quick["id"],),
            )
            early = await since(world, nurse, place, wait=False)
            place = early[-1].place or place
        found = {number for _, number, _ in await told(world, nurse, place)}
        found |= {e.data["id"] for e in early if e.name == "change"}
        assert found == {slow["id"], quick["id"]}


class TestComingBack:
    """A listener that was cut off comes back to where it was."""

    async def test_no_place_is_named_before_what_was_missed(self, world: World) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        place = await now(world, nurse)
        await world.requisition(nurse, world.patient(client))
        [ready, *missed] = await since(world, nurse, place)
        assert ready.place is None
        assert [event.name for event in missed] == ["change"]


class TestBadInput:
    """A place that is none, a parameter that is unknown, nobody signed in."""

    @pytest.mark.parametrize(
        "place", ["x", "1", "1-2-3", "-1-2", "1-99999999999999999999", "²-1", "1_0-1"]
    )
    async def test_a_place_that_is_none(self, world: World, place: str) -> None:
        nurse = await world.person("Client Basic", client_ids=[world.client()])
        headers = {**nurse.headers, "Last-Event-ID": place.encode()}
        answer = await world.http.get(CHANGES, headers=headers, params={"once": "true"})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "Last-Event-ID"

    async def test_an_unknown_parameter(self, world: World) -> None:
        nurse = await world.person("Client Basic", client_ids=[world.client()])
        answer = await world.http.get(CHANGES, headers=nurse.headers, params={"all": "1"})
        assert answer.status_code == 400

    async def test_what_is_neither_yes_nor_no(self, world: World) -> None:
        nurse = await world.person("Client Basic", client_ids=[world.client()])
        answer = await world.http.get(CHANGES, headers=nurse.headers, params={"once": "maybe"})
        assert answer.status_code == 400

    async def test_nobody_signed_in(self, world: World) -> None:
        assert (await world.http.get(CHANGES)).status_code == 401


@pytest.fixture
async def feed(app_url: str):
    """A feed of its own that runs."""
    database = Database(app_url, read_size=2, write_size=2)
    await database.open()
    made = Feed(database)
    running = asyncio.create_task(made.run())
    yield made
    running.cancel()
    await database.close()


class TestListening:
    """One reader tells many."""

    async def test_a_change_comes_within_moments(self, world: World, feed: Feed) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        mine = Actor(kind=ScopeKind.CLIENT, ids=(client,))
        foreign = Actor(kind=ScopeKind.CLIENT, ids=(client + 1_000_000,))
        async with feed.subscribe(mine) as listening, feed.subscribe(foreign) as elsewhere:
            saved = await world.requisition(nurse, world.patient(client))
            [change] = await listening.next(10)
            assert (change.kind, change.record_id) == ("requisition", saved["id"])
            assert await elsewhere.next(0.1) == []

    async def test_many_changes_of_one_record_are_told_as_its_last(
        self, world: World, feed: Feed
    ) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        saved = await world.requisition(nurse, world.patient(client))
        async with feed.subscribe(Actor(kind=ScopeKind.CLIENT, ids=(client,))) as listening:
            with psycopg.connect(world.owner_url) as connection:
                for _ in range(5):
                    connection.execute(
                        "UPDATE requisitions SET version = version + 1 WHERE id = %s",
                        (saved["id"],),
                    )
            [change] = await listening.next(10)
            assert change.version == saved["version"] + 5

    async def test_ending_lets_every_listener_go(self, feed: Feed) -> None:
        async with feed.subscribe(Actor(kind=ScopeKind.STAFF)) as listening:
            waiting = asyncio.create_task(listening.next(60))
            await asyncio.sleep(0)
            feed.end()
            await asyncio.wait_for(waiting, 5)
            assert listening.ended

    async def test_one_that_does_not_keep_up_is_told_so(self, world: World, feed: Feed) -> None:
        listening = Subscription(Actor(kind=ScopeKind.STAFF), Position(0, 0))
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        await world.requisition(nurse, world.patient(client))
        [change, *_] = await feed._missed(listening.actor, Position(0, 0), Position(2**62, 0))
        listening.offer([change] * 2_001)
        assert await listening.next(1) == []
        assert listening.overrun

    async def test_what_is_old_is_forgotten(self, world: World, portal_app: FastAPI) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        old = await world.requisition(nurse, world.patient(client))
        young = await world.requisition(nurse, world.patient(client))
        world.sql(
            "UPDATE changes SET at = at - interval '25 hours' WHERE record_id = %s RETURNING id",
            (old["id"],),
        )
        assert await forget_old_changes(portal_app.state.portal) >= 1
        left = world.rows(
            "SELECT record_id FROM changes WHERE record_id = ANY(%s) AND kind = 'requisition'",
            ([old["id"], young["id"]],),
        )
        assert left == [(young["id"],)]
