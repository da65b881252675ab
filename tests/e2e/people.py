"""Demo people over the API, for what a test needs but does not look at."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx

from app.basics.clock import lab_now
from app.server.seeding import DEMO_PASSWORD


@asynccontextmanager
async def acting(portal: str, who: str) -> AsyncIterator[httpx.AsyncClient]:
    """A demo account that has signed in."""
    async with httpx.AsyncClient(base_url=portal, timeout=30) as http:
        answer = await http.post(
            "/auth/login", json={"loginId": f"{who}@demo.lab", "password": DEMO_PASSWORD}
        )
        http.headers["Authorization"] = f"JWT {answer.json()['token']}"
        yield http


async def requisitions(portal: str, how_many: int, **values: Any) -> list[dict[str, Any]]:
    """Requisitions of today that the demo nurse saved for one of her patients, of one test."""
    async with acting(portal, "clientbasic") as nurse:
        patients = await nurse.get("/api/v2/patients/remote-operations", params={"take": 1})
        patient = patients.json()["data"][0]
        tests = await nurse.get(
            "/api/v2/tests/remote-operations",
            params={"clientId": patient["clientId"], "column.code": "K"},
        )
        test = next(row for row in tests.json()["data"] if row["code"] == "K")
        saved = []
        for _ in range(how_many):
            answer = await nurse.post(
                "/api/v2/requisitions",
                json={
                    "patientId": patient["id"],
                    "collectionDate": _today(),
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


def _today() -> str:
    return f"{lab_now('America/Chicago'):%Y-%m-%dT00:00:00}"
