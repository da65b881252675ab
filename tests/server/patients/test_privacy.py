"""No patient data reaches the log: a portal that logs everything is asked about a patient.

A process of its own, so that what libraries and the server below write is read as well.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.contract.enumerations import Role
from tests.server.world import PASSWORD, World

_PORTAL = """
import asyncio, logging, socket, sys
from pathlib import Path
import uvicorn
from app.server import logs
from app.server.main import build
from app.server.settings import Settings
logs.configure("DEBUG")
logging.getLogger().setLevel(logging.DEBUG)
app = build(Settings(data_dir=Path(sys.argv[2]), address_service_url=sys.argv[4]), sys.argv[3])
listening = socket.socket(fileno=int(sys.argv[1]))
config = uvicorn.Config(app, log_config=None, access_log=False)
asyncio.run(uvicorn.Server(config).serve([listening]))
"""
_SECRETS = {
    "last name": "ZWETSCHGENBAUM",
    "first name": "QUENTINIA",
    "birth date": "1933-07-19",
    "birth date as typed": "07/19/1933",
    "ssn": "666849317",
    "ssn as typed": "666-84-9317",
    "address": "4711 HOLLERSTAUDE WAY",
    "phone": "312-555-0147",
    "medical record": "MRN-XQ77",
}


@pytest.fixture
def portal(app_url: str, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Where the portal listens, and the file into which it logs."""
    log = tmp_path / "log"
    with socket.socket() as found, log.open("wb") as written:
        found.bind(("127.0.0.1", 0))
        process = subprocess.Popen(
            [
                *(sys.executable, "-c", _PORTAL, str(found.fileno()), str(tmp_path), app_url),
                "http://127.0.0.1:1/street-address",
            ],
            pass_fds=[found.fileno()],
            stdout=written,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        url = f"http://127.0.0.1:{found.getsockname()[1]}"
        try:
            _wait(url)
            yield url, log
        finally:
            process.terminate()
            process.wait(20)


def _wait(url: str) -> None:
    for _ in range(200):
        try:
            if httpx.get(f"{url}/health/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the portal did not start")


def test_no_patient_data_is_logged_whatever_is_asked_and_whatever_fails(
    world: World, portal: tuple[str, Path]
) -> None:
    url, log = portal
    client = world.client()
    person = world.account(Role.CLIENT_BASIC, client_ids=[client])
    signed_in = httpx.post(
        f"{url}/auth/login",
        json={"loginId": person.email, "password": PASSWORD, "applicationId": "portal"},
    )
    s = _SECRETS
    whole = {
        "clientId": client,
        "lastName": s["last name"],
        "firstName": s["first name"],
        "birthDate": s["birth date"],
        "gender": "FEMALE",
        "socialSecurityNumber": s["ssn as typed"],
        "address": s["address"],
        "zipCodeName": "60601",
        "zipCodePlus4": "1234",
        "phone": s["phone"],
        "medicalRecordId": s["medical record"],
    }
    searches = {
        "lastName": s["last name"],
        "firstName": s["first name"],
        "birthDate": s["birth date as typed"],
        "ssn": s["ssn"],
        "column.lastName": s["last name"],
    }
    search = "/api/v2/patients/remote-operations"
    dead = {"Authorization": "JWT dead"}
    with httpx.Client(
        base_url=url, headers={"Authorization": f"JWT {signed_in.json()['token']}"}, timeout=30
    ) as http:
        made = http.post("/api/v2/patients", json=whole)
        assert made.status_code == 201, made.text
        patient = made.json()["id"]
        answers = [
            http.post("/api/v2/patients", json=whole),  # the number is in use
            http.post("/api/v2/patients", json={**whole, "birthDate": s["address"]}),
            http.put(f"/api/v2/patients/{patient}", json={**whole, "gender": s["last name"]}),
            http.put(
                f"/api/v2/patients/{patient}", json=whole, headers={"If-Match": s["last name"]}
            ),
            http.post("/api/v2/patients", content=json.dumps(whole)[:-9]),
            http.post(f"/api/v2/patients/{s['last name']}", json=whole),
            http.get(search, params=searches),
            http.get(search, params={**searches, "sort": s["last name"]}),
            http.get(search, params={s["ssn as typed"]: s["last name"]}),
            http.get(search, params={"ssn": s["ssn"][:8]}),
            http.get(search, params=searches, headers=dead),
            http.get(search, params={"after": s["last name"]}),
            http.get("/api/v2/patients/validate-ssn", params={"ssn": s["ssn as typed"]}),
            http.get("/api/records/patients/validate-ssn", params={"ssn": s["ssn as typed"]}),
            http.get("/api/records/patients/validate-ssn", params={s["ssn"]: "1"}),
            http.get(f"/api/v2/patients/{s['last name']}"),
            http.get("/api/v2/patients/9007199254740000", params=searches),
            http.get(f"/api/v2/patients/{patient}/timeline", params={"skip": s["last name"]}),
            http.get(f"/api/v2/patients/{patient}/timeline"),
            http.get("/api/v2/patients/ids", params={"ids": s["ssn"] * 3}),
            http.get("/api/v2/patients/check-clients", params={"patientId": s["last name"]}),
            *(
                http.get(f"/api/v2/patients/advanced-search-patient-{name}", params={"search": v})
                for name in ("last-name", "first-name", "dob")
                for v in (s["last name"], s["birth date as typed"])
            ),
            http.post("/api/v2/patients/look-alikes", json={**whole, "patientId": None}),
            http.post("/api/v2/patients/look-alikes", json={**whole, "birthDate": s["last name"]}),
            http.put(
                "/api/v2/patients/client-physician", json={"id": patient, "bed": s["address"]}
            ),
            http.put("/api/v2/patients/client-physician", json={"id": s["last name"]}),
            http.get(
                "/api/v2/address/zip-code/60601/zip-code-extra", params={"address": s["address"]}
            ),
            http.get("/api/v2/address/zip-code", params={"code": s["last name"]}),
            http.get("/api/v2/physicians/by-name", params={"lastname": s["last name"]}),
            http.get(f"/nowhere/{s['last name']}", params=searches),
        ]
        world.sql("ALTER TABLE patients RENAME TO patients_gone")
        try:
            answers += [
                http.get(search, params=searches),
                http.post("/api/v2/patients", json=whole),
                http.post("/api/v2/patients/look-alikes", json=whole),
                http.get(
                    "/api/v2/patients/advanced-search-patient-last-name",
                    params={"search": s["last name"]},
                ),
            ]
        finally:
            world.sql("ALTER TABLE patients_gone RENAME TO patients")
    statuses = {answer.status_code for answer in answers}
    assert {200, 400, 401, 404, 409, 500, 503} <= statuses
    written = log.read_text(encoding="utf-8", errors="replace")
    assert written.count('"event": "request"') > len(answers)
    for what, secret in _SECRETS.items():
        assert secret.casefold() not in written.casefold(), what
