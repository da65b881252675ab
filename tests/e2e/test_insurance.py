"""Insurance that is added to the patient from a requisition."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e import steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(600)


async def expect_full_rows(page: Page, popup: Locator) -> None:
    """Expect each row of new insurance to end where Phone ends, in windows of every width."""
    fields = [
        popup.get_by_role(role, name=name)
        for role, name in (
            ("combobox", "Bill Type"),
            ("combobox", "Payer"),
            ("textbox", "Insurance Id"),
            ("textbox", "Group Number"),
        )
    ]
    for width in (1366, 800, 390):
        await page.set_viewport_size({"width": width, "height": 850})
        await steps.wait_until_still(page)
        right_edges: dict[float, int] = {}
        for field in fields:
            box = await field.bounding_box()
            assert box is not None
            right_edge = round(box["x"] + box["width"])
            right_edges[box["y"]] = max(right_edges.get(box["y"], 0), right_edge)
        phone = await popup.get_by_role("textbox", name="Phone").bounding_box()
        assert phone is not None
        assert set(right_edges.values()) == {round(phone["x"] + phone["width"])}, width
    await page.set_viewport_size({"width": 1366, "height": 768})


async def test_adds_insurance_before_the_first_save(workplace: Workplace) -> None:
    """Adds a row to a new patient without insurance; the saved requisition bills it."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    await steps.register_patient(page, steps.build_last_name())
    await steps.add_test(page, "GLU")
    await page.get_by_role("button", name="Add Insurance").click()
    popup = page.get_by_role("dialog", name="Add Insurance")
    await expect_full_rows(page, popup)
    await popup.get_by_label("Bill Type").select_option(label="MEDICARE")
    await steps.choose_option(page, "Payer")
    await popup.get_by_role("textbox", name="Insurance Id").fill("1eg4-te5")
    assert await find_violations_in(page, "Add Insurance") == []
    await popup.get_by_role("button", name="Save", exact=True).click()
    await expect(popup).to_be_hidden()
    grid = page.get_by_role("grid", name="Billing Information")
    await expect(grid.get_by_text("1EG4-TE5")).to_be_visible()
    await steps.check_control(page.get_by_role("radio", name="INSURANCE"))
    await steps.save_new_requisition(page)
    code = await steps.read_code(page)
    await page.reload()
    await expect(page.get_by_role("heading", name=re.compile(code))).to_be_visible()
    await expect(grid.get_by_text("1EG4-TE5")).to_be_visible()
