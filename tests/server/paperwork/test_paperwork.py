"""Labels and PDFs as the API gives them."""

import base64
import io

import zxingcpp
from PIL import Image
from pypdf import PdfReader

from tests.server.world import SIGNATURE, World


def text_of(pdf: bytes) -> str:
    """All text of a PDF."""
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


async def test_one_label_a_container_and_one_for_the_form(world: World) -> None:
    client = world.client()
    nurse = await world.person("Client Basic", client_ids=[client])
    saved = await world.requisition(nurse, world.patient(client), "CBC", "GLU", "K", "COVID")
    answer = await world.http.get(
        f"/api/v2/requisitions/{saved['id']}/labels", headers=nurse.headers
    )
    labels = answer.json()
    assert [label["title"] for label in labels] == [
        "Lavender Top BLOOD",
        "Gold Top BLOOD",
        "Swab BLOOD",
        "REQUISITION FORM",
    ]
    for label in labels:
        picture = Image.open(io.BytesIO(base64.b64decode(label["image"])))
        assert [code.text for code in zxingcpp.read_barcodes(picture)] == [saved["code"]]
        assert saved["code"] in label["zpl"] and saved["code"] in label["epl"]


async def test_the_requisition_form_says_what_the_law_asks_for(world: World) -> None:
    client = world.client()
    doctor = world.physician(client)
    nurse = await world.person("Client Basic", client_ids=[client])
    saved = await world.requisition(
        nurse,
        world.patient(client),
        "CBC",
        physicianId=doctor,
        diagnoses=[{"code": "I10"}],
        collectionDate="2026-03-04T07:30:00",
    )
    await world.sign_in(nurse)
    await world.http.post(
        "/api/v2/requisitions/sign-multiple",
        headers=nurse.headers,
        json={"image": SIGNATURE, "requisitionsIds": [saved["id"]]},
    )
    answer = await world.http.get(
        "/api/v2/reports/requisition", headers=nurse.headers, params={"ids": saved["id"]}
    )
    assert answer.headers["content-type"] == "application/pdf"
    text = text_of(answer.content)
    for wanted in (
        "TEST LAB",
        saved["code"],
        saved["patient"]["lastName"],
        "01/02/1970",
        "FEMALE",
        "03/04/2026",
        "COMPLETE BLOOD COUNT",
        "I10",
        saved["physician"]["lastName"],
        saved["physician"]["npi"],
        "Electronically signed by: Ada Tester",
    ):
        assert wanted in text, wanted


async def test_the_report_shows_released_results_only(world: World) -> None:
    client = world.client()
    nurse = await world.person("Client Basic", client_ids=[client])
    lab = await world.person("Laboratory")
    saved = await world.requisition(nurse, world.patient(client), "GLU", "K")
    received = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [saved["id"]]}
    )
    path = f"/api/v2/orders/{received.json()[0]['orderId']}"
    screen = (await world.http.get(f"{path}/result-entry", headers=lab.headers)).json()
    rows = {r["code"]: r["orderTestId"] for r in screen["rows"]}
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
            json={"ids": [received.json()[0]["orderId"]]},
        )
        text = text_of(answer.content)
        for wanted in ("512", "HH", "70 - 99", "mg/dL", "Repeated.", "PENDING", "TEST LAB"):
            assert wanted in text, wanted
        assert "4.44" not in text


async def test_one_foreign_id_gives_nothing(world: World) -> None:
    client, other = world.client(), world.client()
    nurse = await world.person("Client Basic", client_ids=[client])
    stranger = await world.person("Client Basic", client_ids=[other])
    mine = await world.requisition(nurse, world.patient(client))
    theirs = await world.requisition(stranger, world.patient(other))
    answer = await world.http.post(
        "/api/v2/reports/requisition",
        headers=nurse.headers,
        json={"ids": [mine["id"], theirs["id"]]},
    )
    assert answer.status_code == 404
