"""Reflex tests and autoverification in a real browser, from entry to the order page."""

import re

import pytest
from playwright.async_api import expect

from app.contract import messages
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import OpenContext

pytestmark = pytest.mark.timeout(300)
_TSH = "THYROID STIMULATING HORMONE"
_FT4 = "THYROXINE, FREE"


async def test_a_correction_removes_the_reason_of_a_reflex_test(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "TSH")
    entry, order = f"/secured/result-entry/order;id={order_id}", f"order;id={order_id}"
    lab = await (await open_context(portal)).new_page()
    await steps.sign_in(lab, "laboratory")
    await lab.goto(entry)
    await steps.enter_result(lab, _TSH, "9.5")
    await steps.release_results(lab)
    reason = messages.TEST_ADDED.format(test=_TSH, result="9.5 (H)")
    await expect(lab.get_by_label(f"Result of {_FT4}")).to_be_visible()
    await expect(lab.get_by_text(reason)).to_be_visible()
    await lab.goto(f"/secured/results/{order}")
    added_tests = lab.get_by_role("region", name="Added Tests")
    await expect(added_tests).to_contain_text(f"{_FT4}: {reason} added")

    await lab.goto(entry)
    await steps.begin_correction(lab, _TSH)
    await steps.enter_result(lab, _TSH, "2.1")
    await steps.release_results(lab)
    correction_text = messages.TEST_ADDED_CORRECTED.format(test=_TSH, result="2.1 (N)")
    ended_reason = f"{reason}. {messages.TEST_ADDED_GONE_SINCE.format(change=correction_text)}"
    await expect(lab.get_by_text(ended_reason)).to_be_visible()
    assert await find_violations_in(lab, "entry of a reflex test", "light", "dark") == []
    await lab.goto(f"/secured/results/{order}")
    await expect(added_tests).to_contain_text(ended_reason)
    await expect(lab.get_by_text(re.compile(r"^was 9\.5 \S+ H until "))).to_be_visible()
    assert await find_violations_in(lab, "order with a reflex test") == []


async def test_a_tried_out_rule_releases_a_result_automatically(
    open_context: OpenContext, portal: str
) -> None:
    page = await (await open_context(portal)).new_page()
    await steps.sign_in(page, "superuser")
    await page.goto("/secured/autoverification")
    await steps.choose_option(page, "Test", "CHLORIDE")
    await page.get_by_label("Lowest Result").fill("98")
    await page.get_by_label("Highest Result").fill("107")
    await page.get_by_label("Largest Change (%)").fill("50")
    await page.get_by_role("button", name="Save Limits").click()
    await expect(page.get_by_text(messages.AUTOVERIFICATION_SAVED)).to_be_visible()
    await page.get_by_role("button", name="Try Out", exact=True).click()
    past = page.get_by_role("region", name="Past results")
    await expect(past.get_by_text("would have been released automatically")).to_be_visible()
    assert await find_violations_in(page, "autoverification") == []
    await page.get_by_role("button", name="Switch On").click()
    await page.get_by_role("dialog").get_by_role("button", name="Switch On").click()
    on_text = messages.AUTOVERIFICATION_ON.format(test="CHLORIDE")
    await expect(page.get_by_text(on_text)).to_be_visible()

    order_id = await people.receive_order(portal, "CL", "K")
    await page.goto(f"/secured/result-entry/order;id={order_id}")
    await page.get_by_label("Result of POTASSIUM").fill("4.1")
    await steps.enter_result(page, "CHLORIDE", "101")
    notice = page.get_by_role("status", name="Autoverification")
    release_text = messages.AUTOVERIFIED.format(results="CHLORIDE 101 mmol/L")
    await expect(notice.get_by_text(release_text)).to_be_visible()
    # Without a rule, a result waits for a person as before.
    await expect(page.get_by_role("button", name="Release 1")).to_be_enabled()
    assert await find_violations_in(page, "entry with autoverification", "light", "dark") == []
    await page.goto(f"/secured/results/order;id={order_id}")
    words = f"{messages.RELEASED_BY_AUTOVERIFICATION}: CHLORIDE"
    await expect(page.get_by_text(words)).to_be_visible()

    nurse = await (await open_context(portal)).new_page()
    await steps.sign_in(nurse, "clientbasic")
    await nurse.goto(f"/secured/results/order;id={order_id}")
    await expect(nurse.get_by_text("101", exact=True)).to_be_visible()
    await expect(nurse.get_by_text(messages.RELEASED_BY_AUTOVERIFICATION)).to_have_count(0)

    await page.goto("/secured/autoverification")
    await page.get_by_role("gridcell", name="CL", exact=True).dblclick()
    await page.get_by_role("button", name="Switch Off").click()
    off_text = messages.AUTOVERIFICATION_SWITCHED_OFF.format(test="CHLORIDE")
    await expect(page.get_by_text(off_text)).to_be_visible()
