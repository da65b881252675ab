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
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from app.contract.enumerations import Role
from tests.server.accounts.builders import PASSWORD
from tests.server.world import World

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
listener = socket.socket(fileno=int(sys.argv[1]))
config = uvicorn.Config(app, log_config=None, access_log=False)
asyncio.run(uvicorn.Server(config).serve([listener]))
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
    with socket.socket() as listener, log.open("wb") as log_file:
        listener.bind(("127.0.0.1", 0))
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                _PORTAL,
                str(listener.fileno()),
                str(tmp_path),
                app_url,
                "http://127.0.0.1:1/street-address",
            ],
            pass_fds=[listener.fileno()],
            stdout=log_file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            _wait_until_ready(url)
            yield url, log
        finally:
            process.terminate()
            process.wait(20)


def _wait_until_ready(url: str) -> None:
    for _ in range(200):
        with suppress(httpx.TransportError):
            if httpx.get(f"{url}/health/ready", timeout=5).status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the portal did not start")


def test_logs_no_patient_data(world: World, portal: tuple[str, Path]) -> None:
    url, log = portal
    client = world.create_client()
    person = world.create_account(Role.CLIENT_BASIC, client_ids=[client])
    sign_in_answer = httpx.post(
        f"{url}/auth/login",
        json={"loginId": person.email, "password": PASSWORD, "applicationId": "portal"},
    )
    secrets = _SECRETS
    body = {
        "clientId": client,
        "lastName": secrets["last name"],
        "firstName": secrets["first name"],
        "birthDate": secrets["birth date"],
        "gender": "FEMALE",
        "socialSecurityNumber": secrets["ssn as typed"],
        "address": secrets["address"],
        "zipCodeName": "60601",
        "zipCodePlus4": "1234",
        "phone": secrets["phone"],
        "medicalRecordId": secrets["medical record"],
    }
    searches = {
        "lastName": secrets["last name"],
        "firstName": secrets["first name"],
        "birthDate": secrets["birth date as typed"],
        "ssn": secrets["ssn"],
        "column.lastName": secrets["last name"],
    }
    search = "/api/v2/patients/remote-operations"
    dead_token = {"Authorization": "JWT dead"}
    with httpx.Client(
        base_url=url, headers={"Authorization": f"JWT {sign_in_answer.json()['token']}"}, timeout=30
    ) as http:
        registration = http.post("/api/v2/patients", json=body)
        assert registration.status_code == 201, registration.text
        patient = registration.json()["id"]
        answers = [
            http.post("/api/v2/patients", json=body),  # This social security number is in use.
            http.post("/api/v2/patients", json={**body, "birthDate": secrets["address"]}),
            http.put(f"/api/v2/patients/{patient}", json={**body, "gender": secrets["last name"]}),
            http.put(
                f"/api/v2/patients/{patient}", json=body, headers={"If-Match": secrets["last name"]}
            ),
            http.post("/api/v2/patients", content=json.dumps(body)[:-9]),
            http.post(f"/api/v2/patients/{secrets['last name']}", json=body),
            http.get(search, params=searches),
            http.get(search, params={**searches, "sort": secrets["last name"]}),
            http.get(search, params={secrets["ssn as typed"]: secrets["last name"]}),
            http.get(search, params={"ssn": secrets["ssn"][:8]}),
            http.get(search, params=searches, headers=dead_token),
            http.get(search, params={"after": secrets["last name"]}),
            http.get("/api/v2/patients/validate-ssn", params={"ssn": secrets["ssn as typed"]}),
            http.get("/api/records/patients/validate-ssn", params={"ssn": secrets["ssn as typed"]}),
            http.get("/api/records/patients/validate-ssn", params={secrets["ssn"]: "1"}),
            http.get(f"/api/v2/patients/{secrets['last name']}"),
            http.get("/api/v2/patients/9007199254740000", params=searches),
            http.get("/api/v2/patients/9007199254740000"),
            http.get(f"/api/v2/patients/{patient}/timeline", params={"skip": secrets["last name"]}),
            http.get(f"/api/v2/patients/{patient}/timeline"),
            http.get("/api/v2/patients/ids", params={"ids": secrets["ssn"] * 3}),
            http.get("/api/v2/patients/check-clients", params={"patientId": secrets["last name"]}),
            *(
                http.get(f"/api/v2/patients/advanced-search-patient-{name}", params={"search": v})
                for name in ("last-name", "first-name", "dob")
                for v in (secrets["last name"], secrets["birth date as typed"])
            ),
            http.post("/api/v2/patients/look-alikes", json={**body, "patientId": None}),
            http.post(
                "/api/v2/patients/look-alikes", json={**body, "birthDate": secrets["last name"]}
            ),
            http.put(
                "/api/v2/patients/client-physician", json={"id": patient, "bed": secrets["address"]}
            ),
            http.put("/api/v2/patients/client-physician", json={"id": secrets["last name"]}),
            http.get(
                "/api/v2/address/zip-code/60601/zip-code-extra",
                params={"address": secrets["address"]},
            ),
            http.get("/api/v2/address/zip-code", params={"code": secrets["last name"]}),
            http.get("/api/v2/physicians/by-name", params={"lastname": secrets["last name"]}),
            http.get(f"/nowhere/{secrets['last name']}", params=searches),
        ]
        world.run_sql("ALTER TABLE patients RENAME TO patients_gone")
        try:
            answers += [
                http.get(search, params=searches),
                http.post("/api/v2/patients", json=body),
                http.post("/api/v2/patients/look-alikes", json=body),
                http.get(
                    "/api/v2/patients/advanced-search-patient-last-name",
                    params={"search": secrets["last name"]},
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
