"""The look of fields and dialogs, measured in the browser."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e import steps
from tests.e2e.conftest import Workplace

pytestmark = pytest.mark.timeout(600)


async def read_look(field: Locator) -> tuple[str, str]:
    """Return the background and the border of a field."""
    look = await field.evaluate(
        "(e) => [getComputedStyle(e).backgroundColor, getComputedStyle(e).boxShadow]"
    )
    return (look[0], look[1])


async def open_search_screen(page: Page, account: str) -> None:
    """Open the requisition search, and wait for its rows."""
    await steps.sign_in(page, account)
    await page.goto("/secured/requisitions/search")
    await expect(page.get_by_role("checkbox", name="Select R").first).to_be_visible()


async def open_first_requisition(page: Page) -> Page:
    """Open the first requisition of the search, and return its page."""
    await open_search_screen(page, "clientbasic")
    async with page.context.expect_page() as page_info:
        await page.get_by_role("gridcell", name=re.compile(r"^R\d{9}$")).first.click()
    return await page_info.value


async def count_lines(elements: list[Locator]) -> int:
    """Count the lines that the elements take up."""
    tops = set()
    for element in elements:
        box = await element.bounding_box()
        assert box is not None
        tops.add(round(box["y"]))
    return len(tops)


async def test_headings_of_an_audit_entry_do_not_wrap(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "superuser")
    await page.goto("/secured/system/users")
    await expect(page.get_by_role("gridcell").first).to_be_visible()
    await page.goto("/secured/system/audit-log")
    await page.get_by_role("gridcell", name="Listed users").first.press("Enter")
    dialog = page.get_by_role("dialog", name="Listed users")
    for header in ("Detail", "Ids"):
        cell = dialog.get_by_text(header, exact=True)
        await expect(cell).to_be_visible()
        lines = await cell.evaluate(
            "(e) => { const text = document.createRange(); text.selectNodeContents(e);"
            " return text.getClientRects().length; }"
        )
        assert lines == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_locked_fields_look_alike_and_open_fields_look_alike(
    workplace: Workplace, scheme: str
) -> None:
    """A field that cannot be changed differs from an open one, whatever kind it is."""
    page = await (await workplace.open()).new_page()
    await page.emulate_media(color_scheme=scheme)
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/patients/form")
    locked_fields = [
        page.get_by_role("textbox", name="City"),
        page.get_by_role("combobox", name="Payer"),
    ]
    open_fields = [
        page.get_by_role("textbox", name="Middle Name"),
        page.get_by_label("Gender *"),
        page.get_by_role("combobox", name="Primary Physician"),
    ]
    await expect(locked_fields[1]).to_be_disabled()
    locked_looks = {await read_look(field) for field in locked_fields}
    open_looks = {await read_look(field) for field in open_fields}
    assert len(locked_looks) == len(open_looks) == 1
    assert locked_looks != open_looks


async def test_the_comment_of_a_cancellation_has_three_lines(workplace: Workplace) -> None:
    page = await open_first_requisition(await (await workplace.open()).new_page())
    await page.get_by_role("button", name="Cancel Requisition").click()
    comment = page.get_by_role("dialog").get_by_role("textbox", name="Comment")
    await expect(comment).to_be_visible()
    line_height_px = 18
    assert await comment.evaluate("(e) => e.clientHeight") >= 3 * line_height_px


async def test_search_patient_fits_beside_recent_patients(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    for is_first in (True, False):
        await page.get_by_role(
            "button", name="Select Patient" if is_first else "Edit Patient"
        ).click()
        dialog = await steps.search_patients(page, "C", "L")
        await expect(dialog.get_by_text("P0000").first).to_be_visible()
        if is_first:
            await dialog.get_by_text("P0000").first.click()
            await expect(dialog).to_be_hidden()
    await expect(dialog.get_by_role("button", name="Recent Patients")).to_be_visible()
    await steps.wait_until_still(page)
    names = ("Clear", "New Patient", "Search")
    buttons = [dialog.get_by_role("button", name=name, exact=True) for name in names]
    assert await count_lines(buttons) == 1


async def test_tablets_show_the_last_digits_of_the_ssn(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    await page.set_viewport_size({"width": 800, "height": 1024})
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = await steps.search_patients(page, "C", "L")
    ssn = dialog.get_by_role("gridcell").filter(has_text="***-**-").first
    await expect(ssn).to_be_visible()
    is_cut = "(e) => [e, ...e.querySelectorAll('*')].some((x) => x.scrollWidth > x.clientWidth)"
    assert not await ssn.evaluate(is_cut)


@pytest.mark.parametrize(
    ("account", "width", "action"),
    [("laboratory", 1366, "Mark Received"), ("clientadmin", 1024, "Print Label")],
)
async def test_the_actions_of_selected_rows_fit_into_one_line(
    workplace: Workplace, account: str, width: int, action: str
) -> None:
    page = await (await workplace.open()).new_page()
    await page.set_viewport_size({"width": width, "height": 768})
    await open_search_screen(page, account)
    await steps.check_control(page.get_by_role("checkbox", name="Select R").first)
    bar = page.get_by_role("toolbar", name="Selected requisitions")
    first = await bar.get_by_role("button", name=action).bounding_box()
    last = await bar.get_by_role("button", name="Clear selection").bounding_box()
    assert first is not None
    assert last is not None
    assert first["y"] == last["y"]


async def test_the_choices_of_a_filter_fit_into_one_line(workplace: Workplace) -> None:
    page = await (await workplace.open()).new_page()
    await open_search_screen(page, "clientbasic")
    await page.get_by_role("button", name="Signature").click()
    group = page.get_by_role("radiogroup", name="Signature")
    choices = [group.get_by_text(name, exact=True) for name in ("Signed", "Not Signed", "All")]
    assert await count_lines(choices) == 1


async def test_the_mark_of_a_signature_is_in_line_with_other_values_on_phones(
    workplace: Workplace,
) -> None:
    page = await (await workplace.open()).new_page()
    await page.set_viewport_size({"width": 390, "height": 844})
    await steps.sign_in(page, "clientbasic")
    # A day may have no signed requisition; the years together always have many.
    years = "startDate=2020-01-01;endDate=2099-12-31;status=4"
    await page.goto(f"/secured/requisitions/search;{years};signature=signed")
    signed_items = page.get_by_role("img", name="Signed")
    value = page.get_by_role("definition").filter(has=signed_items).first
    outer, inner = await value.bounding_box(), await value.get_by_role("img").bounding_box()
    assert inner is not None
    assert outer is not None
    assert abs(inner["x"] - outer["x"]) <= 1
    assert outer["height"] <= 20


async def test_the_name_of_a_document_is_in_line_with_other_lists(workplace: Workplace) -> None:
    page = await open_first_requisition(await (await workplace.open()).new_page())
    name = f"{steps.build_last_name()}.pdf"
    await page.get_by_label("Document", exact=True).set_input_files(
        {"name": name, "mimeType": "application/pdf", "buffer": b"%PDF-1.4\n%%EOF\n"}
    )
    document = page.get_by_role("button", name=name, exact=True)
    row = page.get_by_role("list", name="Documents").get_by_role("listitem").filter(has=document)
    await expect(row).to_be_visible()
    indent = "(e) => parseFloat(getComputedStyle(e).paddingInlineStart)"
    inner, outer = await document.bounding_box(), await row.bounding_box()
    assert inner is not None
    assert outer is not None
    text = inner["x"] + await document.evaluate(indent)
    assert abs(text - outer["x"] - await row.evaluate(indent)) <= 2
