"""Builds the clients, people and patients of a test, and assumes no other data."""

import asyncio
import itertools
import os
import uuid
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch
from uuid import UUID

import httpx
import psycopg
from fastapi import FastAPI
from psycopg.types.json import Json

from app.server.accounts.tokens import Tokens

PASSWORD = "Correct-Horse-1!"
_serial = itertools.count(int.from_bytes(os.urandom(3), "big") * 1000)

# A 2 by 1 pixel PNG.
SIGNATURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEklEQVR4nGNgYGD4DwQMDAwMDAAe"
    "8AP9c1mQ3wAAAABJRU5ErkJggg=="
)


@dataclass
class Person:
    """A person with an account, a token if signed in, and records that a fixture made."""

    email: str
    user_id: str
    token: str = ""
    client: int = 0
    patient: int = 0
    ids: list[int] = field(default_factory=list)
    """Ids of requisitions, oldest first; ``codes`` are their codes."""
    codes: list[str] = field(default_factory=list)
    year: int = 0

    @property
    def headers(self) -> dict[str, str]:
        """The Authorization header."""
        return {"Authorization": f"JWT {self.token}"}


class Owner:
    """An autocommit connection as the owner of the tables, opened on first use.

    Connecting takes longer than most statements, so all tests of a worker share it.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._connection: psycopg.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            self._connection.close()

    def execute(self, text: str, values: tuple[Any, ...] | dict[str, Any] = ()) -> psycopg.Cursor:
        """Run a statement; reconnects if the server has closed the connection."""
        if self._connection is None or self._connection.broken:
            self._connection = psycopg.connect(self.url, autocommit=True)
        return self._connection.execute(text, values)


@dataclass
class World:
    """Inserts records as the database's owner, and creates people who act over HTTP."""

    owner: Owner
    http: httpx.AsyncClient
    tokens: Tokens
    password_hash: str
    people: dict[str, Person] = field(default_factory=dict)

    @property
    def owner_url(self) -> str:
        """The URL of the database, for a test's own connection."""
        return self.owner.url

    def run_sql(self, text: str, values: tuple[Any, ...] = ()) -> Any:
        """Run a statement as the owner, and return the first column of the first row."""
        cursor = self.owner.execute(text, values)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None

    def fetch_rows(
        self, text: str, values: tuple[Any, ...] | dict[str, Any] = ()
    ) -> list[tuple[Any, ...]]:
        """Run a statement as the owner, and return all rows."""
        return self.owner.execute(text, values).fetchall()

    @property
    def app(self) -> FastAPI:
        """The application behind ``http``."""
        transport = self.http._transport
        assert isinstance(transport, httpx.ASGITransport)
        assert isinstance(transport.app, FastAPI)
        return transport.app

    async def wait_for_lock(self) -> None:
        """Wait until a transaction waits for a lock."""
        statement = (
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        for _ in range(1_000):
            if self.run_sql(statement):
                return
            await asyncio.sleep(0.02)
        raise AssertionError("no transaction waits for a lock")

    async def commit_meanwhile(
        self,
        statement: str,
        values: tuple[Any, ...],
        request: Coroutine[Any, Any, httpx.Response],
    ) -> httpx.Response:
        """Commit a statement while the request waits for its lock, and return the answer."""
        with psycopg.connect(self.owner_url) as connection:
            connection.execute(statement, values)
            answer = asyncio.create_task(request)
            await self.wait_for_lock()
            connection.commit()
        return await answer

    def create_client(self, *, with_unit: bool = False) -> int:
        """Create a client, optionally with a unit 'EAST' and a room '101', and return its id."""
        n = next(_serial)
        client_id = self.run_sql(
            "INSERT INTO clients (code, name, default_bill_to) VALUES (%s, %s, 1) RETURNING id",
            (f"C{n}", f"CLIENT {n}"),
        )
        if with_unit:
            unit = self.run_sql(
                "INSERT INTO units (client_id, name) VALUES (%s, 'EAST') RETURNING id", (client_id,)
            )
            self.run_sql(
                "INSERT INTO rooms (client_id, unit_id, name) VALUES (%s, %s, '101')",
                (client_id, unit),
            )
        return int(client_id)

    def create_physician(self, *clients: int) -> int:
        """Create a physician of these clients, and return the id."""
        n = next(_serial)
        physician_id = self.run_sql(
            "INSERT INTO physicians (npi, first_name, last_name) VALUES (%s, %s, %s) RETURNING id",
            (f"2{n:09d}", "DANA", f"DOCTOR{n}"),
        )
        for client_id in clients:
            self.run_sql(
                "INSERT INTO client_physicians (client_id, physician_id) VALUES (%s, %s)",
                (client_id, physician_id),
            )
        return int(physician_id)

    def create_patient(self, client_id: int, *, physician: int | None = None, **values: Any) -> int:
        """Create a patient of the client, and return the id."""
        n = next(_serial)
        row = {
            "code": f"P{n:07d}",
            "client_id": client_id,
            "last_name": f"PATIENT{n}",
            "first_name": "PAT",
            "birth_date": date(1970, 1, 2),
            "gender": "FEMALE",
            "primary_physician_id": physician,
            **values,
        }
        names = ", ".join(row)
        placeholders = ", ".join(["%s"] * len(row))
        return int(
            self.run_sql(
                f"INSERT INTO patients ({names}) VALUES ({placeholders}) RETURNING id",
                tuple(row.values()),
            )
        )

    def add_patient_lists(self, patient_id: int) -> None:
        """Give the patient an insurance row, a responsible party, a diagnosis, and a medication."""
        for table, columns, values in (
            (
                "patient_insurance",
                "position, insurance_id, relationship, bill_type_id, payer_id",
                "1, 'OLD-1', 'SELF', (SELECT min(id) FROM bill_types),"
                " (SELECT min(id) FROM payers)",
            ),
            (
                "patient_responsible_parties",
                "position, last_name, first_name, address, zip_code_plus4, phone, zip_code_id",
                "1, 'PAYS', 'PAT', '2 MAIN ST', '1234', '312-555-0101',"
                " (SELECT min(id) FROM zip_codes)",
            ),
            ("patient_diagnoses", "position, diagnosis_id", "1, (SELECT min(id) FROM diagnoses)"),
            ("patient_medications", "position, name", "1, 'METFORMIN'"),
        ):
            self.run_sql(
                f"INSERT INTO {table} (patient_id, {columns}) VALUES (%s, {values})", (patient_id,)
            )

    def create_account(self, role: str, **ids: list[int]) -> Person:
        """Create an account; ``ids`` are client_ids, physician_ids, or patient_ids."""
        email = f"u{next(_serial)}@test.lab"
        user_id = self.run_sql(
            "INSERT INTO users (email, username, password_hash, first_name, last_name, client_ids,"
            " physician_ids, patient_ids) VALUES (%s, %s, %s, 'Ada', 'Tester', %s, %s, %s)"
            " RETURNING id",
            (
                email,
                email,
                self.password_hash,
                ids.get("client_ids", []),
                ids.get("physician_ids", []),
                ids.get("patient_ids", []),
            ),
        )
        self.run_sql(
            "INSERT INTO registrations (user_id, application_id, roles) VALUES (%s, 'portal', %s)",
            (user_id, [role]),
        )
        return Person(email, str(user_id))

    async def create_person(self, role: str, **ids: list[int]) -> Person:
        """Create an account, and sign in with it."""
        return await self.sign_in(self.create_account(role, **ids))

    async def sign_in(self, person: Person) -> Person:
        """Give the person a fresh session without checking a password.

        ``tests/server/accounts`` tests the sign-in itself, whose hashing is slow on purpose.
        """
        return self.start_session(person)

    def start_session(self, person: Person) -> Person:
        """Insert a session, and give the person its access token."""
        session_id, signed_in_at = self.owner.execute(
            "INSERT INTO user_sessions (user_id, signed_in_at, expires_at)"
            " VALUES (%s, now(), now() + interval '12 hours')"
            " RETURNING id, floor(extract(epoch FROM signed_in_at))::bigint",
            (person.user_id,),
        ).fetchone() or (None, None)
        # A run of tests takes longer than the few minutes of a real token.
        with patch("app.server.accounts.tokens.ACCESS_TOKEN_SECONDS", 24 * 3600):
            person.token = self.tokens.mint(UUID(person.user_id), session_id, signed_in_at)
        return person

    @contextmanager
    def allow_result_entry(self, *flags: str) -> Iterator[None]:
        """Turn on only these flags ('Enabled', 'ClientBasic') within the context."""
        with self.change_setting("result-entry", {f"resultEntry{flag}": True for flag in flags}):
            yield

    @contextmanager
    def change_setting(self, name: str, value: dict[str, Any]) -> Iterator[None]:
        """Give a setting of the lab this value within the context."""
        before = self.run_sql("SELECT value FROM lab_settings WHERE name = %s", (name,))
        change = "UPDATE lab_settings SET value = %s WHERE name = %s"
        self.run_sql(change, (Json(value), name))
        try:
            yield
        finally:
            self.run_sql(change, (Json(before), name))

    def get_test_id(self, code: str) -> int:
        """Return the id of a test in the catalog."""
        return int(self.run_sql("SELECT id FROM lab_tests WHERE code = %s", (code,)))

    def build_requisition_body(self, patient_id: int, *codes: str, **values: Any) -> dict[str, Any]:
        """Build the body of a valid requisition; the default test is glucose."""
        return {
            "patientId": patient_id,
            "collectionDate": "2026-03-04T00:00:00",
            "fasting": 0,
            "priority": "ROUTINE",
            "tests": [{"test": {"id": self.get_test_id(code)}} for code in codes or ("GLU",)],
            **values,
        }

    async def save_requisition(
        self, person: Person, patient_id: int, *codes: str, **values: Any
    ) -> dict:
        """Save a requisition over HTTP, and return it."""
        response = await self.http.post(
            "/api/v2/requisitions",
            headers={**person.headers, "Idempotency-Key": uuid.uuid4().hex},
            json=self.build_requisition_body(patient_id, *codes, **values),
        )
        assert response.status_code == 201, response.text
        return response.json()
