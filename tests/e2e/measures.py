"""Measure on the real page whether texts are cut; jsdom computes no layout."""

import re

from playwright.async_api import Locator, Page, expect

from tests.e2e import steps

_FIND_CUT = """(cells) => cells.flatMap((cell) => {
  const clips = (element) => getComputedStyle(element).overflowX !== 'visible';
  const isCut = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    for (let box = text.parentElement; ; box = box.parentElement) {
      const edge = box.getBoundingClientRect();
      if ((box === cell || clips(box)) && (left < edge.left - 0.5 || right > edge.right + 0.5))
        return true;
      if (box === cell) return false;
    }
  };
  const texts = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.data.trim() && !text.parentElement.closest('.visually-hidden')) texts.push(text);
  }
  return texts.filter(isCut).map((text) => text.data);
})"""


async def find_cut_texts(cells: Locator) -> list[str]:
    """Return the texts of these cells that do not fit into them."""
    cut: list[str] = await cells.evaluate_all(_FIND_CUT)
    return cut


async def find_cells(page: Page, grid: str, column: str) -> Locator:
    """Return the cells of a grid's column that have content; there must be some."""
    frame = page.locator("[data-focus-home]", has=page.get_by_role("grid", name=grid))
    header = frame.get_by_role("columnheader", name=column, exact=True)
    index = await header.get_attribute("aria-colindex")
    cells = frame.locator(f"[role=gridcell][aria-colindex='{index}']:not(:empty)")
    await expect(cells.filter(has_text=re.compile(r"\S")).first).to_be_visible()
    # While a list reloads it has no cells, so none would count as cut.
    await steps.wait_until_still(page)
    return cells
