"""Disabled fields of a signed requisition are readable; axe does not check them."""

import re

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e import steps
from tests.e2e.accessibility import LOOKS, apply_look
from tests.e2e.test_requisition_form import start_requisition

pytestmark = pytest.mark.timeout(600)

_CONTRAST_MIN = 4.5
"""The contrast that WCAG requires of text."""

_CONTRASTS = """
() => {
  const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = (color, ground) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = color;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    return mix([r, g, b], ground, a / 255);
  };
  const mix = (front, back, share) => front.map((f, i) => f * share + back[i] * (1 - share));
  const groundOf = (element) => {
    if (element === null) return [255, 255, 255];
    return over(getComputedStyle(element).backgroundColor, groundOf(element.parentElement));
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((c) => {
      const share = c / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (element) => {
    const { webkitTextFillColor, opacity } = getComputedStyle(element);
    const [own, behind] = [groundOf(element), groundOf(element.parentElement)];
    const [light, dark] = [over(webkitTextFillColor, own), own]
      .map((color) => luminance(mix(color, behind, Number(opacity))))
      .sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const fields = ['input.bp6-input', 'textarea', 'select'].map((field) => `${field}:disabled`);
  const words = ['.bp6-control.bp6-disabled', '.bp6-form-group.bp6-disabled .bp6-label'];
  return [...document.querySelectorAll([...fields, ...words].join())]
    .filter((element) => element.checkVisibility() && element.value !== '')
    .map((element) => ({
      name: element.labels?.[0]?.textContent ?? element.ariaLabel ?? element.textContent,
      contrast: contrast(element),
    }));
}
"""


async def test_locked_fields_are_readable(context: BrowserContext, insured_patient: int) -> None:
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await start_requisition(page, insured_patient)
    await steps.sign_saved_requisition(page)
    await expect(page.get_by_label(re.compile("^Priority"))).to_be_disabled()
    for look in ("light", "dark"):
        await apply_look(page, LOOKS[look])
        fields = await page.evaluate(_CONTRASTS)
        names = " ".join(field["name"] for field in fields)
        assert "Priority" in names
        assert "Collection Date" in names
        assert [field for field in fields if field["contrast"] < _CONTRAST_MIN] == [], look
