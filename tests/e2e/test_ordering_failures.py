"""What the forms of ordering do when an answer fails, or when an act is undone."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import BrowserContext, Route, expect

from app.contract import messages
from tests.e2e import steps
from tests.e2e.people import find_insured_patient, open_session, save_requisitions

pytestmark = pytest.mark.timeout(600)
_REQUISITION = "/secured/requisitions/create"


class Failures:
    """Fails the first requests of a route, and lets the others through."""

    def __init__(self, count: int) -> None:
        self.remaining = count

    async def __call__(self, route: Route) -> None:
        """Handle a request."""
        if self.remaining == 0:
            await route.continue_()
            return
        self.remaining -= 1
        await route.abort()


async def test_requisition_form_survives_failures(
    context: BrowserContext, portal: str, tmp_path: Path
) -> None:
    """O 7 and 8: invalid ids, repeated reads, and documents and forms that are not sent."""
    [requisition] = await save_requisitions(portal, 1)
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    requested_paths: list[str] = []
    page.on("request", lambda request: requested_paths.append(urlsplit(request.url).path))
    await page.goto(f"{_REQUISITION};id=12x")
    await expect(page.get_by_text("No record found!")).to_be_visible()
    assert not [path for path in requested_paths if path.startswith("/api/v2/requisitions/12")]

    record = f"/api/v2/requisitions/{requisition['id']}"
    await page.route(f"**{record}", Failures(2))
    await page.goto(f"{_REQUISITION};id={requisition['id']}")
    await expect(page.get_by_role("heading", name=re.compile(requisition["code"]))).to_be_visible()
    assert requested_paths.count(record) == 3

    document = tmp_path / "card.pdf"
    document.write_bytes(b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n")
    documents = page.get_by_role("region", name="Documents")
    await page.route(f"**{record}/documents", Failures(1))
    for message in (messages.UPLOAD_NOT_SENT, messages.FILE_UPLOADED):
        async with page.expect_file_chooser() as chooser_info:
            await documents.get_by_role("button", name="Upload document").click()
        await (await chooser_info.value).set_files(document)
        await expect(page.get_by_text(message).first).to_be_visible()
    await documents.get_by_role("button", name="Remove card.pdf").click()
    question = page.get_by_role("dialog", name="Remove document")
    await expect(question.get_by_text(messages.CONFIRM_DOCUMENT_REMOVAL)).to_be_visible()
    await question.get_by_role("button", name="Yes").click()
    await expect(page.get_by_text(messages.FILE_REMOVED).first).to_be_visible()
    await expect(documents.get_by_role("button", name="card.pdf", exact=True)).to_have_count(0)

    await page.route("**/api/v2/requisitions/transmission", Failures(1))
    await page.get_by_role("button", name="Email Forms").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("textbox").fill("office@clinic.example")
    await dialog.get_by_role("button", name="Send", exact=True).click()
    await expect(page.get_by_text(messages.SERVERS_TROUBLE).first).to_be_visible()
    await expect(dialog.get_by_role("textbox")).to_have_value("office@clinic.example")


async def test_insurance_is_restored_and_reloaded(context: BrowserContext, portal: str) -> None:
    """O 4: Undo restores the last saved rows, and Refresh loads those of the patient."""
    patient = await find_insured_patient(portal)
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"/secured/patients/form;id={patient['id']}")
    await page.get_by_role("tab", name="Insurance Information").click()
    await steps.check_control(page.get_by_role("radio", name="INSURANCE"))
    rows = page.get_by_role("checkbox", name=re.compile(r"^Select insurance \d"))
    count = len(patient["insurance"])
    for name in ("Undo", "Refresh"):
        await expect(rows).to_have_count(count)
        await steps.check_control(rows.first)
        await page.get_by_role("button", name="Remove", exact=True).click()
        await expect(rows).to_have_count(count - 1)
        await page.get_by_role("button", name=name, exact=True).click()
    await expect(rows).to_have_count(count)


async def test_chooses_a_patient_by_a_tap_and_without_units(
    context: BrowserContext, portal: str
) -> None:
    """O 4: a client without units has none to load, and a tablet's tap chooses a patient."""
    name = f"HOUSE {steps.build_last_name()}"
    async with open_session(portal, "superuser") as http:
        client_answer = await http.post(
            "/api/v2/lab-data/clients", json={"values": {"code": name[-9:], "name": name}}
        )
        assert client_answer.status_code == 201, client_answer.text
    page = await context.new_page()
    requested_paths: list[str] = []
    page.on("request", lambda request: requested_paths.append(urlsplit(request.url).path))
    await steps.sign_in(page, "superuser")
    await page.goto("/secured/patients/form")
    await steps.choose_only_match(page, "Client", name)
    await expect(page.get_by_role("combobox", name=re.compile("^Unit"))).to_be_disabled()
    assert not [path for path in requested_paths if re.search(r"/(units|rooms)/", path)]

    patient = await find_insured_patient(portal)
    await page.set_viewport_size({"width": 800, "height": 1000})
    await page.goto(_REQUISITION)
    await page.get_by_role("button", name="Select Patient").click()
    dialog = await steps.search_patients(page, patient["lastName"], patient["firstName"])
    await dialog.get_by_text(patient["code"], exact=True).click()
    await expect(dialog).to_be_hidden()
    await expect(page.get_by_text(patient["code"])).to_be_visible()
    # Only the clients of Client Admin and Client Basic are checked.
    assert not [path for path in requested_paths if path.endswith("/check-clients")]
