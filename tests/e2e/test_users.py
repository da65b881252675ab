"""A Superuser invites a user, who chooses a password; the Client Admin imports others."""

import asyncio
import re

import pytest
from playwright.async_api import BrowserContext, FilePayload, expect

from tests.e2e.conftest import OpenContext, Services, Workplace
from tests.e2e.steps import check_control, sign_in

pytestmark = pytest.mark.timeout(480)
PASSWORD = "Another-Horse-2!"
_PEOPLE = """Email,Last Name,First Name,Role,Codes
iris@clinic.example,Irons,Iris,Client Basic,C001
wanda@clinic.example,Walker,Wanda,Client Basic,C001
far@clinic.example,Farr,Fay,Client Basic,C003
"""
_LINK = re.compile(r"(/password-recovery#token=[\w-]+)")


async def test_invites_a_user_who_chooses_a_password_and_signs_in(
    workplace: Workplace, open_context: OpenContext, portal: str, services: Services
) -> None:
    email = "wanda@clinic.example"
    page = await (await workplace.open()).new_page()
    await sign_in(page, "superuser")
    await page.goto("/secured/system/users")
    await page.get_by_role("button", name="Add").click()
    form = page.get_by_role("dialog", name="User Form")
    await form.get_by_label("Email").fill(email)
    await form.get_by_label("Last Name").fill("walker")
    await form.get_by_label("First Name").fill("wanda")
    await form.get_by_label("Role").select_option("Client Basic")
    size = await form.bounding_box()
    await form.get_by_role("tab", name="Clients").click()
    assert await form.bounding_box() == size, "the form jumps between its tabs"
    await form.get_by_role("button", name="Add").click()
    picker = page.get_by_role("dialog", name="Add Clients")
    # The cell is in front of its checkbox.
    await check_control(picker.get_by_role("checkbox", name="C001"))
    await picker.get_by_role("button", name="Add").click()
    await form.get_by_role("button", name="Save").click()
    confirmation = page.get_by_text("A notification has been sent to created user's email.")
    await expect(confirmation).to_be_visible()

    message = await asyncio.to_thread(services.mail.wait_for_recipient, email)
    link = _LINK.search(message.mail.get_content())
    assert link is not None
    visitor = await (await open_context(portal)).new_page()
    await visitor.goto(link[1])
    await visitor.get_by_label("New Password").first.fill(PASSWORD)
    await visitor.keyboard.press("Enter")
    await visitor.get_by_label("Email").fill(email)
    await visitor.locator("input[type=password]").fill(PASSWORD)
    await visitor.get_by_role("button", name="Login").click()
    # The first sign-in asks to accept the notice and the terms.
    await check_control(visitor.get_by_role("checkbox", name="I have received"))
    await visitor.get_by_role("button", name="Continue").click()
    await expect(visitor.get_by_role("heading", name="Order Search")).to_be_visible()

    admin = await (await workplace.open()).new_page()
    await sign_in(admin, "clientadmin")
    await admin.goto("/secured/system/users")
    await expect(admin.get_by_role("gridcell", name=email, exact=True)).to_be_visible()
    await expect(admin.get_by_text("superuser@demo.lab")).to_have_count(0)
    await expect(admin.get_by_text("laboratory@demo.lab")).to_have_count(0)

    await admin.get_by_role("button", name="Import").click()
    dialog = admin.get_by_role("dialog", name="Import Users")
    content = _PEOPLE.encode()
    file: FilePayload = {"name": "people.csv", "mimeType": "text/csv", "buffer": content}
    await dialog.get_by_label("CSV file").set_input_files(file)
    await expect(dialog.get_by_text("1 person will be invited, 2 with errors.")).to_be_visible()
    await dialog.get_by_role("button", name="Invite 1 person").click()
    await expect(dialog.get_by_text("1 person invited, 2 with errors.")).to_be_visible()
    await asyncio.to_thread(services.mail.wait_for_recipient, "iris@clinic.example")


async def test_phones_show_buttons_and_names_in_one_line(context: BrowserContext) -> None:
    page = await context.new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await sign_in(page, "superuser")
    await page.goto("/secured/system/lab-data")
    tops = []
    for name in ("Add Client", "Export CSV", "Import CSV"):
        box = await page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        tops.append(box["y"])
    assert len(set(tops)) == 1
    await page.goto("/secured/system/users")
    await page.get_by_role("button", name="Open physician@demo.lab").click()
    await page.get_by_role("tab", name="Physicians").click()
    row = page.get_by_role("grid", name="Physicians").get_by_role("row").last
    await expect(row).to_contain_text("GUPTA, THOMAS")
    await expect(row.get_by_text("THOMAS", exact=True)).to_be_hidden()


async def test_tablets_show_the_whole_time_of_the_last_login(context: BrowserContext) -> None:
    page = await context.new_page()
    await page.set_viewport_size({"width": 820, "height": 1180})
    await sign_in(page, "superuser")
    await page.goto("/secured/system/users")
    cell = page.get_by_role("gridcell", name=re.compile(r"^[A-Z][a-z]+ \d+, \d{4}")).first
    await expect(cell).to_be_visible()
    # September has the longest name of all months.
    await cell.evaluate(
        "(e) => { const text = document.createTreeWalker(e, NodeFilter.SHOW_TEXT).nextNode();"
        " text.data = 'September 30, 2026 11:59 PM'; }"
    )
    assert await cell.evaluate(
        "(e) => [e, ...e.querySelectorAll('*')].every((p) => p.scrollWidth <= p.clientWidth)"
    )
