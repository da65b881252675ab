"""No flag or tag is cut in the grids of a real browser, because a part of HH reads as H."""

from collections.abc import Sequence

import pytest
from playwright.async_api import Page, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import OpenContext
from tests.e2e.measures import find_cells, find_cut_texts

pytestmark = pytest.mark.timeout(300)
_NOTEBOOK = {"width": 1366, "height": 768}
# An ellipsis replaces an inline block that does not fit, and its flag, unless it comes first.
_FIND_CUT_FLAGS = """(flags) => flags.filter((flag) => {
  const cell = flag.closest('[role=gridcell]');
  const isFirst = cell.querySelector('strong') === flag;
  const isHiddenWhole = getComputedStyle(flag.parentElement).display === 'inline-block';
  const isBeyond = flag.getBoundingClientRect().right > cell.getBoundingClientRect().right;
  return (isFirst || !isHiddenWhole) && isBeyond;
}).map((flag) => flag.textContent)"""
_RESULTS = {"GLU": "1512", "K": "7.2", "CREA": "15.25"}


async def _release_order(portal: str, values: dict[str, str]) -> int:
    """Release an order with these results of demo tests, and return its id."""
    order_id = await people.receive_order(portal, *values)
    async with people.open_session(portal, "laboratory") as lab:
        path = f"/api/v2/orders/{order_id}"
        rows = (await lab.get(f"{path}/result-entry")).json()["rows"]
        results = [
            {
                "orderTestId": row["orderTestId"],
                "result": values[row["code"]],
                "isConfirmed": True,
            }
            for row in rows
        ]
        answer = await lab.put(f"{path}/result-entry", json={"results": results})
        assert answer.status_code == 200, answer.text
        answer = await lab.post(f"{path}/release", json={"orderTestIds": None})
        assert answer.status_code == 200, answer.text
    return order_id


async def _check_columns(page: Page, grid: str, columns: Sequence[str]) -> None:
    for column in columns:
        cells = await find_cells(page, grid, column)
        assert await find_cut_texts(cells) == [], column


@pytest.mark.parametrize("account", ["laboratory", "clientbasic"])
async def test_search_shows_flags_alerts_and_statuses_in_full(
    open_context: OpenContext, portal: str, account: str
) -> None:
    await _release_order(portal, _RESULTS)
    page = await (await open_context(portal)).new_page()
    await page.set_viewport_size(_NOTEBOOK)
    await steps.open_home(page, account)
    grid = page.get_by_role("grid", name="Orders")
    await expect(page.get_by_text("1512").first).to_be_visible()
    headers = await grid.get_by_role("columnheader").all_inner_texts()
    shown_codes = [code for code in _RESULTS if code in headers]
    assert "GLU" in shown_codes
    await expect(page.get_by_text("HH", exact=True).first).to_be_visible()
    await _check_columns(page, "Orders", ["Alert", "Status", "Last name", *shown_codes])


async def test_measurement_detects_a_cut_flag(open_context: OpenContext, portal: str) -> None:
    page = await (await open_context(portal)).new_page()
    cell = "<div style='width: {}px; overflow: hidden; white-space: nowrap'>1512 <b>HH</b></div>"
    await page.set_content(cell.format(40) + cell.format(200))
    cells = page.locator("div")
    assert await find_cut_texts(cells.first) == ["HH"]
    assert await find_cut_texts(cells.last) == []


async def test_critical_results_show_flags_in_full(open_context: OpenContext, portal: str) -> None:
    await _release_order(portal, _RESULTS)
    page = await (await open_context(portal)).new_page()
    await page.set_viewport_size(_NOTEBOOK)
    await steps.sign_in(page, "laboratory")
    await page.goto("/secured/critical-results")
    cells = await find_cells(page, "Critical results", "Results")
    flags = cells.locator("strong")
    assert await flags.all_inner_texts()
    assert await flags.evaluate_all(_FIND_CUT_FLAGS) == []
    assert await find_violations_in(page, "critical results", "light", "dark") == []


async def test_cumulative_results_show_flags_in_full(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await _release_order(portal, _RESULTS)
    page = await (await open_context(portal)).new_page()
    await page.set_viewport_size(_NOTEBOOK)
    await steps.sign_in(page, "laboratory")
    await page.goto(f"/secured/results/cumulative;id={order_id}")
    results = page.get_by_role("region", name="Cumulative clinical results")
    await expect(results.get_by_text("HH", exact=True).first).to_be_visible()
    assert await find_cut_texts(results.locator("td")) == []
