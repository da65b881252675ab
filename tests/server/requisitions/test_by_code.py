"""Finding a requisition by a scanned or typed code."""

import pytest

from tests.server.world import World

PATH = "/api/v2/requisitions/by-code"


async def test_finds_own_requisitions_by_code_in_any_case(world: World) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    stranger = await world.create_person("Client Basic", client_ids=[world.create_client()])
    saved = await world.save_requisition(nurse, world.create_patient(client))
    for code in (saved["code"], f" {saved['code'].lower()} "):
        answer = await world.http.get(PATH, headers=nurse.headers, params={"code": code})
        assert answer.json() == {
            "requisitionId": saved["id"],
            "requisitionCode": saved["code"],
            "orderId": None,
            "orderCode": None,
        }
    foreign = await world.http.get(PATH, headers=stranger.headers, params={"code": saved["code"]})
    assert (foreign.status_code, foreign.json()) == (200, None)


async def test_finds_received_requisitions_by_order_code(world: World) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    saved = await world.save_requisition(nurse, world.create_patient(client))
    number = f"L{saved['code'][1:]}"
    before = await world.http.get(PATH, headers=nurse.headers, params={"code": number})
    assert before.json() is None
    [received] = (
        await world.http.post(
            "/api/v2/requisitions/receive", headers=lab.headers, json={"code": saved["code"]}
        )
    ).json()
    after = await world.http.get(PATH, headers=nurse.headers, params={"code": number})
    # Only receiving warns of a future collection time, and names the patient.
    assert received.pop("collectionToCome") is None
    names = (received.pop("patientLastName"), received.pop("patientFirstName"))
    assert names == (saved["patient"]["lastName"], "PAT")
    # Only receiving counts the tubes.
    assert (received.pop("tubes"), received.pop("tubesDue")) == (1, 1)
    # Only receiving names a client to call.
    assert received.pop("clientToCall") is None
    assert after.json() == received


@pytest.mark.parametrize("code", ["", "R", "%", "R99\u0000", "R" * 5_000])
async def test_finds_nothing_by_malformed_codes(world: World, code: str) -> None:
    nurse = await world.create_person("Client Basic", client_ids=[world.create_client()])
    answer = await world.http.get(PATH, headers=nurse.headers, params={"code": code})
    assert answer.status_code in (200, 400)
    assert answer.status_code == 400 or answer.json() is None
