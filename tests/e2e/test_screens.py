"""Every screen in light, dark and phone width: accessible (axe), without errors."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from app.basics.clock import lab_today
from tests.e2e import steps
from tests.e2e.conftest import ROOT

pytestmark = pytest.mark.timeout(600)
_AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_SCREENS = {
    "order search": "/secured/results/lab",
    "order results": "/secured/results/order;id=1500",
    "requisition search": "/secured/requisitions/search",
    "requisition": "/secured/requisitions/create;id=2990",
    "new requisition": "/secured/requisitions/create",
    "new patient": "/secured/patients/form",
    "worklist": "/secured/result-entry",
    "result entry": "/secured/result-entry/order;id=2000",
}
_LOOKS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1360, "height": 850}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1360, "height": 850}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
    "tablet": {"color_scheme": "light", "viewport": {"width": 800, "height": 1100}},
}


async def violations(page: Page) -> list[str]:
    """What axe finds against WCAG 2.2 AA."""
    # Evaluated by the browser's debugger, so the page's own policy stays as strict as it is.
    await page.evaluate(_AXE.read_text(encoding="utf-8") + "\n;0")
    found = await page.evaluate(
        "(tags) => axe.run(document, {runOnly: {type: 'tag', values: tags}})", _RULES
    )
    return [
        f"{rule['id']}: {json.dumps([n['html'][:120] for n in rule['nodes'][:3]])}"
        for rule in found["violations"]
    ]


async def search_if_possible(page: Page) -> None:
    """Fill the grid of a search screen with rows."""
    filters = page.get_by_role("button", name="Filters")
    if await filters.count():
        await filters.click()
    if await page.get_by_role("textbox", name="Start Date").count():
        await steps.search_days(page, lab_today("America/Chicago") - timedelta(days=60))
        await page.wait_for_timeout(2_000)


@pytest.mark.parametrize("look", _LOOKS)
async def test_screens_are_accessible(browser: Browser, portal: str, look: str) -> None:
    context = await browser.new_context(base_url=portal, **_LOOKS[look])
    page = await context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(f"error: {error}"))
    await page.goto("/login")
    await page.get_by_role("button", name="Login").wait_for()
    failures += [f"sign-in: {v}" for v in await violations(page)]
    await steps.sign_in(page, "superuser")
    for name, path in _SCREENS.items():
        await page.goto(path)
        await page.get_by_role("heading", level=1).wait_for()
        await page.wait_for_timeout(800)
        await search_if_possible(page)
        failures += [f"{name}: {v}" for v in await violations(page)]
        # The content scrolls between header and footer; a second bar beside it moves nothing.
        scrolls = await page.evaluate("document.scrollingElement.scrollHeight > innerHeight")
        if scrolls and look != "phone":
            failures.append(f"{name}: the page scrolls")
    await context.close()
    assert failures == []


@pytest.mark.parametrize("look", _LOOKS)
async def test_the_patient_form_and_its_dialogs_are_accessible(
    browser: Browser, portal: str, look: str
) -> None:
    context = await browser.new_context(base_url=portal, **_LOOKS[look])
    page = await context.new_page()
    failures: list[str] = []

    async def look_at(what: str) -> None:
        await steps.at_rest(page)
        failures.extend(f"{what}: {v}" for v in await violations(page))

    await steps.sign_in(page, "superuser")
    await page.goto("/secured/patients/form;id=3")
    await page.get_by_role("tab").first.wait_for()
    for tab in await page.get_by_role("tab").all():
        await tab.click()
        await look_at(await tab.inner_text())
    await page.get_by_role("button", name="Add", exact=True).click()
    await look_at("responsible party")
    await page.keyboard.press("Escape")
    await page.get_by_role("tab").first.click()
    edit = page.get_by_role("button", name=re.compile("^Edit insurance"))
    if await edit.count():
        await edit.first.click()
        await look_at("insurance")
        await page.keyboard.press("Escape")
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = page.get_by_role("dialog", name="Search Patient")
    await dialog.get_by_label("Last Name").fill("a")
    await dialog.get_by_label("First Name").fill("a")
    await dialog.get_by_role("button", name="Search", exact=True).click()
    await page.wait_for_timeout(700)
    await look_at("search patient")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Search Physician").click()
    await look_at("search physician")
    await context.close()
    assert failures == []


async def test_names_are_kept_out_of_addresses(browser: Browser, portal: str) -> None:
    """A person's values in the address are read and then wiped."""
    context = await browser.new_context(base_url=portal)
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/patients/form;lastName=SECRETNAME;firstName=ANN;dob=1980-01-02")
    await page.get_by_role("textbox", name="Last Name").wait_for()
    assert await page.get_by_role("textbox", name="Last Name").input_value() == "SECRETNAME"
    assert "SECRETNAME" not in page.url
    await context.close()


def test_axe_is_there() -> None:
    assert Path(_AXE).is_file(), "run `npm --prefix ui ci`"
