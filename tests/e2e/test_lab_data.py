"""The data of the lab as a browser draws it."""

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e import steps
from tests.e2e.measures import find_cut_texts

pytestmark = pytest.mark.timeout(600)


@pytest.mark.parametrize("kind", ["reference-ranges", "lab-tests", "breakpoints"])
async def test_headers_are_not_cut(context: BrowserContext, kind: str) -> None:
    page = await context.new_page()
    await page.set_viewport_size({"width": 1366, "height": 768})
    await steps.sign_in(page, "superuser")
    await page.goto(f"/secured/system/lab-data;kind={kind}")
    await expect(page.get_by_role("gridcell").first).to_be_visible()
    await steps.wait_until_still(page)
    assert await find_cut_texts(page.get_by_role("columnheader")) == []
