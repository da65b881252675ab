"""The questions before a save of the requisition form, in a real browser."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import BrowserContext, Page, expect

from app.basics.clock import get_lab_today
from app.contract import messages
from tests.e2e import steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import LAB_ZONE
from tests.e2e.people import open_session

pytestmark = pytest.mark.timeout(600)
_FORM = "/secured/requisitions/create"


async def read_questions(page: Page) -> list[str]:
    """Return the questions of the open dialog."""
    dialog = page.get_by_role("dialog", name=messages.SAVE_QUESTIONS_TITLE)
    await expect(dialog.get_by_role("button", name="Go back")).to_be_focused()
    return await dialog.get_by_role("listitem").all_inner_texts()


async def set_collection_date(page: Page, days: int) -> str:
    """Enter a collection date this many days from today in the lab, and return it."""
    day = (get_lab_today(LAB_ZONE) + timedelta(days=days)).strftime("%m/%d/%Y")
    field = page.get_by_role("textbox", name="Collection Date", exact=True)
    await field.fill(day)
    await field.press("Tab")
    return day


async def test_asks_about_all_warnings_in_one_dialog(context: BrowserContext) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(_FORM)
    await steps.register_patient(page, steps.build_last_name())
    for code in ("GLU", "BMP", "CBCD", "CBC"):
        await steps.add_test(page, code)
    day = await set_collection_date(page, 1)
    await page.keyboard.press("Control+S")
    questions = await read_questions(page)
    assert questions[:4] == [
        messages.SAVE_COLLECTION_AHEAD.format(date=day),
        messages.SAVE_WITHOUT_PHYSICIAN,
        messages.SAVE_WITHOUT_INSURANCE,
        messages.SAVE_TEST_IN_PANEL.format(test="GLU", panel="BMP"),
    ]
    assert re.fullmatch(r"CBCD and CBC both contain .+ more\.", questions[4])
    assert await find_violations_in(page, "questions", except_rule="target-size") == []
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_role("heading", name="New Requisition")).to_be_visible()

    day = await set_collection_date(page, -31)
    for code in ("GLUCOSE", "CBC WITH"):
        await page.get_by_role("button", name=re.compile(f"^Remove {code}")).first.click()
    await steps.choose_option(page, "Ordering Physician", first=True)
    await steps.check_control(page.get_by_role("radio", name="CLIENT"))
    await page.get_by_role("button", name="Save", exact=True).click()
    assert await read_questions(page) == [
        messages.SAVE_COLLECTION_BACK.format(date=day, days=31),
    ]
    await page.get_by_role("button", name="Save anyway").click()
    await expect(page.get_by_text("Requisition Saved!").first).to_be_visible()
    code = await steps.read_code(page)

    # From the dialog of the first save, open another requisition of the same day and patient.
    saved_dialog = page.get_by_role("dialog", name="Requisition Saved")
    await saved_dialog.get_by_role("button", name="New, same patient").click()
    await expect(page.get_by_role("heading", name="New Requisition")).to_be_visible()
    await set_collection_date(page, -31)
    await steps.add_test(page, "CBC")
    await steps.choose_option(page, "Ordering Physician", first=True)
    await steps.check_control(page.get_by_role("radio", name="CLIENT"))
    await page.get_by_role("button", name="Save", exact=True).click()
    questions = await read_questions(page)
    assert questions[1:] == [messages.SAVE_SAME_TESTS.format(code=code, tests="CBC")]

    # A single test of a panel of the other requisition.
    await page.get_by_role("button", name="Go back").click()
    await page.get_by_role("button", name=re.compile("^Remove CBC")).click()
    await steps.add_test(page, "GLU")
    await page.get_by_role("button", name="Save", exact=True).click()
    questions = await read_questions(page)
    assert questions[1:] == [messages.SAVE_SAME_TESTS.format(code=code, tests="GLU")]


async def test_requires_a_physician_if_the_client_does(
    context: BrowserContext, portal: str
) -> None:
    async with open_session(portal, "clientadmin") as admin:
        clients = (await admin.get("/api/v2/clients/remote-operations")).json()["data"]
        client_id = next(row["id"] for row in clients if row["requiresPhysician"])
        patients_answer = await admin.get(
            "/api/v2/patients/remote-operations", params={"clientIds": client_id, "take": 1}
        )
        patient_id = patients_answer.json()["data"][0]["id"]
    page = await context.new_page()
    await steps.sign_in(page, "clientadmin")
    await page.goto(f"{_FORM};patientId={patient_id}")
    await steps.add_test(page, "GLU")
    await page.get_by_role("button", name="Save", exact=True).click()
    field = page.get_by_role("combobox", name=re.compile("^Ordering Physician"))
    await expect(field).to_be_focused()
    await expect(field).to_have_accessible_description(messages.PHYSICIAN_REQUIRED)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    search = page.get_by_role("button", name="Search Physician")
    tops = [await part.evaluate("e => e.getBoundingClientRect().top") for part in (field, search)]
    # The field's error does not move the field away from its button.
    assert tops[0] == pytest.approx(tops[1], abs=1)
    await steps.choose_option(page, "Ordering Physician", first=True)
    await steps.save_new_requisition(page)
