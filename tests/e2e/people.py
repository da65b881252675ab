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
        patients_answer = await nurse.get(
            "/api/v2/patients/remote-operations", params={"take": 100}
        )
        # Not the first patient: other tests of the suite choose that one, and expect that nothing
        # else is ordered for them on the same day.
        patient = patients_answer.json()["data"][-1]
        tests_answer = await nurse.get(
            "/api/v2/tests/remote-operations",
            params={"clientId": patient["clientId"], "column.code": "K"},
        )
        test = next(row for row in tests_answer.json()["data"] if row["code"] == "K")
        requisitions = []
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
            requisitions.append(answer.json())
        return requisitions


async def find_insured_patient(portal: str, row_count: int = 1) -> dict[str, Any]:
    """Find a patient of the demo nurse with at least ``row_count`` rows in ``insurance``."""
    async with open_session(portal, "clientbasic") as nurse:
        patients_answer = await nurse.get(
            "/api/v2/patients/remote-operations", params={"take": 100}
        )
        for patient in reversed(patients_answer.json()["data"]):
            rows = (await nurse.get(f"/api/v2/patients/{patient['id']}/billing-info")).json()
            if len(rows) >= row_count:
                return {**patient, "insurance": rows}
    raise AssertionError("no patient of the demo nurse has so many insurance rows")


async def register_patient(portal: str, last_name: str, first_name: str) -> None:
    """Register an adult with a primary physician and insurance at a client of the demo nurse."""
    insurance = (await find_insured_patient(portal))["insurance"][0]
    physician_id = await find_physician(portal)
    async with open_session(portal, "clientbasic") as nurse:
        patients_answer = await nurse.get("/api/v2/patients/remote-operations", params={"take": 1})
        [row] = patients_answer.json()["data"]
        neighbor = (await nurse.get(f"/api/v2/patients/{row['id']}")).json()
        answer = await nurse.post(
            "/api/v2/patients",
            json={
                "lastName": last_name,
                "firstName": first_name,
                "birthDate": "1980-05-06",
                "gender": "FEMALE",
                "address": "1 Main St",
                "zipCodeName": "60601",
                "zipCodePlus4": "1234",
                "clientId": neighbor["clientId"],
                "unitId": neighbor["unitId"],
                "primaryPhysicianId": physician_id,
                "insuranceInformation": [
                    {
                        "insuranceId": "ABC-1",
                        "payerId": insurance["payerId"],
                        "billTypeId": insurance["billTypeId"],
                        "relationship": "SELF",
                    }
                ],
            },
            headers={"Idempotency-Key": uuid4().hex},
        )
        assert answer.status_code == 201, answer.text


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


async def enter_result(portal: str, order_id: int, code: str, value: str, **fields: Any) -> int:
    """Enter the clinical result of one test of an order, and return the id of its row."""
    path = f"/api/v2/orders/{order_id}/result-entry"
    async with open_session(portal, "laboratory") as lab:
        rows = (await lab.get(path)).json()["rows"]
        test_id = int(next(row["orderTestId"] for row in rows if row["code"] == code))
        result = {"orderTestId": test_id, "result": value, "isConfirmed": True, **fields}
        answer = await lab.put(path, json={"results": [result]})
        assert answer.status_code == 200, answer.text
        return test_id


async def release_result(portal: str, order_id: int, code: str, value: str, **fields: Any) -> None:
    """Enter and release the clinical result of one test of an order."""
    test_id = await enter_result(portal, order_id, code, value, **fields)
    async with open_session(portal, "laboratory") as lab:
        answer = await lab.post(
            f"/api/v2/orders/{order_id}/release", json={"orderTestIds": [test_id]}
        )
        assert answer.status_code == 200, answer.text


async def delete_exports(portal: str, account: str) -> None:
    """Delete the exports that earlier tests of a demo account have left."""
    path = "/api/v2/result-exports"
    async with open_session(portal, account) as http:
        for export in (await http.get(path)).json():
            answer = await http.delete(f"{path}/{export['id']}")
            assert answer.status_code == 204, answer.text


async def find_physician(portal: str) -> int:
    """Return the id of a physician whom the demo nurse can name on an order."""
    async with open_session(portal, "clientbasic") as nurse:
        answer = await nurse.get("/api/v2/physicians/remote-operations", params={"take": 1})
        return int(answer.json()["data"][0]["id"])


async def _find_test_id(http: httpx.AsyncClient, code: str) -> int:
    answer = await http.get("/api/v2/tests/remote-operations", params={"column.code": code})
    return next(int(row["id"]) for row in answer.json()["data"] if row["code"] == code)


def _format_today() -> str:
    return f"{get_lab_now('America/Chicago'):%Y-%m-%dT00:00:00}"
