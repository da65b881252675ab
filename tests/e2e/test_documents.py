"""Documents that are chosen before the requisition is saved."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from app.contract import messages
from tests.e2e import steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace, on_both_hosts

pytestmark = pytest.mark.timeout(600)
_DOCUMENTS_PATH = re.compile(r"/api/v2/requisitions/\d+/documents$")
_PDF = b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"


async def choose_file(page: Page, path: Path) -> None:
    """Choose a file with the button of the new requisition."""
    async with page.expect_file_chooser() as chooser_info:
        await page.get_by_role("button", name="Add document").click()
    await (await chooser_info.value).set_files(path)


@on_both_hosts
async def test_uploads_documents_chosen_before_the_first_save(
    workplace: Workplace, tmp_path: Path
) -> None:
    """Saves with two documents; the first upload of one fails, and Try again adds it."""
    files = [tmp_path / name for name in ("order.pdf", "card.pdf")]
    for file in files:
        file.write_bytes(_PDF)
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    await steps.register_patient(page, steps.build_last_name())
    await steps.add_test(page, "GLU")
    documents = page.get_by_role("region", name="Documents")
    for file in files:
        await choose_file(page, file)
        row = documents.get_by_role("listitem").filter(has_text=file.name)
        await expect(row).to_contain_text("Added when saved")
    assert await find_violations_in(page, "waiting documents") == []

    failures = 0

    async def fail_second(route: Route) -> None:
        nonlocal failures
        if route.request.method == "POST" and "card.pdf" in (route.request.post_data or ""):
            failures += 1
            await route.abort()
        else:
            await route.continue_()

    await page.route(_DOCUMENTS_PATH, fail_second)
    await steps.save_new_requisition(page)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await dialog.get_by_role("button", name="Close").last.click()
    await expect(documents.get_by_role("button", name="order.pdf", exact=True)).to_be_visible()
    failed_document = documents.get_by_role("listitem").filter(has_text="card.pdf")
    await expect(failed_document.get_by_role("alert")).to_have_text(messages.UPLOAD_FAILED)
    await expect(failed_document).to_contain_text(messages.UPLOAD_NOT_SENT)
    assert failures == 1
    assert await find_violations_in(page, "failed upload", "light", "dark") == []
    await page.unroute(_DOCUMENTS_PATH)
    await failed_document.get_by_role("button", name="Try again to upload card.pdf").click()
    await expect(documents.get_by_role("button", name="card.pdf", exact=True)).to_be_visible()

    code = await steps.read_code(page)
    await page.reload()
    await expect(page.get_by_role("heading", name=re.compile(code))).to_be_visible()
    for file in files:
        document = documents.get_by_role("button", name=file.name, exact=True)
        await expect(document).to_have_count(1)
    document = documents.get_by_role("button", name="order.pdf", exact=True)
    content = await workplace.open_pdf(page, document, r"/requisitions/\d+/documents/")
    assert content == _PDF
