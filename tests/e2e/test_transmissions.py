"""Email Forms and Fax Forms, with a real mail server and the fax stand-in."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from app.contract import messages
from tests.e2e import people
from tests.e2e.conftest import Services, Workplace
from tests.e2e.steps import sign_in
from tests.e2e.test_requisition_grid import print_document, select_requisitions

pytestmark = pytest.mark.timeout(480)
EMAIL, FAX = "office@clinic.example", "312-555-0199"


async def send_forms(page: Page, title: str, address: str) -> None:
    """Fill in the open dialog, and send."""
    dialog = page.get_by_role("dialog", name=title)
    await dialog.get_by_role("textbox").fill(address)
    await dialog.get_by_role("button", name="Send").click()


async def test_sends_forms_and_shows_their_delivery(
    workplace: Workplace, portal: str, services: Services
) -> None:
    rows = await people.save_requisitions(portal, 2)
    page = await (await workplace.open()).new_page()
    await sign_in(page, "clientbasic")
    await page.goto(f"/secured/requisitions/create;id={rows[0]['id']}")
    mail_count, fax_count = len(services.mail.received), len(services.fax.faxes)

    await page.get_by_role("button", name="Email Forms").click()
    await expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    await send_forms(page, "Email Forms", "one@a.example, two@b.example")
    await expect(page.get_by_text("Email is invalid")).to_be_visible()
    await send_forms(page, "Email Forms", EMAIL)
    await expect(page.get_by_text("The email was sent successfully")).to_be_visible()
    sent_list = page.get_by_role("list", name="Sent")
    await expect(sent_list.get_by_role("listitem").filter(has_text=EMAIL)).to_contain_text("Sent")
    email = (await asyncio.to_thread(services.mail.wait_for, mail_count + 1))[mail_count]
    assert email.is_encrypted
    assert rows[0]["code"] not in email.mail.as_string()

    await page.get_by_role("button", name="Fax Forms").click()
    await page.get_by_role("dialog").get_by_role("textbox").press_sequentially("3125550199")
    await expect(page.get_by_role("dialog").get_by_role("textbox")).to_have_value(FAX)
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("The fax was sent successfully")).to_be_visible()
    line = sent_list.get_by_role("listitem").filter(has_text=FAX)
    await expect(line).to_contain_text("Delivered", timeout=30_000)
    assert len(services.fax.faxes) == fax_count + 1

    # Several requisitions, from the grid.
    await page.goto("/secured/requisitions/search")
    await expect(page.get_by_role("gridcell", name=rows[0]["code"], exact=True)).to_be_visible()
    await select_requisitions(page, rows)
    await page.get_by_role("button", name="Fax Forms").click()
    await send_forms(page, "Fax Forms", FAX)
    await expect(page.get_by_text("The fax was sent successfully")).to_be_visible()
    await asyncio.to_thread(services.fax.wait_for, fax_count + 2)


async def test_shows_which_receiver_of_several_forms_failed(
    workplace: Workplace, portal: str, services: Services
) -> None:
    """An invalid address does not stop valid ones; each requisition shows all outcomes."""
    rows = await people.save_requisitions(portal, 2)
    page = await (await workplace.open()).new_page()
    await sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/search")
    await expect(page.get_by_role("gridcell", name=rows[0]["code"], exact=True)).to_be_visible()
    await select_requisitions(page, rows)
    form = await page.context.new_page()
    services.fax.ends += ["receiver_unallocated_number"]
    services.mail.rcpt_answers += ["550 5.1.1 No such mailbox"]
    outcomes = {
        "nobody@clinic.example": messages.SEND_ADDRESS_REFUSED,
        EMAIL: "Sent",
        "312-555-0111": messages.SEND_FAX_NUMBER_REFUSED,
        FAX: "Delivered",
    }
    for receiver, outcome in outcomes.items():
        title = "Email Forms" if "@" in receiver else "Fax Forms"
        await page.get_by_role("button", name=title).click()
        await send_forms(page, title, receiver)
        await expect(page.get_by_role("dialog")).to_have_count(0)
        # Wait, or the failure that a stand-in holds for this receiver could meet the next one.
        await form.goto(f"/secured/requisitions/create;id={rows[0]['id']}")
        sent_items = form.get_by_role("list", name="Sent").get_by_role("listitem")
        await expect(sent_items.filter(has_text=receiver)).to_contain_text(outcome)
    await expect(page.get_by_text("2 selected")).to_be_visible()

    for row in rows:
        await form.goto(f"/secured/requisitions/create;id={row['id']}")
        await expect(sent_items).to_have_count(len(outcomes))
        for receiver, outcome in outcomes.items():
            await expect(sent_items.filter(has_text=receiver)).to_contain_text(outcome)


async def test_sends_results_and_prints_the_log(
    workplace: Workplace, portal: str, services: Services
) -> None:
    order_id = await people.receive_order(portal, "K")
    lab = await (await workplace.open()).new_page()
    await sign_in(lab, "laboratory")
    await lab.goto(f"/secured/results/order;id={order_id}")
    await expect(lab.get_by_role("button", name="Email Results")).to_be_disabled()
    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    await lab.get_by_label("Result of POTASSIUM").fill("4.4")
    await lab.keyboard.press("Control+s")
    await expect(lab.get_by_text("Results saved")).to_be_visible()
    async with lab.expect_response("**/results-preview") as preview:
        await lab.get_by_role("button", name="Preview").click()
    assert (await preview.value).headers["content-type"] == "application/pdf"
    # The preview opened in a new tab in front.
    await lab.bring_to_front()
    await lab.get_by_role("button", name="Release 1").click()
    await lab.get_by_role("dialog").get_by_role("button", name="Release", exact=True).click()
    # That tab may come to the front later as well, and a toast behind it is not drawn.
    await expect(lab.get_by_text("Results released")).to_be_attached()

    page = await (await workplace.open()).new_page()
    await sign_in(page, "clientbasic")
    mail_count = len(services.mail.received)
    await page.goto(f"/secured/results/order;id={order_id}")
    await page.get_by_role("button", name="Email Results").click()
    await send_forms(page, "Email Results", EMAIL)
    await expect(page.get_by_text("The email was sent successfully")).to_be_visible()
    sent_results = page.get_by_role("region", name="Sent Results")
    await expect(sent_results.get_by_role("listitem").filter(has_text=EMAIL)).to_contain_text(
        "Sent"
    )
    email = (await asyncio.to_thread(services.mail.wait_for, mail_count + 1))[mail_count]
    assert email.mail["Subject"].startswith("Laboratory results from ")
    assert "4.4" not in email.mail.get_content()

    code = await page.get_by_role("heading", level=1).inner_text()
    await page.goto("/secured/results/lab")
    await select_requisitions(page, [{"code": code}])
    assert "1 order" in await print_document(workplace, page, "Print Log", "/reports/order/log")
