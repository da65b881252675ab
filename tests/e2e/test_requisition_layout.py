"""The layout of the requisition form: small windows, menus, and late offers of drafts."""

import asyncio
import io
import re

import pytest
from playwright.async_api import BrowserContext, Locator, Route, ViewportSize, expect
from pypdf import PdfReader

from app.contract.enumerations import RequisitionStatus
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(600)
_FORM = "/secured/requisitions/create"
# The text of the focused element if the page's header or the floating button covers it, or null.
_FIND_HIDDEN_FOCUS = """() => {
    const element = document.activeElement;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + 4, top + 3],
        [right - 4, bottom - 3]];
    const isCovered = points.some(([x, y]) => {
        const seen = document.elementFromPoint(x, y);
        const cover = seen?.closest('header, [data-sticky="true"], button[aria-label$=" actions"]');
        return cover && !cover.contains(element);
    });
    return isCovered ? `${element.ariaLabel ?? element.textContent} at ${top}` : null;
}"""


async def test_save_stays_in_sight_and_near_a_form_without_a_patient(
    context: BrowserContext,
) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.set_viewport_size({"width": 2560, "height": 600})
    await page.goto(_FORM)
    save = page.get_by_role("button", name="Save", exact=True)
    last = page.get_by_role("region", name="Documents")
    for width in (2560, 1366, 390):
        await page.set_viewport_size({"width": width, "height": 600})
        await last.scroll_into_view_if_needed()
        await expect(last).to_be_in_viewport()
        await expect(save).to_be_in_viewport(ratio=1)
    await page.set_viewport_size({"width": 2560, "height": 600})
    form = await page.get_by_role("region", name="Bill To and Billing Information").bounding_box()
    clear = await page.get_by_role("button", name="Clear", exact=True).bounding_box()
    assert form is not None
    assert clear is not None
    assert clear["x"] + clear["width"] <= form["x"] + form["width"]


@pytest.mark.parametrize("size", [{"width": 1366, "height": 600}, {"width": 390, "height": 700}])
async def test_patient_and_save_stay_in_sight(
    context: BrowserContext, insured_patient: int, size: ViewportSize
) -> None:
    page = await context.new_page()
    await page.set_viewport_size(size)
    await page.goto("/login")
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={insured_patient}")
    banner = page.get_by_role("group", name="Patient", exact=True)
    await expect(banner).to_contain_text(re.compile(r"[A-Z]+, [A-Z]+.*DOB \d\d/\d\d/\d{4}", re.S))
    last = page.get_by_role("region", name="Requisition Comments")
    await expect(last).not_to_be_in_viewport()
    await last.scroll_into_view_if_needed()
    await expect(last).to_be_in_viewport()
    await expect(banner).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    code = banner.get_by_text(re.compile(r"^P\d{7}$"))
    await expect(code).to_be_in_viewport(ratio=1)
    for label in ["Client", "Unit"]:
        await expect(banner.get_by_text(label, exact=True)).to_be_in_viewport(ratio=1)
    cut = "(e) => [...e.querySelectorAll('dd')].filter((v) => v.scrollWidth > v.clientWidth + 1)"
    for width in [683, 800, 1920]:
        await page.set_viewport_size({"width": width, "height": 600})
        assert await banner.evaluate(f"{cut}.map((v) => v.textContent)") == []
    await page.set_viewport_size(size)

    # Neither the sticky header nor the floating button hides what has the focus.
    await page.get_by_role("heading", name="New Requisition").focus()
    hidden_elements = []
    for key in ["Tab"] * 30 + ["Shift+Tab"] * 25:
        await page.keyboard.press(key)
        hidden_elements.append(await page.evaluate(_FIND_HIDDEN_FOCUS))
    assert [text for text in hidden_elements if text] == []


async def measure_edges(locator: Locator) -> tuple[float, float]:
    """Return the top and the bottom edge of an element."""
    box = await locator.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


async def test_low_windows_show_lists_beside_their_fields(
    context: BrowserContext, insured_patient: int
) -> None:
    """Windows are low in browsers zoomed to 200 % and on phones held sideways."""
    page = await context.new_page()
    await page.set_viewport_size({"width": 683, "height": 400})
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={insured_patient}")
    for width, height in ((683, 400), (844, 390), (1280, 560)):
        await page.set_viewport_size({"width": width, "height": height})
        field = page.get_by_role("combobox", name="Test code or name")
        await field.fill("gluc")
        tests = page.get_by_role("grid", name="Tests").get_by_role("row")
        await expect(tests.nth(1)).to_contain_text("GLUC")
        await page.keyboard.press("ArrowDown")
        marked_line = tests.and_(page.locator("[aria-selected=true]"))
        await expect(marked_line).to_contain_text("GLUC")
        await steps.wait_until_still(page)
        await expect(marked_line).to_be_in_viewport(ratio=1)
        top, bottom = await measure_edges(field)
        list_top, _ = await measure_edges(tests.first)
        _, list_end = await measure_edges(page.get_by_role("button", name="More tests"))
        assert list_top > bottom - 1 or list_end < top + 1
        assert (
            list_top
            > (await measure_edges(page.get_by_role("group", name="Patient", exact=True)))[1]
        )
        assert list_end <= height
        # All lines are reached, one after another.
        await field.fill("")
        await expect(tests).to_have_count(11)
        for _ in range(8):
            await page.keyboard.press("ArrowDown")
        await expect(tests.nth(8)).to_have_attribute("aria-selected", "true")
        await expect(tests.nth(8)).to_be_in_viewport(ratio=0.95)
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Collection Date: open calendar").click()
        calendar = page.locator(".bp6-datepicker")
        await expect(calendar).to_be_visible()
        await steps.wait_until_still(page)
        await expect(calendar).to_be_in_viewport(ratio=1)
        await page.keyboard.press("Escape")
        await expect(calendar).to_have_count(0)


async def test_a_long_diagnosis_is_readable_on_a_small_desktop_screen(
    context: BrowserContext, insured_patient: int
) -> None:
    """The choice of its test is below the text if there is no room beside it."""
    page = await context.new_page()
    await page.set_viewport_size({"width": 1024, "height": 768})
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={insured_patient}")
    await steps.choose_option(page, "Diagnoses", "E11.00")
    row = page.get_by_role("list", name="Diagnoses").get_by_role("listitem")
    row = row.filter(has_text="E11.00")
    text = await row.get_by_text("hyperosmolarity").bounding_box()
    choice = await row.get_by_role("combobox").bounding_box()
    assert text is not None and choice is not None
    assert text["width"] > 250
    assert choice["y"] >= text["y"] + text["height"] - 4


async def test_form_is_accessible(context: BrowserContext, insured_patient: int) -> None:
    page = await context.new_page()
    failures: list[str] = []

    async def check_dialog(dialog: str, *looks: str) -> None:
        await expect(page.locator(".bp6-toast")).to_have_count(0)
        # The dialog partly covers the page's buttons, which are checked without it.
        failures.extend(await find_violations_in(page, dialog, *looks, except_rule="target-size"))

    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={insured_patient}")
    grid = page.get_by_role("grid", name="Billing Information")
    await expect(grid.get_by_role("gridcell").first).to_be_visible()
    await steps.add_test(page, "GLU")
    await steps.choose_option(page, "Diagnoses", "E11.9")
    await expect(page.get_by_role("textbox", name="Comments")).to_be_visible()
    await expect(page.locator(".bp6-toast")).to_have_count(0)
    failures += await find_violations_in(page, "form")
    await page.get_by_role("button", name=re.compile("^View insurance 1")).click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await check_dialog("insurance")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await steps.save_new_requisition(page)
    await check_dialog("done")
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await dialog.get_by_role("button", name="Close").last.click()
    await page.get_by_role("button", name="Signature History").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await check_dialog("signature")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Recent Requisitions").click()
    await expect(page.get_by_role("table", name="Recent Requisitions")).to_be_visible()
    await check_dialog("recent")
    await page.keyboard.press("Escape")
    for action in ("Email Forms", "Fax Forms", "Labels", "Sign", "Cancel Requisition"):
        await page.get_by_role("button", name=action, exact=True).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await check_dialog(action, "light", "dark")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
    assert failures == []


async def test_the_menu_of_a_phone_shows_all_reasons(workplace: Workplace, portal: str) -> None:
    async with people.open_session(portal, "clientbasic") as nurse:
        done = {"status": RequisitionStatus.DONE, "startDate": "2020-01-01", "take": 1}
        rows_answer = await nurse.get("/api/v2/requisitions/remote-operations", params=done)
    page = await (await workplace.open()).new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};id={rows_answer.json()['data'][0]['id']}")
    await page.get_by_role("button", name=re.compile("^Edit Requisition.* actions$")).click()
    item = page.get_by_role("menuitem", name=re.compile("^Cancel Requisition"))
    await expect(item).to_contain_text("cannot be canceled")
    await steps.wait_until_still(page)
    for menu_item in await page.get_by_role("menuitem").all():
        box = await menu_item.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
        assert await menu_item.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize("width", [1024, 1366])
async def test_lists_of_earlier_requisitions_fit_into_the_window(
    context: BrowserContext, portal: str, width: int
) -> None:
    async with people.open_session(portal, "clientbasic") as nurse:
        pending = {"status": RequisitionStatus.PENDING, "startDate": "2020-01-01", "take": 1}
        rows_answer = await nurse.get("/api/v2/requisitions/remote-operations", params=pending)
    page = await context.new_page()
    await page.set_viewport_size({"width": width, "height": 768})
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};id={rows_answer.json()['data'][0]['id']}")
    for button, name in (
        ("Choose a previous requisition", "Previous Requisitions"),
        ("Recent Requisitions", "Recent Requisitions"),
    ):
        await page.get_by_role("button", name=button).click()
        table = page.get_by_role("table", name=name)
        await expect(table).to_be_visible()
        await steps.wait_until_still(page)
        popover = page.locator(".bp6-popover").filter(has=table)
        box = await popover.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
        assert await popover.evaluate("e => e.scrollWidth <= e.clientWidth")
        await page.keyboard.press("Escape")
        await expect(table).to_be_hidden()


async def test_a_late_draft_is_offered_without_moving_the_form(workplace: Workplace) -> None:
    """The list of drafts arrives late; its offer is first for the keyboard and covers no field."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientadmin")
    await page.goto(_FORM)
    async with page.expect_response(re.compile(r"/requisitions/drafts/")):
        await page.get_by_role("combobox", name="Fasting").select_option(label="FASTING")
    release = asyncio.Event()

    async def hold(route: Route) -> None:
        await release.wait()
        await route.continue_()

    await page.route(re.compile(r"/requisitions/drafts(\?|$)"), hold)
    page.once("dialog", lambda question: question.accept())
    await page.reload()
    select = page.get_by_role("button", name="Select Patient")
    await expect(select).to_be_visible()
    await steps.wait_until_still(page)
    place = await select.bounding_box()
    release.set()
    resume = page.get_by_role("button", name="Continue with it")
    await expect(resume).to_be_visible()
    assert await select.bounding_box() == place

    await page.get_by_role("heading", name="New Requisition").focus()
    await steps.tab_to(page, "Continue with it")
    # The last field is not covered at the end of the form.
    last = page.get_by_role("button", name="Add document")
    await last.scroll_into_view_if_needed()
    await page.mouse.wheel(0, 4000)
    await steps.wait_until_still(page)
    assert (await measure_edges(last))[1] <= (await measure_edges(resume))[0]
    await page.get_by_role("button", name="Discard").click()
    await expect(resume).to_be_hidden()


async def test_prints_the_whole_form_without_the_menu(
    context: BrowserContext, insured_patient: int
) -> None:
    page = await context.new_page()
    await page.goto("/login")
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={insured_patient}")
    await expect(page.get_by_role("region", name="Additional Copies")).to_be_attached()
    paper = PdfReader(io.BytesIO(await page.pdf(format="Letter")))
    assert len(paper.pages) > 1
    text = "\n".join(sheet.extract_text() for sheet in paper.pages)
    assert "Additional Copies" in text
    assert "Terms & Conditions" not in text
