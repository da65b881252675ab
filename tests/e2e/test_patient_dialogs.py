"""Behavior of the patient's dialogs that needs a real browser."""

import re

import pytest
from playwright.async_api import BrowserContext, Page, Route, expect

from tests.e2e import steps

pytestmark = pytest.mark.timeout(600)


async def test_enter_submits_the_patient_search(context: BrowserContext) -> None:
    """Enter works in any field; without a name, the search reports it and does not run."""
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = page.get_by_role("dialog", name="Search Patient")
    await dialog.get_by_label("Last Name").fill("a")
    await dialog.get_by_label("Last Name").press("Enter")
    await expect(dialog.get_by_text("First name is required")).to_be_visible()
    rows = dialog.get_by_role("gridcell", name=re.compile(r"^P\d{7}$"))
    await expect(rows).to_have_count(0)
    await dialog.get_by_label("First Name").fill("a")
    await dialog.get_by_label("First Name").press("Enter")
    await expect(rows.first).to_be_visible()


async def test_releasing_enter_after_a_dialog_closed_does_not_open_it_again(
    context: BrowserContext,
) -> None:
    """Enter in a dialog closes it; the key is released on the button that opened it."""
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/patients/form")
    await page.get_by_role("tab", name=re.compile("Responsible Party")).click()
    add = page.get_by_role("button", name="Add", exact=True)
    await add.press("Enter")
    popup = page.get_by_role("dialog")
    for label, value in (
        ("^Last Name", "lopez"),
        ("^First Name", "juan"),
        ("^Phone", "3125550101"),
        ("^Address", "1 oak st"),
        ("^Zip ?Code", "60601"),
        ("Plus 4", "1200"),
    ):
        await popup.get_by_role("textbox", name=re.compile(label, re.IGNORECASE)).first.fill(value)
    await expect(popup.get_by_role("textbox", name="City")).to_have_value("CHICAGO")
    await page.keyboard.down("Enter")
    await expect(popup).to_have_count(0)
    await expect(add).to_be_focused()
    await page.keyboard.up("Enter")
    await expect(popup).to_have_count(0)
    await expect(page.get_by_text("LOPEZ", exact=True)).to_be_visible()


_LONG_NAME = "WOLFESCHLEGELSTEINHAUSENBERGERDORFFABCDEFGHIJK"


async def lengthen_names(route: Route) -> None:
    """Answer as the portal does, with a long last name in each patient."""
    answer = await route.fetch()
    content = await answer.json()
    for patient in content.get("data", [content]):
        patient["lastName"] = _LONG_NAME
    await route.fulfill(response=answer, json=content)


async def measure_width(page: Page) -> int:
    """Return the width of the page's content in pixels."""
    width: int = await page.evaluate("document.documentElement.scrollWidth")
    return width


async def test_long_names_wrap_on_phones(context: BrowserContext) -> None:
    """A name without spaces leaves dialog, cards, banner, and buttons within the screen."""
    page = await context.new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await steps.sign_in(page, "clientbasic")
    patients = re.compile(r"/api/v2/patients/(remote-operations.*|\d+)$")
    await page.route(patients, lengthen_names)
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = await steps.search_patients(page, "a", "a")
    card = dialog.get_by_role("listitem").filter(has_text=_LONG_NAME).first
    await expect(card).to_be_visible()
    assert await card.evaluate("e => e.scrollWidth <= e.clientWidth")
    for name in ("Close", "Search"):
        await expect(dialog.get_by_role("button", name=name).last).to_be_in_viewport(ratio=1)
    await card.click()
    banner = page.get_by_role("group", name="Patient")
    await expect(banner).to_contain_text(_LONG_NAME)
    assert await measure_width(page) == 390


async def test_patient_search_on_a_phone_is_nine_tenths_high(context: BrowserContext) -> None:
    """O 2.5 and 9: 90vh high, and on phones 90vw wide; results get the space that is left."""
    page = await context.new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = page.get_by_role("dialog", name="Search Patient")
    await expect(dialog.get_by_role("button", name="New Patient")).to_be_visible()
    await steps.wait_until_still(page)
    box = await dialog.bounding_box()
    assert box is not None
    assert (round(box["width"]), round(box["height"])) == (351, 760)
