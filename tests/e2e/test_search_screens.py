"""The search screens in a real browser: what waits, and the ways to it."""

import re

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e import people, steps

pytestmark = pytest.mark.timeout(600)
HOME = "/secured/results/lab"
CARDS = {
    "clientbasic": ["to sign", "to collect today"],
    "clientadmin": ["to sign", "to collect today"],
    "physician": ["to sign"],
    "laboratory": ["to receive", "came in, no results yet"],
    "superuser": ["to receive", "came in, no results yet"],
    "patient": [],
}
"""What waits for each role."""


@pytest.mark.parametrize("account", CARDS)
async def test_each_count_leads_to_as_many_rows(
    context: BrowserContext, portal: str, account: str
) -> None:
    await people.save_requisitions(portal, 1)
    page = await context.new_page()
    await steps.sign_in(page, account)
    strip = page.get_by_role("navigation", name="Waiting for you")
    await expect(strip.get_by_role("link")).to_have_count(len(CARDS[account]))
    for label in CARDS[account]:
        await page.goto(HOME)
        card = strip.get_by_role("link", name=re.compile(rf"^[\d,]+ {label}$"))
        await expect(card).to_be_visible()
        count = (await card.inner_text()).split()[0]
        await card.click()
        expected = "No rows" if count == "0" else re.compile(rf"of {count}$")
        await expect(page.get_by_role("status").filter(has_text=expected)).to_be_visible()
        if account == "clientbasic":
            assert count != "0"


async def test_a_count_follows_the_work_of_others(context: BrowserContext, portal: str) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    card = page.get_by_role("link", name=re.compile(r"^[\d,]+ to collect today$"))
    await expect(card).to_be_visible()
    count = int((await card.inner_text()).split()[0].replace(",", ""))
    await people.save_requisitions(portal, 1)
    await expect(
        page.get_by_role("link", name=f"{count + 1:,} to collect today", exact=True)
    ).to_be_visible()


async def test_a_link_asks_for_its_search_and_back_returns_to_it(context: BrowserContext) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "laboratory")
    await page.goto("/secured/requisitions/search;startDate=2026-01-02;endDate=2026-03-04;status=4")
    start = page.get_by_role("textbox", name="Start Date", exact=True)
    await expect(start).to_have_value("01/02/2026")
    await expect(page.get_by_role("radio", name="Done")).to_be_checked()
    await page.goto("/secured/requisitions/search")
    await expect(page.get_by_role("radio", name="Pending")).to_be_checked()
    await page.go_back()
    await expect(start).to_have_value("01/02/2026")
