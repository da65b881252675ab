"""The form of a canceled requisition is marked and has no barcode; labels are rejected."""

import io
from typing import Any

import pytest
from pypdf import PdfReader

from app.contract import messages
from tests.drawing.reading import decode_barcodes
from tests.server.accounts.builders import Person
from tests.server.paperwork.reading import extract_text
from tests.server.world import World

FORM = "/api/v2/reports/requisition"
LABELS = (
    "/api/v2/requisitions/{id}/labels",
    "/api/v2/requisitions/labels?ids={id}",
    "/api/v2/reports/labels?ids={id}",
)


async def cancel_requisition(
    world: World, nurse: Person, comment: str = "Drawn from the wrong patient"
) -> Any:
    """Save a requisition, cancel it, and return it."""
    requisition = await world.save_requisition(nurse, nurse.patient, "CBC")
    path = f"/api/v2/requisitions/{requisition['id']}/cancel"
    answer = await world.http.post(path, headers=nurse.headers, json={"comment": comment})
    assert answer.status_code == 200
    return requisition


class TestForm:
    async def test_canceled_form_is_marked_and_shows_the_reason(
        self, world: World, nurse: Person
    ) -> None:
        requisition = await cancel_requisition(world, nurse)
        answer = await world.http.get(
            FORM, headers=nurse.headers, params={"ids": requisition["id"]}
        )
        text = extract_text(answer.content)
        # The status beside the code, the alert, and the watermark.
        assert text.count("CANCELED") == 3
        assert "Drawn from the wrong patient" in text
        assert requisition["code"] in text

    async def test_canceled_form_has_no_barcode(self, world: World, nurse: Person) -> None:
        canceled_requisition = await cancel_requisition(world, nurse)
        valid_requisition = await world.save_requisition(nurse, nurse.patient, "CBC")
        ids = [canceled_requisition["id"], valid_requisition["id"]]
        answer = await world.http.get(FORM, headers=nurse.headers, params={"ids": ids})
        pages = PdfReader(io.BytesIO(answer.content)).pages
        assert [decode_barcodes(page) for page in pages] == [[], [valid_requisition["code"]]]
        assert "CANCELED" not in pages[1].extract_text()


class TestLabels:
    @pytest.mark.parametrize("path", LABELS)
    async def test_rejects_labels_of_a_canceled_requisition(
        self, world: World, nurse: Person, path: str
    ) -> None:
        requisition = await cancel_requisition(world, nurse)
        answer = await world.http.get(path.format(id=requisition["id"]), headers=nurse.headers)
        assert answer.status_code == 409
        assert answer.json()["detail"] == messages.REQUISITION_WITHOUT_LABELS.format(
            code=requisition["code"], status="CANCELED"
        )

    @pytest.mark.parametrize("path", LABELS[1:])
    async def test_rejects_all_if_one_is_canceled(
        self, world: World, nurse: Person, path: str
    ) -> None:
        valid_requisition = await world.save_requisition(nurse, nurse.patient, "CBC")
        canceled_requisition = await cancel_requisition(world, nurse)
        answer = await world.http.get(
            f"{path.format(id=valid_requisition['id'])}&ids={canceled_requisition['id']}",
            headers=nurse.headers,
        )
        assert answer.status_code == 409
        assert canceled_requisition["code"] in answer.json()["detail"]
        assert valid_requisition["code"] not in answer.json()["detail"]
        assert not world.run_sql(
            "SELECT count(*) FROM audit_events WHERE kind = 'requisition'"
            " AND action LIKE '%%-labels' AND record_ids && %s::bigint[]",
            ([valid_requisition["id"], canceled_requisition["id"]],),
        )
