"""What axe says of an open page, in every look of the product."""

import json
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Page

from tests.e2e import steps
from tests.e2e.conftest import ROOT

AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@dataclass(frozen=True)
class Look:
    """How a person sees the product."""

    color_scheme: Literal["light", "dark"]
    width: int
    height: int


LOOKS = {
    "light": Look("light", 1360, 850),
    "dark": Look("dark", 1360, 850),
    "tablet": Look("light", 800, 1100),
    "phone": Look("light", 390, 844),
}


async def wear(page: Page, look: Look) -> None:
    """Give the open page this look."""
    await page.emulate_media(color_scheme=look.color_scheme)
    await page.set_viewport_size({"width": look.width, "height": look.height})
    await steps.at_rest(page)


async def violations(page: Page, *, except_rule: str | None = None) -> list[str]:
    """What axe finds against WCAG 2.2 AA."""
    if not await page.evaluate("'axe' in window"):
        # Evaluated by the browser's debugger, so the page's own policy stays as strict as it is.
        await page.evaluate(AXE.read_text(encoding="utf-8") + "\n;0")
    result = await page.evaluate(
        "(tags) => axe.run(document, {runOnly: {type: 'tag', values: tags},"
        " resultTypes: ['violations']})",
        _RULES,
    )
    return [
        f"{rule['id']}: {json.dumps([node['html'][:120] for node in rule['nodes'][:3]])}"
        for rule in result["violations"]
        if rule["id"] != except_rule
    ]


async def violations_in(
    page: Page, what: str, *looks: str, except_rule: str | None = None
) -> list[str]:
    """What axe finds in each of these looks (in all of them when none is named)."""
    failures = []
    for look in looks or LOOKS:
        await wear(page, LOOKS[look])
        broken_rules = await violations(page, except_rule=except_rule)
        failures += [f"{what}, {look}: {violation}" for violation in broken_rules]
    await wear(page, LOOKS["light"])
    return failures
