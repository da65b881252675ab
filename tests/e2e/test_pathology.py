"""Pathology reports in a real browser: written and released by the lab, read by the clinic."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace, on_desktop

pytestmark = pytest.mark.timeout(300)


async def release_report(page: Page) -> None:
    """Release the saved report."""
    await expect(page.get_by_text("Report saved")).to_be_visible()
    await page.get_by_role("button", name="Release", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="Release", exact=True).click()
    await expect(page.get_by_text("Reports released")).to_be_visible()


@on_desktop
async def test_clinic_reads_a_report_and_its_revision(workplace: Workplace, portal: str) -> None:
    order_id = await people.receive_order(portal, "SURG")
    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    report = lab.get_by_role("textbox", name="Report")
    await report.click()
    await lab.keyboard.type("Benign nevus.")
    await lab.get_by_label("Signed Out By").fill("Dana Hall, MD")
    await lab.keyboard.press("Control+s")
    await release_report(lab)
    await lab.get_by_text("Revision", exact=True).click()
    await expect(report.get_by_text("Benign nevus.")).to_be_visible()
    await lab.get_by_label("Reason").select_option("IDENTIFICATION")
    await lab.get_by_label("Explanation").fill("Slides were reviewed")
    await lab.get_by_label("Signed Out By").fill("Tomas Okafor, MD")
    await report.click()
    await lab.keyboard.press("Control+a")
    await lab.keyboard.type("Melanoma in situ.")
    assert await find_violations_in(lab, "pathology entry") == []
    await lab.keyboard.press("Control+s")
    await release_report(lab)

    nurse = await (await workplace.open()).new_page()
    await steps.sign_in(nurse, "clientbasic")
    await nurse.goto(f"/secured/results/order;id={order_id}")
    revision = nurse.get_by_role("article", name="Revision 1")
    await expect(revision.get_by_text("Melanoma in situ.")).to_be_visible()
    reason = "Reason: Changed identification · Slides were reviewed"
    await expect(revision.get_by_text(reason)).to_be_visible()
    await expect(revision.get_by_text("Signed out by TOMAS OKAFOR, MD")).to_be_visible()
    replaced_report = nurse.get_by_role("article", name="Result Report")
    await expect(replaced_report.get_by_text("Benign nevus.")).to_be_visible()
    await expect(replaced_report.get_by_text("Replaced by Revision 1")).to_be_visible()
    await expect(nurse.get_by_text("FINAL").first).to_be_visible()
    assert await find_violations_in(nurse, "pathology results") == []
