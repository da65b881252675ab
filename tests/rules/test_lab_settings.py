"""Rules of the lab's settings and lists of reasons."""

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import CRITICAL_MINUTES_DEFAULT, LAB_TEXT_MAX, RESULT_COLUMNS_MAX
from app.server.lab_settings.rules import (
    explains_why,
    format_setting,
    get_critical_minutes,
    is_second_factor_required,
    is_verification_required,
    validate_reason,
    validate_settings,
)
from tests.rules.errors import list_errors

_TESTS = range(1, 10)


def validate(**values: object) -> list[tuple[str, str]]:
    """Validate changed settings, and return the field and the message of each error."""
    return list_errors(validate_settings(values, _TESTS))


class TestFlags:
    """Settings that other rules read."""

    def test_requires_verification_by_setting(self) -> None:
        assert is_verification_required({"resultVerificationRequired": True})
        assert not is_verification_required({"resultVerificationRequired": False})
        assert not is_verification_required({})

    def test_requires_a_second_factor_of_chosen_roles(self) -> None:
        settings = {"secondFactorRoles": ["Superuser"]}
        assert is_second_factor_required(settings, Role.SUPERUSER)
        assert not is_second_factor_required(settings, Role.PHYSICIAN)
        assert not is_second_factor_required({"secondFactorRoles": None}, Role.SUPERUSER)
        assert not is_second_factor_required({}, Role.SUPERUSER)

    def test_critical_results_have_a_time_limit_without_a_setting(self) -> None:
        assert get_critical_minutes({"minutes": 45}) == 45
        assert get_critical_minutes({"minutes": None}) == CRITICAL_MINUTES_DEFAULT
        assert get_critical_minutes({}) == CRITICAL_MINUTES_DEFAULT


class TestHistory:
    """Values of settings as their history shows them."""

    @pytest.mark.parametrize(
        ("name", "value", "text"),
        [
            ("phone", "312-555-0199", "312-555-0199"),
            ("phone", None, ""),
            ("audit_retention_years", 0, "0"),
            ("logo", "iVBORw0KGgo=", messages.SETTING_PICTURE),
            ("logo", None, ""),
            ("result_entry_enabled", True, messages.SETTING_ON),
            ("result_entry_enabled", False, messages.SETTING_OFF),
            ("result_columns", [2, 1, 7], "GLU, TSH, 7"),
            ("result_columns", [], ""),
        ],
    )
    def test_formats_each_kind_of_setting(self, name: str, value: object, text: str) -> None:
        assert format_setting(name, value, {1: "TSH", 2: "GLU"}) == text


class TestSettings:
    """Validation of changed settings."""

    def test_accepts_valid_settings(self) -> None:
        assert (
            validate(
                name="N" * LAB_TEXT_MAX,
                logo="x" * 10_000,
                email="lab@lab.example",
                contact_email="contact@lab.example",
                supply_email=None,
                phone="312-555-0199",
                fax="3125550199",
                url="https://lab.example/results",
                clia="14D1234567",
                time_zone="America/Chicago",
                audit_retention_years=6,
                result_columns=list(range(1, RESULT_COLUMNS_MAX + 1)),
            )
            == []
        )
        assert validate() == []
        assert validate(url="http://lab.example", audit_retention_years=100) == []
        assert validate(critical_minutes=1) == validate(critical_minutes=240) == []

    def test_long_texts_are_named_as_on_the_wire(self) -> None:
        text = "a" * (LAB_TEXT_MAX + 1)
        error = messages.VALUE_TOO_LONG.format(max=LAB_TEXT_MAX)
        assert validate(toxicology_label=text) == [("toxicologyLabel", error)]
        assert validate(second_factor_roles=text) == [("secondFactorRoles", error)]

    @pytest.mark.parametrize(
        ("values", "field", "message"),
        [
            ({"name": None}, "name", messages.LAB_NAME_REQUIRED),
            ({"email": "nobody"}, "email", messages.EMAIL_INVALID),
            ({"contact_email": "nobody"}, "contactEmail", messages.EMAIL_INVALID),
            ({"supply_email": "nobody"}, "supplyEmail", messages.EMAIL_INVALID),
            ({"phone": "312-555-019"}, "phone", messages.PHONE_INVALID),
            ({"fax": "no digits"}, "fax", messages.FAX_INVALID),
            ({"url": "lab.example"}, "url", messages.LAB_URL_INVALID),
            ({"desktop_app_url": "lab.example"}, "desktopAppUrl", messages.LAB_URL_INVALID),
            ({"url": "https://lab.example/a b"}, "url", messages.LAB_URL_INVALID),
            ({"clia": "14D123456"}, "clia", messages.LAB_CLIA_INVALID),
            ({"clia": "14X1234567"}, "clia", messages.LAB_CLIA_INVALID),
            ({"time_zone": "America/Joliet"}, "timeZone", messages.VALUE_INVALID),
            ({"result_columns": [1, 1]}, "resultColumns", messages.VALUE_INVALID),
            ({"result_columns": [99]}, "resultColumns", messages.VALUE_INVALID),
            (
                {"result_columns": [1, 2, 3, 4, 5, 6]},
                "resultColumns",
                messages.TOO_MANY_ROWS.format(max=RESULT_COLUMNS_MAX),
            ),
        ],
    )
    def test_names_each_error(self, values: dict, field: str, message: str) -> None:
        assert validate(**values) == [(field, message)]

    def test_columns_may_show_every_test_with_a_value(self) -> None:
        assert validate_settings({"result_columns": [1, 2]}, [1, 2]) == []
        errors = validate_settings({"result_columns": [1, 2]}, [1, 2], ["CBC", "UCUL"])
        message = messages.RESULT_COLUMN_EMPTY.format(tests="CBC, UCUL")
        assert list_errors(errors) == [("resultColumns", message)]

    @pytest.mark.parametrize("years", [0, 5, 101])
    def test_audit_rows_are_stored_for_at_least_six_years(self, years: int) -> None:
        message = messages.AUDIT_RETENTION_INVALID.format(min=6, max=100)
        assert validate(audit_retention_years=years) == [("auditRetentionYears", message)]

    @pytest.mark.parametrize("minutes", [0, 241])
    def test_critical_results_are_reported_within_hours(self, minutes: int) -> None:
        message = messages.CRITICAL_MINUTES_INVALID.format(min=1, max=240)
        assert validate(critical_minutes=minutes) == [("criticalMinutes", message)]


class TestReasons:
    """Reasons of the lab's lists."""

    def test_known_reasons_need_no_explanation(self) -> None:
        assert validate_reason("CLOTTED", None, ["CLOTTED", "OTHER"]) == []
        assert validate_reason("OTHER", "spilled", ["CLOTTED", "OTHER"]) == []

    @pytest.mark.parametrize("reason", [None, "", "UNKNOWN"])
    def test_rejects_unknown_reasons(self, reason: str | None) -> None:
        [error] = validate_reason(reason, "words", ["CLOTTED", "OTHER"])
        assert (error.field, error.message) == ("reason", messages.REASON_UNKNOWN)

    def test_rejects_reasons_that_the_lab_no_longer_uses(self) -> None:
        for field in ("reason", "cancelReason"):
            [error] = validate_reason("OLD", "words", ["OLD"], field, ended_codes=["OLD"])
            assert (error.field, error.message) == (field, messages.REASON_ENDED)

    @pytest.mark.parametrize("code", [None, "", "OTHER"])
    def test_a_missing_reason_explains_nothing(self, code: str | None) -> None:
        assert not explains_why(code, None)
        assert explains_why(code, "spilled")
        assert explains_why("CLOTTED", None)

    @pytest.mark.parametrize("words", [None, "", "  "])
    def test_other_needs_an_explanation(self, words: str | None) -> None:
        [error] = validate_reason("OTHER", words, ["OTHER"])
        assert (error.field, error.message) == ("words", messages.REASON_NEEDS_WORDS)

    def test_names_the_fields_of_the_form(self) -> None:
        [unknown_error] = validate_reason("X", None, [], "cancelReason", "cancelWords")
        [wordless_error] = validate_reason("OTHER", None, ["OTHER"], "cancelReason", "cancelWords")
        assert (unknown_error.field, wordless_error.field) == ("cancelReason", "cancelWords")
