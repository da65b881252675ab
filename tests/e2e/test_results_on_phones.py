"""Results and their entry on narrow screens, in a real browser."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import OpenContext
from tests.e2e.measures import find_cut_texts

pytestmark = pytest.mark.timeout(300)
# Counts the parts of a closed section, and the parts that begin a line but show their dot.
_MEASURE_PARTS = """(summary) => {
  const { left } = summary.querySelector('span').getBoundingClientRect();
  const boxes = [...summary.querySelectorAll('span span span')].map((part) => {
    const dotPx = parseFloat(getComputedStyle(part, '::before').insetInlineStart);
    const { x, top } = part.getBoundingClientRect();
    return { dotX: x + dotPx, top };
  });
  const dangling = boxes.filter(({ dotX, top }, index) =>
    (index === 0 || top > boxes[index - 1].top + 4) && dotX > left - 4);
  return { parts: boxes.length, dangling: dangling.length };
}"""


async def open_on_phone(open_context: OpenContext, portal: str, account: str, path: str) -> Page:
    """Sign in as a demo account, and open a screen in a window as narrow as a phone."""
    page = await (await open_context(portal)).new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await steps.sign_in(page, account)
    await page.goto(path)
    return page


async def test_lab_types_results_without_scrolling_sideways(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "BMP")
    lab = await open_on_phone(
        open_context, portal, "laboratory", f"/secured/result-entry/order;id={order_id}"
    )
    await lab.get_by_label("Result of POTASSIUM").fill("7.2")
    await expect(lab.get_by_text(re.compile("^Critically high"))).to_be_visible()
    form = lab.get_by_role("form", name="Results")
    assert await form.evaluate("e => e.scrollWidth <= e.clientWidth")
    box = await form.get_by_label("Comment on POTASSIUM").bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert await find_violations_in(lab, "clinical entry", "phone", "dark") == []


async def test_lab_types_toxicology_results_without_scrolling_sideways(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "TOXC")
    lab = await open_on_phone(
        open_context, portal, "laboratory", f"/secured/result-entry/order;id={order_id}"
    )
    await lab.get_by_label("Result of OXAZEPAM, URINE").fill("150")
    form = lab.get_by_role("form", name="Toxicology results")
    cut = "(e) => [e, ...e.querySelectorAll('div')].some((x) => x.scrollWidth > x.clientWidth)"
    assert not await form.evaluate(cut)
    assert await lab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await find_violations_in(lab, "toxicology entry", "phone", "dark") == []


async def test_lab_reads_the_whole_value_of_an_antibiotic(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "UCUL")
    lab = await open_on_phone(
        open_context, portal, "laboratory", f"/secured/result-entry/order;id={order_id}"
    )
    await lab.get_by_role("button", name="Add Organism").click()
    await lab.get_by_label("Organism", exact=True).select_option(label="Escherichia coli")
    await lab.get_by_label("Add an antibiotic to organism 1").select_option(label="Meropenem")
    value = lab.get_by_label("Value, Meropenem", exact=True)
    await value.fill("<=0.25")
    assert await value.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert await lab.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_nothing_covers_the_results_of_an_order(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "TOXC")
    nurse = await open_on_phone(
        open_context, portal, "clientbasic", f"/secured/results/order;id={order_id}"
    )
    await expect(nurse.get_by_role("row", name=re.compile("OXAZEPAM"))).to_be_visible()
    menu = nurse.get_by_role("button", name=re.compile("^L[0-9]+ actions$"))
    box = await menu.bounding_box()
    bar = await nurse.locator("[data-sticky=true]").bounding_box()
    assert box is not None and bar is not None
    assert bar["y"] <= box["y"] and box["y"] + box["height"] <= bar["y"] + bar["height"]
    # The menu is in the bar, so that the lines of the tubes need no room for it.
    tubes = nurse.get_by_role("region", name="Specimens").get_by_role("list")
    assert await tubes.evaluate("e => getComputedStyle(e).paddingInlineEnd") == "0px"
    await menu.click()
    await expect(nurse.get_by_role("menuitem", name="Print Results")).to_be_visible()


async def test_words_of_a_critical_result_do_not_break(
    open_context: OpenContext, portal: str
) -> None:
    lab = await open_on_phone(open_context, portal, "laboratory", "/secured/critical-results")
    await lab.get_by_role("button", name=re.compile("^Open L")).first.click()
    dialog = lab.get_by_role("dialog")
    flag = dialog.locator("td[data-title=Flag]").first
    await expect(flag).to_be_visible()
    # A word that breaks makes its cell higher than one line.
    lines = "(e) => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight)"
    assert await flag.evaluate(lines) < 2
    assert await dialog.evaluate(
        "e => [...e.querySelectorAll('table')].every((t) => t.scrollWidth <= t.clientWidth)"
    )


async def test_closed_sections_of_an_order_show_no_dot_where_a_line_begins_or_ends(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "K")
    nurse = await (await open_context(portal)).new_page()
    await steps.sign_in(nurse, "clientbasic")
    await nurse.goto(f"/secured/results/order;id={order_id}")
    summary = nurse.locator("details summary").filter(has_text="Order Information")
    await expect(summary).to_contain_text("received")
    for width in (260, 390, 700, 1366):
        await nurse.set_viewport_size({"width": width, "height": 844})
        await steps.wait_until_still(nurse)
        measured = await summary.evaluate(_MEASURE_PARTS)
        assert measured["parts"] > 1 and measured["dangling"] == 0, (width, measured)


async def test_nothing_of_a_drug_test_is_beyond_the_edge(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "TOXC")
    nurse = await open_on_phone(
        open_context, portal, "clientbasic", f"/secured/results/order;id={order_id}"
    )
    frame = nurse.get_by_role("region", name="All toxicology results")
    row = frame.get_by_role("row", name=re.compile("OXAZEPAM"))
    await expect(row.get_by_text("3-10 days")).to_be_visible()
    assert await frame.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert await find_violations_in(nurse, "toxicology results", "phone", "dark") == []


async def test_a_withdrawn_result_leaves_the_name_of_its_test_legible(
    open_context: OpenContext, portal: str
) -> None:
    order_id = await people.receive_order(portal, "BMP")
    await people.release_result(portal, order_id, "CA", "9.4")
    async with people.open_session(portal, "laboratory") as lab:
        path = f"/api/v2/orders/{order_id}"
        rows = (await lab.get(f"{path}/result-entry")).json()["rows"]
        test_id = next(row["orderTestId"] for row in rows if row["code"] == "CA")
        body = {"orderTestIds": [test_id], "kind": "withdrawn", "reason": "SPECIMEN"}
        answer = await lab.post(f"{path}/withhold", json=body)
        assert answer.status_code == 200, answer.text
    nurse = await open_on_phone(
        open_context, portal, "clientbasic", f"/secured/results/order;id={order_id}"
    )
    row = nurse.get_by_role("row", name=re.compile("^CALCIUM"))
    await expect(row.get_by_text(re.compile("^WITHDRAWN"))).to_be_visible()
    name, value = row.get_by_role("rowheader"), row.get_by_role("cell").first
    assert await find_cut_texts(name) == [] and await find_cut_texts(value) == []
    # The unit is below the name, also inside a panel.
    start = "e => e.getBoundingClientRect().left + parseFloat(getComputedStyle(e).paddingLeft)"
    unit = row.locator("[data-title=Unit]")
    assert await unit.evaluate(start) == await name.evaluate(start)
