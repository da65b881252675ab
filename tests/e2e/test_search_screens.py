"""The search screens in a real browser: counts of waiting work, filters, and grids."""

import asyncio
import itertools
import re

import pytest
from playwright.async_api import BrowserContext, Route, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import LOOKS, apply_look, find_violations
from tests.e2e.screens import REQUISITION_ACTIONS

pytestmark = pytest.mark.timeout(600)
HOME = "/secured/results/lab"
CLIENT_CARDS = [
    "critical results",
    "unread alerts",
    "to sign",
    "to collect today",
    "to collect again",
]
CARDS = {
    "clientbasic": CLIENT_CARDS,
    "clientadmin": CLIENT_CARDS,
    "physician": ["critical results", "unread alerts", "to sign"],
    "laboratory": ["critical results", "to receive", "came in, no results yet"],
    "superuser": ["critical results", "to receive", "came in, no results yet"],
    "patient": [],
}
"""The counts of waiting work that each role sees."""


@pytest.mark.parametrize("account", CARDS)
async def test_each_count_equals_the_rows_of_its_search(
    context: BrowserContext, portal: str, account: str
) -> None:
    await people.save_requisitions(portal, 1)
    page = await context.new_page()
    await steps.open_home(page, account)
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
        if account == "clientbasic" and label in ("to sign", "to collect today"):
            assert count != "0"


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
async def test_all_badges_of_a_row_fit(context: BrowserContext, portal: str, look: str) -> None:
    await people.receive_order(portal, "K")
    cases = itertools.product(([], ["ABNORMAL"]), ([], ["CRITICAL"]), (False, True))

    async def add_badges(route: Route) -> None:
        """Give each row a different combination of badges; no demo order has all badges."""
        answer = await route.fetch()
        page = await answer.json()
        for row, (labels, critical, is_awaited) in zip(
            page["data"], itertools.cycle(cases), strict=False
        ):
            row |= {"alertBadges": [*critical, *labels], "awaitsCollection": is_awaited}
        await route.fulfill(response=answer, json=page)

    page = await context.new_page()
    await steps.sign_in(page, "laboratory")
    await page.route("**/api/v2/orders/remote-operations?*", add_badges)
    await page.goto(f"{HOME};startDate=2025-01-01;endDate=2027-01-01")
    await apply_look(page, LOOKS[look])
    place = page.get_by_role("list" if look == "phone" else "grid", name="Orders")
    await expect(place).to_be_visible()
    await expect(page.get_by_text("CRITICAL").first).to_be_visible()
    await expect(page.get_by_text("RECOLLECT").first).to_be_attached()
    overflows = await page.evaluate(_FIND_OVERFLOWS)
    assert overflows == []
    assert await find_violations(page) == []


_FIND_OVERFLOWS = """() => [...document.querySelectorAll('[role=gridcell], main li')]
    .flatMap((cell) => [...cell.querySelectorAll('[class*=tag]')].map((tag) => [cell, tag]))
    .filter(([cell, tag]) => {
      const [outer, inner] = [cell.getBoundingClientRect(), tag.getBoundingClientRect()];
      return inner.right > outer.right - 4 || tag.scrollWidth > tag.clientWidth + 1;
    })
    .map(([cell, tag]) => tag.textContent)"""
"""Finds tags that do not fit into their cell or card."""


async def test_a_count_updates_when_others_change_records(
    context: BrowserContext, portal: str
) -> None:
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    card = page.get_by_role("link", name=re.compile(r"^[\d,]+ to collect today$"))
    await expect(card).to_be_visible()
    count = int((await card.inner_text()).split()[0].replace(",", ""))
    await people.save_requisitions(portal, 1)
    await expect(
        page.get_by_role("link", name=f"{count + 1:,} to collect today", exact=True)
    ).to_be_visible()


async def test_a_link_runs_its_search_and_back_returns_to_it(context: BrowserContext) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "laboratory")
    await page.goto("/secured/requisitions/search;startDate=2026-01-02;endDate=2026-03-04;status=4")
    days = page.get_by_role("button", name="Collected 01/02/2026 – 03/04/2026")
    await expect(days).to_be_visible()
    await expect(page.get_by_role("radio", name="Done")).to_be_checked()
    await page.goto("/secured/requisitions/search")
    await expect(page.get_by_role("radio", name="Pending")).to_be_checked()
    await page.go_back()
    await expect(days).to_be_visible()


async def test_a_reload_repeats_the_search(context: BrowserContext) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "laboratory")
    await page.goto("/secured/requisitions/search")
    async with page.expect_response(
        lambda answer: "remote-operations?" in answer.url and "status=4" in answer.url
    ):
        await page.get_by_role("radio", name="Done").check()
    await expect(page.get_by_role("radio", name="Done")).to_be_checked()
    await page.reload()
    await expect(page.get_by_role("radio", name="Done")).to_be_checked()
    await page.goto("/secured/requisitions/search")
    await expect(page.get_by_role("radio", name="Pending")).to_be_checked()


@pytest.mark.parametrize("path", [HOME, "/secured/requisitions/search"])
async def test_statuses_say_how_many_rows_they_show(context: BrowserContext, path: str) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "superuser")
    await page.goto(path)
    await page.get_by_role("button", name=re.compile("^Collected ")).click()
    await page.get_by_role("button", name="90 days").click()
    page_range = page.get_by_role("status").filter(has_text=re.compile(r"of [\d,]+$|No rows"))
    everything = page.get_by_role("radio", name="All")
    await everything.check()
    await expect(everything).to_have_accessible_description(re.compile(r"^[1-9]"))
    for option in await page.get_by_role("radiogroup").get_by_role("radio").all():
        await option.check()
        count_id = await option.evaluate("(e) => e.getAttribute('aria-describedby')")
        text = await page.locator(f'[id="{count_id}"]').inner_text()
        await expect(page_range).to_have_text(
            "No rows" if text == "0" else re.compile(rf"of {text}$")
        )


async def test_filters_and_buttons_fit_in_one_row_on_a_laptop(context: BrowserContext) -> None:
    page = await context.new_page()
    await page.set_viewport_size({"width": 1366, "height": 768})
    await steps.open_home(page, "clientbasic")
    await page.get_by_role("button", name=re.compile("^Collected ")).click()
    await page.get_by_role("button", name="14 days", exact=True).click()
    row = page.get_by_role("form", name="Order search")
    for width in (1366, 1280):
        await page.set_viewport_size({"width": width, "height": 768})
        await steps.wait_until_still(page)
        middles = []
        for part in (
            page.get_by_role("button", name=re.compile("^Collected .* – ")),
            row.get_by_text("Recollect"),
            row.get_by_role("button", name="Search", exact=True),
        ):
            await expect(part).to_be_visible()
            box = await part.bounding_box()
            assert box is not None
            middles.append(box["y"] + box["height"] / 2)
        assert max(middles) - min(middles) < 2, width


async def test_offers_the_next_wider_period_until_there_are_rows(context: BrowserContext) -> None:
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    # The offer is below the last row of the last page.
    await page.get_by_role("combobox", name="Rows per page").select_option("100")
    await page.get_by_role("radio", name="Final").check()
    await page.get_by_role("button", name="Search the last 14 days").click()
    await expect(page.get_by_role("button", name="Search the last 90 days")).to_be_visible()
    await expect(page.get_by_role("gridcell", name="FINAL").first).to_be_visible()
    rows = page.locator(".bp6-table-quadrant-main .bp6-table-quadrant-scroll-container")
    await expect(rows.get_by_text("Nothing else in this period.")).to_be_attached()


async def test_row_actions_appear_with_a_selection_and_by_keyboard(
    context: BrowserContext, portal: str
) -> None:
    """O 2.2: the order of the toolbar. The bar is the next tab stop after the rows."""
    # With so many rows, Tab scrolls the first one out of view.
    rows = await people.save_requisitions(portal, 8)
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/search")
    code = page.get_by_role("gridcell", name=rows[-1]["code"], exact=True)
    await expect(code).to_be_visible()
    bar = page.get_by_role("toolbar", name="Selected requisitions")
    await expect(bar).to_have_count(0)
    await page.get_by_role("checkbox", name="Select all rows of this page").focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Space")
    selected = await page.get_by_role("checkbox", checked=True).get_attribute("aria-label")
    await expect(bar).to_contain_text("1 selected")
    assert await bar.get_by_role("button").all_inner_texts() == [
        *REQUISITION_ACTIONS,
        "Copy",
        "",  # The icon that clears the selection.
    ]
    await steps.tab_to(page, "Print Label")
    await steps.tab_to(page, "Clear selection")
    await page.keyboard.press("Enter")
    await expect(bar).to_have_count(0)
    await expect(page.get_by_role("gridcell", name=selected, exact=True)).to_be_focused()


async def test_the_patient_of_a_search_is_chosen_in_a_dialog(
    context: BrowserContext, portal: str
) -> None:
    """A chip stays open while its list or dialog, which is elsewhere in the page, is used."""
    [row] = await people.save_requisitions(portal, 1)
    name = row["patient"]["lastName"]
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/search")
    await page.get_by_role("button", name="Patient Any").click()
    await page.get_by_role("button", name="Advanced").click()
    dialog = page.get_by_role("dialog", name="Search Patient")
    await dialog.get_by_label("Last Name").fill(name)
    await dialog.get_by_role("button", name="Search", exact=True).click()
    await dialog.get_by_role("gridcell", name=row["patient"]["code"], exact=True).click()
    chip = page.get_by_role("button", name=re.compile(f"^Patient {name}, "))
    await expect(chip).to_be_focused()
    await expect(page.get_by_role("gridcell", name=row["code"], exact=True)).to_be_visible()
    await page.get_by_role("button", name="Clear", exact=True).click()
    await page.get_by_role("button", name="Client Any").click()
    await page.get_by_role("listbox").get_by_role("option").first.click()
    await expect(page.get_by_role("button", name=re.compile("^Client (?!Any)"))).to_be_focused()
    await page.get_by_role("button", name=re.compile("^Collected ")).click()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("textbox", name="Start Date")).to_have_count(0)
    await expect(page.get_by_role("button", name=re.compile("^Collected "))).to_be_focused()


async def test_grids_fit_every_window(context: BrowserContext) -> None:
    """No horizontal scroll bar, alert and status visible, and cards as wide as the screen."""
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    period = ";startDate=2020-01-01;endDate=2099-12-31"
    for path, title in ((HOME, "Order Id"), ("/secured/requisitions/search", "Requisition Id")):
        await page.goto(path + period)
        await page.get_by_role("radio", name="All").check()
        if path == HOME:
            await page.get_by_role("checkbox", name="Alert Results").check()
            await expect(page.get_by_role("gridcell", name="CRITICAL").first).to_be_visible()
        for width in (2560, 1366, 1024, 800, 683):
            await page.set_viewport_size({"width": width, "height": 900})
            # The code distinguishes two rows of one patient.
            headers = [title, "Last name", "First name", "Status"]
            headers += ["Birthdate"] if width >= 800 else []
            headers += ["Collection Date", "Tests"] if width >= 1024 else []
            for header in headers:
                await expect(page.get_by_role("columnheader", name=header)).to_be_in_viewport()
            rows = page.locator(".bp6-table-quadrant-scroll-container").first
            await expect(rows).to_be_visible()
            await page.wait_for_function(
                "(() => { const rows = document.querySelector("
                "'.bp6-table-quadrant-scroll-container');"
                " return rows && rows.scrollWidth <= rows.clientWidth; })()"
            )
            cut_count = await page.locator("[role=gridcell]:has([data-tip])").evaluate_all(
                "cells => cells.filter(cell => [...cell.querySelectorAll('.quiet')].some(more =>"
                " more.getBoundingClientRect().right > cell.getBoundingClientRect().right)).length"
            )
            assert cut_count == 0, f"the number of further tests is cut at {width} pixels"
        # A window of 1366 by 850 pixels, enlarged to 200 %.
        await page.set_viewport_size({"width": 683, "height": 425})
        await expect(page.get_by_role("button", name="Filters")).to_be_visible()
        codes = page.get_by_role("gridcell").filter(has_text=re.compile(r"^[LR]\d{9}$"))
        for row in range(3):
            await expect(codes.nth(row)).to_be_in_viewport(ratio=1)
        await page.set_viewport_size({"width": 390, "height": 844})
        cards = page.get_by_role("list", name="Orders" if path == HOME else "Requisitions")
        await expect(cards.get_by_role("listitem").first).to_be_visible()
        await page.wait_for_function("document.scrollingElement.scrollWidth <= innerWidth")
        await page.set_viewport_size({"width": 1366, "height": 768})


@pytest.mark.parametrize("screen", ["/secured/requisitions/search", HOME])
async def test_nothing_jumps_on_a_phone_when_the_rows_come(
    context: BrowserContext, screen: str
) -> None:
    """Pager and footer are below the rows, and do not appear before them."""
    page = await context.new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.add_init_script(
        "window.shifts = []; new PerformanceObserver((list) =>"
        " shifts.push(...list.getEntries().map((entry) => entry.value)))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    release = asyncio.Event()

    async def hold(route: Route) -> None:
        await release.wait()
        await route.continue_()

    await page.route("**/remote-operations?*", hold)
    await steps.sign_in(page, "superuser")
    await page.goto(screen)
    skeleton = page.locator(".bp6-skeleton").first
    await expect(skeleton).to_be_visible()
    await expect(page.get_by_role("contentinfo")).to_be_hidden()
    release.set()
    await expect(skeleton).to_be_hidden()
    await expect(page.get_by_role("contentinfo")).to_be_visible()
    await steps.wait_until_still(page)
    assert sum(await page.evaluate("shifts")) < 0.02
