"""Two machines behind a proxy give the same answers, and survive kills under load."""

import asyncio
import base64
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from app.server.access.quotas import SSN
from tests.server.accounts.builders import Person
from tests.server.world import World
from tests.torture.acts import Ledger
from tests.torture.run import Outcome, Plan, open_world, run_plan
from tests.torture.site import Site, run_site
from tests.torture.verdict import Verdict, judge_cases

# The site starts two portals, which takes long on a busy machine.
pytestmark = [pytest.mark.xdist_group("kills"), pytest.mark.timeout(900)]
_REQUISITIONS = "/api/v2/requisitions"
_PDF = b"%PDF-1.4\n%%EOF\n"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Two machines, a proxy, a database, a mail server, and a bucket."""
    folder = Path(tempfile.mkdtemp(prefix="portal-site-"))
    folder.chmod(0o755)
    with run_site(folder) as site:
        yield site
    shutil.rmtree(folder)


@pytest.fixture
async def first(site: Site) -> AsyncIterator[World]:
    """People who reach the first machine."""
    async with open_world(site, site.machines[0].url) as world:
        yield world


@pytest.fixture
async def second(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the second machine."""
    async with open_world(site, site.machines[1].url) as world:
        yield world.http


@pytest.fixture
async def nurse(first: World) -> Person:
    """A nurse with a client."""
    client = first.create_client()
    person = await first.create_person("Client Basic", client_ids=[client])
    person.client = client
    return person


class TestSameAnswers:
    """What one machine does, the other knows."""

    async def test_a_sign_out_counts_on_the_other_machine(
        self, first: World, second: httpx.AsyncClient, nurse: Person
    ) -> None:
        path = f"{_REQUISITIONS}/remote-operations"
        assert (await second.get(path, headers=nurse.headers)).status_code == 200
        assert (await first.http.post("/auth/logout", headers=nurse.headers)).is_success
        async with asyncio.timeout(60):
            while (await second.get(path, headers=nurse.headers)).status_code != 401:
                await asyncio.sleep(0.05)

    async def test_a_request_with_one_key_runs_once(
        self, first: World, second: httpx.AsyncClient, nurse: Person
    ) -> None:
        patient = first.create_patient(nurse.client)
        body = first.build_requisition_body(patient)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        answers = await asyncio.gather(
            *(http.post(_REQUISITIONS, headers=headers, json=body) for http in (first.http, second))
        )
        assert [answer.status_code for answer in answers] == [201, 201]
        assert answers[0].content == answers[1].content
        count_query = "SELECT count(*) FROM requisitions WHERE patient_id = %s"
        assert first.run_sql(count_query, (patient,)) == 1

    async def test_a_quota_is_shared(
        self, first: World, second: httpx.AsyncClient, nurse: Person
    ) -> None:
        path, body = "/api/v2/patients/validate-ssn", {"ssn": "123-45-6789"}
        statuses = []
        for number in range(SSN.person.burst + 1):
            http = (first.http, second)[number % 2]
            statuses.append((await http.post(path, headers=nurse.headers, json=body)).status_code)
        assert statuses == [*[200] * SSN.person.burst, 429]

    async def test_drafts_and_documents_are_on_both(
        self, first: World, second: httpx.AsyncClient, nurse: Person
    ) -> None:
        draft = str(uuid.uuid4())
        content = {"content": {"comments": "half-typed"}}
        path = f"{_REQUISITIONS}/drafts/{draft}"
        assert (await first.http.put(path, headers=nurse.headers, json=content)).is_success
        drafts = (await second.get(f"{_REQUISITIONS}/drafts", headers=nurse.headers)).json()
        assert [(d["id"], d["content"]) for d in drafts] == [(draft, content["content"])]

        requisition = await first.save_requisition(nurse, first.create_patient(nurse.client))
        documents = f"{_REQUISITIONS}/{requisition['id']}/documents"
        upload = {"fileName": "scan.pdf", "content": base64.b64encode(_PDF).decode()}
        answer = await first.http.post(documents, headers=nurse.headers, json=upload)
        assert answer.status_code == 201, answer.text
        answer = await second.get(f"{documents}/download?name=scan.pdf", headers=nurse.headers)
        assert answer.content == _PDF

    async def test_changes_reach_people_on_the_other_machine(
        self, first: World, second: httpx.AsyncClient, nurse: Person
    ) -> None:
        async with second.stream("GET", "/api/v2/changes", headers=nurse.headers) as stream:
            lines = stream.aiter_lines()
            async with asyncio.timeout(60):
                await _read_until(lines, "event: ready")
                requisition = await first.save_requisition(
                    nurse, first.create_patient(nurse.client)
                )
                assert str(requisition["id"]) in await _read_until(lines, "data: ", "requisition")


def read_files(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def _read_until(lines: AsyncIterator[str], *parts: str) -> str:
    async for line in lines:
        if all(part in line for part in parts):
            return line
    raise AssertionError("the stream ended")


@pytest.fixture(scope="module")
def outcome(site: Site) -> Outcome:
    """The outcome of four kills."""
    plan = Plan(3, 15, kills=("API process", "proxy", "worker", "PostgreSQL"))
    return asyncio.run(run_plan(plan, site, lambda _: None))


class TestKills:
    """Kills of each kind of process while people work."""

    def test_kills_lose_repeat_and_split_no_writes(self, outcome: Outcome, site: Site) -> None:
        assert outcome.kills.total() == 4
        assert outcome.ledger.acknowledged_count >= 75
        assert outcome.ledger.unexpected == []
        assert outcome.verdict.lost == outcome.verdict.doubled == outcome.verdict.partial == []
        assert outcome.verdict.repeated_mails <= outcome.kills["worker"]

    def test_machines_share_their_keys(self, outcome: Outcome, site: Site) -> None:
        assert outcome.kills.total() == 4
        first, second = (read_files(machine.folder / "keys") for machine in site.machines)
        assert first == second

    async def test_detects_damaged_records(
        self, outcome: Outcome, first: World, site: Site
    ) -> None:
        case = next(c for c in outcome.ledger.cases if c.is_acknowledged("release"))

        def judge_again() -> Verdict:
            return judge_cases(first, Ledger([case]), site.bucket, site.mail)

        assert judge_again() == Verdict(repeated_mails=outcome.verdict.repeated_mails)
        first.run_sql(
            "DELETE FROM requisition_medications WHERE requisition_id = %s AND position = 1",
            (case.requisition,),
        )
        assert judge_again().partial != []
        first.run_sql("ALTER TABLE results DISABLE TRIGGER USER")
        first.run_sql("DELETE FROM results WHERE order_id = %s", (case.order,))
        first.run_sql("ALTER TABLE results ENABLE TRIGGER USER")
        assert f"patient {case.patient}: release" in judge_again().lost
        first.create_patient(first.create_client())
        first.run_sql(
            "UPDATE requisitions SET patient_id = %s WHERE id = (SELECT max(id) FROM requisitions"
            " WHERE patient_id <> %s)",
            (case.patient, case.patient),
        )
        assert judge_again().doubled != []
