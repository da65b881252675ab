"""A rejected specimen in a real browser, from the rejection to the replacement."""

import pytest
from playwright.async_api import expect

from app.contract import messages
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(300)


async def test_lab_rejects_a_tube_and_receives_its_replacement(
    workplace: Workplace, portal: str
) -> None:
    order_id = await people.receive_order(portal, "GLU", "MG")
    await people.enter_result(portal, order_id, "GLU", "90")
    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    await lab.goto(f"/secured/results/order;id={order_id}")
    specimens = lab.get_by_role("region", name="Specimens")
    await specimens.get_by_role("button", name="Change Specimens").click()
    dialog = lab.get_by_role("dialog", name="Change Specimens")
    await dialog.get_by_label("1 ·").select_option(label="Rejected")
    await dialog.get_by_label("Reason for tube 1").select_option(label="Clotted")
    assert await find_violations_in(lab, "rejected specimen") == []
    await dialog.get_by_role("button", name="Save").click()
    await expect(specimens.get_by_text("New collection requested")).to_be_visible()

    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    await expect(lab.get_by_text("NEW SPECIMEN NEEDED").first).to_be_visible()

    nurse = await (await workplace.open()).new_page()
    await steps.open_home(nurse, "clientbasic")
    await nurse.get_by_role("link", name="to collect again").click()
    await expect(nurse.get_by_text("RECOLLECT", exact=True).first).to_be_visible()
    await nurse.goto(f"/secured/results/order;id={order_id}")
    await expect(nurse.get_by_text("A specimen was rejected.")).to_be_visible()
    await expect(nurse.get_by_role("button", name="Change Specimens")).to_have_count(0)
    assert await find_violations_in(nurse, "order with a rejected specimen") == []

    await lab.goto(f"/secured/results/order;id={order_id}")
    await lab.get_by_role("button", name="Cancel Tests").click()
    dialog = lab.get_by_role("dialog", name="Cancel Tests")
    await dialog.get_by_text("MAGNESIUM").click()
    await dialog.get_by_label("Reason").select_option(label="Duplicate order")
    await dialog.get_by_role("button", name="Cancel Tests").click()
    await expect(lab.get_by_text("Tests canceled", exact=True)).to_be_visible()
    await lab.get_by_role("button", name="Reinstate Tests").click()
    await lab.get_by_role("dialog").get_by_role("button", name="Reinstate").click()
    await expect(lab.get_by_text("Tests reinstated", exact=True)).to_be_visible()

    # Reinstating gave the order a new version, which the dialog needs when it opens.
    await lab.reload()
    await specimens.get_by_role("button", name="Change Specimens").click()
    dialog = lab.get_by_role("dialog", name="Change Specimens")
    await dialog.get_by_label("1 ·").select_option(label="Received")
    await dialog.get_by_role("button", name="Save").click()
    await expect(lab.get_by_text("RECOLLECT", exact=True)).to_have_count(0)
    await nurse.reload()
    await expect(nurse.get_by_text("RECOLLECT", exact=True)).to_have_count(0)

    # The value was entered before the first tube was rejected.
    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    await expect(lab.get_by_text(messages.RESULT_BEFORE_SPECIMEN)).to_have_count(1)
    await lab.get_by_role("button", name="Release 1").click()
    text = messages.CONFIRM_RELEASE_BEFORE_SPECIMEN.format(tests="GLUCOSE")
    dialog = lab.get_by_role("dialog", name="Release results")
    await expect(dialog.get_by_text(text)).to_be_visible()
    assert await find_violations_in(lab, "result of an earlier specimen") == []
