"""Every screen is accessible (axe) and logs no errors, in every look and size."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import BrowserContext, Page, expect

from app.basics.clock import get_lab_today
from tests.e2e import people, steps
from tests.e2e.accessibility import (
    AXE,
    LOOKS,
    Look,
    apply_look,
    find_violations,
    find_violations_in,
)
from tests.e2e.screens import SCREENS

pytestmark = pytest.mark.timeout(600)


async def search_if_possible(page: Page) -> None:
    """Fill the grid of a search screen with rows."""
    filters = page.get_by_role("button", name="Filters")
    if await filters.count():
        await filters.click()
    if await page.get_by_role("button", name=re.compile("^Collected ")).count():
        await steps.search_days(page, get_lab_today("America/Chicago") - timedelta(days=60))
        await expect(page.get_by_role("gridcell").first).to_be_visible()


async def test_sign_in_is_accessible(context: BrowserContext) -> None:
    page = await context.new_page()
    await page.goto("/login")
    await page.get_by_role("button", name="Login").wait_for()
    assert await find_violations_in(page, "sign-in") == []


async def test_screens_are_accessible(context: BrowserContext) -> None:
    page = await context.new_page()
    failures = steps.collect_errors(page)
    await steps.sign_in(page, "superuser")
    for name, path in SCREENS.items():
        await page.goto(path)
        await page.get_by_role("heading", level=1).wait_for()
        await steps.wait_until_still(page)
        if not page.url.endswith(path):
            failures.append(f"{name}: the screen is closed")
        await search_if_possible(page)
        for look in LOOKS:
            await apply_look(page, LOOKS[look])
            violations = await find_violations(page, look)
            failures += [f"{name}, {look}: {violation}" for violation in violations]
            # Only the content scrolls, between header and footer, never the page.
            scrolls = await page.evaluate("document.scrollingElement.scrollHeight > innerHeight")
            if scrolls and look != "phone":
                failures.append(f"{name}, {look}: the page scrolls")
        await apply_look(page, LOOKS["light"])
    assert failures == []


async def test_patient_form_and_its_dialogs_are_accessible(
    context: BrowserContext, insured_patient: int
) -> None:
    page = await context.new_page()
    failures: list[str] = []
    await steps.sign_in(page, "superuser")
    await page.goto(f"/secured/patients/form;id={insured_patient}")
    await page.get_by_role("tab").first.wait_for()
    for tab in await page.get_by_role("tab").all():
        await tab.click()
        failures += await find_violations_in(page, await tab.inner_text())
    await page.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    failures += await find_violations_in(page, "responsible party")
    await page.keyboard.press("Escape")
    await page.get_by_role("tab").first.click()
    await page.get_by_role("button", name=re.compile("^Edit insurance")).first.click()
    await expect(page.get_by_role("dialog", name=re.compile("^Edit Billing"))).to_be_visible()
    failures += await find_violations_in(page, "insurance")
    await page.keyboard.press("Escape")
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = await steps.search_patients(page, "a", "a")
    await expect(dialog.get_by_role("gridcell").first).to_be_visible()
    failures += await find_violations_in(page, "search patient")
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await page.get_by_role("button", name="Search Physician").click()
    await expect(page.get_by_role("dialog", name="Search Physician")).to_be_visible()
    failures += await find_violations_in(page, "search physician")
    assert failures == []


_FIND_MISSING_RING = """() => {
  const focused = document.activeElement;
  if (focused === document.body) return null;
  // The ring of a rich text editor surrounds its toolbar, too.
  const places = [focused, focused.closest('[class*=editor]')].filter(Boolean);
  const has = places.some((place) => getComputedStyle(place).outlineStyle !== 'none');
  return has ? '' : focused.outerHTML.slice(0, 120);
}"""
"""JavaScript that returns the focused element if it has no ring, '' if it has, or null for none."""


@pytest.mark.parametrize(
    "name", ["users", "audit log", "lab settings", "lab data", "help", "supply request"]
)
async def test_the_keyboard_reaches_everything_with_a_visible_focus(
    context: BrowserContext, name: str
) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "superuser")
    await page.goto(SCREENS[name])
    await page.get_by_role("heading", level=1).wait_for()
    await steps.wait_until_still(page)
    visible_count, hidden_elements = 0, []
    await page.keyboard.press("Tab")
    while (element := await page.evaluate(_FIND_MISSING_RING)) is not None:
        visible_count += 1
        hidden_elements += [element] if element else []
        await page.keyboard.press("Tab")
    assert hidden_elements == []
    assert visible_count > 10


async def test_removes_names_from_the_address(context: BrowserContext) -> None:
    """Names in the address fill in the form, and are then removed from the address."""
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/patients/form;lastName=SECRETNAME;firstName=ANN;dob=1980-01-02")
    await expect(page.get_by_role("textbox", name="Last Name")).to_have_value("SECRETNAME")
    await expect(page).not_to_have_url(re.compile("SECRETNAME"))


def test_axe_is_installed() -> None:
    assert AXE.is_file(), "run `npm --prefix ui ci`"


FIND_COVERED_ELEMENTS = """toast => {
  const { left, right, top, bottom } = toast.getBoundingClientRect();
  toast.style.display = 'none';
  const controls = [...document.querySelectorAll('button, a[href], input, select')];
  const seen = controls.map((e) => e.closest('label') ?? e).filter((e) => {
    const box = e.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const over = box.left < right && left < box.right && box.top < bottom &&
      top < box.bottom && box.width > 1;
    return over && e.contains(document.elementFromPoint(x, y));
  });
  toast.style.display = '';
  return seen.map((e) => e.outerHTML.slice(0, 120));
}"""
"""JavaScript that returns the controls that nobody can press because a toast covers them."""


async def test_a_toast_is_accessible_and_does_not_cover_buttons(context: BrowserContext) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    failures: list[str] = []
    for name, look in LOOKS.items():
        await page.goto("/secured/requisitions/create")
        await page.get_by_role("heading", name="New Requisition").wait_for()
        await apply_look(page, look)
        for code in ("GLU", "K"):
            await steps.add_test(page, code)
        for test in ("GLUCOSE", "POTASSIUM"):
            await page.get_by_role("button", name=f"Remove {test}").click()
        toast = page.locator(".bp6-toast")
        await expect(toast).to_have_text(re.compile("Test K removed"))
        await steps.wait_until_still(page)
        covered = await toast.evaluate(FIND_COVERED_ELEMENTS)
        failures += [f"{name}: covers {element}" for element in covered]
        failures += [f"{name}: {violation}" for violation in await find_violations(page)]
    assert failures == []


async def test_a_toast_covers_nothing_on_a_search(context: BrowserContext, portal: str) -> None:
    """A toast covers neither the actions of selected rows nor the cards of phones."""
    await people.save_requisitions(portal, 2)
    page = await context.new_page()
    await steps.sign_in(page, "laboratory")
    await page.goto("/secured/requisitions/search;startDate=2020-01-01;endDate=2099-12-31;status=7")
    await page.get_by_role("gridcell", name=re.compile("^Select ")).first.click()
    covered: list[str] = []
    for width, height in ((1366, 768), (1366, 600), (800, 900), (390, 844), (390, 600)):
        await page.set_viewport_size({"width": width, "height": height})
        scan = page.get_by_label("Scan to receive")
        await scan.fill("R999999999")
        await scan.press("Enter")
        toast = page.locator(".bp6-toast")
        await expect(toast).to_have_css("visibility", "visible")
        await expect(toast).to_be_in_viewport(ratio=1)
        await steps.wait_until_still(page)
        covered += [
            f"{width}: {element}" for element in await toast.evaluate(FIND_COVERED_ELEMENTS)
        ]
        await toast.get_by_role("button", name="Close").click()
        await expect(toast).to_have_count(0)
    assert covered == []


async def test_the_menu_of_phones_is_accessible(context: BrowserContext) -> None:
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    failures: list[str] = []
    for color_scheme in ("light", "dark"):
        await apply_look(page, Look(color_scheme, 390, 844))
        await page.get_by_role("button", name="Menu", exact=True).click()
        drawer = page.locator(".bp6-drawer")
        await expect(drawer.get_by_role("link").first).to_be_visible()
        await steps.wait_until_still(page)
        failures += [f"{color_scheme}: {violation}" for violation in await find_violations(page)]
        await page.keyboard.press("Escape")
        await expect(drawer).to_have_count(0)
    assert failures == []
