"""Requests to the lab, and a change of the lab's settings that affects others."""

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from app.contract import messages
from app.contract.limits import SETTINGS_REFRESH_SECONDS
from tests.e2e.conftest import OpenContext, Services, Workplace
from tests.e2e.steps import open_home, sign_in

pytestmark = pytest.mark.timeout(300)


async def change_result_entry(page: Page, role: str) -> None:
    """Toggle whether a role enters results, and save."""
    roles = page.get_by_role("group", name="Roles besides Laboratory")
    await roles.get_by_text(role, exact=True).click()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("The lab's settings were saved")).to_be_visible()


async def test_a_setting_affects_others_without_signing_in_again(workplace: Workplace) -> None:
    clinic = await (await workplace.open()).new_page()
    await clinic.clock.install()
    await open_home(clinic, "clientadmin")
    results = clinic.get_by_role("button", name="Results", exact=True)
    entry = clinic.get_by_role("link", name="Result Entry")
    await results.click()
    await expect(clinic.get_by_role("link", name="Order Search", exact=True)).to_be_visible()
    await expect(entry).to_be_hidden()

    lab = await (await workplace.open()).new_page()
    await sign_in(lab, "superuser")
    await lab.goto("/secured/system/lab-settings")
    try:
        await change_result_entry(lab, "Client Admin")
        await clinic.clock.fast_forward(SETTINGS_REFRESH_SECONDS * 1000)
        await expect(entry).to_be_visible()
    finally:
        await change_result_entry(lab, "Client Admin")


async def test_nothing_moves_when_the_editor_of_the_message_appears(
    open_context: OpenContext, portal: str
) -> None:
    page = await (await open_context(base_url=portal)).new_page()
    await sign_in(page, "clientbasic")
    release = asyncio.Event()

    async def hold(route: Route) -> None:
        await release.wait()
        await route.continue_()

    await page.route("**/assets/RichTextEditor-*.js", hold)
    await page.goto("/secured/support/supply-request")
    quantity = page.get_by_label("Quantity of Lavender top tube")
    await expect(quantity).to_be_visible()
    await page.evaluate("document.fonts.ready")
    place = await quantity.bounding_box()
    release.set()
    await expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    assert await quantity.bounding_box() == place


async def test_a_supply_request_arrives_at_the_lab(
    workplace: Workplace, services: Services
) -> None:
    page = await (await workplace.open()).new_page()
    await sign_in(page, "clientbasic")
    await page.goto("/secured/support/supply-request")
    mail_count = len(services.mail.received)
    await page.get_by_role("textbox", name="Message").click()
    await page.keyboard.type("Please before Friday")
    await page.get_by_label("Quantity of Lavender top tube").fill("2")
    await page.get_by_label("Config of Lavender top tube").select_option("Box")
    await page.get_by_label("Quantity of Gold top tube").fill("5")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_text(messages.SUPPLY_INCOMPLETE)).to_be_visible()
    await page.get_by_label("Quantity of Gold top tube").fill("")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_text("The email was sent successfully")).to_be_visible()

    email = (await asyncio.to_thread(services.mail.wait_for, mail_count + 1))[-1]
    assert email.is_encrypted
    assert email.to == ["supplies@demo.lab"]
    body = email.mail.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert "2 Box: TUBE-LAV" in text and "Please before Friday" in text
    assert "TUBE-GOLD" not in text
    request = page.get_by_role("list", name="My requests").get_by_role("listitem").first
    await expect(request).to_contain_text("Sent")
    await expect(request).to_contain_text("1 supply")
