"""Migrations of databases in use."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from alembic import command
from psycopg import sql

from app.server.database.scope import DATABASE_ROLES
from app.server.schema.migrate import build_alembic_config, create_logins, migrate_database
from app.server.seeding import reference


@pytest.fixture
def empty_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """An empty database for one test."""
    name = f"portal_empty_{worker_id}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    yield f"{cluster_url}/{name}"


def test_an_upgrade_from_0002_keeps_patients_and_payers(empty_url: str) -> None:
    command.upgrade(build_alembic_config(empty_url), "0002")
    with psycopg.connect(empty_url) as connection:
        connection.execute("INSERT INTO clients (code, name) VALUES ('C1', 'CLIENT')")
        connection.execute(
            "INSERT INTO patients (code, client_id, last_name, first_name, birth_date, gender)"
            " SELECT 'P0000001', id, 'LEE', 'ANN', '1980-05-06', 'FEMALE' FROM clients"
        )
        connection.execute("INSERT INTO payers (name) VALUES ('AETNA'), ('OUR OWN PLAN')")
    migrate_database(empty_url, "application-of-the-tests")
    with psycopg.connect(empty_url) as connection:
        reference.assign_bill_types(connection)
        payers = connection.execute(
            "SELECT p.name, t.name FROM payers p JOIN bill_types t ON t.id = p.bill_type_id"
            " ORDER BY p.name"
        ).fetchall()
        patients = connection.execute("SELECT last_name FROM patients").fetchall()
    assert payers == [("AETNA", "COMMERCIAL"), ("OUR OWN PLAN", "OTHER")]
    assert patients == [("LEE",)]


def test_only_the_owner_may_create_temporary_tables(empty_url: str) -> None:
    statement = "CREATE TEMPORARY TABLE requisitions AS SELECT 1 AS id"
    app_url = migrate_database(empty_url, "application-of-the-tests")
    for role in ("none", *DATABASE_ROLES):
        with psycopg.connect(app_url) as connection:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
    with psycopg.connect(empty_url) as connection:
        connection.execute(statement)


def test_portals_that_share_a_server_can_start_at_the_same_time(
    cluster_url: str, worker_id: str
) -> None:
    names = [f"portal_beside_{worker_id}_{number}" for number in range(3)]
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        barrier = Barrier(len(names))

        def start(name: str) -> None:
            with psycopg.connect(f"{cluster_url}/{name}", autocommit=True) as database:
                barrier.wait()
                create_logins(database, "application-of-the-tests")

        with ThreadPoolExecutor(len(names)) as pool:
            for _ in range(10):
                list(pool.map(start, names))
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))
