"""What people see of R 2, on a real portal in a real browser."""

import re

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from app.contract import messages
from app.server.seeding import DEMO_PASSWORD
from tests.e2e import people, steps
from tests.e2e.conftest import Workplace, on_both_hosts

pytestmark = pytest.mark.timeout(300)
_STATUSES = ("Pending", "Partial", "Final", "All")
_CHIPS = ("Client", "Unit", "Patient")


def _find_status(page: Page, name: str) -> Locator:
    return page.get_by_role("radio", name=re.compile(f"^{name}"))


async def _release_critical(portal: str) -> int:
    """Release a critical potassium of an order whose other results are pending."""
    order_id = await people.receive_order(portal, "BMP", "UCUL")
    await people.release_result(portal, order_id, "K", "7.2")
    return order_id


@pytest.mark.parametrize(
    ("account", "chips"), [("laboratory", _CHIPS), ("physician", _CHIPS[2:]), ("patient", ())]
)
async def test_order_search_has_the_filters_of_the_role(
    context: BrowserContext, account: str, chips: tuple[str, ...]
) -> None:
    page = await context.new_page()
    await steps.open_home(page, account)
    for name in _STATUSES:
        await expect(_find_status(page, name)).to_be_visible()
    await expect(_find_status(page, "All")).to_be_checked()
    await expect(page.get_by_role("checkbox", name="Alert Results")).to_be_visible()
    # Patients complete no orders.
    missing_box = page.get_by_role("checkbox", name="Missing Information")
    await expect(missing_box).to_have_count(int(account != "patient"))
    for chip in _CHIPS:
        chip_button = page.get_by_role("button", name=re.compile(f"^{chip} Any"))
        await expect(chip_button).to_have_count(int(chip in chips))


async def test_order_search_follows_the_specification(context: BrowserContext, portal: str) -> None:
    await _release_critical(portal)
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    await steps.check_control(_find_status(page, "Final"))
    await page.get_by_role("button", name="Clear all").click()
    await expect(_find_status(page, "All")).to_be_checked()

    await page.get_by_role("button", name=re.compile("^Collected")).click()
    await page.get_by_role("textbox", name="End Date").fill("01/01/2020")
    await expect(page.get_by_role("button", name="Search", exact=True)).to_be_disabled()
    await page.get_by_role("button", name="Clear all").click()
    await expect(page.get_by_role("button", name="Search", exact=True)).to_be_enabled()

    # The link to alerts hides the status Pending until 'Clear all'.
    await page.get_by_role("link", name=re.compile("unread alert")).click()
    await expect(page.get_by_role("checkbox", name="Alert Results")).to_be_checked()
    await expect(_find_status(page, "Pending")).to_have_count(0)
    async with context.expect_page() as page_info:
        await page.get_by_text("CRITICAL", exact=True).first.click()
    results = await page_info.value
    await expect(results).to_have_url(re.compile(r"/secured/results/order;id=\d+$"))
    await page.get_by_role("button", name="Clear all").click()
    await expect(_find_status(page, "Pending")).to_be_visible()


@on_both_hosts
async def test_order_page_follows_the_specification(workplace: Workplace, portal: str) -> None:
    order_id = await _release_critical(portal)
    context = await workplace.open()
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"/secured/results/order;id={order_id}")
    await expect(page.get_by_role("heading", name=re.compile(r"^L\d{9}$"))).to_be_visible()
    await expect(page.get_by_text("PARTIAL", exact=True)).to_be_visible()
    tabs = page.get_by_role("tab")
    await expect(tabs).to_have_text([re.compile("^Clinical"), re.compile("^Microbiology")])
    await expect(tabs.first).to_have_attribute("aria-selected", "true")

    critical = page.get_by_role("region", name="Critical results")
    await expect(critical).to_be_in_viewport(ratio=1)
    panel = page.get_by_role("row", name="BASIC METABOLIC PANEL")
    await expect(panel).to_be_visible()
    await steps.check_control(page.get_by_role("checkbox", name="Abnormal first"))
    await expect(panel).to_have_count(0)
    first = page.get_by_role("table").get_by_role("row").nth(1)
    await expect(first).to_contain_text("POTASSIUM")
    await page.get_by_role("checkbox", name="Abnormal first").uncheck(force=True)

    await _open_cumulative(workplace, page, order_id)

    await _sign_and_unsign(page)
    async with people.open_session(portal, "clientbasic") as http:
        user = (await http.get("/auth/jwt/validate")).json()["user"]
    assert user["data"]["signImage"].startswith("data:image/png")
    await _require_addresses(page)
    await _upload_open_and_delete(workplace, page)


async def test_advanced_search_does_not_open_on_a_handheld(context: BrowserContext) -> None:
    page = await context.new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/results/advanced-search")
    await expect(page.get_by_text(messages.SEARCH_NOT_ON_HANDHELDS)).to_be_visible()


async def _open_cumulative(workplace: Workplace, page: Page, order_id: int) -> None:
    """Open the cumulative results: in a new tab of a browser, in place on the desktop."""
    button = page.get_by_role("button", name="Cumulative Results")
    address = re.compile(rf"/secured/results/cumulative;id={order_id}$")
    if workplace.host == "server":
        async with page.context.expect_page() as page_info:
            await button.click()
        await expect(await page_info.value).to_have_url(address)
        return
    await button.click()
    await expect(page).to_have_url(address)
    await page.go_back()
    await expect(page.get_by_role("heading", name=re.compile(r"^L\d{9}$"))).to_be_visible()


async def _sign_and_unsign(page: Page) -> None:
    await page.get_by_role("button", name="Sign", exact=True).click()
    dialog = page.get_by_role("dialog", name="Electronic Signature")
    await steps.draw_signature(page)
    await dialog.locator("input[type=password]").fill(DEMO_PASSWORD)
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect(page.get_by_text(messages.ORDER_SIGNED)).to_be_visible()
    await page.get_by_role("button", name="Unsign", exact=True).click()
    question = page.get_by_role("dialog")
    await question.locator("input[type=password]").fill(DEMO_PASSWORD)
    await question.get_by_role("button", name="Unsign", exact=True).click()
    await expect(page.get_by_text(messages.ORDER_UNSIGNED)).to_be_visible()
    await expect(question).to_have_count(0)


async def _require_addresses(page: Page) -> None:
    for button, missing in (
        ("Email Results", messages.EMAIL_REQUIRED),
        ("Fax Results", messages.FAX_REQUIRED),
    ):
        await page.get_by_role("button", name=button).click()
        dialog = page.get_by_role("dialog", name=button)
        await dialog.get_by_role("button", name="Send").click()
        await expect(dialog.get_by_text(missing)).to_be_visible()
        await dialog.get_by_role("button", name="Close").last.click()
        await expect(dialog).to_have_count(0)


async def _upload_open_and_delete(workplace: Workplace, page: Page) -> None:
    documents = page.get_by_role("region", name="Order Documents")
    content = b"%PDF-1.4\n%%EOF"
    file = {"name": "card.pdf", "mimeType": "application/pdf", "buffer": content}
    await documents.locator("input[type=file]").set_input_files(file)
    await expect(page.get_by_text(messages.FILE_UPLOADED)).to_be_visible()
    document = documents.get_by_role("button", name="card.pdf", exact=True)
    opened = await workplace.open_pdf(page, document, r"/orders/\d+/documents/download")
    assert opened == content
    await documents.get_by_role("button", name=re.compile("^Remove.*card.pdf")).click()
    question = page.get_by_role("dialog", name="Delete Document")
    await expect(question.get_by_text(messages.CONFIRM_ORDER_DOCUMENT_REMOVAL)).to_be_visible()
    await question.get_by_role("button", name="Yes").click()
    await expect(documents.get_by_text("No documents")).to_be_visible()
