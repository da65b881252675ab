"""People of clients, physicians, and patients read and acknowledge results (R 2.2, R 6)."""

import io
import re
from datetime import date

import pytest
from playwright.async_api import Page, expect
from pypdf import PdfReader

from app.contract import messages
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace, on_desktop

pytestmark = pytest.mark.timeout(300)
_ACTS_OF_ALL = ("Cumulative Results", "Email Results", "Fax Results", "Print Results")
_ACTS_OF_STAFF = ("Acknowledge", "Missing information")
_ACTS_OF_LAB = ("Enter Results", "Release Results", "Cancel Tests", "Change Specimens")


async def _release_potassium(portal: str) -> int:
    """Release the result of an order of the demo physician at a client of the demo nurse."""
    async with people.open_session(portal, "physician") as physician:
        me = (await physician.get("/auth/jwt/validate")).json()["user"]
    order_id = await people.receive_order(
        portal, "K", physicianId=me["data"]["physicians"][0], diagnoses=[{"code": "I10"}]
    )
    await people.release_result(portal, order_id, "K", "4.4")
    return order_id


async def _open_order(workplace: Workplace, account: str, order_id: int) -> Page:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, account)
    await page.goto(f"/secured/results/order;id={order_id}")
    await expect(page.get_by_role("heading", name=re.compile(r"^L\d{9}$"))).to_be_visible()
    await steps.wait_until_still(page)
    return page


async def _expect_acts(page: Page, *, offered: tuple[str, ...], denied: tuple[str, ...]) -> None:
    """Wait until the order page offers these acts, some of which depend on settings of the lab."""
    toolbar = page.get_by_role("toolbar", name=re.compile(" actions$"))
    for name in offered:
        await expect(toolbar.get_by_role("button", name=name, exact=True)).to_be_visible()
    for name in denied:
        await expect(page.get_by_text(name, exact=True)).to_have_count(0)


@pytest.mark.parametrize(
    ("account", "mark", "workplace"),
    [
        ("physician", "isUnreadByPhysician", "desktop"),
        ("clientadmin", "isUnread", "server"),
        ("clientbasic", "isUnread", "server"),
    ],
    indirect=["workplace"],
)
async def test_one_key_acknowledges_and_opens_the_next_unread_order(
    workplace: Workplace, portal: str, account: str, mark: str
) -> None:
    order_ids = [await _release_potassium(portal) for _ in range(2)]
    page = await _open_order(workplace, account, order_ids[0])
    await _expect_acts(page, offered=_ACTS_OF_ALL + _ACTS_OF_STAFF, denied=_ACTS_OF_LAB)
    await page.keyboard.press("Alt+Shift+A")
    await expect(page.get_by_text(messages.ORDER_ACKNOWLEDGED)).to_be_visible()
    await expect(page).not_to_have_url(re.compile(rf";id={order_ids[0]}$"))
    await expect(page).to_have_url(re.compile(r"/secured/results/order;id=\d+$"))
    async with people.open_session(portal, account) as http:
        orders = [(await http.get(f"/api/v2/orders/{order_id}")).json() for order_id in order_ids]
    assert [order[mark] for order in orders] == [False, True]

    # The order that is open now is unread, too, and its button acknowledges without leaving.
    address = page.url
    await page.get_by_role("button", name="Acknowledge", exact=True).click()
    await expect(page.get_by_role("button", name="Acknowledge", exact=True)).to_be_disabled()
    await expect(page).to_have_url(address)


@on_desktop
async def test_patient_reads_results_and_has_no_acts_of_the_staff(
    workplace: Workplace, portal: str
) -> None:
    async with people.open_session(portal, "patient") as http:
        parameters = {"startDate": "2020-01-01", "status": "16", "take": "1"}
        answer = await http.get("/api/v2/orders/remote-operations", params=parameters)
        [order] = answer.json()["data"]
    page = await _open_order(workplace, "patient", order["id"])
    await expect(page.get_by_role("tabpanel").get_by_role("row").nth(1)).to_be_visible()
    await _expect_acts(page, offered=_ACTS_OF_ALL, denied=_ACTS_OF_STAFF + _ACTS_OF_LAB)
    address = page.url
    await page.keyboard.press("Alt+Shift+A")
    assert await find_violations_in(page, "results of a patient") == []
    await expect(page).to_have_url(address)
    button = page.get_by_role("button", name="Print Results")
    report = await workplace.open_pdf(page, button, "/reports/order/results")
    text = "\n".join(part.extract_text() for part in PdfReader(io.BytesIO(report)).pages)
    assert order["codeValue"] in text


async def test_patient_prints_more_orders_than_a_page_has(
    workplace: Workplace, portal: str
) -> None:
    """A selection ends with the page, so a report of all that the search found is offered."""
    async with people.open_session(portal, "patient") as http:
        parameters = {"startDate": "2020-01-01", "take": "1"}
        answer = await http.get("/api/v2/orders/remote-operations", params=parameters)
        count = answer.json()["totalCount"]
    assert count > 20
    page = await (await workplace.open()).new_page()
    await steps.open_home(page, "patient")
    await steps.search_days(page, date(2020, 1, 1))
    await expect(page.get_by_text(f"1–20 of {count}")).to_be_visible()
    await steps.wait_until_still(page)
    await page.get_by_role("checkbox", name="Select all rows of this page").press("Space")
    await page.get_by_role("button", name="Print Results").click()
    dialog = page.get_by_role("dialog", name="Print Results")
    await steps.check_control(
        dialog.get_by_role("radio", name=f"All {count} that the search found")
    )
    assert await find_violations_in(page, "question about printing", "light", "dark", "phone") == []
    button = dialog.get_by_role("button", name="Print")
    report = await workplace.open_pdf(page, button, "/reports/order/results/stream")
    text = "\n".join(part.extract_text() for part in PdfReader(io.BytesIO(report)).pages)
    assert len(set(re.findall(r"L\d{9}", text))) == count


@pytest.mark.parametrize("account", ["physician", "clientadmin", "clientbasic", "patient"])
async def test_foreign_orders_do_not_exist(workplace: Workplace, portal: str, account: str) -> None:
    async with people.open_session(portal, "superuser") as http:
        parameters = {"startDate": "2020-01-01", "take": "100"}
        answer = await http.get("/api/v2/orders/remote-operations", params=parameters)
        all_ids = [row["id"] for row in answer.json()["data"]]
    async with people.open_session(portal, account) as http:
        answers = [
            (await http.get(f"/api/v2/orders/{order_id}")).status_code for order_id in all_ids
        ]
    foreign_id = all_ids[answers.index(404)]
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, account)
    await page.goto(f"/secured/results/order;id={foreign_id}")
    await expect(page.get_by_text("No record found!").first).to_be_visible()
