"""The demo lab in the database and through the API."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg import sql

from app.contract.enumerations import ScopeKind
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.keys import KeyFolder
from app.server.main import build_app
from app.server.portal import Portal
from app.server.requisitions.service.read import get_record
from app.server.schema.migrate import migrate_database
from app.server.seeding import DEMO_PASSWORD, fill_database
from app.server.seeding.showcase import NURSE, complete_demo_requisitions
from app.server.settings import Settings

pytestmark = pytest.mark.xdist_group("demo portal")  # Loading the lab takes seconds.
_ROLES = ("superuser", "laboratory", "clientadmin", "clientbasic", "physician", "patient")


@pytest.fixture(scope="module")
def demo(
    cluster_url: str, worker_id: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str, Path, list[tuple[str, str]]]]:
    """Owner URL, application URL, data folder and accounts of a database with the demo lab."""
    name = f"portal_demo_{worker_id}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    data = tmp_path_factory.mktemp("demo")
    owner = f"{cluster_url}/{name}"
    app_url = migrate_database(owner, "application-of-the-tests")
    accounts = fill_database(
        owner, KeyFolder(data / "keys"), demo=True, time_zone="America/Chicago"
    )
    yield owner, app_url, data, accounts


@pytest.fixture(scope="module")
async def http(demo) -> AsyncIterator[httpx.AsyncClient]:
    """The portal over the demo lab."""
    app = build_app(Settings(data_dir=demo[2]), demo[1])
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://demo.test") as session:
            yield session


def get_portal(http: httpx.AsyncClient) -> Portal:
    """Return the parts of the portal that the HTTP session calls."""
    transport = http._transport
    assert isinstance(transport, httpx.ASGITransport)
    portal: Portal = transport.app.state.portal  # type: ignore[attr-defined]
    return portal


async def test_every_role_signs_in_and_sees_orders(http: httpx.AsyncClient) -> None:
    for role in _ROLES:
        answer = await http.post(
            "/auth/login", json={"loginId": f"{role}@demo.lab", "password": DEMO_PASSWORD}
        )
        assert answer.status_code == 200, role
        headers = {"Authorization": f"JWT {answer.json()['token']}"}
        for kind in ("requisitions", "orders", "patients"):
            page = await http.get(f"/api/v2/{kind}/remote-operations?take=5", headers=headers)
            rows = page.json()["data"]
            assert rows, (role, kind)
            for row in rows:
                record = await http.get(f"/api/v2/{kind}/{row['id']}", headers=headers)
                assert record.status_code == 200, record.text
        results = await http.get(
            f"/api/v2/orders/{(await _find_order_id(http, headers))}/clinical-results",
            headers=headers,
        )
        assert results.status_code == 200


async def _find_order_id(http: httpx.AsyncClient, headers: dict[str, str]) -> int:
    page = await http.get("/api/v2/orders/remote-operations?take=1", headers=headers)
    return page.json()["data"][0]["id"]


@pytest.mark.parametrize(
    ("role", "unread"), [("clientbasic", "unread"), ("physician", "unreadByPhysician")]
)
async def test_shows_unread_and_acknowledged_results(
    http: httpx.AsyncClient, role: str, unread: str
) -> None:
    answer = await http.post(
        "/auth/login", json={"loginId": f"{role}@demo.lab", "password": DEMO_PASSWORD}
    )
    headers = {"Authorization": f"JWT {answer.json()['token']}"}
    path = "/api/v2/orders/remote-operations?take=50"
    unread_rows = (await http.get(f"{path}&{unread}=true", headers=headers)).json()["data"]
    rows = (await http.get(path, headers=headers)).json()["data"]
    assert any(row["hasAlert"] for row in unread_rows)
    assert not all(row["hasAlert"] for row in unread_rows)
    assert any(row["onlineAckUser"] for row in rows)


def test_demo_lab_has_the_documented_size(demo) -> None:
    with psycopg.connect(demo[0]) as connection:
        counts = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("clients", "physicians", "patients", "requisitions")
        }
        requisitions = connection.execute("SELECT DISTINCT status FROM requisitions").fetchall()
        orders = connection.execute("SELECT DISTINCT status FROM orders").fetchall()
    assert counts == {"clients": 6, "physicians": 40, "patients": 501, "requisitions": 3057}
    assert {s for (s,) in requisitions} == {1, 2, 4}
    assert {1, 2, 8, 16} <= {s for (s,) in orders}


def test_results_were_compared_with_earlier_ones(demo) -> None:
    statement = (
        "SELECT count(r.previous_value), count(*) FILTER (WHERE r.is_delta_exceeded),"
        " count(*) FILTER (WHERE (r.previous_value, r.previous_at)"
        " IS DISTINCT FROM (p.value, p.collection_date))"
        " FROM orders o JOIN order_tests t ON t.order_id = o.id"
        " JOIN lab_tests l ON l.id = t.test_id AND l.code = 'K'"
        " JOIN results r ON r.order_test_id = t.id LEFT JOIN LATERAL ("
        "SELECT e.value, x.collection_date FROM orders x JOIN order_tests y ON y.order_id = x.id"
        " AND y.test_id = t.test_id JOIN results e ON e.order_test_id = y.id"
        " AND e.released_at IS NOT NULL AND e.withheld IS NULL WHERE x.patient_id = o.patient_id"
        " AND (x.collection_date, x.id) < (o.collection_date, o.id)"
        " ORDER BY x.collection_date DESC, x.id DESC, e.revision DESC LIMIT 1) p ON true"
    )
    with psycopg.connect(demo[0]) as connection:
        compared_count, exceeded_count, different_count = connection.execute(statement).fetchone()
    assert compared_count > 100
    assert 0 < exceeded_count < compared_count
    assert different_count == 0


async def test_patients_have_insurance(demo, http: httpx.AsyncClient) -> None:
    answer = await http.post(
        "/auth/login", json={"loginId": "superuser@demo.lab", "password": DEMO_PASSWORD}
    )
    headers = {"Authorization": f"JWT {answer.json()['token']}"}
    with psycopg.connect(demo[0]) as connection:
        (patient_id,) = connection.execute(
            "SELECT patient_id FROM patient_insurance WHERE relationship = 'SELF' LIMIT 1"
        ).fetchone()
    record = (await http.get(f"/api/v2/patients/{patient_id}", headers=headers)).json()
    own = next(row for row in record["insuranceInformation"] if row["relationship"] == "SELF")
    assert own["insuranceId"].startswith("DEMO")
    assert own["lastName"] == record["lastName"]
    assert own["missingInformation"] is False


def test_older_payers_get_their_bill_type(demo) -> None:
    owner, _, data, _ = demo
    with psycopg.connect(owner) as connection:
        connection.execute("INSERT INTO payers (name) VALUES ('A PAYER OF THE LAB ITSELF')")
        connection.execute("UPDATE payers SET bill_type_id = NULL WHERE name = 'CIGNA'")
        connection.execute(
            "UPDATE payers SET bill_type_id = (SELECT id FROM bill_types WHERE name = 'MILITARY')"
            " WHERE name = 'UMR'"
        )
    fill_database(owner, KeyFolder(data / "keys"), demo=False, time_zone="America/Chicago")
    with psycopg.connect(owner) as connection:
        bill_types: dict[str, str] = dict(
            connection.execute(
                "SELECT p.name, t.name FROM payers p JOIN bill_types t ON t.id = p.bill_type_id"
            ).fetchall()
        )
    assert bill_types["CIGNA"] == "COMMERCIAL"
    assert bill_types["A PAYER OF THE LAB ITSELF"] == "OTHER"
    assert bill_types["UMR"] == "MILITARY"


async def test_nurse_sees_a_rejected_tube_and_canceled_tests(http: httpx.AsyncClient) -> None:
    answer = await http.post("/auth/login", json={"loginId": NURSE, "password": DEMO_PASSWORD})
    headers = {"Authorization": f"JWT {answer.json()['token']}"}
    path = "/api/v2/orders/remote-operations"
    answer = await http.get(path, headers=headers, params={"awaitsCollection": "true"})
    rejected_answers = answer.json()["data"]
    assert rejected_answers
    for row in rejected_answers:
        read = (await http.get(f"/api/v2/orders/{row['id']}/specimens", headers=headers)).json()
        states = [tube["state"] for tube in read["tubes"]]
        assert states[:2] == ["rejected", "expected"]
        # A change of the tubes writes the same text.
        container = read["tubes"][0]["container"].upper()
        words = f"{container}: REJECTED (HEMOLYZED), NEW COLLECTION REQUESTED"
        assert read["specimenCondition"] == words
    answer = await http.get(path, headers=headers, params={"status": 1, "take": 100})
    reasons = [
        (await http.get(f"/api/v2/orders/{row['id']}", headers=headers)).json()[
            "cancellationReasons"
        ]
        for row in answer.json()["data"][:20]
    ]
    assert any(reasons)


def test_patients_are_registered_before_their_requisitions(demo) -> None:
    with psycopg.connect(demo[0]) as connection:
        earlier = connection.execute(
            "SELECT count(*) FROM requisitions r JOIN patients p ON p.id = r.patient_id"
            " WHERE r.created_at < p.created_at"
        ).fetchone()
    assert earlier == (0,)


def test_loading_again_changes_nothing(demo) -> None:
    owner, _, data, accounts = demo
    before = _compute_fingerprint(owner)
    reload_result = fill_database(
        owner, KeyFolder(data / "keys"), demo=True, time_zone="America/Chicago"
    )
    assert reload_result == accounts
    assert _compute_fingerprint(owner) == before


async def test_signatures_match_the_stored_content(demo, http: httpx.AsyncClient) -> None:
    staff, portal = Actor(kind=ScopeKind.STAFF), get_portal(http)
    with psycopg.connect(demo[0]) as connection:
        signatures = connection.execute(
            "SELECT requisition_id, content_hash FROM requisition_signatures LIMIT 25"
        ).fetchall()
    async with portal.database.transaction(staff) as session:
        for requisition_id, digest in signatures:
            record = await get_record(Work(staff, session, portal), requisition_id)
            assert record.build_signed_content().compute_digest() == bytes(digest)


def _compute_fingerprint(owner: str) -> list[tuple]:
    with psycopg.connect(owner) as connection:
        return [
            connection.execute(f"SELECT count(*), max(id) FROM {table}").fetchone()
            for table in ("lab_tests", "payers", "patient_insurance", "requisitions", "results")
        ]


async def test_nurse_sees_a_complete_requisition(http: httpx.AsyncClient) -> None:
    portal = get_portal(http)
    requisition_id = await complete_demo_requisitions(portal)
    assert requisition_id is not None
    assert await complete_demo_requisitions(portal) is None  # A second call changes nothing.
    answer = await http.post("/auth/login", json={"loginId": NURSE, "password": DEMO_PASSWORD})
    headers = {"Authorization": f"JWT {answer.json()['token']}"}
    path = f"/api/v2/requisitions/{requisition_id}"
    record = (await http.get(path, headers=headers)).json()
    assert record["billTo"] == "Insurance"
    assert record["billingInformation"][0]["payer"]
    assert "<strong>Fragile veins</strong>" in record["comments"]
    assert [copy["type"] for copy in record["additionalCopies"]] == ["EMAIL", "FAX"]
    [document] = (await http.get(f"{path}/documents", headers=headers)).json()
    file = await http.get(
        f"{path}/documents/download", params={"name": document["name"]}, headers=headers
    )
    assert file.content.startswith(b"\x89PNG")


def test_notices_of_critical_results_open_with_their_release(demo) -> None:
    statement = (
        "SELECT count(*), count(*) FILTER (WHERE i.released_at <> "
        "n.opened_at AT TIME ZONE 'America/Chicago'), count(*) FILTER (WHERE n.closed_at IS NULL)"
        " FROM critical_items i JOIN critical_notices n ON n.id = i.notice_id"
    )
    with psycopg.connect(demo[0]) as connection:
        count, different, still_open = connection.execute(statement).fetchone()
    assert (count > 5, different, still_open > 0) == (True, 0, True)


def test_contacts_of_overdue_critical_results_were_alerted_one_after_the_other(demo) -> None:
    statement = (
        "SELECT n.told_at IS NULL, n.escalate_at IS NULL, array_agg(a.position ORDER BY a.sent_at)"
        " FROM critical_notices n JOIN critical_alerts a ON a.notice_id = n.id"
        " WHERE n.due_at < now() - interval '1 day' GROUP BY n.id"
    )
    with psycopg.connect(demo[0]) as connection:
        rows = connection.execute(statement).fetchall()
    notified_positions = [positions for is_open, _, positions in rows if not is_open]
    open_notices = [(is_over, positions) for is_open, is_over, positions in rows if is_open]
    assert notified_positions and open_notices
    assert all(positions == [1] for positions in notified_positions)
    assert all(row == (True, [1, 2, 3]) for row in open_notices)
