"""A run: people work at a site while its parts are killed, and then everything is compared."""

import asyncio
import random
import ssl
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import httpx
import psycopg

from app.server.accounts.passwords import Passwords
from app.server.accounts.tokens import Tokens
from tests.server.accounts.builders import PASSWORD
from tests.server.records import Owner
from tests.server.world import World
from tests.torture.acts import Ledger, Team
from tests.torture.faults import FAULTS
from tests.torture.site import Site
from tests.torture.verdict import Verdict, judge_cases

_GIVES_UP_EVERY = 7
_DRAIN_SECONDS = 300.0
_OPEN_SENDS = "SELECT count(*) FROM transmissions WHERE status IN ('queued', 'sending')"


@dataclass(frozen=True)
class Plan:
    """How hard and how long a run is.

    Attributes:
        acts_between: how many more writes are acknowledged before the next fault.
        kills: the faults, in their order; None repeats all of them until ``seconds`` are over.
    """

    teams: int
    acts_between: int
    kills: tuple[str, ...] | None = None
    seconds: float = 0.0
    seed: int = 1


@dataclass
class Outcome:
    """What a run did, and what it showed."""

    ledger: Ledger
    verdict: Verdict
    kills: Counter[str]
    seconds: float

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, doubled, partial, or answered wrongly."""
        verdict = self.verdict
        worker_kills = self.kills["worker"] + self.kills["machine"]
        return not (
            verdict.lost
            or verdict.doubled
            or verdict.partial
            or self.ledger.unexpected
            or verdict.repeated_mails > worker_kills
            or verdict.undecided > worker_kills // 2
        )


async def run_plan(plan: Plan, site: Site, report: Callable[[str], None]) -> Outcome:
    """Run the plan at a site, and return the outcome."""
    async with open_world(site) as world:
        teams = await _gather_teams(world, plan.teams)
        started_at = time.monotonic()
        kills = await _work_under_kills(site, teams, plan, report)
        seconds = time.monotonic() - started_at
        report("waiting for unfinished transmissions")
        await _wait_for_deliveries(world)
        ledger = teams[0].ledger
        return Outcome(ledger, judge_cases(world, ledger, site.bucket, site.mail), kills, seconds)


@asynccontextmanager
async def open_world(site: Site, url: str | None = None) -> AsyncIterator[World]:
    """Open a world whose people reach the site at ``url``, by default through the proxy."""
    context = ssl.create_default_context(cafile=site.certificate.authority)
    # A new connection for each request, so that the proxy and the processes take turns.
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(
        base_url=url or site.url, verify=context, timeout=30, limits=limits
    ) as http:
        with Owner(site.database.url) as owner:
            yield World(owner, http, Tokens(site.keys), Passwords().hash_now(PASSWORD))


async def _gather_teams(world: World, count: int) -> list[Team]:
    ledger = Ledger()
    lab = await world.create_person("Laboratory")
    teams = []
    for _ in range(count):
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        teams.append(Team(world, nurse, lab, client, world.get_test_id("GLU"), ledger))
    return teams


async def _work_under_kills(
    site: Site, teams: list[Team], plan: Plan, report: Callable[[str], None]
) -> Counter[str]:
    kills: Counter[str] = Counter()
    chance = random.Random(plan.seed)
    ends_at = time.monotonic() + plan.seconds
    over = asyncio.Event()

    async def do_cases(team: Team, first: int) -> None:
        number = first
        while not over.is_set():
            await team.do_case(number, gives_up=number % _GIVES_UP_EVERY == 0)
            number += len(teams)

    async def wait_for_acts(count: int) -> None:
        target = teams[0].ledger.acknowledged_count + count
        while teams[0].ledger.acknowledged_count < target:
            assert not all(task.done() for task in tasks), teams[0].ledger.unexpected
            await asyncio.sleep(0.02)

    tasks = [asyncio.create_task(do_cases(team, number)) for number, team in enumerate(teams)]
    try:
        planned_kills = list(plan.kills or ())
        while planned_kills or (plan.kills is None and time.monotonic() < ends_at):
            await wait_for_acts(plan.acts_between)
            name = planned_kills.pop(0) if planned_kills else chance.choice(list(FAULTS))
            if await asyncio.to_thread(FAULTS[name], site, chance):
                kills[name] += 1
                report(f"{name} killed; {teams[0].ledger.acknowledged_count} writes acknowledged")
        await wait_for_acts(plan.acts_between)
    finally:
        over.set()
        await asyncio.gather(*tasks)
    return kills


async def _wait_for_deliveries(world: World) -> None:
    """Wait until nothing more is being sent, not even by workers that were killed."""
    deadline = time.monotonic() + _DRAIN_SECONDS
    while True:
        with suppress(psycopg.OperationalError):
            if not world.run_sql(_OPEN_SENDS):
                return
        assert time.monotonic() < deadline, "transmissions remain unfinished"
        await asyncio.sleep(1)
