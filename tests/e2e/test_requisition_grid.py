"""The requisition search in a real browser: every action of its toolbar."""

import io
import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from pypdf import PdfReader

from app.contract import messages
from app.server.seeding import DEMO_PASSWORD
from tests.desktop.standins import StandInPrinter
from tests.e2e import people, steps
from tests.e2e.conftest import Workplace, on_both_hosts
from tests.e2e.screens import REQUISITION_ACTIONS

pytestmark = pytest.mark.timeout(600)
SEARCH = "/secured/requisitions/search"


async def open_grid(page: Page, account: str = "clientbasic") -> None:
    """Sign in, and open the grid with today's pending requisitions."""
    await steps.sign_in(page, account)
    await page.goto(SEARCH)
    await expect(page.get_by_role("gridcell", name=re.compile(r"R\d{9}")).first).to_be_visible()


async def test_draws_all_rows_that_fit_after_a_single_row(
    workplace: Workplace, portal: str
) -> None:
    """The table grows with its rows, without needless scroll bars."""
    rows = await people.save_requisitions(portal, 15)
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    field = page.get_by_role("textbox", name="Filter Requisition Id")
    await field.fill(rows[0]["code"])
    await expect(page.get_by_role("gridcell", name=rows[1]["code"], exact=True)).to_have_count(0)
    await field.fill("")
    for row in rows[-12:]:
        await expect(page.get_by_role("gridcell", name=row["code"], exact=True)).to_be_visible()
    # The table takes a few frames to adopt its new height.
    await page.wait_for_function(
        "(() => { const rows = document.querySelector('.bp6-table-quadrant-scroll-container');"
        " const page = document.scrollingElement;"
        " return rows.scrollWidth === rows.clientWidth"
        " && page.scrollHeight === page.clientHeight; })()"
    )


async def find_cells_of_row(page: Page, row: dict[str, Any]) -> Locator:
    """Find the cells of a requisition; the table does not group them by row."""
    code = page.get_by_role("gridcell", name=row["code"], exact=True)
    cell_id = await code.get_attribute("id")
    assert cell_id is not None
    return page.locator(f'[id^="{cell_id.rsplit("-", 1)[0]}-"]')


async def select_requisitions(page: Page, rows: list[dict[str, Any]]) -> None:
    """Check the boxes of these requisitions."""
    for row in rows:
        await (await find_cells_of_row(page, row)).first.click()
    await expect(page.get_by_text(f"{len(rows)} selected")).to_be_visible()


async def print_document(workplace: Workplace, page: Page, button: str, path: str) -> str:
    """Press a button that opens a PDF, and return the text of its pages."""
    pressed_button = page.get_by_role("button", name=button, exact=True)
    content = await workplace.open_pdf(page, pressed_button, path)
    return "\n".join(pdf_page.extract_text() for pdf_page in PdfReader(io.BytesIO(content)).pages)


@on_both_hosts
async def test_prints_forms_and_a_log_of_one_or_several_requisitions(
    workplace: Workplace, portal: str
) -> None:
    """Print Requisitions and Print Log."""
    rows = await people.save_requisitions(portal, 2)
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    await select_requisitions(page, rows)
    forms = await print_document(workplace, page, "Print Requisitions", "/reports/requisition")
    assert all(row["code"] in forms for row in rows)
    log = await print_document(workplace, page, "Print Log", "/reports/requisition/log")
    assert "2 requisitions" in log and all(row["code"] in log for row in rows)


@on_both_hosts
async def test_sends_labels_to_a_printer_or_a_pdf(workplace: Workplace, portal: str) -> None:
    """Print Label: ZPL to a printer on the desktop, a PDF in a browser."""
    rows = await people.save_requisitions(portal, 2)
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    await select_requisitions(page, rows)
    await page.get_by_role("button", name="Print Label").click()
    dialog = page.get_by_role("dialog", name="Print Label")
    if workplace.host == "server":
        labels = await print_document(workplace, page, "Print", "/reports/labels")
        assert labels == "\n" * 3  # four pages of images: a container and the form, twice
        return
    printer = StandInPrinter()
    await dialog.get_by_role("button", name="Printers").click()
    printers = page.get_by_role("dialog", name="Printers")
    await printers.get_by_role("button", name="Add printer").click()
    form = page.get_by_role("dialog", name="Add printer")
    await form.get_by_role("textbox", name=re.compile("Name")).fill("Bench ZPL")
    await form.get_by_role("textbox", name=re.compile("Address")).fill("127.0.0.1")
    await form.get_by_role("textbox", name=re.compile("Port")).fill(str(printer.port))
    await form.get_by_role("button", name="Add", exact=True).click()
    await printers.get_by_text("answers without a status").wait_for()
    await printers.get_by_role("button", name="Close", exact=True).last.click()
    await dialog.get_by_role("button", name="Print", exact=True).click()
    await expect(page.get_by_text("Labels sent to Bench ZPL")).to_be_visible()
    received_job = printer.wait_for_jobs()[0].decode()
    assert received_job.count("^XA") == 4
    assert all(row["code"] in received_job for row in rows)


async def test_signs_several_with_one_password(workplace: Workplace, portal: str) -> None:
    """Sign Requisitions; signed ones cannot be signed again."""
    rows = await people.save_requisitions(portal, 2)
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    await select_requisitions(page, rows)
    await page.get_by_role("button", name="Sign Requisitions").click()
    dialog = page.get_by_role("dialog", name="Electronic Signature")
    await steps.draw_signature(page)
    await dialog.locator("input[type=password]").fill("wrong-password-1!")
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect(page.get_by_text("Invalid password.")).to_be_visible()
    await dialog.locator("input[type=password]").fill(DEMO_PASSWORD)
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect(page.get_by_text("Requisitions Signed!")).to_be_visible()
    # The grid reloads and clears its selection.
    await expect(page.get_by_text("2 selected")).to_have_count(0)
    for row in rows:
        signed_items = page.get_by_role("gridcell", name="Signed", exact=True)
        await expect((await find_cells_of_row(page, row)).and_(signed_items)).to_be_visible()
    await select_requisitions(page, rows[:1])
    await expect(page.get_by_role("button", name="Sign Requisitions")).to_be_disabled()


async def test_changes_the_bill_to_of_several(workplace: Workplace, portal: str) -> None:
    """Update Bill To."""
    rows = await people.save_requisitions(portal, 2, billTo="Insurance")
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    await select_requisitions(page, rows)
    await page.get_by_role("button", name="Update Bill To").click()
    dialog = page.get_by_role("dialog", name="Update Bill To")
    await dialog.get_by_role("combobox").select_option(label="CLIENT")
    await dialog.get_by_role("button", name="Send", exact=True).click()
    await expect(page.get_by_text("The bill to was updated successfully")).to_be_visible()
    async with people.open_session(portal, "clientbasic") as nurse:
        for row in rows:
            answer = await nurse.get(f"/api/v2/requisitions/{row['id']}")
            assert answer.json()["billTo"] == "Client"

    # The portal asks before it bills insurance where none is listed.
    await select_requisitions(page, rows)
    await page.get_by_role("button", name="Update Bill To").click()
    await dialog.get_by_role("button", name="Send", exact=True).click()
    question = messages.BILL_TO_WITHOUT_INSURANCE.format(count=2, total=2)
    await expect(dialog.get_by_text(question)).to_be_visible()
    await dialog.get_by_role("button", name="Send anyway").click()
    await expect(dialog).to_have_count(0)
    async with people.open_session(portal, "clientbasic") as nurse:
        for row in rows:
            answer = await nurse.get(f"/api/v2/requisitions/{row['id']}")
            assert answer.json()["billTo"] == "Insurance"


async def test_shows_a_received_requisition_at_once(workplace: Workplace, portal: str) -> None:
    """A visible row changes in place, and the selection stays; a new row waits for a refresh."""
    rows = await people.save_requisitions(portal, 2)
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    await select_requisitions(page, rows[:1])
    async with people.open_session(portal, "laboratory") as lab:
        answer = await lab.post(
            "/api/v2/requisitions/receive",
            json={"ids": [rows[1]["id"]]},
            headers={"Idempotency-Key": f"receive-{rows[1]['id']}"},
        )
        assert answer.status_code == 200
    changed_cells = await find_cells_of_row(page, rows[1])
    await expect(changed_cells.filter(has_text="DONE")).to_be_visible()
    await expect(page.get_by_text("1 selected")).to_be_visible()
    [new_row] = await people.save_requisitions(portal, 1)
    await page.get_by_role("button", name=re.compile(r"changes?, refresh")).click()
    await expect(page.get_by_role("gridcell", name=new_row["code"], exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name=re.compile(r"changes?, refresh"))).to_have_count(0)


async def test_statuses_have_their_colors(workplace: Workplace, portal: str) -> None:
    """PENDING has a yellow dot, DONE a green dot, and CANCELED a black background."""
    pending, done, canceled = await people.save_requisitions(portal, 3)
    async with people.open_session(portal, "laboratory") as lab:
        await lab.post("/api/v2/requisitions/receive", json={"ids": [done["id"]]})
    async with people.open_session(portal, "clientbasic") as nurse:
        await nurse.post(
            f"/api/v2/requisitions/{canceled['id']}/cancel", json={"comment": "Ordered twice"}
        )
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    await steps.check_control(page.get_by_role("radio", name="All").first)
    await page.get_by_role("button", name="Search", exact=True).click()
    await expect(page.get_by_role("gridcell", name=canceled["code"], exact=True)).to_be_visible()

    async def read_color(row: dict[str, Any], word: str, part: str = "") -> tuple[int, ...]:
        tag = (await find_cells_of_row(page, row)).get_by_text(word)
        color = await tag.evaluate("(e, p) => getComputedStyle(e, p).backgroundColor", part)
        return tuple(int(number) for number in re.findall(r"\d+", color)[:3])

    red, green, blue = await read_color(pending, "PENDING", "::before")
    assert min(red, green) > 2 * blue and red > 120
    red, green, blue = await read_color(done, "DONE", "::before")
    assert green > 1.5 * red and green > blue
    assert max(await read_color(canceled, "CANCELED")) < 80


@on_both_hosts
async def test_opens_a_requisition_by_scanned_code(workplace: Workplace, portal: str) -> None:
    """A scan works on any screen while no text field has the focus."""
    [row] = await people.save_requisitions(portal, 1)
    page = await (await workplace.open()).new_page()
    await steps.open_home(page, "clientbasic")
    await page.get_by_role("heading", name="Order Search").focus()
    title = re.compile(f"Edit Requisition: {row['code']}")
    if workplace.host == "desktop":
        await page.keyboard.type(f"{row['code']}\n")
        await expect(page.get_by_role("heading", name=title)).to_be_visible()
        return
    async with page.context.expect_page() as page_info:
        await page.keyboard.type(f"{row['code']}\n")
    await expect((await page_info.value).get_by_role("heading", name=title)).to_be_visible()


async def test_phones_have_an_eye_and_a_speed_dial(workplace: Workplace, portal: str) -> None:
    """Phones in either orientation, and tablets, have all actions, and the eye opens a row."""
    [row] = await people.save_requisitions(portal, 1)
    page = await (await workplace.open()).new_page()
    await open_grid(page)
    for width, height in ((390, 844), (800, 844), (844, 390)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.goto(SEARCH)
        code = page.get_by_text(row["code"])
        await expect(code).to_be_visible()
        await page.get_by_role("button", name="Requisition Search actions").click()
        for action in REQUISITION_ACTIONS:
            item = page.get_by_role("menuitem", name=action)
            await item.scroll_into_view_if_needed()
            await expect(item).to_be_in_viewport(ratio=0.9)
        await page.keyboard.press("Escape")
        if width < 600:
            card = page.get_by_role("listitem").filter(has=code)
            await card.get_by_role("button", name="Open").click()
        else:
            await (await find_cells_of_row(page, row)).get_by_role("img", name="Open").click()
        await expect(
            page.get_by_role("heading", name=re.compile(f"Edit Requisition: {row['code']}"))
        ).to_be_visible()
