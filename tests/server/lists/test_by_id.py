"""Rows by their ids, which a grid requests when some of its rows have changed."""

import pytest

from tests.server.world import World


@pytest.mark.parametrize("records", ["requisitions", "orders"])
async def test_rows_by_id_match_the_list_within_the_scope(world: World, records: str) -> None:
    client, other = world.create_client(), world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    stranger = await world.create_person("Client Basic", client_ids=[other])
    lab = await world.create_person("Laboratory")
    ids = []
    for person, client_id in ((nurse, client), (stranger, other)):
        requisition = await world.save_requisition(person, world.create_patient(client_id))
        receive_answer = await world.http.post(
            "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
        )
        ids.append(
            requisition["id"] if records == "requisitions" else receive_answer.json()[0]["orderId"]
        )
    path = f"/api/v2/{records}"
    ids_answer = await world.http.get(f"{path}/ids", headers=nurse.headers, params={"ids": ids})
    list_answer = await world.http.get(f"{path}/remote-operations", headers=nurse.headers)
    assert ids_answer.json() == list_answer.json()["data"]
    assert [row["id"] for row in ids_answer.json()] == ids[:1]
    too_many = {"ids": list(range(1, 102))}
    assert (
        await world.http.get(f"{path}/ids", headers=nurse.headers, params=too_many)
    ).status_code == 400
