"""Steps of people in a browser; each waits until the person could go on."""

import itertools
import os
import re
from datetime import date
from urllib.parse import urlsplit
from uuid import uuid4

from playwright.async_api import ConsoleMessage, Locator, Page, expect

from app.server.seeding import DEMO_PASSWORD

_serial = itertools.count(int.from_bytes(os.urandom(2), "big"))
_LETTERS = "ABCDEFGHIJ"


def build_last_name() -> str:
    """Build a last name of letters that is not in use."""
    return "TEST" + "".join(_LETTERS[int(d)] for d in str(next(_serial)))


async def sign_in(page: Page, account: str) -> None:
    """Sign in as a demo account by the request that the sign-in screen sends; opens no page."""
    request = page.context.request
    portal = urlsplit((await request.get("/capabilities")).url)
    answer = await request.post(
        "/auth/login",
        data={
            "loginId": f"{account}@demo.lab",
            "password": DEMO_PASSWORD,
            "applicationId": "portal",
        },
        headers={
            "Origin": f"{portal.scheme}://{portal.netloc}",
            "X-Refresh-Transport": "cookie",
            "Idempotency-Key": uuid4().hex,
        },
    )
    assert answer.ok, await answer.text()


async def sign_in_by_form(page: Page, account: str) -> None:
    """Sign in as a demo account on the sign-in screen, which leads to the order search."""
    await page.goto("/login")
    await page.get_by_label("Email").fill(f"{account}@demo.lab")
    await page.locator("input[type=password]").fill(DEMO_PASSWORD)
    await page.get_by_role("button", name="Login").click()
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()


async def open_home(page: Page, account: str) -> None:
    """Sign in as a demo account, and open the order search."""
    await sign_in(page, account)
    await page.goto("/secured/results/lab")
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()


def collect_errors(page: Page) -> list[str]:
    """Return a list that collects the page's exceptions and the errors in its console."""
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{page.url}: {message.text} {message.location.get('url', '')}")

    page.on("console", note)
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    return errors


async def wait_until_still(page: Page) -> None:
    """Wait until nothing moves or loads for three frames in a row.

    An element that opens or closes starts to move within a frame, and changes size and contrast.
    """
    await page.evaluate(
        """async () => {
          const frame = () => new Promise(requestAnimationFrame);
          const moves = ({ playState, effect }) =>
            playState === 'running' && effect?.getTiming().iterations !== Infinity;
          const loading = '.bp6-skeleton, .bp6-spinner, [aria-busy=true]';
          for (let calm = 0; calm < 3; ) {
            await frame();
            const busy = document.getAnimations().some(moves) || document.querySelector(loading);
            calm = busy ? 0 : calm + 1;
          }
        }"""
    )


async def search_patients(page: Page, last_name: str, first_name: str) -> Locator:
    """Search in the open dialog Search Patient, and return the dialog."""
    dialog = page.get_by_role("dialog", name="Search Patient")
    await dialog.get_by_label("Last Name").fill(last_name)
    await dialog.get_by_label("First Name").fill(first_name)
    await dialog.get_by_role("button", name="Search", exact=True).click()
    return dialog


async def register_patient(page: Page, last_name: str) -> None:
    """Register a new patient from the open requisition, after a search without results."""
    await page.get_by_role("button", name="Select Patient").click()
    dialog = page.get_by_role("dialog", name="Search Patient")
    await expect(dialog.get_by_text("Search before entering a new patient.")).to_be_visible()
    await expect(dialog.get_by_role("button", name="New Patient")).to_be_disabled()
    await search_patients(page, last_name, "maria")
    new_patient = dialog.get_by_role("button", name="New Patient")
    await expect(new_patient).to_be_enabled()
    await new_patient.click()
    await expect(page.get_by_role("heading", name="New Patient")).to_be_visible()
    await expect(page.get_by_label("Last Name")).to_have_value(last_name)
    await choose_option(page, "Client", first=True)
    await choose_option(page, "Unit", first=True)
    await page.get_by_role("textbox", name="Birth Date").fill("03/04/1961")
    await page.get_by_label("Gender *").select_option("FEMALE")
    await page.get_by_role("textbox", name=re.compile("^Address")).fill("12 Lake St")
    await page.get_by_role("textbox", name=re.compile("^Zip ?Code", re.IGNORECASE)).fill("60601")
    await expect(page.get_by_role("textbox", name="City")).to_have_value("CHICAGO")
    await page.get_by_role("textbox", name=re.compile("Plus 4", re.IGNORECASE)).fill("1234")
    await page.get_by_role("button", name="Save Patient").click()
    await expect(page.get_by_text("Patient saved successfully!")).to_be_visible()
    await expect(page.get_by_role("heading", name="New Requisition")).to_be_visible()
    await expect(page.get_by_text(last_name).first).to_be_visible()


async def choose_option(page: Page, label: str, text: str = "", *, first: bool = False) -> None:
    """Choose an option of a picker by typing; with ``first``, keep an existing choice."""
    field = page.get_by_role("combobox", name=re.compile(f"^{re.escape(label)}"))
    if first and await field.input_value():
        return
    await field.click()
    if text:
        await field.fill(text)
    options = page.get_by_role("listbox").get_by_role("option")
    await options.filter(has_text=text).first.click()


async def choose_only_match(page: Page, label: str, text: str) -> None:
    """Type text that matches a single option, and choose it."""
    await page.get_by_role("combobox", name=re.compile(f"^{re.escape(label)}")).fill(text)
    options = page.get_by_role("listbox").get_by_role("option")
    # Check the text too: the list of another field may still be closing, with a single option.
    await expect(options).to_have_text([re.compile(re.escape(text), re.IGNORECASE)])
    await options.click()


async def add_test(page: Page, code: str) -> None:
    """Type a test's code and press Enter."""
    field = page.get_by_role("combobox", name="Test code or name")
    await field.fill(code)
    await field.press("Enter")
    await expect(page.get_by_text(code, exact=True).first).to_be_visible()


async def draw_signature(page: Page) -> None:
    """Draw a line on the signature pad, unless the dialog shows the signature of the profile."""
    pad = page.get_by_label(re.compile("Draw your signature"))
    await expect(pad.or_(page.get_by_alt_text("Your signature"))).to_be_visible()
    if not await pad.count():
        return
    box = await pad.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    await page.mouse.down()
    for step in range(1, 9):
        await page.mouse.move(
            box["x"] + 20 + step * 25, box["y"] + box["height"] / 2 + (-1) ** step * 18
        )
    await page.mouse.up()


async def read_code(page: Page) -> str:
    """Return the code in the title of the open requisition."""
    heading = page.get_by_role("heading", name=re.compile(r"Edit Requisition: R\d{9}"))
    match = re.search(r"R\d{9}", await heading.inner_text())
    assert match
    return match.group()


async def open_days(page: Page) -> Locator:
    """Open the days of a search, and return the field of the first one."""
    await page.get_by_role("button", name=re.compile("^Collected ")).click()
    return page.get_by_role("textbox", name="Start Date", exact=True)


async def search_days(page: Page, start: date | None = None) -> None:
    """Search from a day (today by default) until today."""
    if start is not None:
        field = await open_days(page)
        await field.fill(start.strftime("%m/%d/%Y"))
    await page.get_by_role("button", name="Search", exact=True).click()


async def tab_to(page: Page, name: str, *, back: bool = False) -> None:
    """Press Tab until the element of this name has the focus."""
    for _ in range(80):
        current = await page.evaluate(
            "(() => { const e = document.activeElement; if (!e) return '';"
            " return (e.getAttribute('aria-label') || e.labels?.[0]?.textContent ||"
            " e.textContent || '').trim(); })()"
        )
        if current.startswith(name):
            return
        await page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"the keyboard does not reach {name}")


async def save_new_requisition(page: Page) -> None:
    """Save the open requisition despite any questions, and wait for the dialog of next steps."""
    await page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    anyway = page.get_by_role("button", name="Save anyway")
    await expect(dialog.or_(anyway)).to_be_visible()
    if await anyway.is_visible():
        await anyway.click()
    await expect(dialog).to_be_visible()


async def wait_for_signature_dialog(page: Page) -> Locator:
    """Return the signature dialog, after confirming its question if the form asks one."""
    dialog = page.get_by_role("dialog", name="Electronic Signature")
    anyway = page.get_by_role("button", name="Sign anyway")
    await expect(dialog.or_(anyway)).to_be_visible()
    if await anyway.is_visible():
        await anyway.click()
    return dialog


async def sign_saved_requisition(page: Page) -> None:
    """Sign the requisition that was just saved, from the dialog after the save."""
    saved_dialog = page.get_by_role("dialog", name="Requisition Saved")
    await saved_dialog.get_by_role("button", name="Sign", exact=True).click()
    dialog = await wait_for_signature_dialog(page)
    await draw_signature(page)
    await dialog.locator("input[type=password]").fill(DEMO_PASSWORD)
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect(page.get_by_text("Requisition Signed!")).to_be_visible()


async def enter_result(page: Page, test: str, value: str) -> None:
    """Type a clinical result in result entry, and save it."""
    await page.get_by_label(f"Result of {test}").fill(value)
    await page.keyboard.press("Control+s")
    await expect(page.get_by_text("Results saved")).to_be_visible()


async def release_results(page: Page, count: int = 1) -> None:
    """Release the ``count`` saved results of the order that is open in result entry."""
    await page.get_by_role("button", name=f"Release {count}").click()
    await page.get_by_role("dialog").get_by_role("button", name="Release", exact=True).click()
    await expect(page.get_by_text("Results released")).to_be_visible()


async def begin_correction(page: Page, test: str) -> None:
    """Give a reason to correct a released result, so that it can be typed again."""
    await page.get_by_role("button", name=f"Correct {test}").click()
    dialog = page.get_by_role("dialog", name=f"Correct {test}")
    await dialog.get_by_label("Reason").select_option(index=1)
    await dialog.get_by_role("button", name="Correct", exact=True).click()


async def check_control(control: Locator) -> None:
    """Check a radio button or a checkbox with the keyboard, because Blueprint draws over it."""
    await control.press("Space")
    await expect(control).to_be_checked()
