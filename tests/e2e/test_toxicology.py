"""Toxicology in a real browser: entered and released by the lab, read by the clinic."""

import pytest
from playwright.async_api import expect

from tests.e2e import people, steps
from tests.e2e.accessibility import find_violations_in
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(300)
_CONSISTENT = "Consistent Result - Reported Medication Detected"
_POSITIVE = "Inconsistent Results - Positive Results For Drugs Not Reported"


async def test_clinic_reads_why_results_fit_the_reported_medications(
    workplace: Workplace, portal: str
) -> None:
    order_id = await people.receive_order(portal, "TOXC", medications=[{"name": "VALIUM 5 MG"}])
    lab = await (await workplace.open()).new_page()
    await steps.sign_in(lab, "laboratory")
    await lab.goto(f"/secured/result-entry/order;id={order_id}")
    await lab.get_by_label("Result of OXAZEPAM, URINE").fill("150")
    await lab.get_by_label("Result of 6-MONOACETYLMORPHINE, URINE").fill("40")
    await lab.keyboard.press("Control+s")
    await expect(lab.get_by_text("Results saved")).to_be_visible()
    verdicts = lab.get_by_role("region", name="Verdicts")
    reason = "OXAZEPAM is a metabolite of the reported DIAZEPAM"
    await expect(verdicts.get_by_text(reason)).to_be_visible()
    edges = [
        await element.evaluate("e => [e.getBoundingClientRect().left, e.clientWidth]")
        for element in (verdicts, lab.get_by_role("form", name="Toxicology results"))
    ]
    assert edges[0] == edges[1]
    assert await find_violations_in(lab, "toxicology entry") == []
    await steps.release_results(lab, 2)

    nurse = await (await workplace.open()).new_page()
    await steps.sign_in(nurse, "clientbasic")
    await nurse.goto(f"/secured/results/order;id={order_id}")
    consistent = nurse.get_by_role("region", name=_CONSISTENT)
    await expect(consistent.get_by_text(reason)).to_be_visible()
    positive = nurse.get_by_role("region", name=_POSITIVE)
    await expect(positive.get_by_role("heading", name="6-MONOACETYLMORPHINE")).to_be_visible()
    # The badge of a critical result does not hide the lab's badge of an unexpected positive.
    for badge in ("CRITICAL", "ABNORMAL"):
        await expect(nurse.get_by_text(badge, exact=True).first).to_be_visible()
    assert await find_violations_in(nurse, "toxicology results") == []
