"""Missing information of an order in a real browser: found, filled in, and unmarked."""

import re
from pathlib import Path

import psycopg
import pytest
from playwright.async_api import BrowserContext, expect

from app.server.open_database import open_any_database
from app.server.settings import Settings
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(300)
MARK = "(Missing information)"


async def test_nurse_completes_an_order(workplace: Workplace, portal: str) -> None:
    order_id = await people.receive_order(portal, "K", billTo="CLIENT")
    async with people.open_session(portal, "clientbasic") as http:
        order = (await http.get(f"/api/v2/orders/{order_id}")).json()
    page = await (await workplace.open()).new_page()
    await steps.open_home(page, "clientbasic")
    await page.get_by_role("checkbox", name="Missing Information").check()
    await page.get_by_role("textbox", name="Filter Order Id").fill(order["codeValue"])
    row = page.get_by_role("checkbox", name=f"Select {order['codeValue']}")
    mark = page.get_by_text(MARK)
    await expect(row).to_be_visible()
    await expect(mark).to_have_count(1)
    await steps.check_control(row)
    await page.get_by_role("button", name="Missing information").click()
    dialog = page.get_by_role("dialog", name="Missing information")
    await expect(dialog.get_by_text("Missing: ordering physician, diagnoses.")).to_be_visible()
    assert await find_violations_in(page, "missing information") == []
    await dialog.get_by_role("button", name="Save Information").click()
    await expect(dialog.get_by_text("Physician is required")).to_be_visible()

    await steps.choose_option(page, "Ordering Physician", first=True)
    await dialog.get_by_role("combobox", name="Diagnoses").fill("I10")
    await page.get_by_role("option", name=re.compile("^I10")).first.click()
    await expect(dialog.get_by_text("Nothing is missing.")).to_be_visible()
    await dialog.get_by_role("button", name="Save Information").click()
    await expect(page.get_by_text("Missing information saved")).to_be_visible()
    await expect(dialog).to_have_count(0)
    await expect(row).to_have_count(0)
    await page.get_by_role("checkbox", name="Missing Information").uncheck()
    await expect(row).to_be_visible()
    await expect(mark).to_have_count(0)


async def test_nurse_fills_in_a_birth_date(
    context: BrowserContext, portal: str, portal_data: Path
) -> None:
    physician = await people.find_physician(portal)
    order_id = await people.receive_order(portal, "K", billTo="CLIENT", physicianId=physician)
    async with people.open_session(portal, "clientbasic") as http:
        order = (await http.get(f"/api/v2/orders/{order_id}")).json()
    patient_id, birth_date = order["patient"]["id"], order["patient"]["birthDate"]
    with (
        open_any_database(Settings(data_dir=portal_data), print) as url,
        psycopg.connect(url) as connection,
    ):
        # Only the lab's feed can omit a birth date, and no screen can remove one.
        connection.execute(
            "UPDATE requisitions SET patient_birth_date = NULL WHERE id = %s",
            (order["requisitionId"],),
        )
        connection.execute("UPDATE orders SET patient_birth_date = NULL WHERE id = %s", (order_id,))
        connection.execute("UPDATE patients SET birth_date = NULL WHERE id = %s", (patient_id,))
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    await page.get_by_role("textbox", name="Filter Order Id").fill(order["codeValue"])
    shown_date = f"{birth_date[5:7]}/{birth_date[8:]}/{birth_date[:4]}"
    # A filter that applies later would clear the selection.
    await expect(page.get_by_role("checkbox", name=re.compile("^Select L"))).to_have_count(1)
    await steps.check_control(page.get_by_role("checkbox", name=f"Select {order['codeValue']}"))
    cell = page.get_by_role("gridcell", name=shown_date)
    await expect(cell).to_have_count(0)
    await page.get_by_role("button", name="Missing information").click()
    dialog = page.get_by_role("dialog", name="Missing information")
    field = dialog.get_by_role("textbox", name="Date of Birth")
    await expect(field).to_have_value("")
    await dialog.get_by_role("button", name="Save Information").click()
    await expect(dialog.get_by_text("Date of birth is required")).to_be_visible()
    await field.fill(shown_date)
    await dialog.get_by_role("button", name="Save Information").click()
    await expect(page.get_by_text("Missing information saved")).to_be_visible()
    await expect(dialog).to_have_count(0)
    await expect(cell).to_be_visible()
    async with people.open_session(portal, "clientbasic") as http:
        patient = (await http.get(f"/api/v2/patients/{patient_id}")).json()
    assert patient["birthDate"] == birth_date
