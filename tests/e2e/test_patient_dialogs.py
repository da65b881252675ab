"""What only a real browser shows of the patient's dialogs."""

import re

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e import steps

pytestmark = pytest.mark.timeout(600)


async def test_enter_submits_the_patient_search(context: BrowserContext) -> None:
    """From any field; a search that lacks a name says so and stays."""
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
