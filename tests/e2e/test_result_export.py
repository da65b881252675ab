"""Result Export in a real browser: preview, progress, download, and deletion with undo."""

import csv
import re

import pytest
from openpyxl import load_workbook
from playwright.async_api import Locator, Page, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import OpenContext, Workplace, on_both_hosts

pytestmark = pytest.mark.timeout(300)
PATH = "/secured/result-export"


async def open_screen(page: Page) -> None:
    """Open the screen for the last 90 days, and wait for its first rows."""
    await page.goto(PATH)
    await expect(page.get_by_role("heading", name="Result Export")).to_be_visible()
    await page.get_by_role("button", name="90 days").click()
    await expect(page.get_by_role("region", name="First rows")).to_be_visible()


def find_newest_download(page: Page) -> Locator:
    """Return the button that downloads the newest export."""
    newest = page.get_by_role("list", name="Exports").get_by_role("listitem").first
    return newest.get_by_role("button", name=re.compile("^Download"))


@on_both_hosts
async def test_exports_own_results_and_deletes_the_file(workplace: Workplace, portal: str) -> None:
    await people.delete_exports(portal, "clientbasic")
    nurse = await (await workplace.open()).new_page()
    await steps.sign_in(nurse, "clientbasic")
    await open_screen(nurse)
    await nurse.get_by_role("button", name="Export", exact=True).click()
    await expect(nurse.get_by_text("The export has started")).to_be_visible()
    await expect(nurse.get_by_text("DONE", exact=True)).to_be_visible()
    await expect(nurse.get_by_text(re.compile("Kept until"))).to_be_visible()
    path = await workplace.save_file(nurse, find_newest_download(nurse))
    assert re.fullmatch(r"results-[\d-]+\.xlsx", path.name)
    rows = list(load_workbook(path, read_only=True)["Results"].iter_rows(values_only=True))
    client = rows[0].index("Client")
    assert len({row[client] for row in rows[1:]}) == 1
    assert await find_violations_in(nurse, "result export") == []
    await nurse.get_by_role("button", name=re.compile("^Delete")).click()
    await expect(nurse.get_by_text("You have no exports yet")).to_be_visible()
    await nurse.get_by_role("button", name="Undo").click()
    await expect(nurse.get_by_text("DONE", exact=True)).to_be_visible()


async def test_exports_chosen_tests_as_text_by_the_keyboard(
    workplace: Workplace, portal: str
) -> None:
    await people.delete_exports(portal, "laboratory")
    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    await open_screen(lab)
    tests = lab.get_by_role("combobox", name="Tests")
    async with lab.expect_response(re.compile(r"/tests/remote-operations.*search=GLUCOSE")):
        await tests.fill("GLUCOSE")
    await steps.wait_until_still(lab)
    await expect(lab.get_by_role("listbox").get_by_role("option").first).to_be_visible()
    # A complete name is highlighted by itself.
    await expect(tests).to_have_attribute("aria-activedescendant", re.compile("."))
    await lab.keyboard.press("Enter")
    await expect(lab.get_by_role("list", name="Chosen tests")).to_be_visible()
    await lab.get_by_role("radio", name="Excel (XLSX)").focus()
    await lab.keyboard.press("ArrowRight")
    await expect(lab.get_by_role("radio", name="Text (CSV)")).to_be_checked()
    await lab.get_by_role("button", name="Export", exact=True).focus()
    await lab.keyboard.press("Enter")
    await expect(lab.get_by_text("DONE", exact=True)).to_be_visible()
    path = await workplace.save_file(lab, find_newest_download(lab))
    assert re.fullmatch(r"results-[\d-]+\.csv", path.name)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert rows
    assert len({row["Test Code"] for row in rows}) == 1


@pytest.mark.parametrize("account", ["physician", "patient"])
async def test_other_roles_cannot_open_the_result_export(
    open_context: OpenContext, portal: str, account: str
) -> None:
    page = await (await open_context(portal)).new_page()
    await steps.sign_in(page, account)
    await page.goto(PATH)
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()
    await expect(page.get_by_role("link", name="Result Export")).to_have_count(0)
