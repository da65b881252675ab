"""No patient data reaches the log, even of a portal that logs at every level.

The portal runs in another process, so that the output of libraries and of the web server is
checked too.
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
from app.server.main import build_app
from app.server.settings import Settings
logs.configure_logs("DEBUG")
logging.getLogger().setLevel(logging.DEBUG)
app = build_app(Settings(data_dir=Path(sys.argv[2]), address_service_url=sys.argv[4]), sys.argv[3])
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
    """The URL of the portal, and its log file."""
    log = tmp_path / "log"
    with socket.socket() as listening, log.open("wb") as log_file:
        listening.bind(("127.0.0.1", 0))
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                _PORTAL,
                str(listening.fileno()),
                str(tmp_path),
                app_url,
                "http://127.0.0.1:1/street-address",
            ],
            pass_fds=[listening.fileno()],
            stdout=log_file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            _wait_until_ready(url)
            yield url, log
        finally:
            process.terminate()
            process.wait(20)


def _wait_until_ready(url: str) -> None:
    for _ in range(200):
        try:
            if httpx.get(f"{url}/health/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the portal did not start")


def test_logs_no_patient_data(world: World, portal: tuple[str, Path]) -> None:
    url, log = portal
    client = world.create_client()
    person = world.create_account(Role.CLIENT_BASIC, client_ids=[client])
    signed_in = httpx.post(
        f"{url}/auth/login",
        json={"loginId": person.email, "password": PASSWORD, "applicationId": "portal"},
    )
    s = _SECRETS
    body = {
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
    dead_token = {"Authorization": "JWT dead"}
    with httpx.Client(
        base_url=url, headers={"Authorization": f"JWT {signed_in.json()['token']}"}, timeout=30
    ) as http:
        creation = http.post("/api/v2/patients", json=body)
        assert creation.status_code == 201, creation.text
        patient = creation.json()["id"]
        answers = [
            http.post("/api/v2/patients", json=body),  # This social security number is in use.
            http.post("/api/v2/patients", json={**body, "birthDate": s["address"]}),
            http.put(f"/api/v2/patients/{patient}", json={**body, "gender": s["last name"]}),
            http.put(
                f"/api/v2/patients/{patient}", json=body, headers={"If-Match": s["last name"]}
            ),
            http.post("/api/v2/patients", content=json.dumps(body)[:-9]),
            http.post(f"/api/v2/patients/{s['last name']}", json=body),
            http.get(search, params=searches),
            http.get(search, params={**searches, "sort": s["last name"]}),
            http.get(search, params={s["ssn as typed"]: s["last name"]}),
            http.get(search, params={"ssn": s["ssn"][:8]}),
            http.get(search, params=searches, headers=dead_token),
            http.get(search, params={"after": s["last name"]}),
            http.get("/api/v2/patients/validate-ssn", params={"ssn": s["ssn as typed"]}),
            http.get("/api/records/patients/validate-ssn", params={"ssn": s["ssn as typed"]}),
            http.get("/api/records/patients/validate-ssn", params={s["ssn"]: "1"}),
            http.get(f"/api/v2/patients/{s['last name']}"),
            http.get("/api/v2/patients/9007199254740000", params=searches),
            http.get("/api/v2/patients/9007199254740000"),
            http.get(f"/api/v2/patients/{patient}/timeline", params={"skip": s["last name"]}),
            http.get(f"/api/v2/patients/{patient}/timeline"),
            http.get("/api/v2/patients/ids", params={"ids": s["ssn"] * 3}),
            http.get("/api/v2/patients/check-clients", params={"patientId": s["last name"]}),
            *(
                http.get(f"/api/v2/patients/advanced-search-patient-{name}", params={"search": v})
                for name in ("last-name", "first-name", "dob")
                for v in (s["last name"], s["birth date as typed"])
            ),
            http.post("/api/v2/patients/look-alikes", json={**body, "patientId": None}),
            http.post("/api/v2/patients/look-alikes", json={**body, "birthDate": s["last name"]}),
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
        world.run_sql("ALTER TABLE patients RENAME TO patients_gone")
        try:
            answers += [
                http.get(search, params=searches),
                http.post("/api/v2/patients", json=body),
                http.post("/api/v2/patients/look-alikes", json=body),
                http.get(
                    "/api/v2/patients/advanced-search-patient-last-name",
                    params={"search": s["last name"]},
                ),
            ]
        finally:
            world.run_sql("ALTER TABLE patients_gone RENAME TO patients")
    statuses = {answer.status_code for answer in answers}
    assert {200, 400, 401, 404, 409, 500, 503} <= statuses
    log_text = log.read_text(encoding="utf-8", errors="replace")
    assert log_text.count('"event":"request"') > len(answers)
    for name, secret in _SECRETS.items():
        assert secret.casefold() not in log_text.casefold(), name
