"""Fills an empty portal with reference data and, on request, the demo lab (ADR 0007)."""

from collections.abc import Callable

import psycopg

from app.basics.clock import get_lab_today
from app.server.accounts.passwords import Passwords
from app.server.keys import KeyFolder
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.seeding import demo as demo_data
from app.server.seeding import reference, reference_microbiology, reference_toxicology

DEMO_PASSWORD = "Portal-2026!"
"""The published password of the demo accounts."""

_LOCK = 7_305_119


def fill_database(
    owner_url: str,
    keys: KeyFolder,
    *,
    demo: bool,
    time_zone: str,
    report: Callable[[str], None] = lambda _: None,
) -> list[tuple[str, str]]:
    """Load missing data, and return (role, e-mail) of the demo accounts that can sign in.

    Reference data and the demo lab are one transaction each. Existing data stays unchanged.
    """
    with psycopg.connect(owner_url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        if not _has_rows(connection, "lab_tests"):
            report("Loading tests, diagnoses, and ZIP codes")
            reference.insert_reference_data(connection)
        elif _has_rows(connection, "payers WHERE bill_type_id IS NULL"):
            reference.assign_bill_types(connection)
        if not _has_rows(connection, "containers"):
            reference.assign_volumes(connection)
        if not _has_rows(connection, "diagnosis_terms"):
            reference.insert_search_words(connection)
        if not _has_rows(connection, "reasons WHERE kind = 'condition'"):
            reference.insert_reasons(connection)
        if not _has_rows(connection, "collection_sites"):
            reference.insert_collection_sites(connection)
        if not _has_rows(connection, "reflex_rules"):
            reference.insert_reflex_rules(connection)
        if not _has_rows(connection, "organisms"):
            reference_microbiology.insert_microbiology_tables(connection)
        if not _has_rows(connection, "toxicology_substances"):
            reference_toxicology.insert_toxicology_tables(connection)
    with psycopg.connect(owner_url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        if demo and not _has_rows(connection, "users"):
            report("Creating the demo lab")
            demo_data.insert_demo_lab(
                connection,
                get_lab_today(time_zone),
                SocialSecurityNumbers(keys),
                Passwords().hash_now(DEMO_PASSWORD),
            )
        accounts = _load_demo_accounts(connection)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("ANALYZE")
    return accounts if demo else []


def has_accounts(owner_url: str) -> bool:
    """Whether anybody could sign in."""
    with psycopg.connect(owner_url) as connection:
        return _has_rows(connection, "users WHERE active")


def list_published_accounts(owner_url: str) -> list[str]:
    """Return the e-mails of the demo accounts that still have the published password."""
    with psycopg.connect(owner_url) as connection:
        rows = connection.execute(
            "SELECT password_hash, array_agg(email ORDER BY email) FROM users "
            "WHERE active AND email LIKE '%@demo.lab' GROUP BY password_hash"
        ).fetchall()
    passwords = Passwords()
    return [
        email
        for password_hash, emails in rows
        if passwords.matches_now(password_hash, DEMO_PASSWORD)
        for email in emails
    ]


def _has_rows(connection: psycopg.Connection[tuple[object, ...]], source: str) -> bool:
    row = connection.execute(f"SELECT EXISTS (SELECT 1 FROM {source})".encode()).fetchone()
    return bool(row and row[0])


def _load_demo_accounts(
    connection: psycopg.Connection[tuple[object, ...]],
) -> list[tuple[str, str]]:
    rows = connection.execute(
        "SELECT r.roles[1], u.email FROM users u JOIN registrations r ON r.user_id = u.id "
        "WHERE u.active AND u.email LIKE '%@demo.lab' ORDER BY r.id"
    )
    return [(str(role), str(email)) for role, email in rows]
