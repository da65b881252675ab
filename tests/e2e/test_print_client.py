"""A browser has no print client, and offers to download the desktop app (O 8)."""

from playwright.async_api import BrowserContext, Route, expect

from app.contract import messages
from app.server.seeding.demo import DESKTOP_APP_URL
from tests.e2e import people, steps


async def test_offers_the_desktop_app_where_labels_become_a_pdf(
    context: BrowserContext, portal: str
) -> None:
    """Either answer closes the question; Yes opens the download page in a new tab."""

    async def answer(route: Route) -> None:
        await route.fulfill(body="<h1>Downloads</h1>", content_type="text/html")

    await context.route(f"{DESKTOP_APP_URL}**", answer)
    [saved_requisition] = await people.save_requisitions(portal, 1)
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"/secured/requisitions/create;id={saved_requisition['id']}")
    await page.get_by_role("button", name="Labels", exact=True).click()
    labels = page.get_by_role("dialog", name="Labels")
    await expect(labels.get_by_text(messages.LABELS_AS_PDF)).to_be_visible()
    question = page.get_by_role("dialog", name="Download Confirmation")

    await labels.get_by_role("button", name="Printers").click()
    await expect(question).to_contain_text(messages.PRINT_CLIENT_NOT_RUNNING)
    await question.get_by_role("button", name="No", exact=True).click()
    await expect(question).to_be_hidden()

    await labels.get_by_role("button", name="Printers").click()
    async with context.expect_page() as page_event:
        await question.get_by_role("button", name="Yes", exact=True).click()
    download = await page_event.value
    await expect(download.get_by_role("heading", name="Downloads")).to_be_visible()
    assert download.url == DESKTOP_APP_URL
    await expect(question).to_be_hidden()
    await expect(labels).to_be_visible()
