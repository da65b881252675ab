"""Row-level security, tested with the application's own predicates removed."""

import psycopg
import pytest
from sqlalchemy import true

from app.server.database import repository
from app.server.database.scope import DATABASE_ROLES
from app.server.lists import rows as list_rows
from app.server.lists import statement as list_statement
from tests.server.world import World


@pytest.fixture
def no_predicates(monkeypatch: pytest.MonkeyPatch):
    """Remove the scope predicates of repositories and lists."""
    monkeypatch.setattr(repository, "build_scope_predicate", lambda _table, _actor: true())
    monkeypatch.setattr(list_statement, "_has_branch_per_id", lambda _shape: False)
    original = list_statement._build_fixed_conditions
    monkeypatch.setattr(
        list_statement,
        "_build_fixed_conditions",
        lambda shape, with_scope=True: original(shape, with_scope=False),
    )
    monkeypatch.setattr(list_rows, "_build_scope", lambda _spec, _kind: [])
    caches = (list_statement.build_statement, list_rows.build_rows_statement)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


async def _create_records(world: World) -> tuple[dict[str, str], dict[str, dict[str, list[int]]]]:
    client, other = world.create_client(), world.create_client()
    physician_id, other_physician_id = world.create_physician(client), world.create_physician(other)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    patient = world.create_patient(client, physician=physician_id)
    requisition = await world.save_requisition(nurse, patient, physicianId=physician_id)
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    order_id = receive_answer.json()[0]["orderId"]
    paths = {
        "patients": f"/api/v2/patients/{patient}",
        "requisitions": f"/api/v2/requisitions/{requisition['id']}",
        "orders": f"/api/v2/orders/{order_id}",
    }
    strangers = {
        "Client Basic": {"client_ids": [other]},
        "Client Admin": {"client_ids": [other]},
        "Physician": {"physician_ids": [other_physician_id]},
        "Patient": {"patient_ids": [world.create_patient(other)]},
    }
    return paths, strangers


async def test_hides_foreign_records(world: World, no_predicates: None) -> None:
    paths, strangers = await _create_records(world)
    for role, ids in strangers.items():
        stranger = await world.create_person(role, **ids)
        for path in paths.values():
            answer = await world.http.get(path, headers=stranger.headers)
            assert answer.status_code == 404, (role, path)


async def test_lists_and_counts_no_foreign_rows(world: World, no_predicates: None) -> None:
    paths, strangers = await _create_records(world)
    for role, ids in strangers.items():
        stranger = await world.create_person(role, **ids)
        for kind, path in paths.items():
            foreign_id = int(path.rsplit("/", 1)[1])
            answer = await world.http.get(
                f"/api/v2/{kind}/remote-operations", headers=stranger.headers
            )
            body = answer.json()
            assert foreign_id not in [row["id"] for row in body["data"]], (role, kind)
            assert body["totalCount"] == len(body["data"])


async def test_foreign_records_cannot_be_changed(world: World, no_predicates: None) -> None:
    paths, _ = await _create_records(world)
    stranger = await world.create_person("Client Basic", client_ids=[world.create_client()])
    for kind, method, body in (
        ("patients", "PUT", {"lastName": "STOLEN"}),
        ("requisitions", "POST", {"comments": "stolen"}),
    ):
        answer = await world.http.request(method, paths[kind], headers=stranger.headers, json=body)
        assert answer.status_code == 404
    patient = int(paths["patients"].rsplit("/", 1)[1])
    last_name = world.run_sql("SELECT last_name FROM patients WHERE id = %s", (patient,))
    assert last_name != "STOLEN"
    requisition = int(paths["requisitions"].rsplit("/", 1)[1])
    assert world.run_sql("SELECT comments FROM requisitions WHERE id = %s", (requisition,)) is None


async def test_staff_sees_all_records(world: World, no_predicates: None) -> None:
    paths, _ = await _create_records(world)
    lab = await world.create_person("Laboratory")
    for path in paths.values():
        assert (await world.http.get(path, headers=lab.headers)).status_code == 200


_PATIENT_TABLES = (
    "patient_insurance",
    "patient_responsible_parties",
    "patient_diagnoses",
    "patient_medications",
)


def _act_as(connection: psycopg.Connection, role: str, ids: str) -> None:
    """Take a database role and its ids for this transaction."""
    connection.execute(
        "SELECT set_config('role', %s, true), set_config('app.ids', %s, true)", (role, ids)
    )


@pytest.mark.parametrize("table", _PATIENT_TABLES)
def test_rows_of_a_patient_have_the_scope_of_the_patient(
    world: World, app_url: str, table: str
) -> None:
    own, foreign = (
        world.create_patient(world.create_client()),
        world.create_patient(world.create_client()),
    )
    physician_id = world.create_physician()
    for patient in (own, foreign):
        world.add_patient_lists(patient)
    client = world.run_sql("SELECT client_id FROM patients WHERE id = %s", (own,))
    for role, ids, visible in (
        ("as_client", client, {own}),
        ("as_patient", own, {own}),
        ("as_physician", physician_id, set()),
    ):
        with psycopg.connect(app_url) as connection:
            _act_as(connection, role, f"{{{ids}}}")
            rows = connection.execute(f"SELECT patient_id FROM {table}").fetchall()
            assert {patient for (patient,) in rows} == visible, role
    with psycopg.connect(app_url) as connection:
        _act_as(connection, "as_client", f"{{{client}}}")
        result = connection.execute(
            f"UPDATE {table} SET position = 9 WHERE patient_id = %s", (foreign,)
        )
        assert result.rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"UPDATE {table} SET patient_id = %s", (foreign,))
        connection.rollback()


@pytest.mark.parametrize("table", _PATIENT_TABLES)
@pytest.mark.parametrize("role", ["as_physician", "as_patient"])
def test_readers_cannot_change_rows_of_a_patient(app_url: str, table: str, role: str) -> None:
    with psycopg.connect(app_url) as connection:
        for statement in (f"UPDATE {table} SET position = 9", f"DELETE FROM {table}"):
            _act_as(connection, role, "{}")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
            connection.rollback()


def test_the_portal_cannot_delete_insurance_rows(app_url: str) -> None:
    with psycopg.connect(app_url) as connection:
        for role in DATABASE_ROLES:
            _act_as(connection, role, "{}")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("DELETE FROM patient_insurance")
            connection.rollback()


class TestAuditRows:
    """Audit rows of a record's history are visible with the record, all others to staff only."""

    def _insert_rows(
        self, world: World, patient: int, requisition: int
    ) -> dict[tuple[str, str], int]:
        row_ids = {}
        for kind, action, record in (
            ("patient", "change", patient),
            ("patient", "read", patient),
            ("patients", "list", patient),
            ("requisition", "cancel", requisition),
            ("requisition", "read", requisition),
        ):
            row_ids[kind, action] = world.run_sql(
                "INSERT INTO audit_events (role, action, kind, record_ids, request_id)"
                " VALUES ('Laboratory', %s, %s, ARRAY[%s::bigint], '') RETURNING id",
                (action, kind, record),
            )
        return row_ids

    async def test_history_is_visible_with_its_record_and_nothing_else_is(
        self, world: World, app_url: str
    ) -> None:
        client, other = world.create_client(), world.create_client()
        physician_id, other_physician_id = (
            world.create_physician(client),
            world.create_physician(client),
        )
        patient = world.create_patient(client, physician=physician_id)
        nurse = await world.create_person("Client Basic", client_ids=[client])
        requisition = (
            await world.save_requisition(nurse, patient, physicianId=other_physician_id)
        )["id"]
        row_ids = self._insert_rows(world, patient, requisition)
        both = {row_ids["patient", "change"], row_ids["requisition", "cancel"]}
        for role, ids, visible in (
            ("as_staff", "", set(row_ids.values())),
            ("as_client", client, both),
            ("as_client", other, set()),
            ("as_physician", physician_id, {row_ids["patient", "change"]}),
            ("as_physician", other_physician_id, {row_ids["requisition", "cancel"]}),
            ("as_patient", patient, both),
            ("as_patient", world.create_patient(client), set()),
        ):
            with psycopg.connect(app_url) as connection:
                _act_as(connection, role, f"{{{ids}}}")
                rows = connection.execute(
                    "SELECT id FROM audit_events WHERE id = ANY(%s)", (list(row_ids.values()),)
                ).fetchall()
            assert {row_id for (row_id,) in rows} == visible, (role, ids)

    @pytest.mark.parametrize("role", ["as_gatekeeper", "as_anonymous"])
    def test_roles_without_records_cannot_read_audit_rows(self, app_url: str, role: str) -> None:
        with psycopg.connect(app_url) as connection:
            _act_as(connection, role, "{}")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("SELECT 1 FROM audit_events")

    def test_the_worker_reads_all_rows_and_changes_none(self, app_url: str) -> None:
        for statement in ("UPDATE audit_events SET role = 'x'", "DELETE FROM audit_events"):
            with psycopg.connect(app_url) as connection:
                _act_as(connection, "as_worker", "{}")
                connection.execute("SELECT 1 FROM audit_events LIMIT 1")
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.encode())

    @pytest.mark.parametrize("role", ["as_patient", "as_gatekeeper", "as_anonymous", "as_worker"])
    def test_patients_and_technical_roles_cannot_read_user_names(
        self, app_url: str, role: str
    ) -> None:
        with psycopg.connect(app_url) as connection:
            _act_as(connection, role, "{}")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("SELECT name_of_user(gen_random_uuid())")


async def test_lookups_hide_foreign_patients(world: World, no_predicates: None) -> None:
    client, other = world.create_client(), world.create_client()
    name = f"FOREIGN{other}"
    foreign = world.create_patient(other, last_name=name, birth_date="1961-03-04")
    nurse = await world.create_person("Client Basic", client_ids=[client])
    rows_path = f"/api/v2/patients/ids?ids={foreign}"
    for path, empty_answer in (
        (rows_path, []),
        ("/api/v2/patients/remote-operations-all-entries", []),
        (f"/api/v2/patients/check-clients?patientId={foreign}", False),
        (f"/api/v2/diagnoses/filter-by-patient-id?patientId={foreign}", []),
    ):
        answer = await world.http.get(path, headers=nurse.headers)
        assert (answer.status_code, answer.json()) == (200, empty_answer), path
    timeline_answer = await world.http.get(
        f"/api/v2/patients/{foreign}/timeline", headers=nurse.headers
    )
    assert timeline_answer.status_code == 404


_LOOKUPS_WITHOUT_SCOPE = (
    "SELECT id FROM patients WHERE birth_date = '1961-03-04'",
    "SELECT id FROM patients WHERE ssn_hash IS NOT NULL OR ssn_hash IS NULL",
    "SELECT last_name FROM patients ORDER BY last_name",
    "SELECT id FROM patients WHERE last_name LIKE '%OREIG%'",
)


@pytest.mark.parametrize("statement", _LOOKUPS_WITHOUT_SCOPE)
def test_the_database_hides_foreign_patients_from_lookups_without_scope(
    world: World, app_url: str, statement: str
) -> None:
    client = world.create_client()
    foreign = world.create_patient(
        world.create_client(), last_name="FOREIGN", birth_date="1961-03-04"
    )
    for role, ids in (("as_client", client), ("as_physician", 0), ("as_patient", 0)):
        with psycopg.connect(app_url) as connection:
            _act_as(connection, role, f"{{{ids}}}")
            assert connection.execute(statement).fetchall() == [], (role, foreign)
