"""Labels and PDFs from the API."""

import base64
import io

import pytest
import zxingcpp
from PIL import Image

from tests.server.paperwork.reading import extract_text
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World


async def test_draws_one_label_for_each_container_and_one_for_the_form(world: World) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    requisition = await world.save_requisition(
        nurse, world.create_patient(client), "CBC", "GLU", "K", "COVID"
    )
    answer = await world.http.get(
        f"/api/v2/requisitions/{requisition['id']}/labels", headers=nurse.headers
    )
    labels = answer.json()
    assert [label["title"] for label in labels] == [
        "Lavender Top BLOOD",
        "Gold Top BLOOD",
        "Swab BLOOD",
        "REQUISITION FORM",
    ]
    for label in labels:
        image = Image.open(io.BytesIO(base64.b64decode(label["image"])))
        assert [code.text for code in zxingcpp.read_barcodes(image)] == [requisition["code"]]
        assert requisition["code"] in label["zpl"] and requisition["code"] in label["epl"]


async def test_requisition_form_has_the_fields_required_by_law(world: World) -> None:
    client = world.create_client()
    physician = world.create_physician(client)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    requisition = await world.save_requisition(
        nurse,
        world.create_patient(client),
        "CBC",
        physicianId=physician,
        diagnoses=[{"code": "I10"}],
        collectionDate="2026-03-04T07:30:00",
    )
    await world.sign_in(nurse)
    await world.http.post(
        "/api/v2/requisitions/sign-multiple",
        headers=nurse.headers,
        json={"image": SIGNATURE, "requisitionsIds": [requisition["id"]]},
    )
    answer = await world.http.get(
        "/api/v2/reports/requisition", headers=nurse.headers, params={"ids": requisition["id"]}
    )
    assert answer.headers["content-type"] == "application/pdf"
    text = extract_text(answer.content)
    for expected in (
        "TEST LAB",
        requisition["code"],
        requisition["patient"]["lastName"],
        "01/02/1970",
        "FEMALE",
        "03/04/2026",
        "COMPLETE BLOOD COUNT",
        "I10",
        requisition["physician"]["lastName"],
        requisition["physician"]["npi"],
        "Electronically signed by: Ada Tester",
    ):
        assert expected in text, expected


async def test_requisition_form_names_the_additional_copies(world: World) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    requisition = await world.save_requisition(
        nurse,
        world.create_patient(client),
        additionalCopies=[
            {"destination": "3125550100", "type": "FAX"},
            {"destination": "Ada@Clinic.test", "type": "EMAIL"},
        ],
    )
    answer = await world.http.get(
        "/api/v2/reports/requisition", headers=nurse.headers, params={"ids": requisition["id"]}
    )
    text = extract_text(answer.content)
    assert "ADDITIONAL COPIES" in text
    assert text.index("Fax 312-555-0100") < text.index("Email Ada@Clinic.test")


async def test_requisition_form_has_the_last_four_digits_of_zip_codes(world: World) -> None:
    client = world.create_client()
    [(zip_code_id, code)] = world.fetch_rows("SELECT id, code FROM zip_codes ORDER BY id LIMIT 1")
    nurse = await world.create_person("Client Basic", client_ids=[client])
    address = {"address": "9 SIDE ST", "zip_code_id": zip_code_id}
    texts = []
    for plus4 in ("4321", None):
        patient = world.create_patient(client, **address, zip_code_plus4=plus4)
        requisition = await world.save_requisition(nurse, patient)
        answer = await world.http.get(
            "/api/v2/reports/requisition", headers=nurse.headers, params={"ids": requisition["id"]}
        )
        texts.append(extract_text(answer.content))
    assert f"{code}-4321" in texts[0]
    assert code in texts[1] and f"{code}-" not in texts[1]


@pytest.mark.parametrize("name", ["王", "김", "さくら"])
async def test_east_asian_names_print_on_forms_and_labels(world: World, name: str) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    pictures = []
    for last_name in (name, "\U00020000" * len(name)):
        patient = world.create_patient(client, last_name=last_name)
        requisition = await world.save_requisition(nurse, patient)
        form_answer = await world.http.get(
            "/api/v2/reports/requisition", headers=nurse.headers, params={"ids": requisition["id"]}
        )
        text = "".join(extract_text(form_answer.content).split())
        assert (f"{name},PAT" in text) == (last_name == name)
        labels_answer = await world.http.get(
            f"/api/v2/requisitions/{requisition['id']}/labels", headers=nurse.headers
        )
        image = Image.open(io.BytesIO(base64.b64decode(labels_answer.json()[0]["image"])))
        pictures.append(image.crop((0, 0, image.width, 36)).tobytes())
    # The second name prints as boxes, because no typeface of the portal has its letters.
    assert pictures[0] != pictures[1]


async def test_result_report_shows_released_results_only(world: World) -> None:
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(nurse, world.create_patient(client), "GLU", "K")
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    path = f"/api/v2/orders/{receive_answer.json()[0]['orderId']}"
    entry = (await world.http.get(f"{path}/result-entry", headers=lab.headers)).json()
    rows = {r["code"]: r["orderTestId"] for r in entry["rows"]}
    await world.http.put(
        f"{path}/result-entry",
        headers=lab.headers,
        json={
            "results": [
                {"orderTestId": rows["GLU"], "result": "512", "comment": "Repeated."},
                {"orderTestId": rows["K"], "result": "4.44"},
            ]
        },
    )
    await world.http.post(
        f"{path}/release", headers=lab.headers, json={"orderTestIds": [rows["GLU"]]}
    )
    for person in (nurse, lab):
        answer = await world.http.post(
            "/api/v2/reports/order/results",
            headers=person.headers,
            json={"ids": [receive_answer.json()[0]["orderId"]]},
        )
        text = extract_text(answer.content)
        for expected in ("512", "HH", "70 - 99", "mg/dL", "Repeated.", "PENDING", "TEST LAB"):
            assert expected in text, expected
        assert "4.44" not in text


async def test_other_clients_requisitions_are_not_found(world: World) -> None:
    client, other_client = world.create_client(), world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    stranger = await world.create_person("Client Basic", client_ids=[other_client])
    own = await world.save_requisition(nurse, world.create_patient(client))
    foreign = await world.save_requisition(stranger, world.create_patient(other_client))
    answer = await world.http.post(
        "/api/v2/reports/requisition",
        headers=nurse.headers,
        json={"ids": [own["id"], foreign["id"]]},
    )
    assert answer.status_code == 404
