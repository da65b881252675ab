"""Rules about requisitions: header, codes, copies, billing and signed content."""

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import BillTo, Fasting, Priority, ScopeKind
from app.server.actor import Actor
from app.server.requisitions import rules
from app.server.requisitions.rules import BilledInsurance, Copy, SignedContent


class TestRequired:
    """Required header fields (O 4)."""

    COMPLETE = {
        "collection_date": datetime.fromisoformat("2026-03-04T07:30:00"),
        "fasting": Fasting.FASTING,
        "priority": Priority.ROUTINE,
    }

    def test_accepts_a_complete_header(self) -> None:
        assert rules.validate_header(**self.COMPLETE) == []

    @pytest.mark.parametrize(
        ("name", "value", "field", "message"),
        [
            (
                "collection_date",
                None,
                "collectionDate",
                messages.REQUISITION_COLLECTION_DATE_REQUIRED,
            ),
            ("fasting", None, "fasting", messages.REQUISITION_FASTING_REQUIRED),
            ("fasting", 77, "fasting", messages.VALUE_INVALID),
            ("priority", None, "priority", messages.REQUISITION_PRIORITY_REQUIRED),
            ("priority", "", "priority", messages.REQUISITION_PRIORITY_REQUIRED),
            ("priority", "SOON", "priority", messages.VALUE_INVALID),
        ],
    )
    def test_names_missing_and_unknown_values(
        self, name: str, value: object, field: str, message: str
    ) -> None:
        errors = rules.validate_header(**{**self.COMPLETE, name: value})
        assert errors == [FieldError(field, message)]


class TestCollectionDay:
    """When a specimen can be collected (DECISIONS)."""

    TODAY = date(2026, 3, 4)
    BORN = date(1980, 5, 6)

    @pytest.mark.parametrize("day", ["1980-05-06", "2026-03-04", "2027-03-04"])
    def test_accepts_days_from_birth_to_a_year_ahead(self, day: str) -> None:
        errors = rules.validate_collection_day(
            date.fromisoformat(day), birth_date=self.BORN, today=self.TODAY
        )
        assert errors == []

    @pytest.mark.parametrize(
        ("today", "last_day"),
        [
            ("2027-03-01", "2028-03-01"),  # A leap day is between the two.
            ("2028-02-29", "2029-02-28"),
        ],
    )
    def test_a_year_ends_on_the_same_day(self, today: str, last_day: str) -> None:
        last = date.fromisoformat(last_day)
        for day, error_count in ((last, 0), (last + timedelta(days=1), 1)):
            errors = rules.validate_collection_day(
                day, birth_date=self.BORN, today=date.fromisoformat(today)
            )
            assert len(errors) == error_count

    @pytest.mark.parametrize(
        ("day", "message"),
        [
            ("1980-05-05", messages.REQUISITION_COLLECTION_DATE_BEFORE_BIRTH),
            ("1950-01-01", messages.REQUISITION_COLLECTION_DATE_BEFORE_BIRTH),
            ("2027-03-05", messages.REQUISITION_COLLECTION_DATE_TOO_LATE),
            ("2199-01-01", messages.REQUISITION_COLLECTION_DATE_TOO_LATE),
        ],
    )
    def test_rejects_days_before_birth_and_far_ahead(self, day: str, message: str) -> None:
        errors = rules.validate_collection_day(
            date.fromisoformat(day), birth_date=self.BORN, today=self.TODAY
        )
        assert errors == [FieldError("collectionDate", message)]

    def test_without_a_birth_date_only_the_last_day_is_known(self) -> None:
        for day, error_count in ((date(1900, 1, 1), 0), (date(2027, 3, 5), 1)):
            errors = rules.validate_collection_day(day, birth_date=None, today=self.TODAY)
            assert len(errors) == error_count


class TestCodes:
    """Codes of requisitions and orders."""

    def test_a_code_has_the_year_and_seven_digits(self) -> None:
        assert rules.format_requisition_code(42, 2026) == "R260000042"
        assert rules.format_requisition_code(1_234_567, 2105) == "R051234567"

    def test_an_orders_code_has_the_requisitions_digits(self) -> None:
        assert rules.format_order_code("R260000042") == "L260000042"

    def test_deduplicates_ids_in_order(self) -> None:
        assert rules.deduplicate_ids([3, 1, 3, 2, 1]) == [3, 1, 2]


class TestCopies:
    """O 5, 'Additional copies'."""

    @pytest.mark.parametrize(
        ("kind", "destination", "message"),
        [
            ("EMAIL", "", messages.EMAIL_REQUIRED),
            ("EMAIL", None, messages.EMAIL_REQUIRED),
            ("EMAIL", "not an address", messages.EMAIL_INVALID),
            ("EMAIL", "a@b.test, c@d.test", messages.EMAIL_INVALID),
            ("EMAIL", "a@b.test;c@d.test", messages.EMAIL_INVALID),
            ("EMAIL", "a@b.test\nBcc: c@d.test", messages.EMAIL_INVALID),
            ("EMAIL", "a@" + "b" * 400 + ".test", messages.EMAIL_INVALID),
            ("FAX", " ", messages.FAX_REQUIRED),
            ("FAX", "CALL-ME", messages.FAX_INVALID),
            ("FAX", "312-555-01", messages.FAX_INVALID),
            ("FAX", "312-555-01000", messages.FAX_INVALID),
            ("FAX", "+1 312 555 0100", messages.FAX_INVALID),
            ("FAX", "٣١٢٥٥٥٠١٠٠", messages.FAX_INVALID),
        ],
    )
    def test_rejects_invalid_destinations(self, kind: str, destination, message: str) -> None:
        copy = rules.normalize_copy(kind, destination)
        assert rules.validate_copy(copy) == [FieldError("destination", message)]

    @pytest.mark.parametrize("kind", [None, "", "PIGEON"])
    def test_rejects_unknown_types(self, kind: str | None) -> None:
        copy = rules.normalize_copy(kind, "a@b.test")
        assert rules.validate_copy(copy) == [FieldError("type", messages.VALUE_INVALID)]

    def test_limits_the_length_of_addresses(self) -> None:
        domain = "@" + "b" * 200 + ".test"
        longest = Copy("EMAIL", "a" * (320 - len(domain)) + domain)
        assert rules.validate_copy(longest) == []
        longer = Copy("EMAIL", "a" + longest.destination)
        assert rules.validate_copy(longer) == [FieldError("destination", messages.EMAIL_INVALID)]

    def test_normalizes_missing_values_to_empty_text(self) -> None:
        assert rules.normalize_copy(None, None) == Copy("", "")

    def test_does_not_mask_numbers_in_addresses(self) -> None:
        assert rules.normalize_copy("EMAIL", "3125550100") == Copy("EMAIL", "3125550100")

    @pytest.mark.parametrize("number", ["3125550100", "312-555-0100", " 312-5550100 "])
    def test_masks_fax_numbers(self, number: str) -> None:
        copy = rules.normalize_copy("fax", number)
        assert copy == Copy("FAX", "312-555-0100") and not rules.validate_copy(copy)

    def test_does_not_change_the_case_of_addresses(self) -> None:
        copy = rules.normalize_copy("Email", " Ada@Clinic.test ")
        assert copy == Copy("EMAIL", "Ada@Clinic.test") and not rules.validate_copy(copy)

    def test_removes_duplicate_destinations(self) -> None:
        first, duplicate = Copy("EMAIL", "Ada@clinic.test"), Copy("EMAIL", "ada@CLINIC.test")
        fax = Copy("FAX", "312-555-0100")
        assert rules.deduplicate_copies([first, fax, duplicate]) == [first, fax]


class TestBilling:
    """Insurance rows of a requisition."""

    def test_sorts_rows_by_position(self) -> None:
        rows = [BilledInsurance(7, 4), BilledInsurance(8, 1), BilledInsurance(9, 2)]
        assert rules.validate_billing(rows, {7, 8, 9}) == []
        assert rules.sort_billing(rows) == [8, 9, 7]

    def test_rows_without_positions_keep_the_order_of_the_list(self) -> None:
        assert rules.sort_billing([BilledInsurance(3), BilledInsurance(1), BilledInsurance(2)]) == [
            3,
            1,
            2,
        ]
        assert rules.sort_billing(
            [BilledInsurance(3, 1), BilledInsurance(2, 1), BilledInsurance(1)]
        ) == [3, 2, 1]

    def test_a_row_without_a_position_has_its_place_in_the_list(self) -> None:
        assert rules.validate_billing([BilledInsurance(7), BilledInsurance(8, 2)], {7, 8}) == []

    @pytest.mark.parametrize(
        ("rows", "field", "message"),
        [
            ([BilledInsurance(None)], "0.patientBillingInformationId", messages.VALUE_REQUIRED),
            ([BilledInsurance(5)], "0.patientBillingInformationId", messages.NOT_FOUND),
            (
                [BilledInsurance(7), BilledInsurance(7)],
                "1.patientBillingInformationId",
                messages.VALUE_INVALID,
            ),
            ([BilledInsurance(7, 0)], "0.position", messages.VALUE_INVALID),
            ([BilledInsurance(7, 1), BilledInsurance(8, 1)], "1.position", messages.VALUE_INVALID),
        ],
    )
    def test_names_invalid_rows(self, rows, field: str, message: str) -> None:
        assert rules.validate_billing(rows, {7, 8}) == [FieldError(field, message)]

    @given(st.permutations(range(1, 8)))
    def test_accepts_any_order_of_positions(self, positions: list[int]) -> None:
        rows = [BilledInsurance(100 + position, position) for position in positions]
        assert rules.validate_billing(rows, {row.insurance_id for row in rows}) == []
        assert rules.sort_billing(rows) == sorted(100 + position for position in positions)


class TestOrderingPhysician:
    """'Physician is required' where the client says so (O 5)."""

    def test_physician_is_required_only_by_clients_with_that_setting(self) -> None:
        error = FieldError("physicianId", messages.PHYSICIAN_REQUIRED)
        assert rules.validate_ordering_physician(None, is_required=True) == [error]
        assert rules.validate_ordering_physician(None, is_required=False) == []
        assert rules.validate_ordering_physician(7, is_required=True) == []


class TestBillTo:
    """Bill-to: INSURANCE, CLIENT or PATIENT."""

    def test_defaults_to_the_clients_choice_or_insurance(self) -> None:
        assert rules.choose_default_bill_to(BillTo.CLIENT) is BillTo.CLIENT
        assert rules.choose_default_bill_to(None) is BillTo.INSURANCE
        assert rules.choose_default_bill_to(BillTo.NONE) is BillTo.INSURANCE

    @pytest.mark.parametrize("value", [None, *sorted(rules.BILLABLE_TO)])
    def test_accepts_a_choice_or_none(self, value: int | None) -> None:
        assert rules.validate_bill_to(value) is None

    @pytest.mark.parametrize("value", [3, 7, -1])
    def test_rejects_other_values(self, value: int) -> None:
        assert rules.validate_bill_to(value) == FieldError("billTo", messages.VALUE_INVALID)


class TestFindCancelerName:
    """The name of the person who canceled, for readers who may see the names of staff."""

    def test_name_is_withheld_from_patients_and_jobs_only(self) -> None:
        for kind in ScopeKind:
            is_withheld = kind in (ScopeKind.PATIENT, ScopeKind.WORKER)
            expected = None if is_withheld else "ANN LEE"
            assert rules.find_canceler_name(Actor(kind=kind), "ANN LEE") == expected

    def test_is_none_when_unknown(self) -> None:
        assert rules.find_canceler_name(Actor(kind=ScopeKind.STAFF), None) is None


class TestSignedContent:
    """The digest that a signature stores."""

    CONTENT = SignedContent(
        patient_id=1,
        patient_last_name="DOE",
        patient_first_name="PAT",
        patient_middle_name=None,
        patient_birth_date=date(1970, 1, 2),
        patient_gender="FEMALE",
        physician_id=None,
        collection_date=datetime.fromisoformat("2026-03-04T07:30:00"),
        fasting=1,
        priority="ROUTINE",
        tests=((0, 10, False), (0, 11, False)),
        diagnoses=(("main", 5),),
        medications=("ASPIRIN",),
    )

    @pytest.mark.parametrize(
        "diagnoses", [(("main", 5, 10),), (("main", 5, 11),), (("additional", 5),), ()]
    )
    def test_covers_the_test_that_a_diagnosis_supports(self, diagnoses) -> None:
        changed_content = replace(self.CONTENT, diagnoses=diagnoses)
        assert changed_content.compute_digest() != self.CONTENT.compute_digest()

    def test_digest_of_non_ascii_names_is_stable(self) -> None:
        content = replace(self.CONTENT, patient_last_name="MÜLLER")
        assert content.compute_digest().hex().startswith("1c9d558a79fe909d")

    def test_digest_of_older_signatures_is_stable(self) -> None:
        # The digest that this content had before diagnoses could support a test.
        assert self.CONTENT.compute_digest().hex().startswith("495695b51356a463")

    def test_covers_that_there_is_no_birth_date(self) -> None:
        content = replace(self.CONTENT, patient_birth_date=None)
        assert content.compute_digest() != self.CONTENT.compute_digest()
