"""Requests that are generated from the OpenAPI document, valid ones and broken ones.

No operation answers with a status that it does not document, or with a fault. The requests are the
same in each run. They have a database of their own, because valid ones change settings and people.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from app.contract.enumerations import Role
from app.server import logs
from app.server.main import build_app
from app.server.settings import Settings
from tests.server.documented import AnswerCheck
from tests.server.records import Owner
from tests.server.samples import Realm, build_realm
from tests.server.world import World
from tests.standins.databases import create_database

_EXAMPLES = 3
"""Requests of each kind for an operation."""
_ENDLESS = ("GET /api/v2/changes",)
"""The stream of live changes ends only with its reader."""
_ROLES = (Role.SUPERUSER, Role.CLIENT_ADMIN, Role.PHYSICIAN)
_GENERATION = settings(
    max_examples=_EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def own_urls(cluster_url: str, app_url: str, worker_id: str) -> Iterator[tuple[str, str]]:
    """A database for these requests: its owner's URL, and the application's."""
    name = f"generated_{worker_id}"
    with create_database(cluster_url, name, "portal_template") as owner_url:
        yield owner_url, f"{app_url.rsplit('/', 1)[0]}/{name}"


@pytest.fixture(scope="module")
async def own_app(
    own_urls: tuple[str, str], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[FastAPI]:
    """A portal over that database."""
    logs.configure_logs("ERROR")
    data = tmp_path_factory.mktemp("data")
    app = build_app(Settings(data_dir=data, read_pool_size=2, write_pool_size=5), own_urls[1])
    async with app.router.lifespan_context(app):
        yield app


def generate_cases(operation: Any, mode: GenerationMode) -> list[Any]:
    """Generate the requests of an operation; none if no request of this kind is possible."""
    cases: list[Any] = []

    @seed(20_261_126)
    @_GENERATION
    @given(operation.as_strategy(generation_mode=mode))
    def collect(case: Any) -> None:
        cases.append(case)

    try:
        collect()
    except Unsatisfiable:
        return []
    return cases


def build_request(case: Any, realm: Realm, *, of_records: bool) -> dict[str, Any]:
    """Build the arguments of httpx for a case, perhaps with the ids of records that exist."""
    if of_records:
        for name in case.path_parameters or {}:
            if name in realm.ids:
                case.path_parameters[name] = realm.ids[name]
    arguments = case.as_transport_kwargs(base_url="http://portal.test")
    content = arguments.pop("data", None)
    if content is not None:
        arguments["content"] = content if isinstance(content, bytes | str) else str(content)
    return {name: arguments[name] for name in arguments if name not in ("cookies", "files")}


async def test_every_operation_answers_only_what_it_documents(
    own_app: FastAPI, own_urls: tuple[str, str], password_hash: str
) -> None:
    check = AnswerCheck(own_app)
    schema = schemathesis.openapi.from_dict(check.document)
    transport = httpx.ASGITransport(own_app, raise_app_exceptions=False)
    undocumented_answers: list[str] = []
    request_count = 0
    async with httpx.AsyncClient(transport=transport) as http:
        with Owner(own_urls[0]) as owner:
            world = World(owner, http, own_app.state.portal.tokens, password_hash)
            http.base_url = httpx.URL("http://portal.test")
            realm = await build_realm(world)
            for operation in (result.ok() for result in schema.get_all_operations()):
                if operation.label in _ENDLESS:
                    continue
                world.run_sql("DELETE FROM quota_counts")
                cases = [
                    case
                    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
                    for case in generate_cases(operation, mode)
                ]
                for number, case in enumerate(cases):
                    person = await world.create_person(
                        _ROLES[number % len(_ROLES)],
                        client_ids=[realm.ids["client_id"]],
                        physician_ids=[realm.ids["physician_id"]],
                    )
                    arguments = build_request(case, realm, of_records=number % 2 == 0)
                    arguments["headers"] = {**arguments["headers"], **person.headers}
                    try:
                        answer = await http.request(**arguments)
                    except httpx.InvalidURL:  # The library does not send a URL of this length.
                        continue
                    request_count += 1
                    if problem := check.find_problem(answer):
                        undocumented_answers.append(problem)
    assert not undocumented_answers, "\n".join(sorted(set(undocumented_answers)))
    assert request_count > 1_000
