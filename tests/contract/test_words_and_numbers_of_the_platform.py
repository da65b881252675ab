"""Sentences and numbers of the contract equal those of the platform (P 2 to P 9)."""

import json
from pathlib import Path

import pytest

from app.contract import choices, limits, messages

SHARED = Path(__file__).resolve().parents[2] / "shared" / "vocabulary"


class TestSentences:
    """Texts in quotation marks in P 2, P 4, P 5 and P 8, odd grammar included.

    Those that are also in Ordering or Results are in ``test_words_and_numbers``.
    """

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("LOGIN_PROMPT", "Use your credentials to login"),
            ("CAPS_LOCK_ON", "Caps-lock is on"),
            ("INCORRECT_CREDENTIALS", "Incorrect email and/or password."),
            ("IDLE_WARNING", "You will be logged out in {seconds} seconds!"),
            ("CONTACT_LAST_NAME_REQUIRED", "Last name is required"),
            ("CONTACT_FIRST_NAME_REQUIRED", "First name is required"),
            ("SIGN_UP_CODE_REQUIRED", "Lab Patient ID is required"),
            ("OLD_PASSWORD_REQUIRED", "Old Password is required"),
            ("NEW_PASSWORD_REQUIRED", "New Password is required"),
            ("NEW_PASSWORD_INVALID", "The new password is invalid"),
            ("PHONE_INVALID", "Phone is invalid"),
            ("MESSAGE_REQUIRED", "Message is required"),
            ("USER_FIRST_NAME_REQUIRED", "First Name is invalid"),
            ("USER_ROLE_REQUIRED", "Role is invalid"),
            ("USER_CLIENT_REQUIRED", "Please select a client"),
            ("USER_PATIENT_REQUIRED", "Please select a patient"),
            ("USER_PHYSICIAN_REQUIRED", "Please select a physician"),
            ("USER_EMAIL_IN_USE", "Email in use"),
            ("FILE_TOO_BIG", "Only 25 MB files allowed."),
            ("CLIENT_REQUIRED", "Client is required"),
            ("NON_HTTP_ERROR", "We are having trouble to succeed your request!"),
            ("OFFLINE", "It seems that your internet connection it's not stable!"),
            ("NO_CONNECTION", "We have lost communication with our servers!"),
            ("VALIDATION_ERROR", "There was a validation error!"),
            ("INTERNAL_ERROR", "Oops, an internal error occurred!"),
            (
                "GATEWAY_TIMEOUT",
                "It seems that you are having problems communicating with our servers!",
            ),
            ("NOT_FOUND", "No record found!"),
            ("CONFLICT", "The record already exists!"),
            ("UNAVAILABLE", "The record couldn't be created, please try later."),
            ("CRITICAL_ERROR", "Critical Error"),
            ("SESSION_EXPIRED_GRID", "Your session has expired."),
            ("ACTION_NOT_ALLOWED", "This action is not allowed."),
            (
                "RECOVERY_EMAIL_UNKNOWN",
                "There is not any user registered with the introduced email",
            ),
            ("SIGN_UP_UNMATCHED", "No patient could be match in our database"),
            ("USER_NOTIFIED", "A notification has been sent to created user's email."),
            ("USER_UPDATED", "User has been updated."),
            ("USER_NOTIFIED_AGAIN", "A notification has been sent to email {email}"),
            ("USER_DELETION", "Do you want to delete the record?"),
            ("USER_UPDATE_FAILED", "There was a problem updating the user information."),
            ("USER_INFORMATION_UPDATED", "The user information has been update."),
            ("CONTACT_FAILED", "There was a problem sending the mail"),
            ("CONTACT_SENT", "The email was sent successfully"),
            ("CONTACT_NOT_CONFIGURED", "There was a problem with Google Drive Setting"),
            ("SUPPLY_FAILED", "There was an error sending the mail"),
            ("NOT_CONFIGURED", "This feature is not configured by the lab"),
            ("OLD_BROWSER", "This browser doesn't support this feature."),
        ],
    )
    def test_match_the_specification(self, name: str, text: str) -> None:
        assert getattr(messages, name) == text
        sentences = json.loads((SHARED / "messages.json").read_text(encoding="utf-8"))
        assert text in json.dumps(sentences, ensure_ascii=False)


class TestNumbers:
    """P 9, and the sizes of P 2."""

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("IDLE_SECONDS", 900),
            ("IDLE_SECONDS_OUTSIDE_PRODUCTION", 300),
            ("IDLE_WARNING_SECONDS", 60),
            ("KEEPALIVE_SECONDS", 15),
            ("UPDATE_CHECK_SECONDS", 300),
            ("UPDATE_RELOAD_SECONDS", 15),
            ("SERVICE_WORKER_SECONDS", 30),
            ("CRITICAL_ERROR_RELOAD_SECONDS", 10),
            ("UPLOAD_MAX_BYTES", 25 * 1024 * 1024),
            ("PASSWORD_MIN_LENGTH", 8),
            ("PASSWORD_SYMBOLS", "!@#$%^-+&*"),
            ("RECOVERY_LINK_MINUTES", 10),
            ("TOAST_MS", 3_000),
            ("FORM_ERROR_TOAST_MS", 1_000),
            ("READ_RETRIES", 2),
            ("PAGE_SIZES", (10, 20, 50, 100)),
            ("PICKER_PAGE_SIZE", 10),
            ("DIALOG_PICKER_WIDTH_PX", 500),
            ("DIALOG_PICKER_PHONE_WIDTH_PX", 300),
            ("DIALOG_USER_WIDTH_PX", 580),
            ("DIALOG_PASSWORD_RECOVERY_PX", (400, 100)),
            ("DIALOG_BILLING_EDIT_WIDTH_PX", 900),
            ("DIALOG_SEND_PX", (300, 150)),
            ("CLIENT_SELECTOR_WIDTH_PX", 350),
            ("CONTACT_BLOCK_WIDTH_PX", 600),
            ("HEADER_HEIGHT_PX", 54),
            ("SIDE_MENU_WIDTH_PX", 250),
        ],
    )
    def test_match_the_specification(self, name: str, value: object) -> None:
        assert getattr(limits, name) == value

    def test_supply_units_match_the_specification(self) -> None:
        assert choices.SUPPLY_UNITS == ("Count", "Box", "Case")
