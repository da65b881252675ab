"""Cumulative results in a real browser: searched, drawn, selected, and printed (R 2.3)."""

import io
import re

import pytest
from playwright.async_api import Page, expect
from pypdf import PdfReader

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import OpenContext, Workplace

pytestmark = pytest.mark.timeout(300)
_TABLE = "Cumulative clinical results"
_PRINT = "/reports/order/cumulative-results"


async def _find_order(portal: str, account: str, **filters: str) -> int:
    """Find the newest final order of all years that this person may read."""
    async with people.open_session(portal, account) as http:
        answer = await http.get(
            "/api/v2/orders/remote-operations",
            params={"startDate": "2020-01-01", "status": "16", "take": "1", **filters},
        )
        return int(answer.json()["data"][0]["id"])


async def _count_orders(portal: str, page: Page) -> int:
    """Count the patient's orders of the shown period: 12 or 13, depending on the weekends."""
    start = await page.get_by_role("textbox", name="Start Date").input_value()
    end = await page.get_by_role("textbox", name="End Date").input_value()
    async with people.open_session(portal, "clientbasic") as http:
        answer = await http.get(
            "/api/v2/orders/remote-operations",
            params={"startDate": start, "endDate": end, "column.patientLastName": "YEARWOOD"},
        )
        return int(answer.json()["totalCount"])


async def _open_results(page: Page, account: str, order_id: int) -> None:
    """Open today's results, which are empty, and accept the offer of 12 months."""
    await steps.sign_in(page, account)
    await page.goto(f"/secured/results/cumulative;id={order_id}")
    await page.get_by_role("button", name=re.compile("^Show 12 months")).click()
    await expect(page.get_by_role("region", name=_TABLE)).to_be_focused()


async def test_clinic_follows_a_patient_over_the_months(workplace: Workplace, portal: str) -> None:
    order_id = await _find_order(portal, "clientbasic", **{"column.patientLastName": "YEARWOOD"})
    page = await (await workplace.open()).new_page()
    await _open_results(page, "clientbasic", order_id)
    table = page.get_by_role("region", name=_TABLE)
    await expect(table.get_by_role("columnheader")).to_have_count(6)
    await page.get_by_label("Records").fill("0")
    await page.get_by_role("button", name="Search").click()
    order_count = await _count_orders(portal, page)
    assert order_count in (12, 13)
    await expect(table.get_by_role("columnheader")).to_have_count(1 + order_count)

    await page.get_by_role("textbox", name="Start Date").fill("01/01/2024")
    await page.get_by_label("Records").fill("30")
    await page.get_by_role("button", name="Search").click()
    await expect(table.get_by_role("columnheader")).to_have_count(31)
    client = page.get_by_role("combobox", name="Client")
    await expect(client.get_by_role("option")).to_have_count(2)

    await steps.check_control(table.get_by_role("checkbox", name="GLUCOSE", exact=True))
    slider = page.get_by_role("slider", name="Collected")
    await expect(slider).to_have_attribute("aria-valuetext", re.compile("GLUCOSE .* mg/dL"))
    latest = await slider.get_attribute("aria-valuetext")
    await slider.press("ArrowLeft")
    await expect(slider).not_to_have_attribute("aria-valuetext", latest or "")
    # Hovering over the chart moves the slider, too; ArrowLeft has moved it from 29 to 28.
    chart = page.get_by_role("figure").first.locator(".u-over")
    await chart.hover(position={"x": 200, "y": 60})
    await expect(slider).not_to_have_value("28")
    values = page.get_by_role("table", name="GLUCOSE, mg/dL")
    await expect(values.get_by_role("row")).to_have_count(31)
    # The table for screen readers takes no space on the page.
    assert await values.evaluate(
        "table => { const main = table.closest('main'); const height = main.scrollHeight;"
        " table.hidden = true; const rest = main.scrollHeight; table.hidden = false;"
        " return height === rest; }"
    )
    assert await find_violations_in(page, "cumulative results with a chart") == []

    async with page.expect_download() as download:
        await page.get_by_role("button", name="Save Picture").click()
    assert (await download.value).suggested_filename == "cumulative-results.png"
    button = page.get_by_role("button", name="Print Selected")
    report = await workplace.open_pdf(page, button, _PRINT)
    assert "GLUCOSE" in PdfReader(io.BytesIO(report)).pages[0].extract_text()


@pytest.mark.parametrize(
    ("account", "last_name"), [("physician", "GOMEZ"), ("laboratory", "YEARWOOD")]
)
async def test_physician_and_lab_read_all_kinds(
    open_context: OpenContext, portal: str, account: str, last_name: str
) -> None:
    order_id = await _find_order(portal, account, **{"column.patientLastName": last_name})
    page = await (await open_context(portal)).new_page()
    await _open_results(page, account, order_id)
    for tab in await page.get_by_role("tab").all():
        await tab.click()
        kind = (await tab.inner_text()).lower()
        region = page.get_by_role("region", name=f"Cumulative {kind} results")
        await expect(region.get_by_role("row").nth(1)).to_be_visible()


async def test_shows_another_order_of_the_patient_once_it_is_released(
    open_context: OpenContext, portal: str
) -> None:
    first_order = await people.receive_order(portal, "K")
    await people.release_result(portal, first_order, "K", "4.1")
    page = await (await open_context(portal)).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"/secured/results/cumulative;id={first_order}")
    table = page.get_by_role("region", name=_TABLE)
    await steps.check_control(table.get_by_role("checkbox", name="POTASSIUM"))

    order_id = await people.receive_order(portal, "K")
    await people.release_result(portal, order_id, "K", "4.7")
    new_column = table.locator(f"a[href$=';id={order_id}']")
    await expect(new_column).to_be_visible()
    await expect(table.get_by_role("checkbox", name="POTASSIUM")).to_be_checked()


async def test_a_long_comment_leaves_the_values_in_view(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "K")
    comment = "The specimen was hemolyzed; please collect again. " * 10
    await people.release_result(portal, order_id, "K", "5.4", comment=comment)
    page = await (await open_context(portal)).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"/secured/results/cumulative;id={order_id}")
    table = page.get_by_role("region", name=_TABLE)
    await expect(table.get_by_text(re.compile("hemolyzed"))).to_be_visible()
    cell = table.get_by_role("cell", name=re.compile(r"^5\.4"))
    assert await cell.evaluate("e => e.getBoundingClientRect().width < 300")
