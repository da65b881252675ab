"""The requisition form in a real browser: billing, comments, copies, signatures, the phone."""

import asyncio
import re

import httpx
import pytest
from playwright.async_api import (
    BrowserContext,
    Locator,
    Page,
    Response,
    Route,
    ViewportSize,
    expect,
)

from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.contract.limits import (
    DIALOG_REQUISITION_DONE_PHONE_WIDTH_PX,
    DIALOG_REQUISITION_DONE_PX,
)
from app.server.seeding import DEMO_PASSWORD
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace, on_both_hosts

pytestmark = pytest.mark.timeout(600)
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
_FORM = "/secured/requisitions/create"
_SAVE_PATH = re.compile(r"/api/v2/requisitions(/\d+)?(\?|$)")


async def find_insured_patient(portal: str) -> int:
    """Find a demo patient of the nurse's clients with at least two insurances."""
    async with httpx.AsyncClient(base_url=portal) as http:
        body = {
            "loginId": "clientbasic@demo.lab",
            "password": DEMO_PASSWORD,
            "applicationId": "portal",
        }
        token = (await http.post("/auth/login", json=body)).json()["token"]
        headers = {"Authorization": f"JWT {token}"}
        rows = await http.get("/api/v2/patients/remote-operations?take=100", headers=headers)
        for row in reversed(rows.json()["data"]):
            path = f"/api/v2/patients/{row['id']}/billing-info"
            if len((await http.get(path, headers=headers)).json()) > 1:
                return int(row["id"])
    raise AssertionError("the demo lab has no patient with two insurances")


def find_billing_rows(page: Page) -> Locator:
    """Return the rows of the billing information."""
    grid = page.get_by_role("grid", name="Billing Information")
    return grid.get_by_role("row").filter(has=page.get_by_role("gridcell"))


async def read_payers(page: Page) -> list[str]:
    """Return the payers in their order."""
    return [
        await row.get_by_role("gridcell").nth(2).inner_text()
        for row in await find_billing_rows(page).all()
    ]


async def expect_payers(page: Page, payers: list[str]) -> None:
    """Wait until the rows have these payers in this order."""
    await expect(find_billing_rows(page)).to_have_count(len(payers))
    for row, payer in enumerate(payers):
        cell = find_billing_rows(page).nth(row).get_by_role("gridcell").nth(2)
        await expect(cell).to_have_text(payer)


async def open_by(workplace: Workplace, page: Page, button: Locator) -> Page:
    """Open a form by a click, in a new tab if the host has tabs."""
    if workplace.host == "desktop":
        await button.click()
        return page
    async with page.context.expect_page() as opened:
        await button.click()
    return await opened.value


def is_save(answer: Response) -> bool:
    """Whether this is the answer to saving a requisition."""
    return answer.request.method == "POST" and _SAVE_PATH.search(answer.url) is not None


async def save_form(page: Page) -> None:
    """Save, and wait for the answer, because an earlier success message may still be there."""
    async with page.expect_response(is_save) as answered:
        await page.get_by_role("button", name="Save", exact=True).click()
    assert (await answered.value).ok
    await expect(page.get_by_text("Requisition Saved!").first).to_be_visible()


async def start_requisition(page: Page, patient: int) -> None:
    """Save a requisition of the patient in the form.

    It has the second insurance first, a diagnosis that supports a test, and a comment.
    """
    await page.goto(f"{_FORM};patientId={patient}")
    await expect(find_billing_rows(page).nth(1)).to_be_visible()
    first, second, *others = await read_payers(page)
    insurance = page.get_by_role("radio", name="INSURANCE")
    await steps.check(insurance)
    tools = page.get_by_role("toolbar", name="Billing actions")
    await expect(tools.get_by_role("button", name="Move Up")).to_be_disabled()
    await find_billing_rows(page).nth(1).click()
    await tools.get_by_role("button", name="Move Up").click()
    await expect_payers(page, [second, first, *others])
    await steps.add_test(page, "GLU")
    await steps.add_test(page, "K")
    await steps.choose(page, "Diagnoses", "E11.9")
    support = page.get_by_role("combobox", name="Test that E11.9 supports").first
    await support.select_option(label="K POTASSIUM")
    await expect(page.get_by_text(re.compile("ICD-10-CM FY"))).to_be_visible()
    comments = page.get_by_role("textbox", name="Comments")
    await comments.click()
    rings = page.locator(":focus, :has(:focus)")
    outlines = "(elements) => elements.map((e) => getComputedStyle(e).outlineStyle)"
    shown = await rings.evaluate_all(outlines)
    assert len([style for style in shown if style != "none"]) == 1
    await page.keyboard.press("Control+B")
    await page.keyboard.type("Fragile vein")
    await steps.save_new_requisition(page)


@pytest.fixture
async def patient(portal: str) -> int:
    """A patient with two insurances."""
    return await find_insured_patient(portal)


async def test_reopened_requisition_has_everything_ordered(
    workplace: Workplace, patient: int
) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await start_requisition(page, patient)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await expect(dialog.get_by_role("button", name="Print", exact=True)).to_be_visible()
    await steps.wait_until_still(page)
    box = await dialog.bounding_box()
    assert box is not None
    assert (round(box["width"]), round(box["height"])) == DIALOG_REQUISITION_DONE_PX
    assert await dialog.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    code = await steps.read_code(page)
    order = await read_payers(page)
    await dialog.get_by_role("button", name="Close").last.click()
    # O 9 names the key; the value is encrypted.
    await page.wait_for_function("localStorage.getItem('recentRequisitions') !== null")
    assert code not in await page.evaluate("JSON.stringify(Object.entries(localStorage))")
    await page.reload()
    await expect(page.get_by_role("heading", name=re.compile(code))).to_be_visible()
    await expect_payers(page, order)
    await expect(page.locator("strong", has_text="Fragile vein")).to_be_visible()
    support = page.get_by_role("combobox", name="Test that E11.9 supports").first
    await expect(support.locator("option:checked")).to_have_text("K POTASSIUM")


@on_both_hosts
async def test_copies_and_opens_previous_and_recent_requisitions(
    workplace: Workplace, patient: int
) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await start_requisition(page, patient)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await dialog.get_by_role("button", name="Close").last.click()
    code, order = await steps.read_code(page), await read_payers(page)

    copy = await open_by(workplace, page, page.get_by_role("button", name="Copy", exact=True))
    await expect(
        copy.get_by_text(f"This is a copy of {code}. It is not saved yet.")
    ).to_be_visible()
    await expect(copy.get_by_role("heading", name="New Requisition")).to_be_visible()
    await expect(copy.locator("strong", has_text="Fragile vein")).to_be_visible()
    await expect_payers(copy, order)
    await steps.save_new_requisition(copy)
    second = copy.get_by_role("dialog", name="Requisition Saved")
    await second.get_by_role("button", name="Close").last.click()
    copied = await steps.read_code(copy)
    assert copied != code

    previous = copy.get_by_role("button", name="Choose a previous requisition")
    await expect(previous).to_be_enabled()
    await previous.click()
    grid = copy.get_by_role("table", name="Previous Requisitions")
    earlier = await open_by(workplace, copy, grid.get_by_role("button", name=code))
    await expect(earlier.get_by_role("heading", name=re.compile(code))).to_be_visible()

    await earlier.goto("/secured/requisitions/search")
    await earlier.get_by_role("button", name="Recent Requisitions").click()
    recent = earlier.get_by_role("table", name="Recent Requisitions")
    await expect(recent.get_by_role("button", name=code)).to_be_visible()
    again = await open_by(workplace, earlier, recent.get_by_role("button", name=copied))
    await expect(again.get_by_role("heading", name=re.compile(copied))).to_be_visible()


async def test_shows_and_remembers_signatures(workplace: Workplace, patient: int) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await start_requisition(page, patient)
    await steps.sign_saved(page)

    await page.get_by_role("button", name="View Signature").click()
    viewer = page.get_by_role("dialog", name="Signature", exact=True)
    await expect(viewer.get_by_role("img", name="Signature")).to_be_visible()
    await expect(viewer.get_by_text(re.compile("Electronically signed by: "))).to_be_visible()
    await viewer.get_by_role("button", name="Close").last.click()
    await expect(viewer).to_be_hidden()

    # Bill-to and comments are not signed content and can still be changed.
    await steps.check(page.get_by_role("radio", name="CLIENT"))
    await save_form(page)
    await page.get_by_role("button", name="Unsign").click()
    unsign = page.get_by_role("dialog", name="Unsign")
    await unsign.locator("input[type=password]").fill(DEMO_PASSWORD)
    await unsign.get_by_role("button", name="Unsign").click()
    await expect(page.get_by_text("Requisition Unsigned!")).to_be_visible()
    await page.get_by_role("button", name="Signature History").click()
    history = viewer.get_by_role("region", name="Signature history")
    await expect(history.get_by_text(re.compile("Removed"))).to_be_visible()


async def test_phone_has_a_floating_menu(workplace: Workplace, patient: int) -> None:
    context = await workplace.open()
    page = await context.new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto("/login")
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={patient}")
    await expect(page.get_by_role("grid", name="Billing Information")).to_be_visible()
    await steps.add_test(page, "GLU")
    await steps.save_new_requisition(page)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await expect(dialog).to_be_visible()
    await steps.wait_until_still(page)
    box = await dialog.bounding_box()
    assert box is not None
    assert round(box["width"]) == DIALOG_REQUISITION_DONE_PHONE_WIDTH_PX
    await dialog.get_by_role("button", name="Close").last.click()
    code = await steps.read_code(page)
    # Elements that still cover the menu would make the driver scroll the page.
    await expect(dialog).to_have_count(0)
    await expect(page.locator(".bp6-toast")).to_have_count(0)
    menu = page.get_by_role("button", name=re.compile(f"{code} actions"))
    await menu.click()
    await page.get_by_role("menuitem", name="Cancel Requisition", exact=True).click()
    cancel = page.get_by_role("dialog", name="Cancel Requisition")
    await expect(cancel.get_by_role("textbox")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(cancel).to_have_count(0)
    await expect(menu).to_be_focused()
    await menu.click()
    await steps.wait_until_still(page)
    for name in ("Sign", "Labels", "Print", "Cancel Requisition", "Clear"):
        await expect(page.get_by_role("menuitem", name=name, exact=True)).to_be_visible()
    await page.get_by_role("menuitem", name="Copy", exact=True).click()
    # Phones open it in place.
    copy = page.get_by_text(f"This is a copy of {code}. It is not saved yet.")
    await expect(copy).to_be_visible()
    await page.get_by_role("button", name="New Requisition actions").click()
    await page.get_by_role("menuitem", name="Clear").click()
    question = page.get_by_role("dialog", name="Clear")
    await question.get_by_role("button", name="Continue").click()
    await expect(page.get_by_text("No patient selected")).to_be_visible()


@pytest.mark.parametrize("size", [{"width": 1366, "height": 600}, {"width": 390, "height": 700}])
async def test_patient_and_save_stay_in_sight(
    context: BrowserContext, patient: int, size: ViewportSize
) -> None:
    page = await context.new_page()
    await page.set_viewport_size(size)
    await page.goto("/login")
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={patient}")
    banner = page.get_by_role("group", name="Patient", exact=True)
    await expect(banner).to_contain_text(re.compile(r"[A-Z]+, [A-Z]+.*DOB \d\d/\d\d/\d{4}", re.S))
    last = page.get_by_role("region", name="Requisition Comments")
    await expect(last).not_to_be_in_viewport()
    await last.scroll_into_view_if_needed()
    await expect(last).to_be_in_viewport()
    await expect(banner).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)
    wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
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
    hidden = []
    for key in ["Tab"] * 30 + ["Shift+Tab"] * 25:
        await page.keyboard.press(key)
        hidden.append(await page.evaluate(_FIND_HIDDEN_FOCUS))
    assert [text for text in hidden if text] == []


async def measure_edges(locator: Locator) -> tuple[float, float]:
    """Return the top and the bottom edge of an element."""
    box = await locator.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


async def test_low_windows_show_lists_beside_their_fields(
    context: BrowserContext, patient: int
) -> None:
    """Windows are low in browsers zoomed to 200 % and on phones held sideways."""
    page = await context.new_page()
    await page.set_viewport_size({"width": 683, "height": 400})
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={patient}")
    for width, height in ((683, 400), (844, 390), (1280, 560)):
        await page.set_viewport_size({"width": width, "height": height})
        field = page.get_by_role("combobox", name="Test code or name")
        await field.fill("gluc")
        tests = page.get_by_role("grid", name="Tests").get_by_role("row")
        await expect(tests.nth(1)).to_contain_text("GLUC")
        await page.keyboard.press("ArrowDown")
        marked = tests.and_(page.locator("[aria-selected=true]"))
        await expect(marked).to_contain_text("GLUC")
        await steps.wait_until_still(page)
        await expect(marked).to_be_in_viewport(ratio=1)
        top, bottom = await measure_edges(field)
        list_top, _ = await measure_edges(tests.first)
        _, list_end = await measure_edges(page.get_by_role("button", name="More tests"))
        assert list_top > bottom - 1 or list_end < top + 1
        assert (
            list_top
            > (await measure_edges(page.get_by_role("group", name="Patient", exact=True)))[1]
        )
        assert list_end <= height
        # All lines are reached, one after the other.
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


async def test_form_is_accessible(context: BrowserContext, patient: int) -> None:
    page = await context.new_page()
    failures: list[str] = []

    async def check_dialog(dialog: str, *looks: str) -> None:
        await expect(page.locator(".bp6-toast")).to_have_count(0)
        # The dialog partly covers the page's buttons, which are checked without it.
        failures.extend(await find_violations_in(page, dialog, *looks, except_rule="target-size"))

    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};patientId={patient}")
    await expect(find_billing_rows(page).first).to_be_visible()
    await steps.add_test(page, "GLU")
    await steps.choose(page, "Diagnoses", "E11.9")
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
        rows = await nurse.get("/api/v2/requisitions/remote-operations", params=done)
    page = await (await workplace.open()).new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{_FORM};id={rows.json()['data'][0]['id']}")
    await page.get_by_role("button", name=re.compile("^Edit Requisition.* actions$")).click()
    item = page.get_by_role("menuitem", name=re.compile("^Cancel Requisition"))
    await expect(item).to_contain_text("cannot become CANCELED")
    await steps.wait_until_still(page)
    for entry in await page.get_by_role("menuitem").all():
        box = await entry.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
        assert await entry.evaluate("e => e.scrollWidth <= e.clientWidth")


async def test_one_enter_does_not_order_any_of_several_similar_tests(workplace: Workplace) -> None:
    """Direct and total bilirubin match 'bilirubin' equally well (ADR 27)."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(_FORM)
    await steps.register_patient(page, steps.build_last_name())
    tests = page.get_by_role("combobox", name="Test code or name")
    lines = page.get_by_role("grid", name="Tests").get_by_role("row", name=re.compile("BILIRUBIN"))
    chosen = page.get_by_role("tree", name="Chosen tests").get_by_role("treeitem")

    await tests.fill("bilirubin")
    await expect(lines).not_to_have_count(0)
    await steps.wait_until_still(page)
    await tests.press("Enter")
    await expect(lines.first).to_have_attribute("aria-selected", "true")
    await expect(chosen).to_have_count(0)
    name = await lines.nth(1).get_by_role("gridcell").nth(1).inner_text()
    await tests.press("ArrowDown")
    await tests.press("Enter")
    await expect(chosen).to_have_count(1)
    await expect(chosen.first).to_contain_text(name)

    # Enter before the list appears: the text returns, and the next Enter selects nothing yet.
    await tests.press_sequentially("bilirubin")
    await tests.press("Enter")
    message = messages.SEVERAL_MATCHES.format(text="BILIRUBIN")
    selected = lines.and_(page.locator("[aria-selected=true]"))
    await expect(page.get_by_text(message).first.or_(selected)).to_be_visible()
    await expect(tests).to_have_value("BILIRUBIN")
    await expect(chosen).to_have_count(1)


async def test_a_late_draft_is_offered_without_moving_the_form(workplace: Workplace) -> None:
    """The list of drafts arrives late; its offer is first for the keyboard and covers no field."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientadmin")
    await page.goto(_FORM)
    async with page.expect_response(re.compile(r"/requisitions/drafts/")):
        await page.get_by_role("combobox", name="Fasting").select_option(label="FASTING")
    is_released = asyncio.Event()

    async def hold(route: Route) -> None:
        await is_released.wait()
        await route.continue_()

    await page.route(re.compile(r"/requisitions/drafts(\?|$)"), hold)
    page.once("dialog", lambda question: question.accept())
    await page.reload()
    select = page.get_by_role("button", name="Select Patient")
    await expect(select).to_be_visible()
    await steps.wait_until_still(page)
    place = await select.bounding_box()
    is_released.set()
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
