"""Cultures in a real browser: entered and released by the lab, read by the clinic."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(300)


async def release_culture(page: Page, button: str, notice: str) -> None:
    """Save and release the culture."""
    await page.keyboard.press("Control+s")
    await expect(page.get_by_text("Culture saved")).to_be_visible()
    await page.get_by_role("button", name=button, exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="Release", exact=True).click()
    await expect(page.get_by_text(notice)).to_be_visible()


async def test_clinic_reads_a_preliminary_and_a_final_culture(
    workplace: Workplace, portal: str
) -> None:
    order_id = await people.receive_order(portal, "UCUL")
    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    await lab.get_by_label("Source").select_option(label="Urine, clean catch")
    await lab.get_by_role("button", name="Add Organism").click()
    await lab.get_by_label("Organism", exact=True).select_option(label="Gram-negative rods")
    await release_culture(lab, "Release Preliminary", "Preliminary result released")

    nurse = await (await workplace.open()).new_page()
    await steps.sign_in(nurse, "clientbasic")
    await nurse.goto(f"/secured/results/order;id={order_id}")
    culture = nurse.get_by_role("region", name="CULTURE, URINE")
    await expect(culture.get_by_text("PRELIMINARY")).to_be_visible()
    await expect(culture.get_by_text("Gram-negative rods")).to_be_visible()

    await lab.get_by_label("Organism", exact=True).select_option(label="Escherichia coli")
    await lab.get_by_label("Quantity", exact=True).select_option(label="> 100,000 CFU/mL")
    for name, mic in (("Ampicillin", ">16"), ("Ceftriaxone", "<=0.5"), ("Meropenem", "<=0.25")):
        adder = lab.get_by_label("Add an antibiotic to organism 1")
        await adder.select_option(label=name)
        await lab.get_by_label(f"Value, {name}", exact=True).fill(mic)
    await expect(lab.get_by_title("resistant")).to_be_visible()
    await expect(lab.get_by_text("SUPPRESSED")).to_have_count(2)
    assert await find_violations_in(lab, "microbiology entry") == []
    await release_culture(lab, "Release Final", "Final result released")

    await nurse.reload()
    await expect(culture.get_by_text("FINAL")).to_be_visible()
    row = culture.get_by_role("row", name="Ampicillin")
    await expect(row.get_by_title("resistant")).to_be_visible()
    await expect(culture.get_by_text("Meropenem")).to_have_count(0)
    assert await find_violations_in(nurse, "microbiology results") == []


async def test_lab_enters_a_culture_by_keyboard(workplace: Workplace, portal: str) -> None:
    """Each choice that is typed on a closed list is added once, and the focus is never lost."""
    order_id = await people.receive_order(portal, "UCUL")
    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    await expect(lab.get_by_label("Source")).to_be_visible()
    keys = lab.keyboard
    await steps.tab_to(lab, "Source")
    await keys.type("urine, c")
    await steps.tab_to(lab, "Add a finding")
    await keys.type("gram")
    await keys.press("Enter")
    await expect(lab.get_by_label("Finding 1", exact=True)).to_have_count(1)
    await expect(lab.get_by_label("Finding 2", exact=True)).to_have_count(0)
    await steps.tab_to(lab, "Add Organism")
    await keys.press("Enter")
    await expect(lab.get_by_label("Organism", exact=True)).to_be_focused()
    await keys.type("esch")
    await steps.tab_to(lab, "Add an antibiotic to organism 1")
    await keys.type("ceftr")
    await keys.press("Enter")
    await expect(lab.get_by_label(re.compile("^Value, "))).to_have_count(1)
    await expect(lab.get_by_label("Value, Ceftriaxone", exact=True)).to_be_visible()
