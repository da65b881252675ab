"""Finding a requisition by a scanned or typed code."""

import pytest

from tests.server.world import World

PATH = "/api/v2/requisitions/by-code"


async def test_finds_own_requisitions_by_code_in_any_case(world: World) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    stranger = await world.create_person("Client Basic", client_ids=[world.create_client()])
    requisition = await world.save_requisition(nurse, world.create_patient(client))
    for code in (requisition["code"], f" {requisition['code'].lower()} "):
        answer = await world.http.get(PATH, headers=nurse.headers, params={"code": code})
        assert answer.json() == {
            "requisitionId": requisition["id"],
            "requisitionCode": requisition["code"],
            "orderId": None,
            "orderCode": None,
        }
    foreign_answer = await world.http.get(
        PATH, headers=stranger.headers, params={"code": requisition["code"]}
    )
    assert (foreign_answer.status_code, foreign_answer.json()) == (200, None)


async def test_finds_received_requisitions_by_order_code(world: World) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(nurse, world.create_patient(client))
    order_code = f"L{requisition['code'][1:]}"
    answer_before = await world.http.get(PATH, headers=nurse.headers, params={"code": order_code})
    assert answer_before.json() is None
    [receipt] = (
        await world.http.post(
            "/api/v2/requisitions/receive", headers=lab.headers, json={"code": requisition["code"]}
        )
    ).json()
    answer_after = await world.http.get(PATH, headers=nurse.headers, params={"code": order_code})
    # Only receiving warns of a future collection time, and names the patient.
    assert receipt.pop("collectionToCome") is None
    names = (receipt.pop("patientLastName"), receipt.pop("patientFirstName"))
    assert names == (requisition["patient"]["lastName"], "PAT")
    # Only receiving counts the tubes.
    assert (receipt.pop("tubes"), receipt.pop("tubesDue")) == (1, 1)
    # Only receiving names a client to call.
    assert receipt.pop("clientToCall") is None
    assert answer_after.json() == receipt


@pytest.mark.parametrize("code", ["", "R", "%", "R99\u0000", "R" * 5_000])
async def test_finds_nothing_by_malformed_codes(world: World, code: str) -> None:
    nurse = await world.create_person("Client Basic", client_ids=[world.create_client()])
    answer = await world.http.get(PATH, headers=nurse.headers, params={"code": code})
    assert answer.status_code in (200, 400)
    assert answer.status_code == 400 or answer.json() is None
