"""The frame around all screens: a quiet console, lost connections, and ended sessions."""

import asyncio
import re

import pytest
from playwright.async_api import BrowserContext, Page, Request, Route, expect

from app.contract import messages
from app.contract.limits import IDLE_SECONDS, IDLE_WARNING_SECONDS
from app.server.seeding import DEMO_PASSWORD
from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace, on_both_hosts

pytestmark = pytest.mark.timeout(600)
_LOW_WINDOW = {"width": 683, "height": 384}
"""A window of 1366 by 768 pixels, enlarged to 200 %."""
_SEARCHES = ("/secured/results/lab", "/secured/requisitions/search", "/secured/patients/search")
_COMMON_SCREENS = (
    "/secured/support/contact-us",
    "/secured/terms&conditions",
    "/secured/privacy",
    "/secured/help",
)
_CLIENT_SCREENS = ("/secured/support/supply-request", "/secured/result-export")
_LAB_SCREENS = ("/secured/system/lab-data", "/secured/system/lab-settings")
SCREENS_BY_ACCOUNT = {
    "clientadmin": (
        *_SEARCHES,
        "/secured/requisitions/create",
        "/secured/patients/form",
        "/secured/system/users",
        *_CLIENT_SCREENS,
        *_COMMON_SCREENS,
    ),
    "clientbasic": (
        *_SEARCHES,
        "/secured/requisitions/create",
        "/secured/patients/form",
        *_CLIENT_SCREENS,
        *_COMMON_SCREENS,
    ),
    "laboratory": (
        *_SEARCHES,
        "/secured/requisitions/create",
        "/secured/result-entry",
        "/secured/result-export",
        *_LAB_SCREENS,
        *_COMMON_SCREENS,
    ),
    "physician": ("/secured/results/lab", "/secured/requisitions/search", *_COMMON_SCREENS),
    "patient": ("/secured/results/lab", *_COMMON_SCREENS),
}
"""Screens of each role except superusers, whose screens are tested in test_screens.py."""


# Checks that every character of a text looks different; missing ones all look like one box.
_DRAWS_DIFFERENT_PICTURES = """(text) => {
  const draw = (character) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 60 });
    const pen = canvas.getContext('2d');
    pen.font = '40px ' + getComputedStyle(document.body).fontFamily;
    pen.fillText(character, 5, 45);
    return canvas.toDataURL();
  };
  return new Set([...text].map(draw)).size === text.length;
}"""
# Waits until each character has a slice, even where the system has fonts for them, and counts them.
_LOAD_SLICES = """async (text) => {
  const probe = [...document.fonts].find(({ family }) => family.includes('East Asian'));
  await probe?.load();
  const count = async (character) =>
    (await document.fonts.load("13px 'Portal East Asian'", character)).length;
  const countAll = async () =>
    (await Promise.all([...text].map(count))).filter((faces) => faces > 0).length;
  while ((await countAll()) < text.length) await new Promise(requestAnimationFrame);
  return countAll();
}"""


def _is_slice(request: Request) -> bool:
    return re.search(r"/assets/[0-9a-f]{4}-[^/]*\.woff2$", request.url) is not None


@on_both_hosts
async def test_first_visit_logs_no_errors(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    errors = steps.collect_errors(page)
    await page.goto("/login")
    await expect(page.get_by_role("button", name="Login")).to_be_visible()
    assert errors == []


async def test_slow_connections_show_the_frame_first_and_get_compressed_files(
    workplace: Workplace,
) -> None:
    page = await (await workplace.open()).new_page()
    encodings: list[str | None] = []
    page.on(
        "response",
        lambda answer: (
            encodings.append(answer.headers.get("content-encoding"))
            if re.search(r"/assets/(index|library)-[^/]*\.(js|css)$", answer.url)
            else None
        ),
    )
    release = asyncio.Event()

    async def hold(route: Route) -> None:
        await release.wait()
        await route.continue_()

    await page.route("**/assets/*.css", hold)
    await page.goto("/login", wait_until="commit")
    await expect(page.get_by_text("Loading")).to_be_visible()
    release.set()
    await expect(page.get_by_role("button", name="Login")).to_be_visible()
    assert len(encodings) == 4
    assert set(encodings) <= {"br", "gzip"}


async def test_screens_load_while_the_session_starts(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    release = asyncio.Event()

    async def hold(route: Route) -> None:
        await release.wait()
        await route.continue_()

    await page.route("**/auth/jwt/refresh", hold)
    async with page.expect_response(re.compile(r"/assets/RequisitionForm-[^/]*\.js$")):
        await page.goto("/secured/requisitions/create", wait_until="commit")
    release.set()
    await expect(page.get_by_role("heading", name="New Requisition")).to_be_visible()


async def test_signing_in_loads_the_home_screen_before_the_password_is_sent(
    workplace: Workplace,
) -> None:
    page = await (await workplace.open()).new_page()
    async with page.expect_response(re.compile(r"/assets/OrderSearch-[^/]*\.js$")):
        await page.goto("/login")


async def test_the_requisition_form_loads_few_and_small_files(workplace: Workplace) -> None:
    """On a slow connection, each file costs a round trip and the headers of an answer."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    sizes: dict[str, int] = {}
    page.on(
        "response",
        lambda answer: (
            sizes.update({answer.url: int(answer.headers["content-length"])})
            if "/assets/" in answer.url and "/RichTextEditor-" not in answer.url
            else None
        ),
    )
    await page.goto("/secured/requisitions/create")
    await expect(page.get_by_role("button", name="Select Patient")).to_be_visible()
    await steps.wait_until_still(page)
    assert len(sizes) <= 100
    assert sum(sizes.values()) <= 520 * 1024


@pytest.mark.parametrize("account", SCREENS_BY_ACCOUNT)
async def test_screens_log_no_errors(workplace: Workplace, portal: str, account: str) -> None:
    page = await (await workplace.open()).new_page()
    errors = steps.collect_errors(page)
    await steps.sign_in(page, account)
    for path in SCREENS_BY_ACCOUNT[account]:
        await page.goto(path)
        await page.get_by_role("heading", level=1).wait_for()
        assert page.url.endswith(path), "the screen is closed to this role"
        await steps.wait_until_still(page)
    if account != "patient":
        async with people.open_session(portal, account) as person:
            rows_answer = await person.get(
                "/api/v2/requisitions/remote-operations", params={"take": 1}
            )
        row = rows_answer.json()["data"][0]
        await page.goto(f"/secured/requisitions/create;id={row['id']}")
        await expect(page.get_by_role("heading", name=re.compile(row["code"]))).to_be_visible()
        await steps.wait_until_still(page)
    assert errors == []


async def test_shows_east_asian_names_on_a_machine_without_their_fonts(
    workplace: Workplace,
) -> None:
    """Slices of the typeface load only when a name that needs them is on the screen."""
    page = await (await workplace.open()).new_page()
    loaded_slices: list[str] = []
    page.on(
        "request", lambda request: loaded_slices.append(request.url) if _is_slice(request) else None
    )
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/patients/form")
    last_name = page.get_by_role("textbox", name=re.compile("^Last Name")).first
    await last_name.fill("LATIN")
    await steps.wait_until_still(page)
    assert loaded_slices == []
    await last_name.fill("王김さ")
    await page.wait_for_function(_DRAWS_DIFFERENT_PICTURES, arg="王김さ")
    # At most one slice for each block of characters; none where the system has fonts for them.
    assert len(loaded_slices) <= 3


@on_both_hosts
async def test_loads_the_slices_of_east_asian_names(workplace: Workplace) -> None:
    """The host sends each slice, and the page's policy accepts it."""
    page = await (await workplace.open()).new_page()
    await page.goto("/login")
    errors = steps.collect_errors(page)
    characters = await page.evaluate(_LOAD_SLICES, "王김さ")
    assert characters == 3
    assert errors == []


async def test_shows_a_notice_while_the_network_is_lost(workplace: Workplace) -> None:
    context = await workplace.open()
    page = await context.new_page()
    await steps.open_home(page, "clientbasic")
    notice = page.get_by_role("status").filter(has_text=messages.PORTAL_LOST)
    await context.set_offline(True)
    await expect(notice).to_be_visible()
    assert await find_violations_in(page, "offline", "light", "dark") == []
    await context.set_offline(False)
    await expect(notice).to_have_count(0)


class PresenceClock:
    """Moves the desktop app's idle time together with the page's clock."""

    def __init__(self) -> None:
        self._seconds = 0

    async def install(self, page: Page) -> None:
        """Add the passed time to the answers of ``/device/presence``; a report resets it.

        Only the desktop app has this route; a browser sends no such requests.
        """

        async def answer(route: Route) -> None:
            if route.request.method == "POST":
                self._seconds = 0
                await route.continue_()
                return
            response = await route.fetch()
            state = await response.json()
            idle = state["idleSeconds"] + self._seconds
            await route.fulfill(response=response, json={**state, "idleSeconds": idle})

        await page.route("**/device/presence", answer)

    async def pass_seconds(self, page: Page, seconds: int) -> None:
        """Let time pass without any activity."""
        self._seconds += seconds
        await page.clock.fast_forward(seconds * 1000)
        await page.clock.run_for(2_000)


@on_both_hosts
async def test_warns_before_an_idle_session_ends_and_gives_the_reason(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    clock = PresenceClock()
    await clock.install(page)
    await page.clock.install()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/search")
    await page.get_by_role("radio", name="Done").check()
    await clock.pass_seconds(page, IDLE_SECONDS)
    warning = page.get_by_role("alert").filter(has_text=re.compile("You will be logged out in"))
    await expect(warning).to_be_attached()
    parent = warning.locator("xpath=..")
    background = await parent.evaluate("e => getComputedStyle(e).backgroundColor")
    assert "rgba" not in background, "the background is transparent"
    await clock.pass_seconds(page, IDLE_WARNING_SECONDS)
    await expect(page.get_by_text(re.compile("after 15 minutes without activity"))).to_be_visible()
    assert page.url.endswith("/login")
    await page.get_by_label("Email").fill("clientbasic@demo.lab")
    await page.locator("input[type=password]").fill(DEMO_PASSWORD)
    await page.get_by_role("button", name="Login").click()
    await expect(page.get_by_role("heading", name="Requisition Search")).to_be_visible()
    await expect(page.get_by_role("radio", name="Done")).to_be_checked()
    # The page may still wait for an answer of the clock's route.
    await page.unroute_all(behavior="wait")


async def test_a_page_opened_while_the_session_cannot_be_renewed_keeps_the_session(
    workplace: Workplace,
) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")

    async def refuse(route: Route) -> None:
        await route.fulfill(status=503, body="")

    await page.route("**/auth/jwt/refresh", refuse)
    await page.goto("/secured/results/lab")
    await expect(page.get_by_text(messages.NO_CONNECTION)).to_be_visible()
    await page.unroute("**/auth/jwt/refresh")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()


@pytest.mark.parametrize("path", ["/secured/patients/form", "/secured/results/lab"])
async def test_the_footer_leaves_a_low_window_to_the_content(
    context: BrowserContext, path: str
) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.set_viewport_size(_LOW_WINDOW)
    await page.goto(path)
    await page.get_by_role("heading", level=1).wait_for()
    await steps.wait_until_still(page)
    footer = page.get_by_role("contentinfo")
    await expect(footer).not_to_be_in_viewport()
    main = await page.get_by_role("main").bounding_box()
    assert main is not None and main["y"] + main["height"] == _LOW_WINDOW["height"]
    await footer.get_by_role("link").first.focus()
    await expect(footer.get_by_role("link").first).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("banner")).to_be_in_viewport(ratio=1)
