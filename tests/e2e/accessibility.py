"""Checks open pages with axe, in light and dark and in every size of window."""

import json
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Page

from tests.e2e import steps
from tests.e2e.conftest import ROOT

AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
_ALL_RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
_COLOR_RULES = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


@dataclass(frozen=True)
class Look:
    """A color scheme and a size of the window."""

    color_scheme: Literal["light", "dark"]
    width: int
    height: int


LOOKS = {
    "light": Look("light", 1366, 768),
    "dark": Look("dark", 1366, 768),
    "tablet": Look("light", 800, 1100),
    "phone": Look("light", 390, 844),
}


async def apply_look(page: Page, look: Look) -> None:
    """Give the open page a look, and scroll it to the top.

    A resized page keeps its scroll position only roughly, and axe counts a button that is half
    under the fixed header as too small.
    """
    await page.emulate_media(color_scheme=look.color_scheme)
    await page.set_viewport_size({"width": look.width, "height": look.height})
    await page.evaluate(
        "() => [document.scrollingElement, document.querySelector('main')]"
        ".forEach(area => area?.scrollTo(0, 0))"
    )
    await steps.wait_until_still(page)


async def find_violations(
    page: Page, look: str = "light", *, except_rule: str | None = None
) -> list[str]:
    """Return the violations of WCAG 2.2 AA that axe finds in a page that has this look.

    A dark page differs from a light one only in its colors, so nothing else of it is checked.
    """
    if not await page.evaluate("'axe' in window"):
        # The debugger evaluates it, so the page's Content Security Policy stays strict.
        await page.evaluate(AXE.read_text(encoding="utf-8") + "\n;0")
    result = await page.evaluate(
        "(rules) => axe.run(document, {runOnly: rules, resultTypes: ['violations']})",
        _COLOR_RULES if look == "dark" else _ALL_RULES,
    )
    return [
        f"{rule['id']}: {json.dumps([node['html'][:120] for node in rule['nodes'][:3]])}"
        for rule in result["violations"]
        if rule["id"] != except_rule
    ]


async def find_violations_in(
    page: Page, name: str, *looks: str, except_rule: str | None = None
) -> list[str]:
    """Return the violations of the page ``name`` in each of these looks, or in all looks."""
    failures = []
    for look in looks or LOOKS:
        await apply_look(page, LOOKS[look])
        violations = await find_violations(page, look, except_rule=except_rule)
        failures += [f"{name}, {look}: {violation}" for violation in violations]
    await apply_look(page, LOOKS["light"])
    return failures
