"""A workstation with a wrong clock and time zone: every time on the screen is the lab's."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import BrowserContext, Page, expect

from app.basics.clock import get_lab_now, get_lab_today, get_utc_now
from app.contract import messages
from tests.e2e import people, steps

pytestmark = pytest.mark.timeout(600)
LAB_ZONE = "America/Chicago"


async def open_workstation(context: BrowserContext) -> Page:
    """Open a page whose clock is two days ahead, in Tokyo."""
    page = await context.new_page()
    cdp = await context.new_cdp_session(page)
    await cdp.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    await page.clock.set_system_time(get_utc_now() + timedelta(days=2))
    await steps.open_home(page, "clientbasic")
    return page


def build_last_minutes_pattern() -> str:
    """Return a pattern that matches each of the lab's last 15 minutes."""
    minutes = [get_lab_now(LAB_ZONE) - timedelta(minutes=n) for n in range(15)]
    return "|".join(minute.strftime("%m/%d/%Y %I:%M %p") for minute in minutes)


async def test_says_that_the_clock_is_wrong(context: BrowserContext) -> None:
    page = await open_workstation(context)
    notice = page.get_by_role("status").filter(has_text="This computer's clock says")
    await expect(notice).to_contain_text(get_lab_now(LAB_ZONE).strftime("%m/%d/%Y"))
    await notice.get_by_role("button", name="Dismiss").click()
    await expect(notice).to_have_count(0)


async def test_searches_and_orders_on_the_day_of_the_lab(context: BrowserContext) -> None:
    page = await open_workstation(context)
    today = get_lab_today(LAB_ZONE)
    await page.goto("/secured/requisitions/search")
    start = await steps.open_days(page)
    await expect(start).to_have_value(today.strftime("%m/%d/%Y"))
    await page.goto("/secured/requisitions/create")
    collection_field = page.get_by_role("textbox", name="Collection Date", exact=True)
    await expect(collection_field).to_have_value(today.strftime("%m/%d/%Y"))


async def test_shows_instants_in_the_time_of_the_lab(context: BrowserContext, portal: str) -> None:
    """The newest event of the timeline is a requisition that was saved just now."""
    [row] = await people.save_requisitions(portal, 1)
    page = await open_workstation(context)
    await page.goto(f"/secured/patients/form;id={row['patientId']}")
    await page.get_by_role("button", name="Timeline").click()
    moment = page.get_by_role("list", name="Timeline").locator("time").first
    await expect(moment).to_have_text(re.compile(f"^({build_last_minutes_pattern()})$"))


async def test_offers_a_draft_with_the_time_of_the_lab(context: BrowserContext) -> None:
    page = await open_workstation(context)
    await page.goto("/secured/requisitions/create")
    async with page.expect_response(re.compile(r"/requisitions/drafts/")):
        await page.get_by_role("combobox", name="Fasting").select_option(label="FASTING")
    page.once("dialog", lambda question: question.accept())
    await page.reload()
    offer = messages.DRAFT_FOUND.format(when=f"({build_last_minutes_pattern()})")
    await expect(page.get_by_text(re.compile(offer))).to_be_visible()
    # Other tests of this nurse do not expect this draft.
    async with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        await page.get_by_role("button", name="Discard").click()
