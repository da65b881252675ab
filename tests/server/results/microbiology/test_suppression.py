"""Antibiotics suppressed by the lab's cascade are hidden from everybody outside the lab."""

import io

import psycopg
import pytest
from pypdf import PdfReader

from app.contract.enumerations import Role
from tests.server.results.microbiology.bench import build_organism
from tests.server.samples import Realm, build_realm
from tests.server.world import World

READERS = (Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT)
SUPPRESSED = "Meropenem"


@pytest.fixture
async def home(world: World) -> Realm:
    """A client whose order has a released culture with a suppressed antibiotic."""
    home = await build_realm(world)
    await release_culture(
        world, home, [build_organism(CRO="<=0.5", ETP="<=0.25", MEM="<=0.25", CIP="0.06")]
    )
    return home


async def release_culture(world: World, home: Realm, organisms: list[dict]) -> None:
    """Enter and release the culture."""
    lab, path = home.people[Role.LABORATORY], f"/api/v2/orders/{home.ids['order_id']}"
    entry_answer = await world.http.put(
        f"{path}/microbiology-entry/{home.ids['culture_test_id']}",
        headers=lab.headers,
        json={"source": "BLOOD", "organisms": organisms},
    )
    assert entry_answer.status_code == 200, entry_answer.text
    release_answer = await world.http.post(
        f"{path}/microbiology-release",
        headers=lab.headers,
        json={"kind": "final", "orderTestIds": [home.ids["culture_test_id"]]},
    )
    assert release_answer.status_code == 200, release_answer.text


def count_visible(world: World, home: Realm, role: Role) -> int:
    """Count the rows of suppressed antibiotics that the database shows to a role."""
    kinds = {Role.PHYSICIAN: "as_physician", Role.PATIENT: "as_patient"}
    ids = {Role.PHYSICIAN: "physician_id", Role.PATIENT: "patient_id"}
    database_role = kinds.get(role, "as_client")
    scope = home.ids[ids.get(role, "client_id")]
    with psycopg.connect(world.owner_url) as connection:
        connection.execute(f"SET LOCAL ROLE {database_role}")
        connection.execute("SELECT set_config('app.ids', %s, true)", (f"{{{scope}}}",))
        row = connection.execute(
            "SELECT count(*) FILTER (WHERE is_suppressed), count(*) FROM culture_susceptibilities"
        ).fetchone()
    assert row is not None
    assert row[1] > 0, "the role does not see the reported antibiotics"
    return int(row[0])


@pytest.mark.parametrize("role", READERS)
async def test_no_call_shows_a_suppressed_antibiotic(world: World, home: Realm, role: Role) -> None:
    answer = await world.http.get(
        f"/api/v2/orders/{home.ids['order_id']}/microbiology-results",
        headers=home.people[role].headers,
    )
    assert "Ciprofloxacin" in answer.text
    assert SUPPRESSED not in answer.text


async def test_the_labs_order_page_shows_the_clients_view(world: World, home: Realm) -> None:
    headers = home.people[Role.LABORATORY].headers
    path = f"/api/v2/orders/{home.ids['order_id']}"
    page_answer = await world.http.get(f"{path}/microbiology-results", headers=headers)
    assert SUPPRESSED not in page_answer.text
    entry_answer = await world.http.get(f"{path}/microbiology-entry", headers=headers)
    assert SUPPRESSED in entry_answer.text


@pytest.mark.parametrize("role", READERS)
async def test_the_database_hides_a_suppressed_antibiotic_from_readers(
    world: World, home: Realm, role: Role
) -> None:
    assert count_visible(world, home, role) == 0


@pytest.mark.parametrize("role", READERS)
async def test_the_database_hides_unreleased_cultures(world: World, role: Role) -> None:
    home = await build_realm(world)
    lab, path = home.people[Role.LABORATORY], f"/api/v2/orders/{home.ids['order_id']}"
    await world.http.put(
        f"{path}/microbiology-entry/{home.ids['culture_test_id']}",
        headers=lab.headers,
        json={"organisms": [build_organism(AMP="2")], "findings": [{"code": "GRWBC"}]},
    )
    kinds = {Role.PHYSICIAN: "physician", Role.PATIENT: "patient"}
    kind = kinds.get(role, "client")
    with psycopg.connect(world.owner_url) as connection:
        connection.execute(f"SET LOCAL ROLE as_{kind}")
        scope = home.ids[f"{kind}_id"]
        connection.execute("SELECT set_config('app.ids', %s, true)", (f"{{{scope}}}",))
        for table in (
            "cultures",
            "culture_findings",
            "culture_organisms",
            "culture_susceptibilities",
        ):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


async def test_resistance_to_another_antibiotic_ends_the_suppression(world: World) -> None:
    home = await build_realm(world)
    organism = build_organism(CRO=">32", ETP=">4", MEM="8")
    await release_culture(world, home, [organism])
    answer = await world.http.get(
        f"/api/v2/orders/{home.ids['order_id']}/microbiology-results",
        headers=home.people[Role.PATIENT].headers,
    )
    assert SUPPRESSED in answer.text


async def test_the_lab_may_report_or_suppress_by_hand(world: World) -> None:
    home = await build_realm(world)
    organism = build_organism(MEM="<=0.25", CIP="0.06")
    organism["sensitivity"][0]["reporting"] = "reported"
    organism["sensitivity"][1]["reporting"] = "suppressed"
    await release_culture(world, home, [organism])
    answer = await world.http.get(
        f"/api/v2/orders/{home.ids['order_id']}/microbiology-results",
        headers=home.people[Role.PHYSICIAN].headers,
    )
    assert SUPPRESSED in answer.text
    assert "Ciprofloxacin" not in answer.text


@pytest.mark.parametrize("role", READERS)
async def test_no_report_prints_a_suppressed_antibiotic(
    world: World, home: Realm, role: Role
) -> None:
    answer = await world.http.get(
        f"/api/v2/reports/order/results?ids={home.ids['order_id']}",
        headers=home.people[role].headers,
    )
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    assert "Escherichia coli" in text
    assert "Ciprofloxacin" in text
    assert SUPPRESSED not in text
