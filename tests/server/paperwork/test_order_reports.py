"""Reports of orders: results with their corrections, the log, previews, and streams (R 7)."""

import base64
from typing import Any

import pytest
from fastapi import FastAPI

from app.contract import messages
from app.server.drawing_pool import DrawingProcess
from tests.server.accounts.builders import Person
from tests.server.orders.practice import open_practice
from tests.server.paperwork.reading import extract_text
from tests.server.paperwork.test_reports import parse_events, record_connections_while_drawing
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.results.microbiology.bench import (
    NO_GROWTH,
    build_organism,
    find_reason,
    receive_cultures,
)
from tests.server.results.microbiology.bench import Bench as CultureBench
from tests.server.results.pathology.bench import SIGNER
from tests.server.results.pathology.bench import Bench as PathologyBench
from tests.server.results.toxicology.bench import Bench as ToxicologyBench
from tests.server.world import World

RESULTS = "/api/v2/reports/order/results"
LOG = "/api/v2/reports/order/log"
PREVIEW = "/api/v2/reports/order/results-preview"
DETAILS = "/api/v2/reports/order/details"
STREAMS = [(RESULTS, "results.pdf"), (LOG, "order-log.pdf"), (DETAILS, "order-details.pdf")]


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order of glucose and potassium."""
    return await receive_order(world, "GLU", "K")


async def print_report(bench: Bench | CultureBench, path: str, person: Person, *ids: int) -> str:
    """Return the text of a report, without line breaks."""
    answer = await bench.world.http.post(
        path, headers=person.headers, json={"ids": list(ids) or [bench.order_id]}
    )
    assert answer.status_code == 200, answer.text
    return " ".join(extract_text(answer.content).split())


class TestResults:
    """The result report."""

    async def test_says_when_by_whom_and_why_a_result_was_corrected(self, bench: Bench) -> None:
        await bench.enter(GLU="90", K="4.1")
        await bench.release()
        await bench.correct(words="Typed from the wrong line", GLU="512")
        await bench.release()
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "FINAL, CORRECTED" in text
        assert "512 (corrected)" in text
        assert "by Ada Tester (" in text
        assert "Typed from the wrong line): was 90 mg/dL" in text
        patient = (await bench.read_order())["patient"]["id"]
        patient_user = await bench.world.create_person("Patient", patient_ids=[patient])
        text = await print_report(bench, RESULTS, patient_user)
        assert "by the laboratory (" in text
        assert "Ada Tester" not in text

    async def test_a_value_says_that_its_specimen_was_rejected_later(self, world: World) -> None:
        cultures = await receive_cultures(world, "GLU", "UCUL", "QDIA", "SURG")
        lab, nurse, order_id = cultures.lab, cultures.nurse, cultures.order_id
        await cultures.publish(findings=NO_GROWTH)
        bench = Bench(world, lab, nurse, order_id)
        await bench.enter(GLU="90")
        await bench.release()
        await ToxicologyBench(world, lab, nurse, order_id).publish(QDIA="400")
        await PathologyBench(world, lab, nurse, order_id).publish()
        assert messages.SPECIMEN_NEEDED not in await print_report(bench, RESULTS, nurse)
        path = f"{bench.path}/specimens"
        tubes = (await world.http.get(path, headers=lab.headers)).json()["tubes"]
        for tube in tubes:
            rejected_tube = {"number": tube["number"], "state": "rejected", "reason": "CLOTTED"}
            await world.http.put(path, headers=lab.headers, json={"tubes": [rejected_tube]})
        text = await print_report(bench, RESULTS, nurse)
        assert text.count(messages.SPECIMEN_NEEDED) == 4

    async def test_patients_read_no_names_of_lab_staff_in_any_family(self, world: World) -> None:
        bench = await receive_cultures(world, "UCUL", "SURG", "QDIA")
        await bench.publish(organisms=[build_organism(AMP=">16")])
        reason = await find_reason(bench)
        await bench.publish(organisms=[build_organism(AMP="2")], reasonCode=reason)
        toxicology = ToxicologyBench(world, bench.lab, bench.nurse, bench.order_id)
        await toxicology.publish(QDIA="400")
        corrected_result = {"result": "40", "reasonCode": "INSTRUMENT", "explanation": "Carry-over"}
        await toxicology.publish(QDIA=corrected_result)
        await PathologyBench(world, bench.lab, bench.nurse, bench.order_id).publish()
        patient = (await bench.read_order())["patient"]["id"]
        patient_user = await world.create_person("Patient", patient_ids=[patient])
        texts = [
            await print_report(bench, RESULTS, person) for person in (bench.nurse, patient_user)
        ]
        assert [text.count("Ada Tester") for text in texts] == [3, 0]
        assert [text.count("by the laboratory (") for text in texts] == [0, 2]
        for text in texts:
            assert "Carry-over): was 400 ng/mL" in text
            assert f"Signed out by {SIGNER}; released" in text

    async def test_names_the_comment_that_a_correction_of_a_drug_test_changed(
        self, world: World
    ) -> None:
        bench = await receive_cultures(world, "QDIA")
        toxicology = ToxicologyBench(world, bench.lab, bench.nurse, bench.order_id)
        await toxicology.publish(QDIA={"result": "400", "comment": "Diluted"})
        correction = {"result": "400", "reasonCode": "INSTRUMENT", "explanation": "Carry-over"}
        await toxicology.publish(QDIA={**correction, "comment": "Diluted 1:10"})
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "Carry-over): was 400 ng/mL, comment 'Diluted'" in text

    async def test_has_no_unit_beside_words(self, world: World) -> None:
        bench = await receive_cultures(world, "QDIA")
        toxicology = ToxicologyBench(world, bench.lab, bench.nurse, bench.order_id)
        await toxicology.publish(QDIA="NEGATIVE")
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "NEGATIVE Cut-off" in text
        assert "NEGATIVE ng/mL" not in text
        corrected_result = {
            "result": "400",
            "reasonCode": "INSTRUMENT",
            "explanation": "Carry-over",
        }
        await toxicology.publish(QDIA=corrected_result)
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "400 (corrected) POS ng/mL" in text
        assert "Carry-over): was NEGATIVE" in text
        assert "NEGATIVE ng/mL" not in text

    async def test_a_preliminary_choice_says_that_it_is_preliminary(self, world: World) -> None:
        cultures = await receive_cultures(world, "GLU", "MRSA")
        bench = Bench(world, cultures.lab, cultures.nurse, cultures.order_id)
        await bench.enter(GLU="90")
        await bench.release()
        await cultures.publish("preliminary", code="MRSA", result="not detected")
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "NOT DETECTED (PRELIMINARY)" in text
        assert (await cultures.release()).status_code == 200
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "NOT DETECTED" in text
        assert "PRELIMINARY" not in text

    async def test_susceptibilities_have_units_and_a_legend(self, world: World) -> None:
        bench = await receive_cultures(world, "UCUL")
        organism = build_organism(AMP="2")
        organism["sensitivity"].append({"antibiotic": "CIP", "method": "ZONE", "mic": "30"})
        await bench.publish(organisms=[organism], collected="2026-03-04T09:15:00")
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "Ampicillin 2 S µg/mL" in text
        assert "Ciprofloxacin 30 S mm" in text
        assert "collected 03/04/2026 09:15" in text
        assert "S susceptible µg/mL MIC" in text
        assert "R resistant" not in text

    async def test_other_reports_have_no_legend_of_susceptibilities(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        assert "µg/mL" not in await print_report(bench, RESULTS, bench.nurse)

    async def test_says_that_a_number_was_not_judged(self, world: World) -> None:
        world.add_lab_test("NORANGE", unit="mg/dL")
        bench = await receive_order(world, "NORANGE")
        await bench.enter(NORANGE="8.00")
        await bench.release()
        text = await print_report(bench, RESULTS, bench.nurse)
        assert f"8.00 mg/dL {messages.RESULT_NO_RANGE}" in text

    async def test_keeps_every_earlier_value_legible(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        for value in ("91", "92"):
            await bench.correct(GLU=value)
            await bench.release()
        text = await print_report(bench, RESULTS, bench.nurse)
        assert text.index("was 91 mg/dL") < text.index("was 90 mg/dL")

    async def test_does_not_print_an_entered_correction(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        await bench.correct(GLU="77.7")
        for person in (bench.nurse, bench.lab):
            text = await print_report(bench, RESULTS, person)
            assert "77.7" not in text
            assert "CORRECTED" not in text

    async def test_names_lab_director_and_license_on_the_first_page(self, bench: Bench) -> None:
        world = bench.world
        world.run_sql(
            "UPDATE lab_settings SET value = value || %s::jsonb WHERE name = 'report' RETURNING 1",
            ('{"director": "Jane Doe, MD", "clia": "14D0000000"}',),
        )
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "CLIA 14D0000000" in text
        assert "Laboratory director: Jane Doe, MD" in text

    async def test_warns_of_an_unexpected_positive(self, bench: Bench) -> None:
        bench.world.run_sql(
            "UPDATE orders SET has_unexpected_positive = true WHERE id = %s RETURNING 1",
            (bench.order_id,),
        )
        text = await print_report(bench, RESULTS, bench.nurse)
        assert "ABNORMAL:" in text
        assert "Drugs Not Reported" in text


class TestLog:
    """The log of orders, one line each."""

    async def test_lists_orders_in_the_order_of_the_ids(self, world: World) -> None:
        practice = await open_practice(world, 2)
        first, second = practice.orders
        await practice.release(second["orderId"], "GLU")
        ids = [second["orderId"], first["orderId"]]
        answer = await world.http.get(
            LOG, headers=practice.people["nurse"].headers, params={"ids": ids}
        )
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == 'inline; filename="order-log.pdf"'
        text = extract_text(answer.content)
        codes = [(await practice.read("nurse", i))["codeValue"] for i in ids]
        assert "2 orders" in text
        assert text.index(codes[0]) < text.index(codes[1])
        assert "GLU, K" in text
        assert "PARTIAL" in text and "PENDING" in text

    async def test_is_audited(self, bench: Bench) -> None:
        await print_report(bench, LOG, bench.nurse)
        rows = bench.world.fetch_rows(
            "SELECT user_id::text, detail FROM audit_events WHERE action = 'print'"
            " AND kind = 'order' AND record_ids = %s::bigint[]",
            ([bench.order_id],),
        )
        assert rows == [(bench.nurse.user_id, {"report": "log"})]


class TestPreview:
    """The result report before the release."""

    async def test_shows_entered_results_and_marks_each_page(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        await bench.correct(GLU="92")
        await bench.enter(K="4.44")
        answer = await bench.world.http.post(
            PREVIEW, headers=bench.lab.headers, json={"ids": [bench.order_id]}
        )
        assert answer.status_code == 200, answer.text
        text = " ".join(extract_text(answer.content).split())
        assert messages.REPORT_PREVIEW in text
        for expected in ("92 (corrected)", "was 90", "4.44", "Correction, not released"):
            assert expected in text, expected

    async def test_leaves_out_entries_of_canceled_tests(self, world: World) -> None:
        cultures = await receive_cultures(world, "GLU", "UCUL", "QDIA")
        toxicology = ToxicologyBench(world, cultures.lab, cultures.nurse, cultures.order_id)
        await cultures.enter(findings=NO_GROWTH)
        await toxicology.enter(QDIA="412.5")
        text = await print_report(cultures, PREVIEW, cultures.lab)
        assert "No growth" in text and "412.5" in text
        await toxicology.cancel("QDIA")
        ids = [(await cultures.read_test())["orderTestId"]]
        answer = await cultures.call("POST", "cancel", {"orderTestIds": ids, "reason": "SPECIMEN"})
        assert answer.status_code == 200, answer.text
        text = await print_report(cultures, PREVIEW, cultures.lab)
        assert "No growth" not in text and "412.5" not in text

    async def test_says_that_a_shown_result_is_under_review(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await bench.release()
        await bench.post("withhold", "GLU", kind="review", reason="REPEAT")
        text = await print_report(bench, PREVIEW, bench.lab)
        assert "90" in text
        assert messages.RESULT_UNDER_REVIEW in text

    async def test_is_for_the_lab_only(self, bench: Bench, world: World) -> None:
        await bench.enter(GLU="90")
        order = await bench.read_order()
        people = [
            bench.nurse,
            await world.create_person("Patient", patient_ids=[order["patient"]["id"]]),
        ]
        for person in people:
            answer = await world.http.post(
                PREVIEW, headers=person.headers, json={"ids": [bench.order_id]}
            )
            assert answer.status_code == 403

    async def test_is_audited_as_a_preview(self, bench: Bench) -> None:
        await bench.enter(GLU="90")
        await print_report(bench, PREVIEW, bench.lab)
        rows = bench.world.fetch_rows(
            "SELECT user_id::text FROM audit_events WHERE action = 'preview'"
            " AND kind = 'order-results' AND record_ids = %s::bigint[]",
            ([bench.order_id],),
        )
        assert rows == [(bench.lab.user_id,)]


class TestStreams:
    """Reports of many orders with their progress."""

    @pytest.mark.parametrize(("path", "name"), STREAMS)
    async def test_streams_progress_and_then_the_document(
        self, world: World, monkeypatch: pytest.MonkeyPatch, path: str, name: str
    ) -> None:
        monkeypatch.setattr("app.server.paperwork.service.report.BATCH", 2)
        practice = await open_practice(world, 3)
        ids = [order["orderId"] for order in practice.orders]
        answer = await world.http.post(
            f"{path}/stream", headers=practice.people["nurse"].headers, json={"ids": ids}
        )
        events = parse_events(answer.text)
        assert [data["done"] for kind, data in events if kind == "progress"] == [0, 2, 3]
        parts = [base64.b64decode(data["content"]) for kind, data in events if kind == "part"]
        text = extract_text(b"".join(parts))
        codes = [order["orderCode"] for order in practice.orders]
        assert all(code in text for code in codes)
        assert events[-1] == ("done", {"name": name, "mediaType": "application/pdf"})

    @pytest.mark.parametrize("path", [RESULTS, LOG, *(f"{path}/stream" for path, _ in STREAMS)])
    async def test_a_foreign_order_among_visible_ones_is_not_found(
        self, world: World, path: str
    ) -> None:
        own, foreign = await open_practice(world), await open_practice(world)
        own_id, foreign_id = own.orders[0]["orderId"], foreign.orders[0]["orderId"]
        contents = []
        for ids in ([own_id, foreign_id], [own_id, 2**50]):
            answer = await world.http.post(
                path, headers=own.people["nurse"].headers, json={"ids": ids}
            )
            assert answer.status_code == 404
            contents.append(answer.content)
        assert contents[0] == contents[1]

    @pytest.mark.parametrize("ids", [[], list(range(1, 1_002)), ["x"], None])
    @pytest.mark.parametrize("path", [RESULTS, LOG, f"{LOG}/stream", f"{DETAILS}/stream"])
    async def test_rejects_missing_and_too_many_ids(
        self, world: World, nurse: Person, path: str, ids: Any
    ) -> None:
        answer = await world.http.post(path, headers=nurse.headers, json={"ids": ids})
        assert answer.status_code == 400


@pytest.mark.parametrize("path", [RESULTS, DETAILS, LOG])
async def test_drawing_holds_no_connection(
    portal_app: FastAPI, bench: Bench, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    with record_connections_while_drawing(portal_app, monkeypatch, DrawingProcess, "ask") as in_use:
        await print_report(bench, path, bench.nurse)
    assert set(in_use) == {0}


class TestLabels:
    """The labels of an order."""

    async def test_are_those_of_its_requisition(self, bench: Bench) -> None:
        order = await bench.read_order()
        path = f"/api/v2/requisitions/{order['requisitionId']}/labels"
        requisition_answer = await bench.world.http.get(path, headers=bench.nurse.headers)
        answer = await bench.world.http.get(
            f"/api/labels/orders/{bench.order_id}", headers=bench.nurse.headers
        )
        assert answer.status_code == 200, answer.text
        assert answer.json() == requisition_answer.json()
        assert answer.json()[-1]["title"] == "REQUISITION FORM"
