"""Acts of demo users over the API, which prepare records for a test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx

from app.basics.clock import get_lab_now
from app.server.seeding import DEMO_PASSWORD


@asynccontextmanager
async def open_session(portal: str, account: str) -> AsyncIterator[httpx.AsyncClient]:
    """Open an HTTP client that is signed in as a demo account."""
    async with httpx.AsyncClient(base_url=portal, timeout=30) as http:
        answer = await http.post(
            "/auth/login", json={"loginId": f"{account}@demo.lab", "password": DEMO_PASSWORD}
        )
        http.headers["Authorization"] = f"JWT {answer.json()['token']}"
        yield http


async def save_requisitions(portal: str, count: int, **values: Any) -> list[dict[str, Any]]:
    """Save requisitions of one test for a patient of the demo nurse, and return them."""
    async with open_session(portal, "clientbasic") as nurse:
        patients = await nurse.get("/api/v2/patients/remote-operations", params={"take": 100})
        # Other tests choose the first patient of a search, and ask about tests of the same day.
        patient = patients.json()["data"][-1]
        tests = await nurse.get(
            "/api/v2/tests/remote-operations",
            params={"clientId": patient["clientId"], "column.code": "K"},
        )
        test = next(row for row in tests.json()["data"] if row["code"] == "K")
        saved = []
        for _ in range(count):
            answer = await nurse.post(
                "/api/v2/requisitions",
                json={
                    "patientId": patient["id"],
                    "collectionDate": _format_today(),
                    "fasting": 0,
                    "priority": "ROUTINE",
                    "tests": [{"test": {"id": test["id"]}}],
                    **values,
                },
                headers={"Idempotency-Key": uuid4().hex},
            )
            assert answer.status_code == 201, answer.text
            saved.append(answer.json())
        return saved


def _format_today() -> str:
    return f"{get_lab_now('America/Chicago'):%Y-%m-%dT00:00:00}"
