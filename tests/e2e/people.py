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
        # Other tests choose the first patient of a search, and expect no other tests of the patient
        # on that day.
        patient = patients.json()["data"][-1]
        tests = await nurse.get(
            "/api/v2/tests/remote-operations",
            params={"clientId": patient["clientId"], "column.code": "K"},
        )
        test = next(row for row in tests.json()["data"] if row["code"] == "K")
        requisition = []
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
            requisition.append(answer.json())
        return requisition


async def find_insured_patient(portal: str, row_count: int = 1) -> dict[str, Any]:
    """Find a patient of the demo nurse with this many insurance rows, listed in its `insurance`."""
    async with open_session(portal, "clientbasic") as nurse:
        patients = await nurse.get("/api/v2/patients/remote-operations", params={"take": 100})
        for patient in reversed(patients.json()["data"]):
            rows = (await nurse.get(f"/api/v2/patients/{patient['id']}/billing-info")).json()
            if len(rows) >= row_count:
                return {**patient, "insurance": rows}
    raise AssertionError("no patient of the demo nurse has so many insurance rows")


async def receive_order(portal: str, *codes: str, **values: Any) -> int:
    """Receive an order of the demo nurse for these tests, and return its id."""
    async with open_session(portal, "clientbasic") as nurse:
        tests = [{"test": {"id": await _find_test_id(nurse, code)}} for code in codes]
    [requisition] = await save_requisitions(portal, 1, tests=tests, **values)
    async with open_session(portal, "laboratory") as lab:
        answer = await lab.post(
            "/api/v2/requisitions/receive",
            json={"ids": [requisition["id"]]},
            headers={"Idempotency-Key": uuid4().hex},
        )
        assert answer.status_code == 200, answer.text
        return int(answer.json()[0]["orderId"])


async def _find_test_id(http: httpx.AsyncClient, code: str) -> int:
    answer = await http.get("/api/v2/tests/remote-operations", params={"column.code": code})
    return next(int(row["id"]) for row in answer.json()["data"] if row["code"] == code)


def _format_today() -> str:
    return f"{get_lab_now('America/Chicago'):%Y-%m-%dT00:00:00}"
