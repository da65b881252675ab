"""Sentences and numbers of the contract equal the specification's (O 3 to 9, R 3 to 9)."""

import json
from pathlib import Path

import pytest

from app.contract import choices, limits, messages
from app.contract.enumerations import (
    LABELS,
    BillTo,
    Ethnicity,
    Fasting,
    Gender,
    OrderPriority,
    OrderStatus,
    Priority,
    ReportKind,
    RequisitionStatus,
    ResultStatus,
    ResultType,
)

SHARED = Path(__file__).resolve().parents[2] / "shared" / "vocabulary"


class TestSentences:
    """Texts in quotation marks in O 2, O 4, O 5 and O 8, odd grammar included."""

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            (
                "UNSAVED_CHANGES",
                "There are unsaved changes. Do you want to continue and lose these changes?",
            ),
            ("SEARCH_BEFORE_NEW_PATIENT", "Search before entering a new patient."),
            ("LOSE_CHANGES", "You will lose all your changes. Are you sure?"),
            ("LOSE_CHANGES_TITLE", "Lose Changes Alert"),
            ("LAST_NAME_REQUIRED", "Last Name is required"),
            ("FIRST_NAME_REQUIRED", "First Name is required"),
            ("BIRTH_DATE_REQUIRED", "Birth Date is required"),
            ("GENDER_REQUIRED", "Gender is required"),
            ("EMAIL_INVALID", "Email is invalid"),
            ("SSN_IN_USE", "SSN is in use"),
            (
                "CONFIRM_MISSING_INSURANCE",
                "Please note there is missing information for insurance claim, "
                "would you like to Save and continue later?",
            ),
            ("CONFIRM_MISSING_INSURANCE_TITLE", "Confirmation Save"),
            ("ADDRESS_REQUIRED", "Address is required"),
            ("ZIP_CODE_REQUIRED", "ZipCode is required"),
            ("SEARCH_LAST_NAME_REQUIRED", "Last name is required"),
            ("SEARCH_FIRST_NAME_REQUIRED", "First name is required"),
            ("PHYSICIAN_REQUIRED", "Physician is required"),
            ("SELECTION_REQUIRED", "{label} is required"),
            ("MISSING_ADDRESS", "Missing address information"),
            ("REQUISITION_PATIENT_REQUIRED", "A Patient should by selected"),
            ("REQUISITION_TEST_REQUIRED", "At least one test should by selected"),
            ("EMAIL_REQUIRED", "Email is required"),
            ("FAX_INVALID", "Fax is invalid"),
            ("FAX_REQUIRED", "Fax is required"),
            ("TEST_CODE_NOT_FOUND", "Test with code {code} not found"),
            ("TEST_CODE_AMBIGUOUS", "More than one test with code {code} matched"),
            ("INVALID_PASSWORD", "Invalid password."),
            ("SESSION_EXPIRED", "Your session expired. You must login to continue."),
            ("SIGNATURE_TOO_BIG", "Only 10 MB files allowed."),
            ("IMAGE_ONLY", "Only images allowed."),
            ("NO_FILE", "No file found."),
            ("UPLOAD_FAILED", "There was an error uploading your file"),
            (
                "PRINT_CLIENT_NOT_RUNNING",
                "Printer Client App is not running. Restart app to use feature or download it. "
                "Would you like to be redirected to download site?",
            ),
            ("PRINT_CLIENT_NOT_RUNNING_TITLE", "Download Confirmation"),
            (
                "CONFIRM_DOCUMENT_REMOVAL",
                "Are you sure you want to remove the document from the requisition?",
            ),
            ("SERVERS_TROUBLE", "We are having trouble communicating with our servers!"),
            ("PATIENT_SAVED", "Patient saved successfully!"),
            ("REQUISITION_SAVED", "Requisition Saved!"),
            ("REQUISITION_CANCELED", "Requisition canceled"),
            ("REQUISITION_SIGNED", "Requisition Signed!"),
            ("REQUISITIONS_SIGNED", "Requisitions Signed!"),
            ("REQUISITION_UNSIGNED", "Requisition Unsigned!"),
            ("FILE_UPLOADED", "File uploaded successfully"),
            ("BILL_TO_UPDATED", "The bill to was updated successfully"),
            ("EMAIL_SENT", "The email was sent successfully"),
            ("FAX_SENT", "The fax was sent successfully"),
            ("ORDER_SIGNED", "Order Signed!"),
            ("ORDERS_SIGNED", "Orders Signed!"),
            ("ORDER_UNSIGNED", "Order Unsigned!"),
            ("NO_RESULTS", "There is no result to display."),
            ("NO_RESULTS_TITLE", "No results"),
            (
                "DOCUMENT_UNAVAILABLE",
                "The document you are trying to open is not available now, please try again later.",
            ),
            (
                "CONFIRM_ORDER_DOCUMENT_REMOVAL",
                "Are you sure you want to remove the document from the order?",
            ),
            ("DELETE_DOCUMENT_TITLE", "Delete Document"),
            ("DATE_OF_BIRTH_REQUIRED", "Date of birth is required"),
            ("SEARCH_NOT_ON_HANDHELDS", "This view can't be opened in a mobile device."),
        ],
    )
    def test_match_the_specification(self, name: str, text: str) -> None:
        assert getattr(messages, name) == text
        sentences = json.loads((SHARED / "messages.json").read_text(encoding="utf-8"))
        assert text in json.dumps(sentences, ensure_ascii=False)


class TestClosedLists:
    """O 3: the choices of closed lists, and their numbers on the wire."""

    def test_races_match_the_specification(self) -> None:
        assert ", ".join(choices.RACES) == (
            "ALASKA NATIVE, AMERICAN INDIAN, ASIAN, BLACK OR AFRICAN AMERICAN, NATIVE HAWAIIAN, "
            "WHITE, MULTIRACIAL, OTHER PACIFIC ISLANDER, OTHER RACE, ASKED BUT UNKNOWN, "
            "DOES NOT WISH TO DISCLOSE, HISPANIC OR LATINO, NOT PROVIDED"
        )

    def test_relationships_and_genders_match_the_specification(self) -> None:
        assert choices.RELATIONSHIPS == ("SELF", "SPOUSE", "FATHER", "MOTHER", "SON", "DAUGHTER")
        assert list(Gender) == ["MALE", "FEMALE", "UNKNOWN"]

    @pytest.mark.parametrize(
        ("kind", "labels"),
        [
            (Ethnicity, {0: "Hispanic Or Latino", 1: "Non Hispanic Or Latino", 2: "Unknown"}),
            (Fasting, {0: "UNKNOWN", 1: "FASTING", 2: "NON FASTING"}),
            (RequisitionStatus, {0: "NONE", 1: "PENDING", 2: "CANCELED", 4: "DONE", 7: "All"}),
            (BillTo, {0: "INSURANCE", 1: "CLIENT", 2: "PATIENT", 3: "NONE"}),
        ],
    )
    def test_numbers_have_the_labels_of_the_specification(
        self, kind: type, labels: dict[int, str]
    ) -> None:
        assert LABELS[kind] == labels

    def test_priorities_match_the_specification(self) -> None:
        assert set(Priority) == {"STAT", "ROUTINE", "RUSH", "PRE-OPERATORY"}
        assert [int(p) for p in OrderPriority] == [2, 4, 8, 16, 32]

    def test_numbers_of_results_match_the_specification(self) -> None:
        assert [int(s) for s in OrderStatus] == [0, 1, 2, 4, 8, 16, 32, 64, 127]
        assert [int(s) for s in ResultStatus] == [1, 2, 4, 8, 16, 32, 33]
        assert [int(t) for t in ResultType] == [2**n for n in range(13)]
        assert [int(k) for k in ReportKind] == [0, 1, 2, 3, 4, 5]


class TestNumbers:
    """O 9, and the sizes of O 2.5."""

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("PAGE_SIZES", (10, 20, 50, 100)),
            ("ROOM_PAGE_SIZE", 10),
            ("PICKER_PAGE_SIZE", 10),
            ("SIGNATURE_IMAGE_MAX_BYTES", 10 * 1024 * 1024),
            ("EARLIEST_BIRTH_DATE", "1900-01-01"),
            ("PATIENT_SEARCH_FOCUS_MS", 1_000),
            ("TOAST_MS", 3_000),
            ("READ_RETRIES", 2),
            ("RECENT_EXPIRY_HOURS", 12),
            ("DIALOG_SIGNATURE_WIDTH_PX", 360),
            ("DIALOG_PRINTER_AND_LABEL_PX", (480, 450)),
            ("DIALOG_REQUISITION_DONE_PX", (480, 305)),
            ("DIALOG_REQUISITION_DONE_PHONE_WIDTH_PX", 300),
            ("DIALOG_SEARCH_PATIENT_WIDTH_PX", 680),
            ("DIALOG_RESPONSIBLE_PARTY_WIDTH_PX", 840),
            ("DIALOG_PRINT_LABEL_PX", (300, 200)),
            ("DIALOG_UPDATE_BILL_TO_PX", (310, 150)),
            ("DIALOG_SEND_PX", (300, 150)),
            ("DIALOG_BILLING_EDIT_WIDTH_PX", 900),
            ("DIALOG_MISSING_INFO_WIDTH_PX", 800),
            ("DIALOG_MISSING_INFO_HEIGHT_VH", 80),
            ("RESULT_COLUMNS_MAX", 5),
            ("CUMULATIVE_RECORDS_DEFAULT", 5),
            ("CLIENT_SELECTOR_WIDTH_PX", 350),
            ("RECENT_PATIENTS_WIDTH_PX", 580),
            ("RECENT_PATIENTS_TABLET_WIDTH_PX", 450),
        ],
    )
    def test_match_the_specification(self, name: str, value: object) -> None:
        assert getattr(limits, name) == value
