"""The requisition form in a real browser: reopening, copying, signing, and phones."""

import re

import pytest
from playwright.async_api import (
    Locator,
    Page,
    Response,
    expect,
)

from app.contract import messages
from app.contract.limits import (
    DIALOG_REQUISITION_DONE_PHONE_WIDTH_PX,
    DIALOG_REQUISITION_DONE_PX,
)
from app.server.seeding import DEMO_PASSWORD
from tests.e2e import steps
from tests.e2e.conftest import Workplace, on_both_hosts

pytestmark = pytest.mark.timeout(600)
_FORM = "/secured/requisitions/create"
_SAVE_PATH = re.compile(r"/api/v2/requisitions(/\d+)?(\?|$)")


def find_billing_rows(page: Page) -> Locator:
    """Return the rows of the billing information."""
    grid = page.get_by_role("grid", name="Billing Information")
    return grid.get_by_role("row").filter(has=page.get_by_role("gridcell"))


async def read_payers(page: Page) -> list[str]:
    """Return the payers in their order."""
    return [
        await row.get_by_role("gridcell").nth(2).inner_text()
        for row in await find_billing_rows(page).all()
    ]


async def expect_payers(page: Page, payers: list[str]) -> None:
    """Wait until the rows have these payers in this order."""
    await expect(find_billing_rows(page)).to_have_count(len(payers))
    for row, payer in enumerate(payers):
        cell = find_billing_rows(page).nth(row).get_by_role("gridcell").nth(2)
        await expect(cell).to_have_text(payer)


async def open_form(workplace: Workplace, page: Page, button: Locator) -> Page:
    """Open a form by a click, in a new tab if the host has tabs."""
    if workplace.host == "desktop":
        await button.click()
        return page
    async with page.context.expect_page() as page_info:
        await button.click()
    return await page_info.value


def is_save(answer: Response) -> bool:
    """Whether this is the answer to saving a requisition."""
    return answer.request.method == "POST" and _SAVE_PATH.search(answer.url) is not None


async def save_form(page: Page) -> None:
    """Save, and wait for the answer, because an earlier success message may still be there."""
    async with page.expect_response(is_save) as response_info:
        await page.get_by_role("button", name="Save", exact=True).click()
    assert (await response_info.value).ok
    await expect(page.get_by_text("Requisition Saved!").first).to_be_visible()


async def start_requisition(page: Page, patient: int) -> None:
    """Save a requisition of the patient in the form.

    It has the second insurance first, a diagnosis that supports a test, and a comment.
    """
    await page.goto(f"{_FORM};patientId={patient}")
    await expect(find_billing_rows(page).nth(1)).to_be_visible()
    first, second, *others = await read_payers(page)
    insurance = page.get_by_role("radio", name="INSURANCE")
    await steps.check_control(insurance)
    tools = page.get_by_role("toolbar", name="Billing actions")
    await expect(tools.get_by_role("button", name="Move Up")).to_be_disabled()
    await find_billing_rows(page).nth(1).click()
    await tools.get_by_role("button", name="Move Up").click()
    await expect_payers(page, [second, first, *others])
    await steps.add_test(page, "GLU")
    await steps.add_test(page, "K")
    await steps.choose_option(page, "Diagnoses", "E11.9")
    support = page.get_by_role("combobox", name="Test that E11.9 supports").first
    await support.select_option(label="K POTASSIUM")
    await expect(page.get_by_text(re.compile("ICD-10-CM FY"))).to_be_visible()
    comments = page.get_by_role("textbox", name="Comments")
    await comments.click()
    rings = page.locator(":focus, :has(:focus)")
    outlines = "(elements) => elements.map((e) => getComputedStyle(e).outlineStyle)"
    shown_outlines = await rings.evaluate_all(outlines)
    assert len([style for style in shown_outlines if style != "none"]) == 1
    await page.keyboard.press("Control+B")
    await page.keyboard.type("Fragile vein")
    await steps.save_new_requisition(page)


async def test_reopened_requisition_has_everything_ordered(
    workplace: Workplace, insured_patient: int
) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await start_requisition(page, insured_patient)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await expect(dialog.get_by_role("button", name="Print", exact=True)).to_be_visible()
    await steps.wait_until_still(page)
    box = await dialog.bounding_box()
    assert box is not None
    assert (round(box["width"]), round(box["height"])) == DIALOG_REQUISITION_DONE_PX
    assert await dialog.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    code = await steps.read_code(page)
    payers = await read_payers(page)
    await dialog.get_by_role("button", name="Close").last.click()
    # O 9 names the key; the value is encrypted.
    await page.wait_for_function("localStorage.getItem('recentRequisitions') !== null")
    assert code not in await page.evaluate("JSON.stringify(Object.entries(localStorage))")
    await page.reload()
    await expect(page.get_by_role("heading", name=re.compile(code))).to_be_visible()
    await expect_payers(page, payers)
    await expect(page.locator("strong", has_text="Fragile vein")).to_be_visible()
    support = page.get_by_role("combobox", name="Test that E11.9 supports").first
    await expect(support.locator("option:checked")).to_have_text("K POTASSIUM")


@on_both_hosts
async def test_copies_and_opens_previous_and_recent_requisitions(
    workplace: Workplace, insured_patient: int
) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await start_requisition(page, insured_patient)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await dialog.get_by_role("button", name="Close").last.click()
    code, payers = await steps.read_code(page), await read_payers(page)

    copy = await open_form(workplace, page, page.get_by_role("button", name="Copy", exact=True))
    await expect(
        copy.get_by_text(f"This is a copy of {code}. It is not saved yet.")
    ).to_be_visible()
    await expect(copy.get_by_role("heading", name="New Requisition")).to_be_visible()
    await expect(copy.locator("strong", has_text="Fragile vein")).to_be_visible()
    await expect_payers(copy, payers)
    await steps.save_new_requisition(copy)
    copy_dialog = copy.get_by_role("dialog", name="Requisition Saved")
    await copy_dialog.get_by_role("button", name="Close").last.click()
    copied_code = await steps.read_code(copy)
    assert copied_code != code

    previous = copy.get_by_role("button", name="Choose a previous requisition")
    await expect(previous).to_be_enabled()
    await previous.click()
    grid = copy.get_by_role("table", name="Previous Requisitions")
    earlier = await open_form(workplace, copy, grid.get_by_role("button", name=code))
    await expect(earlier.get_by_role("heading", name=re.compile(code))).to_be_visible()

    await earlier.goto("/secured/requisitions/search")
    await earlier.get_by_role("button", name="Recent Requisitions").click()
    recent = earlier.get_by_role("table", name="Recent Requisitions")
    await expect(recent.get_by_role("button", name=code)).to_be_visible()
    again = await open_form(workplace, earlier, recent.get_by_role("button", name=copied_code))
    await expect(again.get_by_role("heading", name=re.compile(copied_code))).to_be_visible()


async def test_shows_and_remembers_signatures(workplace: Workplace, insured_patient: int) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await start_requisition(page, insured_patient)
    await steps.sign_saved_requisition(page)

    await page.get_by_role("button", name="View Signature").click()
    viewer = page.get_by_role("dialog", name="Signature", exact=True)
    await expect(viewer.get_by_role("img", name="Signature")).to_be_visible()
    await expect(viewer.get_by_text(re.compile("Electronically signed by: "))).to_be_visible()
    await viewer.get_by_role("button", name="Close").last.click()
    await expect(viewer).to_be_hidden()

    # Bill-to and comments are not signed content and can still be changed.
    await steps.check_control(page.get_by_role("radio", name="CLIENT"))
    await save_form(page)
    await page.get_by_role("button", name="Unsign").click()
    unsign = page.get_by_role("dialog", name="Unsign")
    await unsign.locator("input[type=password]").fill(DEMO_PASSWORD)
    await unsign.get_by_role("button", name="Unsign").click()
    await expect(page.get_by_text("Requisition Unsigned!")).to_be_visible()
    await page.get_by_role("button", name="Signature History").click()
    history = viewer.get_by_role("region", name="Signature history")
    await expect(history.get_by_text(re.compile("Removed"))).to_be_visible()


async def test_phone_has_a_floating_menu(workplace: Workplace, insured_patient: int) -> None:
    context = await workplace.open()
    page = await context.new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto("/login")
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={insured_patient}")
    await expect(page.get_by_role("grid", name="Billing Information")).to_be_visible()
    await steps.add_test(page, "GLU")
    await steps.save_new_requisition(page)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await expect(dialog).to_be_visible()
    await steps.wait_until_still(page)
    box = await dialog.bounding_box()
    assert box is not None
    assert round(box["width"]) == DIALOG_REQUISITION_DONE_PHONE_WIDTH_PX
    await dialog.get_by_role("button", name="Close").last.click()
    code = await steps.read_code(page)
    # Elements that still cover the menu would make the driver scroll the page.
    await expect(dialog).to_have_count(0)
    await expect(page.locator(".bp6-toast")).to_have_count(0)
    menu = page.get_by_role("button", name=re.compile(f"{code} actions"))
    await menu.click()
    await page.get_by_role("menuitem", name="Cancel Requisition", exact=True).click()
    cancel = page.get_by_role("dialog", name="Cancel Requisition")
    await expect(cancel.get_by_role("textbox")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(cancel).to_have_count(0)
    await expect(menu).to_be_focused()
    await menu.click()
    await steps.wait_until_still(page)
    for name in ("Sign", "Labels", "Print", "Cancel Requisition", "Clear"):
        await expect(page.get_by_role("menuitem", name=name, exact=True)).to_be_visible()
    await page.get_by_role("menuitem", name="Copy", exact=True).click()
    # Phones open the copy in place.
    copy = page.get_by_text(f"This is a copy of {code}. It is not saved yet.")
    await expect(copy).to_be_visible()
    await page.get_by_role("button", name="New Requisition actions").click()
    await page.get_by_role("menuitem", name="Clear").click()
    question = page.get_by_role("dialog", name="Clear")
    await question.get_by_role("button", name="Continue").click()
    await expect(page.get_by_text("No patient selected")).to_be_visible()


async def test_one_enter_does_not_order_any_of_several_similar_tests(workplace: Workplace) -> None:
    """Direct and total bilirubin match 'bilirubin' equally well (ADR 27)."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(_FORM)
    await steps.register_patient(page, steps.build_last_name())
    tests = page.get_by_role("combobox", name="Test code or name")
    lines = page.get_by_role("grid", name="Tests").get_by_role("row", name=re.compile("BILIRUBIN"))
    chosen_items = page.get_by_role("tree", name="Chosen tests").get_by_role("treeitem")

    await tests.fill("bilirubin")
    await expect(lines).not_to_have_count(0)
    await steps.wait_until_still(page)
    await tests.press("Enter")
    await expect(lines.first).to_have_attribute("aria-selected", "true")
    await expect(chosen_items).to_have_count(0)
    name = await lines.nth(1).get_by_role("gridcell").nth(1).inner_text()
    await tests.press("ArrowDown")
    await tests.press("Enter")
    await expect(chosen_items).to_have_count(1)
    await expect(chosen_items.first).to_contain_text(name)

    # Enter before the list appears orders nothing, and leaves the text in the field.
    await tests.press_sequentially("bilirubin")
    await tests.press("Enter")
    message = messages.SEVERAL_MATCHES.format(text="BILIRUBIN")
    selected_lines = lines.and_(page.locator("[aria-selected=true]"))
    await expect(page.get_by_text(message).first.or_(selected_lines)).to_be_visible()
    await expect(tests).to_have_value("BILIRUBIN")
    await expect(chosen_items).to_have_count(1)
