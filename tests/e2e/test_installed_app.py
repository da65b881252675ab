"""The installed web app follows a new build of the portal, but never over unsaved work."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Page, expect

from app.contract import messages
from app.contract.limits import (
    SERVICE_WORKER_SECONDS,
    UPDATE_CHECK_SECONDS,
    UPDATE_RELOAD_SECONDS,
)
from tests.e2e import steps
from tests.e2e.conftest import UI

pytestmark = pytest.mark.timeout(300)
_HASHED_NAME = re.compile(r"(-[\w-]{7})([\w-])(\.(?:js|css)\b)")


@pytest.fixture
def next_build(tmp_path: Path) -> Path:
    """Another build of the UI, which differs in the hashes of all file names."""
    build = tmp_path / "next"
    shutil.copytree(UI, build, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    for file in [*build.glob("*"), *build.glob("assets/*")]:
        if file.suffix in {".html", ".js", ".css"}:
            file.write_text(_HASHED_NAME.sub(_change_hash, file.read_text("utf-8")), "utf-8")
            file.rename(file.with_name(_HASHED_NAME.sub(_change_hash, file.name)))
    worker = build / "sw.js"
    worker.write_text(re.sub(r"portal-\$\{'\w+'\}", "portal-next", worker.read_text()))
    return build


def _change_hash(match: re.Match[str]) -> str:
    """Return the end of a file's name with another last letter in its hash."""
    start, last, suffix = match.groups()
    return f"{start}{'A' if last == '_' else '_'}{suffix}"


@pytest.fixture
def restored_build(portal_ui: Path) -> Iterator[None]:
    """Restore the build that the portal serves."""
    yield
    replace_build(portal_ui, UI)


def replace_build(served_folder: Path, build: Path) -> None:
    """Replace the build that the portal serves, as an update of the portal does."""
    shutil.rmtree(served_folder)
    shutil.copytree(build, served_folder)


async def runs_build(page: Page, build: Path) -> bool:
    """Return whether the page runs the script of a build."""
    entry = await page.locator("script[type=module]").first.get_attribute("src")
    assert entry is not None
    return (build / entry.lstrip("/")).is_file()


async def open_installed(page: Page, path: str) -> None:
    """Open a screen on a first visit, and wait for its service worker."""
    await page.clock.install()
    await steps.sign_in(page, "clientbasic")
    await page.goto(path)
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await steps.wait_until_still(page)
    await page.clock.fast_forward(SERVICE_WORKER_SECONDS * 1000)
    await page.wait_for_function("() => navigator.serviceWorker.controller !== null")


@pytest.mark.usefixtures("restored_build")
async def test_a_new_build_reloads_the_page_once_nothing_is_unsaved(
    context: BrowserContext, portal_ui: Path, next_build: Path
) -> None:
    page = await context.new_page()
    await open_installed(page, "/secured/support/contact-us")
    message = page.get_by_label("Message")
    await message.fill("Where are the swabs?")
    replace_build(portal_ui, next_build)
    await page.clock.fast_forward(UPDATE_CHECK_SECONDS * 1000)
    notice = messages.NEW_VERSION.format(seconds=UPDATE_RELOAD_SECONDS)
    await expect(page.get_by_text(notice)).to_be_visible()
    await page.clock.fast_forward(UPDATE_RELOAD_SECONDS * 1000)
    await expect(page.get_by_text(messages.NEW_VERSION_WAITS)).to_be_visible()
    await expect(message).to_have_value("Where are the swabs?")
    assert not await runs_build(page, next_build)

    await message.fill("")
    async with page.expect_event("domcontentloaded"):
        await page.clock.fast_forward(UPDATE_RELOAD_SECONDS * 1000)
    await expect(message).to_have_value("")
    assert await runs_build(page, next_build)


@pytest.mark.usefixtures("restored_build")
async def test_a_screen_of_an_earlier_build_reloads_the_page(
    context: BrowserContext, portal_ui: Path, next_build: Path
) -> None:
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    replace_build(portal_ui, next_build)
    await page.get_by_role("link", name="Help", exact=True).first.click()
    await expect(page.get_by_role("heading", name="Help", level=1)).to_be_visible()
    assert await runs_build(page, next_build)
