"""Patients in a real browser: registering, searching, and avoiding duplicates."""

import re

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.e2e import steps
from tests.e2e.conftest import Workplace
from tests.e2e.people import open_session

pytestmark = pytest.mark.timeout(600)
FORM = "/secured/patients/form"


async def fill_person(page: Page, last_name: str, *, unit: bool = True) -> None:
    """Fill in the required fields of a patient; the client is already chosen."""
    if unit:
        await steps.choose_option(page, "Unit", first=True)
    await page.get_by_role("textbox", name=re.compile("^Last Name")).fill(last_name)
    await page.get_by_role("textbox", name=re.compile("^First Name")).fill("maria")
    await page.get_by_role("textbox", name="Birth Date").fill("3/4/61")
    await page.keyboard.press("Tab")
    await page.get_by_label("Gender *").select_option("FEMALE")


async def fill_address(page: Page) -> None:
    """Fill in a street, and a zip code that fills in city and state."""
    await page.get_by_role("textbox", name=re.compile("^Address")).fill("12 Lake St")
    await page.get_by_role("textbox", name=re.compile("^Zip ?Code", re.IGNORECASE)).fill("60601")
    await expect(page.get_by_role("textbox", name="City")).to_have_value("CHICAGO")
    await page.get_by_role("textbox", name=re.compile("Plus 4", re.IGNORECASE)).fill("1234")


async def add_insurance(page: Page, bill_type: str, number: str, relationship: str) -> None:
    """Add an insurance in the billing editor."""
    await page.get_by_label("Bill Type").select_option(label=bill_type)
    await steps.choose_option(page, "Payer")
    await page.get_by_role("textbox", name="Insurance Id").fill(number)
    await page.get_by_label("Relationship").select_option(relationship)
    await page.get_by_role("button", name="Add", exact=True).click()


async def add_party(page: Page) -> None:
    """Add a responsible party, first without the required zip code."""
    await page.get_by_role("tab", name=re.compile("Responsible Party")).click()
    await page.get_by_role("button", name="Add", exact=True).click()
    popup = page.get_by_role("dialog")
    await popup.get_by_role("textbox", name=re.compile("^Last Name")).fill("lopez")
    await popup.get_by_role("textbox", name=re.compile("^First Name")).fill("juan")
    await popup.get_by_role("textbox", name=re.compile("^Phone")).fill("3125550101")
    await popup.get_by_role("textbox", name=re.compile("^Address")).fill("1 oak st")
    await popup.get_by_role("textbox", name=re.compile("Plus 4", re.IGNORECASE)).fill("1200")
    await popup.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Missing address information")).to_be_visible()
    await popup.get_by_role("textbox", name=re.compile("^Zip ?Code", re.IGNORECASE)).fill("60601")
    await expect(popup.get_by_role("textbox", name="City")).to_have_value("CHICAGO")
    await popup.get_by_role("button", name="Save", exact=True).click()
    await expect(popup).to_be_hidden()


async def save_patient(page: Page) -> None:
    """Save the patient, and wait for the success message."""
    await page.get_by_role("button", name="Save Patient").click()
    await expect(page.get_by_text("Patient saved successfully!").first).to_be_visible()


async def test_registers_and_reopens_a_complete_patient(workplace: Workplace) -> None:
    """Fills in every part of the form, moves the second insurance up, saves and reopens."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(FORM)
    await expect(page.get_by_role("heading", name="New Patient")).to_be_visible()
    last_name = steps.build_last_name()
    await fill_person(page, last_name)
    await fill_address(page)
    await page.get_by_text("INSURANCE", exact=True).click()
    await add_insurance(page, "MEDICARE", "1eg4-te5", "SELF")
    await add_insurance(page, "MEDICAID", "second", "SPOUSE")
    # Click the drawn box, which covers its input.
    second = page.get_by_role("row", name=re.compile("SECOND"))
    await second.locator(".bp6-control-indicator").click()
    await expect(second.get_by_role("checkbox")).to_be_checked()
    await page.get_by_role("button", name="Move Up").click()
    await page.get_by_role("tab", name=re.compile("Diagnoses")).click()
    await steps.choose_option(page, "Diagnoses", "E11.9")
    await page.get_by_role("tab", name=re.compile("Medications")).click()
    medication = page.get_by_role("combobox", name=re.compile("^Medication"))
    await medication.fill("Metformin 500 mg twice a day")
    await medication.press("Enter")
    await add_party(page)
    await page.get_by_role("button", name="Save Patient").click()
    question = page.get_by_role("dialog", name="Confirmation Save")
    await expect(question.get_by_text("Please note there is missing information")).to_be_visible()
    await question.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Patient saved successfully!").first).to_be_visible()

    await expect(page.get_by_role("heading", name="Edit Patient")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("textbox", name=re.compile("^Last Name"))).to_have_value(
        last_name
    )
    for name, count in (
        ("Insurance Information", 2),
        ("Diagnoses", 1),
        ("Medications", 1),
        ("Responsible Party", 1),
    ):
        await expect(page.get_by_role("tab", name=re.compile(name))).to_contain_text(str(count))
    rows = page.get_by_role("grid", name="Insurance Information").get_by_role("row")
    await expect(rows.nth(1)).to_contain_text("SECOND")
    await expect(rows.nth(2)).to_contain_text("1EG4-TE5")
    await expect(rows.nth(2)).to_contain_text(f"{last_name}, MARIA")
    await page.get_by_role("button", name="Timeline").click()
    timeline = page.get_by_role("dialog", name=re.compile("Timeline"))
    await expect(timeline.get_by_role("listitem").first).to_contain_text(
        re.compile("registered", re.IGNORECASE)
    )


async def rename_patient(page: Page, last_name: str) -> None:
    """Change the last name in the open form, and save."""
    await expect(page.get_by_role("heading", name="Edit Patient")).to_be_visible()
    await page.get_by_role("textbox", name=re.compile("^Last Name")).first.fill(last_name)
    await save_patient(page)


async def test_an_enter_that_closes_billing_does_not_open_it_again(workplace: Workplace) -> None:
    """The key is still down when its dialog closes, and is released on the row."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(FORM)
    await fill_person(page, steps.build_last_name())
    await fill_address(page)
    await add_insurance(page, "MEDICARE", "1eg4-te5", "SELF")
    row = page.get_by_role("grid", name="Insurance Information").get_by_role("row").last
    await expect(row).to_contain_text("1EG4-TE5")
    await row.press("Enter")
    editor = page.get_by_role("dialog", name=re.compile("^Edit Billing"))
    await editor.get_by_role("textbox", name="Phone").fill("3125550101")
    await page.keyboard.down("Enter")
    await expect(editor).to_be_hidden()
    await expect(row).to_be_focused()
    # A second event without a release is what a held key sends.
    await page.keyboard.down("Enter")
    await page.keyboard.up("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await row.press("Enter")
    await expect(editor.get_by_role("textbox", name="Phone")).to_have_value("312-555-0101")


async def test_edits_patients_from_a_requisition_and_from_the_patients_screen(
    workplace: Workplace,
) -> None:
    """Corrects a patient's name from unsaved and saved requisitions, and from the list."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    names = [steps.build_last_name() for _ in range(4)]
    await steps.register_patient(page, names[0])
    await page.get_by_role("combobox", name="Test code or name").fill("GLU")
    await page.get_by_role("combobox", name="Test code or name").press("Enter")
    remove_button = page.get_by_role("button", name="Remove GLUCOSE")
    await expect(remove_button).to_be_visible()

    async def edit_details(last_name: str, new_name: str) -> None:
        await page.get_by_role("button", name="Edit Patient").click()
        current = page.get_by_role("region", name="Current patient")
        await expect(current).to_contain_text(last_name)
        await current.get_by_role("button", name="Edit details").click()
        await rename_patient(page, new_name)
        await expect(page.get_by_text(f"{new_name}, MARIA").first).to_be_visible()
        await expect(remove_button).to_be_visible()

    await edit_details(names[0], names[1])
    await steps.save_new_requisition(page)
    dialog = page.get_by_role("dialog", name="Requisition Saved")
    await dialog.get_by_role("button", name="Close").last.click()
    await edit_details(names[1], names[2])
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Requisition Saved!").first).to_be_visible()
    await page.reload()
    await expect(page.get_by_text(f"{names[2]}, MARIA").first).to_be_visible()

    await page.goto("/secured/patients/search")
    await page.get_by_role("textbox", name="Last Name", exact=True).fill(names[2])
    await page.get_by_role("button", name="Search", exact=True).click()
    row = page.get_by_role("gridcell", name=names[2])
    await row.click()
    await rename_patient(page, names[3])
    await expect(page.get_by_role("heading", name="Patients")).to_be_visible()
    await expect(page.get_by_role("textbox", name="Last Name", exact=True)).to_have_value(names[2])


async def test_shows_similar_patients_while_typing(workplace: Workplace) -> None:
    """The second registration of a person shows the first before it is saved."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(FORM)
    last_name = steps.build_last_name()
    await fill_person(page, last_name)
    await fill_address(page)
    await save_patient(page)
    await expect(page.get_by_role("heading", name="Edit Patient")).to_be_visible()
    await page.goto(FORM)
    await fill_person(page, last_name)
    warning = page.get_by_text("There may already be a record of this patient:")
    await expect(warning).to_be_visible()
    await expect(page.get_by_text(re.compile("same birth date")).first).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.get_by_role("button", name="Use this patient").first.click()
    await expect(page.get_by_role("heading", name="Edit Patient")).to_be_visible()


async def test_chooses_a_recent_patient_and_searches_physicians(
    workplace: Workplace,
) -> None:
    """Chooses a patient by search, and the next time from the recent patients."""
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = await steps.search_patients(page, "a", "a")
    cell = dialog.get_by_role("gridcell", name=re.compile(r"^P\d{7}$")).first
    code = await cell.inner_text()
    await cell.click()
    await expect(dialog).to_be_hidden()
    await expect(page.get_by_text(code)).to_be_visible()
    await expect(page.get_by_role("button", name="Edit Patient")).to_be_visible()

    await (
        page.get_by_role("button", name="Search Physician")
        .or_(page.get_by_role("button", name="Edit Physician"))
        .wait_for()
    )
    if await page.get_by_role("checkbox", name="Same as Primary Physician").is_checked():
        await page.get_by_text("Same as Primary Physician").click()
    await page.get_by_role("button", name=re.compile("(Search|Edit) Physician")).click()
    physicians = page.get_by_role("dialog", name="Search Physician")
    await expect(physicians.get_by_text("Physicians associated to Client")).to_be_visible()
    await physicians.get_by_role("button", name="Search", exact=True).click()
    await physicians.get_by_role("gridcell", name=re.compile(r"^2\d{9}$")).first.click()
    await expect(page.get_by_role("button", name="Edit Physician")).to_be_visible()

    # O 9 names the key; the value is encrypted.
    await page.wait_for_function("localStorage.getItem('recentPatients') !== null")
    stored_text = await page.evaluate("JSON.stringify(Object.entries(localStorage))")
    assert code not in stored_text
    page.on("dialog", lambda question: question.accept())
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    await dialog.get_by_role("button", name="Recent Patients").click()
    await page.get_by_role("table", name="Recent Patients").get_by_text(code).click()
    await expect(dialog).to_be_hidden()
    await expect(page.get_by_text(code)).to_be_visible()


async def find_patient_of_client(portal: str, client: str) -> dict[str, str]:
    """Find a patient of the client, as a row of the search."""
    async with open_session(portal, "superuser") as superuser:
        clients_answer = await superuser.get(
            "/api/v2/clients/remote-operations", params={"column.name": client}
        )
        patients_answer = await superuser.get(
            "/api/v2/patients/remote-operations",
            params={"clientIds": clients_answer.json()["data"][0]["id"], "take": 1},
        )
        patient: dict[str, str] = patients_answer.json()["data"][0]
        return patient


async def test_opens_update_patient_if_the_client_has_no_web_access(
    workplace: Workplace, portal: str
) -> None:
    """The patient is chosen once Update Patient is saved."""
    patient = await find_patient_of_client(portal, "PRAIRIE STATE RECOVERY CENTER")
    page = await (await workplace.open()).new_page()
    await steps.sign_in(page, "superuser")
    await page.goto("/secured/requisitions/create")
    await page.get_by_role("button", name="Select Patient").click()
    dialog = await steps.search_patients(page, patient["lastName"], patient["firstName"])
    await dialog.get_by_role("gridcell", name=patient["code"], exact=True).click()
    update = page.get_by_role("dialog", name="Update Patient")
    await expect(update.get_by_role("combobox", name=re.compile("^Client"))).to_have_value(
        "PRAIRIE STATE RECOVERY CENTER"
    )
    save = update.get_by_role("button", name="Save", exact=True)
    await update.get_by_role("button", name="Client: clear").click()
    await expect(save).to_be_disabled()
    await steps.choose_only_match(page, "Client", "PRAIRIE STATE RECOVERY CENTER")
    if not await update.get_by_role("combobox", name=re.compile("^Unit")).input_value():
        await steps.choose_option(page, "Unit", first=True)
    await update.get_by_role("textbox", name="Bed").fill("b2")
    await save.click()
    await expect(update).to_be_hidden()
    await expect(page.get_by_text(patient["code"])).to_be_visible()
    await expect(page.get_by_text("B2")).to_be_visible()


async def test_registers_a_patient_by_keyboard_only(context: BrowserContext) -> None:
    """Pickers, dates, masks, tabs and Save, without a mouse."""
    page = await context.new_page()
    await steps.sign_in(page, "clientbasic")
    await page.goto(FORM)
    keys = page.keyboard
    await expect(page.get_by_role("combobox", name=re.compile("^Unit"))).to_be_focused()
    await keys.press("ArrowDown")
    await expect(page.get_by_role("listbox").get_by_role("option").first).to_be_visible()
    await keys.press("ArrowDown")
    await keys.press("Enter")
    last_name = steps.build_last_name()
    for field, text in (
        ("Last Name", last_name),
        ("First Name", "ida"),
        ("Birth Date", "03041961"),
        ("Gender", "f"),
        ("Address", "12 lake st"),
        ("Zip Code", "60601"),
        ("Zip plus 4", "1234"),
    ):
        await steps.tab_to(page, field)
        await keys.type(text)
    await steps.tab_to(page, "Insurance Information")
    await keys.press("ArrowRight")
    await keys.press("Enter")
    await steps.tab_to(page, "Diagnoses")
    await keys.press("Tab")
    await keys.type("E11.9")
    await expect(page.get_by_role("option", name=re.compile("E11.9")).first).to_be_visible()
    await keys.press("ArrowDown")
    await keys.press("Enter")
    await steps.tab_to(page, "Save Patient", back=True)
    await keys.press("Enter")
    await expect(page.get_by_text("Patient saved successfully!").first).to_be_visible()
    await expect(page.get_by_role("tab", name=re.compile("Diagnoses"))).to_contain_text("1")
