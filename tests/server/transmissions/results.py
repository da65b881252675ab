"""Orders with results to send, for the tests of transmissions."""

from typing import Any

import httpx

from tests.server.accounts.builders import Person
from tests.server.results.clinical.bench import Bench
from tests.server.transmissions.conftest import Office

SEND = "/api/v2/orders/transmission"
SENT_PATH = "/api/v2/orders/transmissions"


async def receive_order(
    office: Office, *codes: str, last_name: str = "ZYXWVU", **values: Any
) -> Bench:
    """Receive an order of the office's client, by default for glucose and potassium."""
    world = office.world
    patient = world.create_patient(office.client, last_name=last_name, first_name="QRSTU")
    requisition = await world.save_requisition(
        office.nurse, patient, *(codes or ("GLU", "K")), **values
    )
    lab = await world.create_person("Laboratory")
    answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    assert answer.status_code == 200, answer.text
    return Bench(world, lab, office.nurse, answer.json()[0]["orderId"])


async def release_values(bench: Bench, **values: str) -> None:
    """Enter and release these values."""
    entry_answer = await bench.enter(**values)
    assert entry_answer.status_code == 200, entry_answer.text
    release_answer = await bench.release(*values)
    assert release_answer.status_code == 200, release_answer.text


async def correct_values(bench: Bench, **values: str) -> None:
    """Correct released values, and release the corrections."""
    correction_answer = await bench.correct(**values)
    assert correction_answer.status_code == 200, correction_answer.text
    release_answer = await bench.release(*values)
    assert release_answer.status_code == 200, release_answer.text


async def send_results(
    office: Office, ids: list[int], kind: str, value: str, person: Person | None = None, **more: Any
) -> httpx.Response:
    """Request a transmission of these orders' results, and return the response."""
    return await office.http.post(
        SEND,
        headers=(person or office.nurse).headers,
        json={"ids": ids, "type": kind, "value": value, **more},
    )


async def list_sent(
    office: Office, *ids: int, person: Person | None = None
) -> list[dict[str, Any]]:
    """Return the transmissions of these orders' results."""
    answer = await office.http.get(
        SENT_PATH, params={"ids": list(ids)}, headers=(person or office.nurse).headers
    )
    assert answer.status_code == 200, answer.text
    transmissions: list[dict[str, Any]] = answer.json()
    return transmissions


async def list_earlier_recipients(bench: Bench) -> list[tuple[str, str, str | None]]:
    """Return each recipient's act and address, and whether the correction has reached them.

    The last item is 'current' if it has, else the status of its transmission, or None without one.
    """
    answer = await bench.world.http.get(
        f"{bench.path}/earlier-recipients", headers=bench.lab.headers
    )
    assert answer.status_code == 200, answer.text
    rows = answer.json()["recipients"]
    assert all(row["currentStatus"] is None for row in rows if row["hasCurrent"])
    return [
        (row["act"], row["destination"], "current" if row["hasCurrent"] else row["currentStatus"])
        for row in rows
    ]
