"""The demo lab in the database and through the API."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import psycopg
import pytest

from app.contract.enumerations import OrderStatus, ScopeKind
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.database.embedded import EmbeddedPostgres
from app.server.keys import KeyFolder
from app.server.main import build_app
from app.server.portal import Portal
from app.server.requisitions.service.read import get_record
from app.server.schema.migrate import migrate_database
from app.server.seeding import DEMO_PASSWORD, fill_database
from app.server.seeding.showcase import NURSE, complete_demo_requisitions
from app.server.settings import Settings
from tests.standins import demo_lab

# Loading the demo lab takes minutes on a busy machine.
pytestmark = [pytest.mark.xdist_group("demo portal"), pytest.mark.timeout(600)]
_ROLES = ("superuser", "laboratory", "clientadmin", "clientbasic", "physician", "patient")


class Demo(NamedTuple):
    """The demo lab: the URLs of its database, its data folder, and its accounts."""

    owner_url: str
    app_url: str
    data_dir: Path
    accounts: list[tuple[str, str]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A database with the demo lab, which a portal has loaded."""
    parent = Path(tempfile.mkdtemp(prefix="portal-demo-"))
    parent.chmod(0o755)
    data = parent / "data"
    demo_lab.copy_data(tmp_path_factory, data)
    keys = KeyFolder(data / "keys")
    cluster = EmbeddedPostgres(data, keys.load_password("database-owner"))
    cluster.start()
    app_url = migrate_database(cluster.url, keys.load_password("database-app"))
    accounts = fill_database(cluster.url, keys, demo=True, time_zone="America/Chicago")
    yield Demo(cluster.url, app_url, data, accounts)
    cluster.stop()
    shutil.rmtree(parent)


@pytest.fixture(scope="module")
async def http(demo) -> AsyncIterator[httpx.AsyncClient]:
    """The portal over the demo lab."""
    app = build_app(Settings(data_dir=demo.data_dir), demo.app_url)
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
            page_answer = await http.get(
                f"/api/v2/{kind}/remote-operations?take=5", headers=headers
            )
            rows = page_answer.json()["data"]
            assert rows, (role, kind)
            for row in rows:
                record_answer = await http.get(f"/api/v2/{kind}/{row['id']}", headers=headers)
                assert record_answer.status_code == 200, record_answer.text
        results_answer = await http.get(
            f"/api/v2/orders/{(await _get_order_id(http, headers))}/clinical-results",
            headers=headers,
        )
        assert results_answer.status_code == 200


async def _get_order_id(http: httpx.AsyncClient, headers: dict[str, str]) -> int:
    page_answer = await http.get("/api/v2/orders/remote-operations?take=1", headers=headers)
    return page_answer.json()["data"][0]["id"]


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
    with psycopg.connect(demo.owner_url) as connection:
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
    with psycopg.connect(demo.owner_url) as connection:
        compared_count, exceeded_count, different_count = connection.execute(statement).fetchone()
    assert compared_count > 100
    assert 0 < exceeded_count < compared_count
    assert different_count == 0


async def test_patients_have_insurance(demo, http: httpx.AsyncClient) -> None:
    answer = await http.post(
        "/auth/login", json={"loginId": "superuser@demo.lab", "password": DEMO_PASSWORD}
    )
    headers = {"Authorization": f"JWT {answer.json()['token']}"}
    with psycopg.connect(demo.owner_url) as connection:
        (patient_id,) = connection.execute(
            "SELECT patient_id FROM patient_insurance WHERE relationship = 'SELF' LIMIT 1"
        ).fetchone()
    record = (await http.get(f"/api/v2/patients/{patient_id}", headers=headers)).json()
    self_row = next(row for row in record["insuranceInformation"] if row["relationship"] == "SELF")
    assert self_row["insuranceId"].startswith("DEMO")
    assert self_row["lastName"] == record["lastName"]
    assert self_row["missingInformation"] is False


def test_older_payers_get_their_bill_type(demo) -> None:
    with psycopg.connect(demo.owner_url) as connection:
        connection.execute("INSERT INTO payers (name) VALUES ('A PAYER OF THE LAB ITSELF')")
        connection.execute("UPDATE payers SET bill_type_id = NULL WHERE name = 'CIGNA'")
        connection.execute(
            "UPDATE payers SET bill_type_id = (SELECT id FROM bill_types WHERE name = 'MILITARY')"
            " WHERE name = 'UMR'"
        )
    fill_database(
        demo.owner_url, KeyFolder(demo.data_dir / "keys"), demo=False, time_zone="America/Chicago"
    )
    with psycopg.connect(demo.owner_url) as connection:
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
    waiting_rows = answer.json()["data"]
    assert waiting_rows
    for row in waiting_rows:
        specimens = (
            await http.get(f"/api/v2/orders/{row['id']}/specimens", headers=headers)
        ).json()
        states = [tube["state"] for tube in specimens["tubes"]]
        assert states[:2] == ["rejected", "expected"]
        # The portal writes the same text when somebody changes the tubes.
        container = specimens["tubes"][0]["container"].upper()
        words = f"{container}: REJECTED (HEMOLYZED), NEW COLLECTION REQUESTED"
        assert specimens["specimenCondition"] == words
    answer = await http.get(path, headers=headers, params={"status": 1, "take": 100})
    reasons = [
        (await http.get(f"/api/v2/orders/{row['id']}", headers=headers)).json()[
            "cancellationReasons"
        ]
        for row in answer.json()["data"][:20]
    ]
    assert any(reasons)


async def test_nurse_sees_why_an_order_was_canceled(http: httpx.AsyncClient) -> None:
    answer = await http.post("/auth/login", json={"loginId": NURSE, "password": DEMO_PASSWORD})
    headers = {"Authorization": f"JWT {answer.json()['token']}"}
    canceled = {"status": int(OrderStatus.CANCELED)}
    answer = await http.get("/api/v2/orders/remote-operations", headers=headers, params=canceled)
    rows = answer.json()["data"]
    assert rows
    for row in rows:
        order = (await http.get(f"/api/v2/orders/{row['id']}", headers=headers)).json()
        reasons = order["cancellationReasons"]
        assert [reason["canceledBy"] for reason in reasons] == ["LARA BENCH"]
        assert reasons[0]["name"] in {"Canceled by the client", "Duplicate order"}


def test_released_results_name_who_entered_and_released_them(demo) -> None:
    with psycopg.connect(demo.owner_url) as connection:
        pairs = connection.execute(
            "SELECT DISTINCT e.email, r.email FROM results x LEFT JOIN users e"
            " ON e.id = x.entered_by LEFT JOIN users r ON r.id = x.released_by"
            " WHERE x.released_at IS NOT NULL AND x.autoverified_version IS NULL"
        ).fetchall()
    assert pairs == [("laboratory@demo.lab", "laboratory@demo.lab")]


def test_patients_are_registered_before_their_requisitions(demo) -> None:
    with psycopg.connect(demo.owner_url) as connection:
        early_count = connection.execute(
            "SELECT count(*) FROM requisitions r JOIN patients p ON p.id = r.patient_id"
            " WHERE r.created_at < p.created_at"
        ).fetchone()
    assert early_count == (0,)


def test_loading_again_changes_nothing(demo) -> None:
    before = _compute_fingerprint(demo.owner_url)
    reload_result = fill_database(
        demo.owner_url, KeyFolder(demo.data_dir / "keys"), demo=True, time_zone="America/Chicago"
    )
    assert reload_result == demo.accounts
    assert _compute_fingerprint(demo.owner_url) == before


async def test_signatures_match_the_stored_content(demo, http: httpx.AsyncClient) -> None:
    staff, portal = Actor(kind=ScopeKind.STAFF), get_portal(http)
    with psycopg.connect(demo.owner_url) as connection:
        signatures = connection.execute(
            "SELECT requisition_id, content_hash FROM requisition_signatures LIMIT 25"
        ).fetchall()
    async with portal.database.transaction(staff) as transaction:
        for requisition_id, digest in signatures:
            record = await get_record(Work(transaction, portal), requisition_id)
            assert record.build_signed_content().compute_digest() == bytes(digest)


def _compute_fingerprint(owner_url: str) -> list[tuple]:
    with psycopg.connect(owner_url) as connection:
        return [
            connection.execute(f"SELECT count(*), max(id) FROM {table}").fetchone()
            for table in ("lab_tests", "payers", "patient_insurance", "requisitions", "results")
        ]


async def test_nurse_sees_a_complete_requisition(demo, http: httpx.AsyncClient) -> None:
    portal = get_portal(http)
    with psycopg.connect(demo.owner_url) as connection:
        [[requisition_id]] = connection.execute(
            "SELECT requisition_id FROM requisition_documents"
        ).fetchall()
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
    file_answer = await http.get(
        f"{path}/documents/download", params={"name": document["name"]}, headers=headers
    )
    assert file_answer.content.startswith(b"\x89PNG")


def test_notices_of_critical_results_open_with_their_release(demo) -> None:
    statement = (
        "SELECT count(*), count(*) FILTER (WHERE i.released_at <> "
        "n.opened_at AT TIME ZONE 'America/Chicago'), count(*) FILTER (WHERE n.closed_at IS NULL)"
        " FROM critical_items i JOIN critical_notices n ON n.id = i.notice_id"
    )
    with psycopg.connect(demo.owner_url) as connection:
        count, different_count, open_count = connection.execute(statement).fetchone()
    assert count > 5
    assert different_count == 0
    assert open_count > 0


def test_contacts_of_overdue_critical_results_were_alerted_one_after_another(demo) -> None:
    statement = (
        "SELECT n.told_at IS NULL, n.escalate_at IS NULL, array_agg(a.position ORDER BY a.sent_at)"
        " FROM critical_notices n JOIN critical_alerts a ON a.notice_id = n.id"
        " WHERE n.due_at < now() - interval '1 day' GROUP BY n.id"
    )
    with psycopg.connect(demo.owner_url) as connection:
        rows = connection.execute(statement).fetchall()
    notified_positions = [positions for is_open, _, positions in rows if not is_open]
    open_notices = [
        (has_no_next_alert, positions) for is_open, has_no_next_alert, positions in rows if is_open
    ]
    assert notified_positions and open_notices
    assert all(positions == [1] for positions in notified_positions)
    assert all(row == (True, [1, 2, 3]) for row in open_notices)
