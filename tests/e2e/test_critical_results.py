"""A critical result in a real browser: released, read back, and seen by the clinic."""

import pytest
from playwright.async_api import expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(300)


async def test_lab_reports_a_critical_result_to_the_clinic(
    workplace: Workplace, portal: str
) -> None:
    order_id = await people.receive_order(portal, "K")
    person_called = f"Ann {steps.build_last_name()}"
    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    await steps.enter_result(lab, "POTASSIUM", "7.2")
    await steps.release_results(lab)

    await lab.goto("/secured/critical-results")
    # The newest notice is due last, so it is the last row.
    await lab.get_by_text("NOT REPORTED", exact=True).last.dblclick()
    dialog = lab.get_by_role("dialog")
    await expect(dialog.get_by_role("table", name="Results to report")).to_contain_text("7.2")
    await expect(dialog.get_by_role("table", name="Contacts")).to_contain_text("CHARGE NURSE")
    assert await find_violations_in(lab, "critical result") == []
    code = (await dialog.get_by_role("heading").first.inner_text()).split()[-1]
    await dialog.get_by_role("textbox", name="Person called").fill(person_called)
    await dialog.get_by_text("Read the results back").click()
    await dialog.get_by_role("button", name="Record Call").click()
    await expect(dialog.get_by_text("READ BACK", exact=True)).to_be_visible()
    await dialog.get_by_role("button", name="Close Task").click()
    await expect(lab.get_by_text("Critical result closed")).to_be_visible()

    nurse = await (await workplace.open()).new_page()
    await steps.sign_in(nurse, "clientbasic")
    await nurse.goto("/secured/critical-results")
    await nurse.get_by_role("radio", name="Closed").check()
    await nurse.get_by_role("textbox", name="Filter Order Id").fill(code)
    await nurse.keyboard.press("Enter")
    await expect(nurse.get_by_text(person_called)).to_be_visible()
    await expect(nurse.get_by_text("7.2")).to_have_count(0)
