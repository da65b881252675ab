"""The product's main job in a real browser, on both hosts."""

import io
import re

import pytest
import zxingcpp
from playwright.async_api import BrowserContext, Page, expect
from pypdf import PdfReader

from app.server.seeding import DEMO_PASSWORD
from tests.desktop.host import DesktopHost
from tests.desktop.standins import StandInPrinter
from tests.drawing.zpl_renderer import render_zpl
from tests.e2e import people, steps
from tests.e2e.conftest import Workplace, on_both_hosts
from tests.e2e.people import open_session

pytestmark = pytest.mark.timeout(600)
_ORDER_CODE = re.compile(r"L\d{9}")


async def create_requisition(page: Page, portal: str) -> str:
    """Register a patient and save a requisition, and return the patient's last name."""
    last_name = steps.build_last_name()
    await page.goto("/secured/requisitions/create")
    await expect(page.get_by_role("heading", name="New Requisition")).to_be_visible()
    await steps.register_patient(page, last_name)
    await steps.choose_only_match(
        page, "Ordering Physician", await _load_npi_of_demo_physician(portal)
    )
    await steps.add_test(page, "GLU")
    await steps.add_test(page, "K")
    await steps.choose_option(page, "Diagnoses", "E11.9")
    await steps.save_new_requisition(page)
    return last_name


async def sign_requisition(page: Page) -> None:
    """Sign with a wrong password, then with the right one."""
    await page.get_by_role("button", name="Sign", exact=True).click()
    dialog = page.get_by_role("dialog", name="Electronic Signature")
    await steps.draw_signature(page)
    await dialog.locator("input[type=password]").fill("wrong-password-1!")
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect(page.get_by_text("Invalid password.")).to_be_visible()
    await dialog.locator("input[type=password]").fill(DEMO_PASSWORD)
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect(page.get_by_text("Requisition Signed!")).to_be_visible()


async def close_done_dialog(page: Page) -> None:
    """Close the dialog that follows a save."""
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await expect(dialog).to_be_visible()
    await dialog.get_by_role("button", name="Close").last.click()
    await expect(dialog).to_be_hidden()


async def receive_and_release(page: Page, code: str) -> str:
    """Receive by the scanned code, enter and release results, and return the order's code."""
    await page.goto("/secured/requisitions/search")
    scan = page.get_by_label("Scan to receive")
    await scan.fill(code)
    await scan.press("Enter")
    toast = page.get_by_text(re.compile(r"Requisition of .+ received as order L"))
    # The toast lasts three seconds, so read it as soon as it exists, even before it is drawn.
    match = _ORDER_CODE.search(await toast.text_content() or "")
    assert match
    await page.goto("/secured/result-entry")
    await steps.search_days(page)
    # More orders wait than fit on the screen.
    await page.get_by_label("Filter Order Id").fill(match.group())
    # The cell of the filter has the same name as the code's cell in the row.
    await page.locator("[data-row]").get_by_text(match.group(), exact=True).click()
    await expect(page.get_by_role("heading", name=match.group())).to_be_visible()
    places_before = await _read_places_of_cells(page)
    await page.get_by_label("Result of GLUCOSE").fill("512")
    await expect(page.get_by_text("Critically high")).to_be_visible()
    await page.keyboard.press("Enter")
    await page.get_by_label("Result of POTASSIUM").fill("4.1")
    assert await _read_places_of_cells(page) == places_before
    await page.keyboard.press("Control+s")
    await expect(page.get_by_text("Results saved")).to_be_visible()
    await steps.release_results(page, 2)
    return match.group()


async def open_order(workplace: Workplace, page: Page, order: str) -> Page:
    """Open the order by a click, in a new tab if the host has tabs."""
    cell = page.get_by_role("gridcell", name=order, exact=True)
    await expect(cell).to_be_visible()
    if workplace.host == "desktop":
        await cell.click()
        return page
    async with page.context.expect_page() as page_info:
        await cell.click()
    return await page_info.value


async def read_results(workplace: Workplace, page: Page, order: str, last_name: str) -> bytes:
    """Find the order, check its flags and ranges, and return the printed PDF."""
    await steps.search_days(page)
    results = await open_order(workplace, page, order)
    await expect(results.get_by_role("heading", name=order)).to_be_visible()
    await expect(results.get_by_text(last_name).first).to_be_visible()
    glucose = results.get_by_role("row", name=re.compile("GLUCOSE"))
    await expect(glucose.get_by_text("512")).to_be_visible()
    await expect(glucose.get_by_text("HH")).to_be_visible()
    await expect(results.get_by_text("CRITICAL").first).to_be_visible()
    await expect(glucose).to_contain_text(re.compile(r"\d+ - \d+"))
    button = results.get_by_role("button", name="Print Results")
    return await workplace.open_pdf(results, button, "/reports/order/results")


@on_both_hosts
async def test_main_job_from_new_patient_to_released_results(
    workplace: Workplace, portal: str
) -> None:
    """A nurse orders, the lab enters results, and a physician reads them (steps 1, 3, and 4)."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in_by_form(page, "clientbasic")
    last_name = await create_requisition(page, portal)
    await close_done_dialog(page)
    code = await steps.read_code(page)
    await sign_requisition(page)

    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    order = await receive_and_release(lab, code)

    physician = await (await workplace.open()).new_page()
    await steps.open_home(physician, "physician")
    report = await read_results(workplace, physician, order, last_name)

    text = "\n".join(p.extract_text() for p in PdfReader(io.BytesIO(report)).pages)
    for part in (order, last_name, "GLUCOSE", "512", "HH"):
        assert part in text, part
    await _assert_demo_patient_sees_neither(portal, order, code)


async def _read_places_of_cells(page: Page) -> list[list[float]]:
    cells = page.get_by_role("form", name="Results").locator("th, td")
    return await cells.evaluate_all(
        "all => all.map((e) => e.getBoundingClientRect()).map(({ x, y }) => [x, y])"
    )


async def _load_npi_of_demo_physician(portal: str) -> str:
    async with open_session(portal, "physician") as physician:
        me = (await physician.get("/auth/jwt/validate")).json()["user"]
        answer = await physician.get(
            "/api/v2/physicians/remote-operations",
            params={"column.id": me["data"]["physicians"][0]},
        )
        return str(answer.json()["data"][0]["npi"])


async def _assert_demo_patient_sees_neither(portal: str, order: str, code: str) -> None:
    async with open_session(portal, "patient") as patient:
        for kind, column, value in (
            ("orders", "codeValue", order),
            ("requisitions", "code", code),
        ):
            page_answer = await patient.get(
                f"/api/v2/{kind}/remote-operations",
                params={f"column.{column}": value},
            )
            assert page_answer.json()["data"] == []


async def test_desktop_prints_labels(
    desktop_context: BrowserContext, desktop: DesktopHost, portal: str
) -> None:
    """Step 2: labels on a network printer have the requisition's code as barcode."""
    printer = StandInPrinter()
    with desktop.open_page() as http:
        answer = http.post(
            "/device/printers",
            json={
                "name": "Front desk ZPL",
                "host": "127.0.0.1",
                "port": printer.port,
                "language": "zpl",
                "dpi": 203,
            },
        )
        assert answer.status_code == 201, answer.text
    page = await desktop_context.new_page()
    await steps.sign_in(page, "clientbasic")
    await create_requisition(page, portal)
    await close_done_dialog(page)
    code = await steps.read_code(page)
    await page.get_by_role("button", name="Labels", exact=True).click()
    dialog = page.get_by_role("dialog", name="Labels")
    await dialog.get_by_role("button", name="Print", exact=True).click()
    await expect(page.get_by_text("Labels sent to Front desk ZPL")).to_be_visible()
    zpl = printer.wait_for_jobs()[0].decode()
    labels = [f"^XA{part}" for part in zpl.split("^XA")[1:]]
    assert labels
    for label in labels:
        (barcode,) = zxingcpp.read_barcodes(render_zpl(label.strip()))
        assert barcode.text == code
    # The page stores no access token; these tokens begin with 'eyJ'.
    browser_storage = await page.evaluate(
        "JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])"
    )
    assert "eyJ" not in browser_storage


async def test_names_a_printer_that_is_off(
    desktop_context: BrowserContext, desktop: DesktopHost, portal: str
) -> None:
    [requisition] = await people.save_requisitions(portal, 1)
    with desktop.open_page() as http:
        http.post(
            "/device/printers",
            json={
                "name": "Dead ZPL",
                "host": "127.0.0.1",
                "port": 9,
                "language": "zpl",
                "dpi": 203,
            },
        )
    page = await desktop_context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"/secured/requisitions/create;id={requisition['id']}")
    await page.get_by_role("button", name="Labels", exact=True).click()
    dialog = page.get_by_role("dialog", name="Labels")
    await dialog.get_by_role("button", name="Print", exact=True).click()
    await expect(page.get_by_text("Dead ZPL does not answer.").first).to_be_visible()
