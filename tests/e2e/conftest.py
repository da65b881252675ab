"""Starts a portal with its command, a browser, and desktop hosts in front of the portal."""

import asyncio
import base64
import itertools
import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pluggy
import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, async_playwright, expect
from playwright.async_api import Error as PlaywrightError

from app.server.settings import Settings
from tests.desktop.host import DesktopHost, run_desktop_process
from tests.e2e.people import find_insured_patient
from tests.standins import demo_lab, fax, mail
from tests.standins.certificates import create_certificate
from tests.standins.fax import FaxStandIn
from tests.standins.mail import MailStandIn

ROOT = Path(__file__).parents[2]
UI = ROOT / "ui" / "dist"
LAB_ZONE = Settings.model_fields["time_zone"].default
# Screens need much less time, except on a machine that is busy with other tests.
TIMEOUT_MS = 30_000
expect.set_options(timeout=TIMEOUT_MS)
# Copies of the page before and after each action take a quarter of the tests' processor time.
_HAS_SNAPSHOTS = "TEST_TRACES" in os.environ
_BROWSER_ARGUMENTS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    _BROWSER_ARGUMENTS.append("--no-sandbox")  # Chromium's sandbox does not run as root


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file on one worker; each worker starts its own portal."""
    for item in items:
        if "tests/e2e" in str(item.path):
            item.add_marker(pytest.mark.xdist_group(f"e2e {item.path.stem}"))


@dataclass(frozen=True)
class Services:
    """The mail server and the fax provider that the lab uses."""

    mail: MailStandIn
    fax: FaxStandIn
    authority: Path

    def build_settings(self) -> dict[str, str]:
        """Return the portal's settings for these services, with short polling intervals."""
        return {
            "PORTAL_SMTP_HOST": "127.0.0.1",
            "PORTAL_SMTP_PORT": str(self.mail.port),
            "PORTAL_SMTP_USER": mail.USER,
            "PORTAL_SMTP_PASSWORD": mail.PASSWORD,
            "PORTAL_SMTP_CA_FILE": str(self.authority),
            "PORTAL_EMAIL_FROM": "Demo Lab <noreply@lab.example>",
            "PORTAL_FAX_API_URL": self.fax.url,
            "PORTAL_FAX_API_KEY": fax.KEY,
            "PORTAL_FAX_CONNECTION_ID": fax.CONNECTION,
            "PORTAL_FAX_FROM": fax.NUMBER,
            "PORTAL_FAX_POLL_SECONDS": "0.2",
            "PORTAL_WORKER_POLL_SECONDS": "0.2",
        }


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """A running mail server and a fax provider."""
    server_certificate = create_certificate(tmp_path_factory.mktemp("services"))
    with MailStandIn(server_certificate.build_server_context()) as mails, FaxStandIn() as faxes:
        yield Services(mails, faxes, server_certificate.authority)


@pytest.fixture(scope="session")
def portal_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the output of the portal and its worker."""
    return tmp_path_factory.mktemp("output") / "portal.log"


@pytest.fixture(scope="session")
def portal_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The portal's data folder with the demo lab."""
    data = tmp_path_factory.mktemp("portal") / "data"
    demo_lab.copy_data(tmp_path_factory, data)
    return data


@pytest.fixture(scope="session")
def portal_ui(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The portal's own copy of the built UI, which a test may replace with another build."""
    assert (UI / "index.html").is_file(), "the UI is not built: run `make ui`"
    return Path(shutil.copytree(UI, tmp_path_factory.mktemp("ui") / "dist"))


@pytest.fixture(scope="session")
def portal(
    portal_data: Path, portal_ui: Path, services: Services, portal_log: Path
) -> Iterator[str]:
    """The address of ``python -m app serve`` with its own database and the demo lab."""
    settings = {**services.build_settings(), "PORTAL_UI_DIR": str(portal_ui)}
    with demo_lab.run_portal(portal_data, portal_log, **settings) as base:
        yield base


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A running Chromium, as Debian ships it.

    The headless shell needs a third less processor time than the whole browser.
    """
    async with async_playwright() as playwright:
        chromium_browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=_BROWSER_ARGUMENTS,
            # The demo lab's people have the lab's time zone, wherever the tests run.
            env={**os.environ, "TZ": LAB_ZONE},
        )
        yield chromium_browser
        await chromium_browser.close()


_outcome = pytest.StashKey[pytest.TestReport]()
RESULTS = ROOT / "test-results"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pluggy.Result[pytest.TestReport], None]:
    """Store the outcome of each test, since failed tests leave evidence."""
    result = yield
    if call.when == "call":
        item.stash[_outcome] = result.get_result()


OpenContext = Callable[..., Awaitable[BrowserContext]]


@pytest.fixture
def desktops() -> Iterator[ExitStack]:
    """The test's desktop hosts, which end after its pages are closed.

    A host waits for the streams of pages that are still open.
    """
    with ExitStack() as stack:
        yield stack


@pytest.fixture
async def open_context(
    request: pytest.FixtureRequest, browser: Browser, portal_log: Path, desktops: ExitStack
) -> AsyncIterator[OpenContext]:
    """A function that opens a browser context.

    A failed test leaves its trace, screenshots, and the portal's output in test-results/.
    """
    contexts: list[BrowserContext] = []

    async def open_next(base_url: str, cookie: dict[str, Any] | None = None) -> BrowserContext:
        context = await browser.new_context(
            base_url=base_url,
            viewport={"width": 1366, "height": 768},
            # A click on a dialog that is still opening misses its button on a busy machine.
            reduced_motion="reduce",
        )
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        if cookie is not None:
            await context.add_cookies([cookie])  # type: ignore[list-item]
        await context.tracing.start(snapshots=_HAS_SNAPSHOTS)
        return context

    yield open_next
    outcome = request.node.stash.get(_outcome, None)
    has_failed = outcome is None or outcome.failed
    for number, context in enumerate(contexts, start=1):
        if has_failed:
            await _save_evidence(request.node.name, number, context)
            if portal_log.exists():
                shutil.copy(portal_log, _make_evidence_folder(request.node.name))
        else:
            await context.tracing.stop()
        await context.close()


def _make_evidence_folder(test: str) -> Path:
    folder = RESULTS / re.sub(r"[^\w-]+", "-", test)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


async def _save_evidence(test: str, number: int, context: BrowserContext) -> None:
    """Save screenshots of the pages, and the trace (`playwright show-trace`)."""
    folder = _make_evidence_folder(test)
    await context.tracing.stop(path=folder / f"trace-{number}.zip")
    for page_number, page in enumerate(context.pages, start=1):
        with suppress(PlaywrightError):  # a hanging page must not hide the failure
            await page.screenshot(path=folder / f"page-{number}-{page_number}.png", timeout=5_000)


@pytest.fixture
async def context(open_context: OpenContext, portal: str) -> BrowserContext:
    """A browser context on the hosted portal."""
    return await open_context(portal)


@pytest.fixture
async def insured_patient(portal: str) -> int:
    """The id of a patient of the demo nurse with at least two insurance rows."""
    return int((await find_insured_patient(portal, 2))["id"])


_VIEWER = """#!/bin/sh
cp "$1" "$(dirname "$0")/shown.part" && mv "$(dirname "$0")/shown.part" "$(dirname "$0")/shown"
"""
_VIEWER_SECONDS = 60
_DESKTOP_FILES = "lab-portal-documents-*/*/*"


@dataclass(frozen=True)
class Workplace:
    """Opens a browser context for each person, on the host under test."""

    host: str
    open: Callable[[], Awaitable[BrowserContext]]
    shown: Path
    """The document that a desktop's viewer showed last."""
    saved: Path
    """The folder of saved files."""

    async def open_pdf(self, page: Page, button: Locator, path: str) -> bytes:
        """Press a button that opens a PDF of the portal's ``path``, and return the PDF.

        On the desktop, the PDF is the file that the viewer received. In a browser, ``path`` may
        also stream the PDF in parts.
        """
        self.shown.unlink(missing_ok=True)
        path = "/device/documents" if self.host == "desktop" else path
        async with page.expect_response(re.compile(path)) as response_info:
            await button.click()
        answer = await response_info.value
        assert answer.status in (200, 201)
        if self.host == "desktop":
            return await self._read_shown()
        request = answer.request
        async with httpx.AsyncClient(timeout=60) as http:
            # The browser's PDF viewer has consumed the answer's body, so request it again.
            sent_headers = await request.all_headers()
            names = {"authorization", "content-type"} & set(sent_headers)
            headers = {name: sent_headers[name] for name in names}
            body = request.post_data_buffer
            pdf_answer = await http.request(
                request.method, answer.url, content=body, headers=headers
            )
            if pdf_answer.headers["content-type"].startswith("text/event-stream"):
                parts = re.findall(r'^data: {"content": ?"([^"]*)"}', pdf_answer.text, re.MULTILINE)
                return base64.b64decode("".join(parts))
            return pdf_answer.content

    async def save_file(self, page: Page, button: Locator) -> Path:
        """Press a button that saves a file, and return the file in the folder ``saved``.

        The desktop host has no window here in which to choose a place, so it saves the file in its
        own folder.
        """
        if self.host == "desktop":
            files_before = set(self.saved.glob(_DESKTOP_FILES))
            async with page.expect_response(re.compile("/device/documents")) as response_info:
                await button.click()
            assert (await response_info.value).ok
            [file] = set(self.saved.glob(_DESKTOP_FILES)) - files_before
            return file
        async with page.expect_download() as download_info:
            await button.click()
        download = await download_info.value
        file = self.saved / download.suggested_filename
        await download.save_as(file)
        return file

    async def _read_shown(self) -> bytes:
        async with asyncio.timeout(_VIEWER_SECONDS):
            while not self.shown.exists():
                await asyncio.sleep(0.1)
        return self.shown.read_bytes()


on_both_hosts = pytest.mark.parametrize("workplace", ["server", "desktop"], indirect=True)
"""For features that differ by host: windows, printing, documents, scanned codes."""
on_desktop = pytest.mark.parametrize("workplace", ["desktop"], indirect=True)
"""For journeys where the only host-specific part is the desktop app's."""


@pytest.fixture
def workplace(
    request: pytest.FixtureRequest,
    open_context: OpenContext,
    desktops: ExitStack,
    portal: str,
    tmp_path: Path,
) -> Workplace:
    """The hosted portal, or the host that the test's parameter names.

    On the desktop, each person has a workstation, whose viewer saves the documents it shows.
    """
    host = getattr(request, "param", "server")
    programs = tmp_path / "programs"
    saved = tmp_path / "saved"
    for folder in (programs, saved):
        folder.mkdir()
    viewer = programs / "xdg-open"
    viewer.write_text(_VIEWER)
    viewer.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    workstations = itertools.count()

    async def open_next() -> BrowserContext:
        if host == "server":
            return await open_context(portal)
        config = tmp_path / f"workstation-{next(workstations)}"
        desktop = desktops.enter_context(
            run_desktop_process(portal, config, UI, path=path, temp_dir=saved)
        )
        return await open_context(desktop.url, desktop.cookie)

    return Workplace(host, open_next, programs / "shown", saved)


@pytest.fixture
def desktop(desktops: ExitStack, portal: str, tmp_path: Path) -> DesktopHost:
    """A desktop host without a window, in front of the portal."""
    return desktops.enter_context(run_desktop_process(portal, tmp_path / "config", UI))


@pytest.fixture
async def desktop_context(open_context: OpenContext, desktop: DesktopHost) -> BrowserContext:
    """A browser context on the desktop host, in place of its window."""
    return await open_context(desktop.url, desktop.cookie)
