"""Signing in: a link for a forgotten password, the profile popup, and a second factor."""

import asyncio
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pyotp
import pytest
from playwright.async_api import Locator, Page, expect

from app.basics.clock import get_utc_now
from app.contract import messages
from app.contract.limits import DIALOG_PASSWORD_RECOVERY_PX
from app.server.accounts.passwords import Passwords
from app.server.open_database import open_any_database
from app.server.seeding import DEMO_PASSWORD
from app.server.settings import Settings
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import OpenContext, Services, Workplace, on_both_hosts, on_desktop

pytestmark = pytest.mark.timeout(600)
_NEW, _NEWER = "Another-Horse-2!", "Third-Giraffe-3!"
_LINK = re.compile(r"/password-recovery#token=[\w-]+")
_STEP = timedelta(seconds=30)


async def open_settings(page: Page) -> Locator:
    """Open the profile popup."""
    await page.get_by_role("button", name=re.compile("^User menu")).click()
    await page.get_by_role("menuitem", name="Profile").click()
    dialog = page.get_by_role("dialog", name="Settings")
    await expect(dialog).to_be_visible()
    return dialog


async def submit_sign_in(page: Page, account: str, password: str) -> None:
    """Fill the open sign-in form and send it."""
    await page.get_by_label("Email").fill(f"{account}@demo.lab")
    await page.locator("input[type=password]").fill(password)
    await page.get_by_role("button", name="Login").click()


@pytest.fixture
def restored_password(portal_data: Path, portal: str) -> Iterator[None]:
    """Restore the patient's demo password, which no route would accept."""
    yield
    with (
        open_any_database(Settings(data_dir=portal_data), print) as url,
        psycopg.connect(url) as connection,
    ):
        connection.execute(
            "UPDATE users SET password_hash = %s WHERE email = 'patient@demo.lab'",
            (Passwords().hash_now(DEMO_PASSWORD),),
        )


@pytest.mark.usefixtures("restored_password")
@on_desktop
async def test_recovers_a_password_by_mail_and_changes_it_in_the_popup(
    workplace: Workplace, open_context: OpenContext, portal: str, services: Services
) -> None:
    page = await (await workplace.open()).new_page()
    await page.goto("/login")
    await page.get_by_role("link", name="Can't login?").click()
    await expect(page.get_by_role("heading", name="Password recovery")).to_be_visible()
    await page.get_by_label("Email").fill("patient@demo.lab")
    mail_count = len(services.mail.received)
    await page.get_by_role("button", name="Send").click()
    popup = page.get_by_role("dialog")
    await expect(popup).to_contain_text("valid for 10 minutes")
    box = await popup.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == DIALOG_PASSWORD_RECOVERY_PX
    assert await find_violations_in(page, "recovery", "light", "dark") == []
    await page.get_by_role("button", name="OK").click()
    await expect(page).to_have_url(re.compile("/login$"))

    email = await asyncio.to_thread(
        services.mail.wait_for_recipient, "patient@demo.lab", mail_count
    )
    link = _LINK.search(email.mail.get_content())
    assert link is not None
    # A mail program opens the link in a browser, even on a workstation with the desktop app.
    new_page = await (await open_context(portal)).new_page()
    await new_page.goto(link[0])
    await expect(new_page).to_have_url(re.compile("/password-recovery$"))
    assert await find_violations_in(new_page, "new password", "light", "dark") == []
    await new_page.get_by_label("New Password").first.fill(_NEW)
    await new_page.get_by_role("button", name="Save").click()
    await expect(new_page.get_by_text(messages.NEW_PASSWORD_SAVED)).to_be_visible()
    await submit_sign_in(page, "patient", _NEW)
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()

    dialog = await open_settings(page)
    await dialog.get_by_label("Old Password").fill(_NEW)
    await dialog.get_by_label("New Password").first.fill(_NEWER)
    assert await find_violations_in(page, "settings", "light", "dark") == []
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.get_by_text(messages.USER_INFORMATION_UPDATED)).to_be_visible()
    await submit_sign_in(page, "patient", _NEWER)
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()

    # The link works only once.
    await new_page.goto(link[0])
    await new_page.get_by_label("New Password").first.fill(_NEW)
    await new_page.get_by_role("button", name="Save").click()
    await expect(new_page.get_by_text(messages.RECOVERY_LINK_INVALID)).to_be_visible()


async def find_patient(portal: str) -> dict[str, str]:
    """Return the record of a patient of the demo nurse."""
    async with people.open_session(portal, "clientbasic") as nurse:
        patients_answer = await nurse.get(
            "/api/v2/patients/remote-operations", params={"take": 100}
        )
        answer = await nurse.get(f"/api/v2/patients/{patients_answer.json()['data'][-2]['id']}")
        record: dict[str, str] = answer.json()
        return record


async def test_a_patient_signs_up_and_sees_only_their_results(
    workplace: Workplace, open_context: OpenContext, portal: str, services: Services
) -> None:
    patient = await find_patient(portal)
    email = f"{uuid4().hex}@home.example"
    page = await (await workplace.open()).new_page()
    await page.goto("/login")
    await page.get_by_role("link", name="Patient Sign Up").click()
    await page.get_by_label("Last Name").fill(patient["lastName"].lower())
    await page.get_by_label("First Name").fill(patient["firstName"].lower())
    await page.get_by_role("textbox", name="Birth Date").fill("01/02/1903")
    await page.get_by_label("Lab Patient ID").fill(patient["code"])
    await page.get_by_label("Email").fill(email)
    await page.get_by_role("button", name="Sign Up").click()
    await expect(page.get_by_text(messages.SIGN_UP_UNMATCHED)).to_be_visible()
    assert await find_violations_in(page, "sign-up", "light", "dark", "phone") == []

    year, month, day = patient["birthDate"].split("-")
    await page.get_by_role("textbox", name="Birth Date").fill(f"{month}/{day}/{year}")
    await page.get_by_role("button", name="Sign Up").click()
    await expect(page.get_by_text(messages.USER_NOTIFIED)).to_be_visible()
    await expect(page).to_have_url(re.compile("/login$"))

    message = await asyncio.to_thread(services.mail.wait_for_recipient, email)
    link = _LINK.search(message.mail.get_content())
    assert link is not None
    new_page = await (await open_context(portal)).new_page()
    await new_page.goto(link[0])
    await new_page.get_by_label("New Password").first.fill(_NEW)
    await new_page.get_by_role("button", name="Save").click()
    await expect(new_page.get_by_text(messages.NEW_PASSWORD_SAVED)).to_be_visible()

    await page.get_by_label("Email").fill(email)
    await page.locator("input[type=password]").fill(_NEW)
    await page.get_by_role("button", name="Login").click()
    await steps.check_control(page.get_by_role("checkbox", name="I have received"))
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()
    await expect(page.get_by_role("link", name="Users")).to_have_count(0)


@on_both_hosts
async def test_the_dark_mode_is_stored_without_save(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    await steps.open_home(page, "clientadmin")
    body = page.locator("body")
    await expect(body).not_to_have_class(re.compile("bp6-dark"))
    dialog = await open_settings(page)
    await steps.check_control(dialog.get_by_label("Dark mode"))
    await expect(body).to_have_class(re.compile("bp6-dark"))
    await dialog.get_by_role("button", name="Close").last.click()
    await page.reload()
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()
    await expect(body).to_have_class(re.compile("bp6-dark"))


@on_desktop
async def test_a_second_factor_is_asked_for_at_sign_in_and_signing(
    workplace: Workplace, portal: str
) -> None:
    async with people.open_session(portal, "physician") as physician:
        me = (await physician.get("/auth/jwt/validate")).json()["user"]
        [requisition] = await people.save_requisitions(
            portal, 1, physicianId=me["data"]["physicians"][0], diagnoses=[{"code": "I10"}]
        )
    page = await (await workplace.open()).new_page()
    await steps.sign_in_by_form(page, "physician")
    await open_settings(page)
    await page.get_by_role("button", name="Set up second factor").click()
    dialog = page.get_by_role("dialog", name="Second factor")
    await dialog.get_by_label("Password").fill(DEMO_PASSWORD)
    await dialog.get_by_role("button", name="Continue").click()
    await expect(dialog.get_by_alt_text("QR code of the key")).to_be_visible()
    assert await find_violations_in(page, "second factor", "light", "dark") == []
    key = await dialog.get_by_text(re.compile(r"^([A-Z2-7]{4} ?){8}$")).inner_text()
    app = pyotp.TOTP(key.replace(" ", ""))
    # Clocks may differ by one step, so this code stays valid for at least 30 seconds, and so does
    # the next one, which is valid already. Each can be used once.
    start = get_utc_now()
    await dialog.get_by_label("Code").fill(app.at(start))
    await dialog.get_by_role("button", name="Turn on").click()
    codes = dialog.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    await expect(codes).to_have_count(10)
    first, second = (await codes.all_inner_texts())[:2]
    await dialog.get_by_role("button", name="Done").click()
    await expect(page.get_by_text(messages.SECOND_FACTOR_TURNED_ON)).to_be_visible()
    await page.get_by_role("dialog", name="Settings").get_by_text("Close").click()
    await page.get_by_role("button", name=re.compile("^User menu")).click()
    await page.get_by_role("menuitem", name="Logout").click()

    await submit_sign_in(page, "physician", DEMO_PASSWORD)
    await expect(page.get_by_text(messages.SECOND_FACTOR_REQUIRED)).to_be_visible()
    await page.get_by_label("Code").fill(app.at(start + _STEP))
    await page.get_by_role("button", name="Login").click()
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()

    await page.goto(f"/secured/requisitions/create;id={requisition['id']}")
    await page.get_by_role("button", name="Sign", exact=True).click()
    dialog = await steps.wait_for_signature_dialog(page)
    await steps.draw_signature(page)
    await dialog.locator("input[type=password]").fill(DEMO_PASSWORD)
    await dialog.get_by_label("Code").fill(first)
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect(page.get_by_text("Requisition Signed!")).to_be_visible()

    await page.goto("/secured/results/lab")
    await open_settings(page)
    await page.get_by_role("button", name="Change second factor").click()
    dialog = page.get_by_role("dialog", name="Second factor")
    await dialog.get_by_label("Password").fill(DEMO_PASSWORD)
    await dialog.get_by_label("Code").fill(second)
    await dialog.get_by_role("button", name="Turn off").click()
    await expect(page.get_by_text(messages.SECOND_FACTOR_TURNED_OFF)).to_be_visible()
