"""The advanced order search in a real browser: conditions, saved searches, and going back."""

import csv
import re

import pytest
from playwright.async_api import Locator, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import LOOKS, apply_look, find_violations, find_violations_in
from tests.e2e.conftest import Workplace, on_both_hosts, on_desktop

pytestmark = pytest.mark.timeout(300)
PATH = "/secured/results/advanced-search"


@on_both_hosts
async def test_saves_a_search_and_returns_to_it(workplace: Workplace, portal: str) -> None:
    order_id = await people.receive_order(portal, "K")
    context = await workplace.open()
    page = await context.new_page()
    await steps.open_home(page, "laboratory")
    await page.get_by_role("button", name="Results").click()
    await page.get_by_role("link", name="Advanced Order Search").click()
    first = page.get_by_role("group", name="Condition 1")
    await expect(first.get_by_label("Value of Collection date in days")).to_have_value("30")

    await first.get_by_label("Column of Condition 1").select_option(label="Ordered test")
    await first.get_by_role("combobox", name="Add to Ordered test").fill("K")
    await page.locator("li[role=option]").filter(has_text=re.compile(r"^K ")).click()
    await page.get_by_role("button", name="Add group", exact=True).click()
    await page.get_by_label("Column of Condition 2.1").select_option(label="Status")
    await page.get_by_role("checkbox", name="PENDING").check()
    await page.get_by_role("button", name="Search", exact=True).click()
    summary = page.get_by_text(re.compile(r"^Orders: Ordered test is K .* and Status is PENDING$"))
    await expect(summary).to_be_visible()
    await expect(page.get_by_role("gridcell", name="PENDING").first).to_be_visible()
    await expect(page.get_by_role("gridcell", name="FINAL")).to_have_count(0)
    assert await find_violations_in(page, "advanced search", "light", "dark") == []

    await page.get_by_role("button", name="Save As").click()
    # The longest name that a search may have.
    name = f"Potassium {steps.build_last_name()} ".ljust(60, "W")
    await page.get_by_role("textbox", name="Name").fill(name)
    await page.keyboard.press("Enter")
    await expect(page.get_by_text(f"Search {name} saved")).to_be_visible()

    # The newest order is the one that was just received.
    await page.goto(PATH)
    await page.get_by_role("button", name="Saved Searches").click()
    dialog_box = await page.get_by_role("dialog", name="Saved Searches").bounding_box()
    delete_box = await page.get_by_role("button", name=f"Delete {name}").bounding_box()
    assert dialog_box and delete_box
    dialog_end, delete_end = (box["x"] + box["width"] for box in (dialog_box, delete_box))
    assert delete_end <= dialog_end, "a long name pushes the buttons out of the dialog"
    await page.get_by_role("button", name=name, exact=True).click()
    await expect(summary).to_be_visible()
    codes = page.get_by_role("gridcell", name=re.compile(r"^L\d{9}$"))
    await _open_order(workplace, codes.first, order_id)
    await expect(summary).to_be_visible()

    # Back restores the conditions and the rows.
    await page.get_by_role("button", name="Results").click()
    await page.get_by_role("link", name="Order Search", exact=True).click()
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()
    await page.go_back()
    await expect(summary).to_be_visible()

    await apply_look(page, LOOKS["phone"])
    await expect(page.get_by_role("alert")).to_have_text(
        "This view can't be opened in a mobile device."
    )
    assert await find_violations(page) == []


@on_desktop
async def test_a_physician_exports_search_results(workplace: Workplace, portal: str) -> None:
    await people.delete_exports(portal, "physician")
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "physician")
    await page.goto(PATH)
    days = page.get_by_role("group", name="Condition 1").get_by_label(
        "Value of Collection date in days"
    )
    await days.fill("400")
    codes = page.get_by_role("gridcell", name=re.compile(r"^L\d{9}$"))
    await expect(codes.first).to_be_visible()
    await page.get_by_role("button", name="Export", exact=True).click()
    dialog = page.get_by_role("dialog", name="Export Orders")
    await expect(
        dialog.get_by_text("Orders: Collection date is in the last 400 days")
    ).to_be_visible()
    assert await find_violations_in(page, "export of orders", "light", "dark") == []
    await dialog.get_by_text("Text (CSV)").click()
    await dialog.get_by_role("button", name="Export", exact=True).click()
    await expect(dialog.get_by_text("DONE", exact=True)).to_be_visible()
    download_button = dialog.get_by_role("button", name=re.compile("^Download"))
    path = await workplace.save_file(page, download_button)
    assert re.fullmatch(r"orders-\d{4}-\d\d-\d\d-\d+\.csv", path.name)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) > 20, "the file has only the page"
    await page.keyboard.press("Escape")
    shown_codes = await page.get_by_role("gridcell", name=re.compile(r"^L\d{9}$")).all_inner_texts()
    assert set(shown_codes) <= {row["Order Id"] for row in rows}


async def _open_order(workplace: Workplace, cell: Locator, order_id: int) -> None:
    """Open an order: in a new tab of a browser, in place on the desktop; then return."""
    address = re.compile(rf"order;id={order_id}$")
    page = cell.page
    if workplace.host == "server":
        async with page.context.expect_page() as page_info:
            await cell.click()
        order = await page_info.value
        await expect(order).to_have_url(address)
        await order.close()
        return
    await cell.click()
    await expect(page).to_have_url(address)
    await page.go_back()
