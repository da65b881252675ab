"""Missing information of an order in a real browser: found, filled in, and no longer marked."""

import re

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in

pytestmark = pytest.mark.timeout(300)
MARK = "(Missing information)"


async def test_nurse_completes_an_order(context: BrowserContext, portal: str) -> None:
    order_id = await people.receive_order(portal, "K", billTo="CLIENT")
    async with people.open_session(portal, "clientbasic") as http:
        order = (await http.get(f"/api/v2/orders/{order_id}")).json()
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    await page.get_by_role("checkbox", name="Missing Information").check()
    await page.get_by_role("textbox", name="Filter Order Id").fill(order["codeValue"])
    row = page.get_by_role("checkbox", name=f"Select {order['codeValue']}")
    mark = page.get_by_text(MARK)
    await expect(row).to_be_visible()
    await expect(mark).to_have_count(1)
    await steps.check_control(row)
    await page.get_by_role("button", name="Missing information").click()
    dialog = page.get_by_role("dialog", name="Missing information")
    await expect(dialog.get_by_text("Missing: ordering physician, diagnoses.")).to_be_visible()
    assert await find_violations_in(page, "missing information") == []
    await dialog.get_by_role("button", name="Save Information").click()
    await expect(dialog.get_by_text("Physician is required")).to_be_visible()

    await steps.choose_option(page, "Ordering Physician", first=True)
    await dialog.get_by_role("combobox", name="Diagnoses").fill("I10")
    await page.get_by_role("option", name=re.compile("^I10")).first.click()
    await expect(dialog.get_by_text("Nothing is missing.")).to_be_visible()
    await dialog.get_by_role("button", name="Save Information").click()
    await expect(page.get_by_text("Missing information saved")).to_be_visible()
    await expect(dialog).to_have_count(0)
    await expect(row).to_have_count(0)
    await page.get_by_role("checkbox", name="Missing Information").uncheck()
    await expect(row).to_be_visible()
    await expect(mark).to_have_count(0)
