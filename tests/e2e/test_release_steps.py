"""Steps around a release in a real browser: holds, a second person, and copies by e-mail."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from app.contract import messages
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Services, Workplace

pytestmark = pytest.mark.timeout(300)
_POTASSIUM = "POTASSIUM"


async def _open_entry(workplace: Workplace, account: str, order_id: int) -> Page:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, account)
    await page.goto(f"/secured/result-entry/order;id={order_id}")
    return page


async def _change_verification(portal: str, *, is_required: bool) -> None:
    async with people.open_session(portal, "superuser") as superuser:
        settings_answer = await superuser.get("/api/system/lab-settings")
        answer = await superuser.put(
            "/api/system/lab-settings",
            json={"resultVerificationRequired": is_required},
            headers={"Idempotency-Key": uuid4().hex, "If-Match": settings_answer.headers["etag"]},
        )
        assert answer.status_code == 200, answer.text


@pytest.fixture
async def required_verification(portal: str) -> AsyncIterator[None]:
    """The lab requires a second person for each release, as long as the test runs."""
    await _change_verification(portal, is_required=True)
    yield
    await _change_verification(portal, is_required=False)


_MEASURE_OFFSETS = """(buttons) => buttons.map((button) => {
  const findMiddle = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const field = button.closest('tr').querySelector('input[data-result]');
  return Math.abs(findMiddle(button) - findMiddle(field));
})"""


async def test_the_menu_of_a_test_is_beside_its_result_with_and_without_a_state(
    workplace: Workplace, portal: str
) -> None:
    order_id = await people.receive_order(portal, "K", "GLU")
    lab = await _open_entry(workplace, "laboratory", order_id)
    await steps.enter_result(lab, _POTASSIUM, "4.4")
    menus = lab.get_by_role("button", name="More about ")
    await expect(menus).to_have_count(2)
    await steps.wait_until_still(lab)
    offsets = await menus.evaluate_all(_MEASURE_OFFSETS)
    assert max(offsets) <= 2


async def test_a_held_test_is_released_after_its_hold_is_lifted(
    workplace: Workplace, portal: str
) -> None:
    order_id = await people.receive_order(portal, "K")
    lab = await _open_entry(workplace, "laboratory", order_id)
    await steps.enter_result(lab, _POTASSIUM, "4.4")
    await lab.get_by_role("button", name=f"More about {_POTASSIUM}").click()
    await lab.get_by_role("menuitem", name="Hold ...").click()
    dialog = lab.get_by_role("dialog", name=f"Hold {_POTASSIUM}")
    await dialog.get_by_label("Reason").select_option(index=1)
    assert await find_violations_in(lab, "hold of a test") == []
    await dialog.get_by_role("button", name="Hold in this order").click()
    await expect(dialog).to_have_count(0)
    await expect(lab.get_by_role("button", name="Release", exact=True)).to_be_disabled()

    await lab.get_by_role("button", name=f"More about {_POTASSIUM}").click()
    await lab.get_by_role("menuitem", name="Lift hold: ").click()
    dialog = lab.get_by_role("dialog", name=f"Lift hold of {_POTASSIUM}")
    await dialog.get_by_label("Note").fill("Control repeated")
    assert await find_violations_in(lab, "lifting a hold") == []
    await dialog.get_by_role("button", name="Lift hold").click()
    await expect(lab.get_by_text(messages.RESULT_HOLD_LIFTED)).to_be_visible()
    holds = lab.get_by_role("list", name="Holds")
    await expect(holds.get_by_text("Control repeated")).to_be_visible()
    await steps.release_results(lab)


@pytest.mark.usefixtures("required_verification")
async def test_another_person_releases_what_one_verified(workplace: Workplace, portal: str) -> None:
    order_id = await people.receive_order(portal, "K")
    first = await _open_entry(workplace, "laboratory", order_id)
    await steps.enter_result(first, _POTASSIUM, "4.4")
    await expect(first.get_by_role("button", name="Release", exact=True)).to_be_disabled()
    await first.get_by_role("button", name="Verify 1").click()
    await expect(first.get_by_text(messages.RESULTS_VERIFIED)).to_be_visible()
    await expect(first.get_by_text("Verified by")).to_be_visible()
    # The person who verified it cannot release it, and reads why.
    await expect(first.get_by_role("button", name="Release", exact=True)).to_be_disabled()
    assert await find_violations_in(first, "verified results") == []

    second = await _open_entry(workplace, "superuser", order_id)
    await steps.release_results(second)


async def test_additional_copies_go_out_with_the_final_and_the_corrected_results(
    workplace: Workplace, portal: str, services: Services
) -> None:
    receiver = f"copy-{uuid4().hex[:8]}@clinic.example"
    copies = [{"type": "EMAIL", "destination": receiver}]
    order_id = await people.receive_order(portal, "K", additionalCopies=copies)

    lab = await _open_entry(workplace, "laboratory", order_id)
    await steps.enter_result(lab, _POTASSIUM, "4.4")
    await steps.release_results(lab)
    final = await asyncio.to_thread(services.mail.wait_for_recipient, receiver)
    mail_count = len(services.mail.received)
    await steps.begin_correction(lab, _POTASSIUM)
    await steps.enter_result(lab, _POTASSIUM, "4.9")
    await steps.release_results(lab)
    corrected = await asyncio.to_thread(services.mail.wait_for_recipient, receiver, mail_count)
    sent_copies = [email for email in services.mail.received if email.to == [receiver]]
    assert sent_copies == [final, corrected]
    assert final.mail["Subject"].startswith("Laboratory results from ")
    assert corrected.mail["Subject"].startswith("Corrected")
