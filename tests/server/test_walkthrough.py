"""The product's main job over the real API: order, sign, receive, enter, release, read."""

from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

PATIENT = {
    "firstName": "maria",
    "lastName": "o'neil-garcia",
    "birthDate": "03/04/1961",
    "gender": "Female",
    "socialSecurityNumber": "666-12-3456",
    "address": "12 Lake st",
    "zipCodeName": "60601",
    "zipCodePlus4": "1234",
}


async def test_a_requisition_from_registration_to_results(world: World) -> None:
    """A nurse registers, orders and signs; the lab receives and releases; the physician reads."""
    http = world.http
    client = world.create_client()
    physician_id = world.create_physician(client)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    stranger = await world.create_person("Client Basic", client_ids=[world.create_client()])
    lab = await world.create_person("Laboratory")
    physician = await world.create_person("Physician", physician_ids=[physician_id])

    registration_answer = await http.post(
        "/api/v2/patients",
        headers=nurse.headers,
        json={**PATIENT, "clientId": client, "primaryPhysicianId": physician_id},
    )
    assert registration_answer.status_code == 201, registration_answer.text
    patient = registration_answer.json()
    assert patient["lastName"] == "O'NEIL-GARCIA"
    assert patient["socialSecurityNumber"] == "666-12-3456"

    search_answer = await http.get(
        "/api/v2/patients/remote-operations",
        headers=nurse.headers,
        params={"lastName": "o'nei", "birthDate": "1961-03-04"},
    )
    row = next(r for r in search_answer.json()["data"] if r["id"] == patient["id"])
    assert row["ssn"] == "***-**-3456"

    requisition = await world.save_requisition(
        nurse,
        patient["id"],
        "CBC",
        "GLU",
        physicianId=physician_id,
        diagnoses=[{"code": "e11.9"}],
        medications=[{"name": "metformin"}],
    )
    assert requisition["code"].startswith("R")
    assert requisition["billTo"] == "Client"
    assert [t["test"]["code"] for t in requisition["tests"]] == ["CBC", "GLU"]
    assert [c["test"]["code"] for c in requisition["tests"][0]["children"]] == ["WBC", "HGB"]

    sign_answer = await http.post(
        "/api/v2/requisitions/sign-multiple",
        headers=nurse.headers,
        json={
            "image": SIGNATURE,
            "requisitionsIds": [requisition["id"]],
            "versions": {requisition["id"]: requisition["version"]},
        },
    )
    assert sign_answer.status_code == 200, sign_answer.text

    receive_answer = await http.post(
        "/api/v2/requisitions/receive",
        headers=lab.headers,
        json={"code": requisition["code"].lower()},
    )
    assert receive_answer.status_code == 200, receive_answer.text
    order_id = receive_answer.json()[0]["orderId"]
    assert receive_answer.json()[0]["orderCode"] == "L" + requisition["code"][1:]

    entry = (await http.get(f"/api/v2/orders/{order_id}/result-entry", headers=lab.headers)).json()
    rows = {r["code"]: r for r in entry["rows"]}
    assert rows["HGB"]["referenceRange"] == "12 - 15.5"
    entry_answer = await http.put(
        f"/api/v2/orders/{order_id}/result-entry",
        headers={**lab.headers, "If-Match": f'"{entry["version"]}"'},
        json={
            "results": [
                {"orderTestId": rows["WBC"]["orderTestId"], "result": "7.2"},
                {"orderTestId": rows["GLU"]["orderTestId"], "result": "512"},
            ]
        },
    )
    assert entry_answer.status_code == 200, entry_answer.text

    answer_before = await http.get(
        f"/api/v2/orders/{order_id}/clinical-results", headers=physician.headers
    )
    assert all(r["result"] is None for r in answer_before.json())

    release_answer = await http.post(
        f"/api/v2/orders/{order_id}/release", headers=lab.headers, json={"orderTestIds": None}
    )
    assert release_answer.status_code == 200, release_answer.text

    orders_answer = await http.get(
        "/api/v2/orders/remote-operations",
        headers=physician.headers,
        params={"startDate": "03/04/2026", "endDate": "03/04/2026"},
    )
    order_row = next(r for r in orders_answer.json()["data"] if r["id"] == order_id)
    assert order_row["alert"] == "CRITICAL"
    assert order_row["testNames"] == ["COMPLETE BLOOD COUNT", "GLUCOSE"]
    results_answer = await http.get(
        f"/api/v2/orders/{order_id}/clinical-results", headers=physician.headers
    )
    by_name = {r["name"]: r for r in results_answer.json()}
    assert by_name["GLUCOSE"]["flag"] == "HH"
    assert by_name["GLUCOSE"]["isCritical"] is True
    assert by_name["WHITE BLOOD CELLS"]["flag"] == "N"
    assert by_name["HEMOGLOBIN"]["result"] is None

    for path in (
        f"/api/v2/orders/{order_id}",
        f"/api/v2/orders/{order_id}/clinical-results",
        f"/api/v2/requisitions/{requisition['id']}",
        f"/api/v2/requisitions/{requisition['id']}/signature",
        f"/api/v2/patients/{patient['id']}",
    ):
        assert (await http.get(path, headers=stranger.headers)).status_code == 404
    for path in ("orders", "requisitions", "patients"):
        list_answer = await http.get(f"/api/v2/{path}/remote-operations", headers=stranger.headers)
        assert list_answer.json()["data"] == []
        assert list_answer.json()["totalCount"] == 0
