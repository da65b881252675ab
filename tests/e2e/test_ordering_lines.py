"""What a person sees of the ordering specification, on a real portal."""

import re

import pytest
from playwright.async_api import BrowserContext, FilePayload, Locator, Page, expect

from app.contract import choices, limits, messages
from app.server.seeding import DEMO_PASSWORD
from tests.e2e import steps
from tests.e2e.people import save_requisitions

pytestmark = pytest.mark.timeout(600)
PATIENT_FORM = "/secured/patients/form"
REQUISITION_FORM = "/secured/requisitions/create"
SEARCH = "/secured/requisitions/search"
_TEXT = FilePayload(name="notes.txt", mimeType="text/plain", buffer=b"no image")


async def measure_dialog(dialog: Locator) -> tuple[float, float]:
    """Return the width and the height of a dialog that no longer moves."""
    await steps.wait_until_still(dialog.page)
    box = await dialog.bounding_box()
    assert box is not None
    return round(box["width"]), round(box["height"])


async def expect_buttons(place: Page | Locator, states: dict[str, bool]) -> None:
    """Expect these buttons of a place to be enabled or disabled."""
    for name, is_enabled in states.items():
        button = place.get_by_role("button", name=name, exact=True)
        await expect(button).to_be_enabled(enabled=is_enabled)


async def expect_texts(place: Page | Locator, *texts: str) -> None:
    """Expect a place to show these texts."""
    for text in texts:
        await expect(place.get_by_text(text, exact=True).first).to_be_visible()


async def test_patient_form_validates_and_updates_dependent_fields(context: BrowserContext) -> None:
    """O 2.1, 4 and 5: fields, masks, required fields, dependent fields, and unsaved changes."""
    page = await context.new_page()
    await steps.sign_in(page, "clientadmin")
    birth = "01%2F02%2F1980"
    await page.goto(f"{PATIENT_FORM};lastName=smith;firstName=ann;dob={birth};race=WHITE;ssn=null")
    await expect(page.get_by_role("heading", name="New Patient")).to_be_visible()
    await expect(page.get_by_role("textbox", name="Last Name")).to_have_value("SMITH")
    await expect(page.get_by_role("textbox", name="First Name")).to_have_value("ANN")
    await expect(page.get_by_role("textbox", name="Birth Date")).to_have_value("01/02/1980")
    race = page.get_by_role("combobox", name="Race")
    await expect(race).to_have_value("WHITE")
    await expect(race.get_by_role("option")).to_have_text(["", *choices.RACES])
    groups = page.get_by_role("combobox", name="Ethnic Group").get_by_role("option")
    await expect(groups.nth(1)).to_have_text("Hispanic Or Latino")
    ssn = page.get_by_role("textbox", name="Social Security Number")
    await expect(ssn).to_have_value("")
    for name in ["Client Information", "Patient Information", "Address", "Contact"]:
        await expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()

    await page.get_by_role("textbox", name="Last Name").fill("")
    await page.get_by_role("textbox", name="First Name").fill("")
    await page.get_by_role("textbox", name="Birth Date").fill("01/02/2199")
    await ssn.press_sequentially("666990")
    for name in ["Phone", "Mobile"]:
        await page.get_by_role("textbox", name=name).press_sequentially("31255")
    await page.get_by_role("textbox", name="Email").fill("x@")
    await page.get_by_role("button", name="Save Patient").click()
    await expect_texts(
        page,
        messages.CLIENT_REQUIRED,
        messages.LAST_NAME_REQUIRED,
        messages.FIRST_NAME_REQUIRED,
        messages.GENDER_REQUIRED,
        messages.ADDRESS_REQUIRED,
        messages.ZIP_CODE_REQUIRED,
        messages.EMAIL_INVALID,
        "Phone is invalid",
        "Mobile is invalid",
        "SSN must be 9 digits",
        "Birth Date must be between 01/01/1900 and today",
    )
    await ssn.fill("666990001")
    await expect(ssn).to_have_value("666-99-0001")
    await page.get_by_role("textbox", name="Bed").fill("b2")
    await expect(page.get_by_role("textbox", name="Bed")).to_have_value("B2")
    await page.get_by_role("textbox", name="Zip Code").press_sequentially("606019")
    await expect(page.get_by_role("textbox", name="Zip Code")).to_have_value("60601")

    # The unit restricts the rooms; another client clears both.
    await steps.choose_only_match(page, "Client", "BRIGID")
    await steps.choose_only_match(page, "Unit", "NORTH")
    await steps.choose_option(page, "Room")
    await steps.choose_option(page, "Unit", "SOUTH")
    await expect(page.get_by_role("combobox", name="Room")).to_have_value("")
    await steps.choose_only_match(page, "Client", "LAKESHORE")
    await expect(page.get_by_role("combobox", name="Unit")).to_have_value("")

    await page.get_by_role("button", name="Cancel", exact=True).click()
    question = page.get_by_role("dialog")
    await expect_texts(question, messages.UNSAVED_CHANGES)
    await question.get_by_role("button", name="Cancel", exact=True).click()
    await expect(page.get_by_role("heading", name="New Patient")).to_be_visible()


async def complete_insured_person(page: Page, row: Locator) -> None:
    """Complete the insured person of a marked row, which is the patient by default."""
    await row.get_by_text("Missing information").click()
    dialog = page.get_by_role("dialog", name=re.compile("^Edit Billing"))
    relationship = dialog.get_by_role("combobox", name="Relationship")
    await expect(relationship.get_by_role("option")).to_have_text(["", *choices.RELATIONSHIPS])
    last_name = dialog.get_by_role("textbox", name="Last Name")
    await expect(last_name).to_have_value("SMITH")
    await dialog.get_by_text("Different than patient").click()
    await expect(last_name).to_have_value("")
    await last_name.fill("payer")
    await expect(last_name).to_have_value("PAYER")
    await dialog.get_by_text("Different than patient").click()
    await expect(last_name).to_have_value("SMITH")
    await expect(relationship).to_have_value("SELF")
    await dialog.get_by_role("button", name="Save", exact=True).click()
    question = page.get_by_role("dialog", name="Confirmation Save")
    await question.get_by_role("button", name="Save", exact=True).click()
    await expect(dialog).to_be_hidden()


async def test_patient_lists_follow_their_rules(context: BrowserContext) -> None:
    """O 2.5, 4 and 5: the billing editor and the responsible parties."""
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(f"{PATIENT_FORM};lastName=smith;firstName=ann")
    await expect(page.get_by_role("radio", name="PATIENT")).to_be_checked()
    await page.get_by_text("INSURANCE", exact=True).click()
    await expect_buttons(page, {"Add": False, "Save": False, "Remove": False, "Move Up": False})
    payer = page.get_by_role("combobox", name="Payer")
    for bill_type, number in (("MEDICARE", "m1"), ("MEDICAID", "m2")):
        await page.get_by_label("Bill Type").select_option(label=bill_type)
        await steps.choose_option(page, "Payer")
        await page.get_by_role("textbox", name="Insurance Id").fill(number)
        await page.get_by_role("button", name="Add", exact=True).click()
        await expect(page.get_by_role("textbox", name="Insurance Id")).to_have_value("")
    await page.get_by_label("Bill Type").select_option(label="MEDICARE")
    await steps.choose_option(page, "Payer")
    await expect(payer).not_to_have_value("")
    await page.get_by_label("Bill Type").select_option(label="MEDICAID")
    await expect(payer).to_have_value("")
    rows = page.get_by_role("grid", name="Insurance Information").get_by_role("row")
    await expect(rows.nth(1)).to_contain_text("M1")
    await complete_insured_person(page, rows.nth(1))
    # A click on the row's button has selected the row.
    await expect(rows.nth(1).get_by_role("checkbox")).to_be_checked()
    await expect_buttons(page, {"Save": True, "Remove": True, "Move Up": False, "Move Down": True})
    await page.get_by_text("CLIENT", exact=True).click()
    await expect_buttons(page, {"Remove": False, "Move Down": False, "Refresh": False})
    await page.get_by_text("INSURANCE", exact=True).click()
    await page.get_by_role("button", name="Move Down").click()
    await expect(rows.nth(1)).to_contain_text("M2")
    await page.get_by_role("button", name="Remove", exact=True).click()
    await expect(rows).to_have_count(2)
    await expect(rows.nth(1).get_by_role("gridcell").nth(1)).to_have_text("1")

    await page.get_by_role("tab", name=re.compile("Responsible Party")).click()
    await page.get_by_role("button", name="Add", exact=True).click()
    party = page.get_by_role("dialog")
    assert (await measure_dialog(party))[0] == limits.DIALOG_RESPONSIBLE_PARTY_WIDTH_PX
    await party.get_by_role("button", name="Save").click()
    await expect_texts(
        party,
        messages.LAST_NAME_REQUIRED,
        messages.FIRST_NAME_REQUIRED,
        "Phone is required",
        messages.ADDRESS_REQUIRED,
    )
    await expect_texts(page, messages.MISSING_ADDRESS)
    phone = party.get_by_role("textbox", name="Phone")
    await phone.press_sequentially("3125550101")
    await expect(phone).to_have_value("312-555-0101")
    for name in ["Mobile", "Fax", "City", "State"]:
        await expect(party.get_by_role("textbox", name=name)).to_be_visible()
    await party.get_by_role("textbox", name="Last Name").fill("lopez")
    await party.get_by_role("textbox", name="First Name").fill("juan")
    await party.get_by_role("textbox", name="Address").fill("1 oak st")
    await party.get_by_role("textbox", name="Zip Code").fill("60601")
    await expect(party.get_by_role("textbox", name="City")).to_have_value("CHICAGO")
    await party.get_by_role("textbox", name="Zip plus 4").fill("1200")
    await party.get_by_role("button", name="Save").click()
    await expect(party).to_be_hidden()
    only_row = page.get_by_role("grid", name="Responsible Parties").get_by_role("row").nth(1)
    await expect(only_row).to_contain_text("LOPEZ")
    await expect_buttons(page, {"Remove": False, "Move Up": False, "Move Down": False})
    await only_row.locator(".bp6-control-indicator").click()
    await expect_buttons(page, {"Remove": True, "Move Up": False, "Move Down": False})


async def choose_patient(page: Page, last_name: str, first_name: str) -> None:
    """Choose a patient in the search of the open requisition, and check the search."""
    await page.get_by_role("button", name="Select Patient").click()
    dialog = page.get_by_role("dialog", name="Search Patient")
    width, height = await measure_dialog(dialog)
    assert width == limits.DIALOG_SEARCH_PATIENT_WIDTH_PX
    assert page.viewport_size is not None
    assert height == round(0.9 * page.viewport_size["height"])
    await expect_texts(dialog, messages.SEARCH_BEFORE_NEW_PATIENT)
    await expect_buttons(dialog, {"Search": False, "New Patient": False, "Clear": True})
    headers = ["Patient Id", "Last Name", "First Name", "Birth Date", "SSN"]
    for header in headers:
        await expect(dialog.get_by_role("columnheader", name=header)).to_be_visible()
    last = dialog.get_by_role("textbox", name="Last Name")
    await expect(last).to_be_focused()
    await last.fill(last_name.lower())
    await expect(last).to_have_value(last_name)
    await dialog.get_by_role("textbox", name="First Name").fill("nobody")
    birth = dialog.get_by_role("textbox", name="DOB")
    await birth.fill("01/02/2199")
    await birth.press("Tab")
    await expect_buttons(dialog, {"Search": False})
    await birth.fill("")
    ssn = dialog.get_by_role("textbox", name="SSN")
    await ssn.press_sequentially("666990001")
    await expect(ssn).to_have_value("666-99-0001")
    await dialog.get_by_role("button", name="Search", exact=True).click()
    await expect_buttons(dialog, {"New Patient": True})
    await dialog.get_by_role("button", name="Clear").click()
    await last.fill(last_name)
    await dialog.get_by_role("textbox", name="First Name").fill(first_name)
    await last.press("Enter")
    await dialog.get_by_role("gridcell", name=last_name).first.click()
    await expect(dialog).to_be_hidden()


async def choose_physician(page: Page) -> str:
    """Choose a physician by the NPI in the search, and return the name in the field."""
    await page.get_by_role("button", name="Search Physician").click()
    dialog = page.get_by_role("dialog", name="Search Physician")
    for name in ["Last Name", "First Name", "NPI"]:
        await expect(dialog.get_by_role("textbox", name=name)).to_be_visible()
        await expect(dialog.get_by_role("columnheader", name=name)).to_be_visible()
    await expect(dialog.get_by_label("Physicians associated to Client")).to_be_visible()
    await dialog.get_by_role("button", name="Search", exact=True).click()
    await dialog.get_by_role("gridcell", name=re.compile(r"^\d{10}$")).first.click()
    await expect(dialog).to_be_hidden()
    await expect(page.get_by_role("button", name="Edit Physician")).to_be_visible()
    return await page.get_by_role("combobox", name="Ordering Physician").input_value()


async def keep_changes(page: Page, names: tuple[str, str]) -> None:
    """Start to leave the changed requisition for a new patient, but stay."""
    await page.get_by_role("button", name="Edit Patient").click()
    search = await steps.search_patients(page, *names)
    await search.get_by_role("button", name="New Patient").click()
    alert = page.get_by_role("dialog", name=messages.LOSE_CHANGES_TITLE)
    await expect_texts(alert, messages.LOSE_CHANGES)
    await alert.get_by_role("button", name="Cancel").click()
    await expect(alert).to_be_hidden()
    await search.get_by_role("button", name="Close").last.click()
    await expect(search).to_be_hidden()


async def test_requisition_form_and_its_dialogs(context: BrowserContext, portal: str) -> None:
    """O 2.3 to 2.5, 5 and 8: header, tests, copies, documents, and signing by password."""
    [other] = await save_requisitions(portal, 1)
    names = other["patient"]["lastName"], other["patient"]["firstName"]
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(REQUISITION_FORM)
    await expect(page.get_by_role("radio", name="INSURANCE")).to_be_checked()
    for name, words in (
        ("Fasting", ["UNKNOWN", "FASTING", "NON FASTING"]),
        ("Priority", ["STAT", "ROUTINE", "RUSH", "PRE-OPERATORY"]),
    ):
        field = page.get_by_role("combobox", name=name)
        await expect(field.get_by_role("option")).to_have_text(words)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect_texts(
        page, messages.REQUISITION_PATIENT_REQUIRED, messages.REQUISITION_TEST_REQUIRED
    )
    await choose_patient(page, *names)
    await expect(page.get_by_role("button", name="Edit Patient")).to_be_visible()
    await expect(page.get_by_role("combobox", name="Priority")).to_have_value("ROUTINE")
    chosen_name = await choose_physician(page)
    assert ", " in chosen_name

    field = page.get_by_role("combobox", name="Test code or name")
    await field.fill("nope")
    await field.press("Enter")
    await expect_texts(page, "Test with code NOPE not found")
    await field.fill("")
    await steps.add_test(page, "TPO")
    await keep_changes(page, names)
    copies = page.get_by_role("region", name="Additional Copies")
    for kind, wrong_text in (("Email", "x@"), ("Fax", "312")):
        await copies.get_by_text(kind, exact=True).first.click()
        await copies.get_by_role("button", name="Add", exact=True).click()
        await expect_texts(copies, f"{kind} is required")
        await copies.get_by_role("textbox", name=kind).fill(wrong_text)
        await copies.get_by_role("button", name="Add", exact=True).click()
        await expect_texts(copies, f"{kind} is invalid")
    fax = copies.get_by_role("textbox", name="Fax")
    await fax.fill("3125550111")
    await expect(fax).to_have_value("312-555-0111")
    await copies.get_by_role("button", name="Add", exact=True).click()
    await expect_buttons(copies, {"Remove 312-555-0111": True})
    await steps.save_new_requisition(page)
    saved_dialog = page.get_by_role("dialog", name="Requisition Saved")
    assert await measure_dialog(saved_dialog) == limits.DIALOG_REQUISITION_DONE_PX
    await saved_dialog.get_by_role("button", name="Sign", exact=True).click()

    dialog = await steps.wait_for_signature_dialog(page)
    assert (await measure_dialog(dialog))[0] == limits.DIALOG_SIGNATURE_WIDTH_PX
    await dialog.locator("input[type=file]").set_input_files(_TEXT)
    await expect_texts(dialog, messages.IMAGE_ONLY)
    await steps.draw_signature(page)
    password = dialog.locator("input[type=password]")
    await password.fill("wrong")
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect_texts(dialog, messages.INVALID_PASSWORD)
    await password.fill(DEMO_PASSWORD)
    await dialog.get_by_role("button", name="Sign", exact=True).click()
    await expect_texts(page, messages.REQUISITION_SIGNED)
    await page.get_by_role("button", name="Unsign").click()
    unsign = page.get_by_role("dialog")
    await unsign.locator("input[type=password]").fill(DEMO_PASSWORD)
    await unsign.get_by_role("button", name="Unsign").click()
    await expect_texts(page, messages.REQUISITION_UNSIGNED)
    await page.get_by_role("button", name="Cancel Requisition").click()
    cancel = page.get_by_role("dialog")
    await cancel.get_by_role("button", name="Cancel Requisition").click()
    await expect_texts(cancel, "Comment is required")
    await cancel.get_by_role("textbox").fill("ordered twice")
    await cancel.get_by_role("button", name="Cancel Requisition").click()
    await expect_texts(page, messages.REQUISITION_CANCELED)
    await expect_buttons(page, {"Save": False, "Sign": False, "Cancel Requisition": False})
    await page.get_by_role("button", name="Clear", exact=True).click()
    await expect(page.get_by_role("heading", name="New Requisition")).to_be_visible()


async def test_requisition_search_and_its_dialogs(context: BrowserContext, portal: str) -> None:
    """O 2.2, 2.5 and 6: filters by role, columns, page sizes, selection, and row actions."""
    requisitions = await save_requisitions(portal, 2)
    page = await context.new_page()
    for account, hidden in (
        ("patient", ["Client", "Unit", "Patient"]),
        ("physician", ["Client", "Unit"]),
    ):
        await steps.sign_in(page, account)
        await page.goto(SEARCH)
        await expect(page.get_by_role("button", name="Signature All")).to_be_visible()
        for name in hidden:
            await expect(page.get_by_role("button", name=re.compile(f"^{name} "))).to_have_count(0)
    await steps.sign_in(page, "clientadmin")
    await page.goto("/secured/nowhere")
    await expect(page.get_by_role("heading", name="Order Search")).to_be_visible()
    await page.goto(SEARCH)
    for header in [
        *("Requisition Id", "Collection Date", "Last name", "First name", "Birthdate", "Client"),
        *("Unit", "Room - Bed", "Tests", "Signed", "Status"),
    ]:
        await expect(page.get_by_role("columnheader", name=header, exact=True)).to_be_visible()
    sizes = page.get_by_role("combobox", name="Rows per page").get_by_role("option")
    await expect(sizes).to_have_text(["10 rows", "20 rows", "50 rows", "100 rows"])
    for row in requisitions:
        await steps.check_control(page.get_by_role("checkbox", name=f"Select {row['code']}"))
    for action, size in (
        ("Email Forms", limits.DIALOG_SEND_PX),
        ("Fax Forms", limits.DIALOG_SEND_PX),
        ("Print Label", limits.DIALOG_PRINT_LABEL_PX),
        ("Update Bill To", limits.DIALOG_UPDATE_BILL_TO_PX),
    ):
        await page.get_by_role("button", name=action).click()
        dialog = page.get_by_role("dialog", name=action)
        assert await measure_dialog(dialog) == size, action
        if action != "Update Bill To":
            await dialog.get_by_role("button", name="Close").last.click()
            await expect(dialog).to_be_hidden()
    bill_to = page.get_by_role("combobox", name="Bill To")
    await expect(bill_to.get_by_role("option")).to_have_text(["INSURANCE", "CLIENT", "PATIENT"])
    await page.get_by_role("button", name="Send").click()
    # The requisitions list no insurance.
    await page.get_by_role("button", name="Send anyway").click()
    await expect_texts(page, messages.BILL_TO_UPDATED)
    # The grid has loaded, which clears the selection.
    chosen_items = page.get_by_role("checkbox", name=re.compile("^Select R"), checked=True)
    await expect(chosen_items).to_have_count(0)
    async with context.expect_page() as page_info:
        await page.get_by_role("gridcell", name=requisitions[0]["code"], exact=True).click()
    await expect(
        (await page_info.value).get_by_role("heading", name=requisitions[0]["code"])
    ).to_be_visible()

    await page.goto(f"{SEARCH};startDate=2020-01-01;endDate=2099-12-31;status=1;signature=signed")
    signed_items = page.get_by_role("checkbox", name=re.compile("^Select R"))
    await steps.check_control(signed_items.first)
    await expect_buttons(page, {"Sign Requisitions": False, "Print Requisitions": True})
