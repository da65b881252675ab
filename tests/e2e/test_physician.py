"""A physician's own requisitions in a real browser (DECISIONS, 'People and roles')."""

import re

import pytest
from playwright.async_api import BrowserContext, Response, expect

from app.contract import messages
from tests.e2e import steps
from tests.e2e.people import open_session, save_requisitions

pytestmark = pytest.mark.timeout(600)
_FORM = "/secured/requisitions/create"


async def test_adds_a_diagnosis_and_a_comment(context: BrowserContext, portal: str) -> None:
    """The header is locked and says why; what was saved is there after a reload."""
    async with open_session(portal, "physician") as physician:
        me = (await physician.get("/auth/jwt/validate")).json()["user"]
        [own] = await save_requisitions(
            portal, 1, physicianId=me["data"]["physicians"][0], diagnoses=[{"code": "I10"}]
        )
        [other] = await save_requisitions(portal, 1)
        foreign_answer = await physician.get(f"/api/v2/requisitions/{other['id']}")
        assert foreign_answer.status_code == 404
    page = await context.new_page()
    failures: list[str] = []

    def note_failure(answer: Response) -> None:
        if answer.status >= 400:
            failures.append(f"{answer.status} {answer.url}")

    await steps.sign_in(page, "physician")
    page.on("response", note_failure)
    await page.goto(f"{_FORM};id={own['id']}")
    await expect(page.get_by_text(messages.REQUISITION_PHYSICIAN_PARTS)).to_be_visible()
    for name in ("Ordering Physician", "Fasting", "Priority"):
        field = page.get_by_role("combobox", name=re.compile(f"^{name}"))
        await expect(field).to_be_disabled()
    await expect(page.get_by_role("button", name="Clear", exact=True)).to_have_count(0)

    await steps.choose_option(page, "Diagnoses", "E11.9")
    comments = page.get_by_role("textbox", name="Comments")
    await comments.click()
    await page.keyboard.type("Draw before noon")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Requisition Saved!").first).to_be_visible()
    await page.reload()
    list_items = page.get_by_role("list", name="Diagnoses", exact=True)
    await expect(list_items.get_by_text("E11.9")).to_be_visible()
    await expect(list_items.get_by_text("I10")).to_be_visible()
    await expect(comments).to_have_text("Draw before noon")
    await steps.wait_until_still(page)
    assert failures == []

    page.remove_listener("response", note_failure)
    await page.goto(f"{_FORM};id={other['id']}")
    await expect(page.get_by_text("No record found!").first).to_be_visible()
