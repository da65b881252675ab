"""Additional copies, insurance in order, and what a signature vouches for."""

from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import BillTo, Fasting, Priority
from app.server.requisitions import rules
from app.server.requisitions.rules import Billed, Copy, SignedContent


class TestRequired:
    """O 4: what a requisition's header cannot be without."""

    COMPLETE = {
        "collection_date": datetime.fromisoformat("2026-03-04T07:30:00"),
        "fasting": Fasting.FASTING,
        "priority": Priority.ROUTINE,
    }

    def test_a_complete_header_is_accepted(self) -> None:
        assert rules.required_errors(**self.COMPLETE) == []

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
    def test_what_is_missing_or_unknown_is_named(
        self, name: str, value: object, field: str, message: str
    ) -> None:
        errors = rules.required_errors(**{**self.COMPLETE, name: value})
        assert errors == [FieldError(field, message)]


class TestNumbers:
    """Codes of requisitions and orders."""

    def test_a_code_has_the_year_and_seven_digits(self) -> None:
        assert rules.requisition_code(42, 2026) == "R260000042"
        assert rules.requisition_code(1_234_567, 2105) == "R051234567"

    def test_an_orders_code_is_the_requisitions(self) -> None:
        assert rules.order_code("R260000042") == "L260000042"

    def test_ids_count_once_in_their_order(self) -> None:
        assert rules.unique([3, 1, 3, 2, 1]) == [3, 1, 2]


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
    def test_a_wrong_destination_is_named(self, kind: str, destination, message: str) -> None:
        copy = rules.normalised_copy(kind, destination)
        assert rules.copy_errors(copy) == [FieldError("destination", message)]

    @pytest.mark.parametrize("kind", [None, "", "PIGEON"])
    def test_a_wrong_type_is_named(self, kind: str | None) -> None:
        copy = rules.normalised_copy(kind, "a@b.test")
        assert rules.copy_errors(copy) == [FieldError("type", messages.VALUE_INVALID)]

    def test_an_address_has_an_end(self) -> None:
        domain = "@" + "b" * 200 + ".test"
        longest = Copy("EMAIL", "a" * (320 - len(domain)) + domain)
        assert rules.copy_errors(longest) == []
        longer = Copy("EMAIL", "a" + longest.destination)
        assert rules.copy_errors(longer) == [FieldError("destination", messages.EMAIL_INVALID)]

    def test_what_is_missing_stays_empty(self) -> None:
        assert rules.normalised_copy(None, None) == Copy("", "")

    def test_only_a_fax_number_gets_a_mask(self) -> None:
        assert rules.normalised_copy("EMAIL", "3125550100") == Copy("EMAIL", "3125550100")

    @pytest.mark.parametrize("sent", ["3125550100", "312-555-0100", " 312-5550100 "])
    def test_a_fax_number_gets_its_mask(self, sent: str) -> None:
        copy = rules.normalised_copy("fax", sent)
        assert copy == Copy("FAX", "312-555-0100") and not rules.copy_errors(copy)

    def test_an_address_stays_as_it_was_typed(self) -> None:
        copy = rules.normalised_copy("Email", " Ada@Clinic.test ")
        assert copy == Copy("EMAIL", "Ada@Clinic.test") and not rules.copy_errors(copy)

    def test_the_same_destination_counts_once(self) -> None:
        first, again = Copy("EMAIL", "Ada@clinic.test"), Copy("EMAIL", "ada@CLINIC.test")
        other = Copy("FAX", "312-555-0100")
        assert rules.different_copies([first, other, again]) == [first, other]


class TestBilling:
    """Insurance rows of a requisition."""

    def test_places_are_kept_and_gaps_close(self) -> None:
        rows = [Billed(7, 4), Billed(8, 1), Billed(9, 2)]
        assert rules.billing_errors(rows, {7, 8, 9}) == []
        assert rules.billing_order(rows) == [8, 9, 7]

    def test_without_places_the_list_is_the_order(self) -> None:
        assert rules.billing_order([Billed(3), Billed(1), Billed(2)]) == [3, 1, 2]
        assert rules.billing_order([Billed(3, 1), Billed(2, 1), Billed(1)]) == [3, 2, 1]

    def test_a_row_without_a_place_has_the_one_it_stands_at(self) -> None:
        assert rules.billing_errors([Billed(7), Billed(8, 2)], {7, 8}) == []

    @pytest.mark.parametrize(
        ("rows", "field", "message"),
        [
            ([Billed(None)], "0.patientBillingInformationId", messages.VALUE_REQUIRED),
            ([Billed(5)], "0.patientBillingInformationId", messages.NOT_FOUND),
            ([Billed(7), Billed(7)], "1.patientBillingInformationId", messages.VALUE_INVALID),
            ([Billed(7, 0)], "0.position", messages.VALUE_INVALID),
            ([Billed(7, 1), Billed(8, 1)], "1.position", messages.VALUE_INVALID),
        ],
    )
    def test_what_is_wrong_is_named(self, rows, field: str, message: str) -> None:
        assert rules.billing_errors(rows, {7, 8}) == [FieldError(field, message)]

    @given(st.permutations(range(1, 8)))
    def test_any_order_can_be_asked_for(self, places: list[int]) -> None:
        rows = [Billed(100 + place, place) for place in places]
        assert rules.billing_errors(rows, {row.insurance_id for row in rows}) == []
        assert rules.billing_order(rows) == sorted(100 + place for place in places)


class TestBillTo:
    """INSURANCE, CLIENT or PATIENT."""

    def test_the_default_is_the_clients_otherwise_insurance(self) -> None:
        assert rules.default_bill_to(BillTo.CLIENT) is BillTo.CLIENT
        assert rules.default_bill_to(None) is BillTo.INSURANCE
        assert rules.default_bill_to(BillTo.NONE) is BillTo.INSURANCE

    @pytest.mark.parametrize("value", [None, *sorted(rules.BILLABLE_TO)])
    def test_a_choice_or_none_is_accepted(self, value: int | None) -> None:
        assert rules.bill_to_error(value) is None

    @pytest.mark.parametrize("value", [3, 7, -1])
    def test_anything_else_is_refused(self, value: int) -> None:
        assert rules.bill_to_error(value) == FieldError("billTo", messages.VALUE_INVALID)


class TestSignedContent:
    """The digest that a signature keeps."""

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
    def test_the_test_that_a_diagnosis_supports_is_signed(self, diagnoses) -> None:
        changed = replace(self.CONTENT, diagnoses=diagnoses)
        assert changed.digest() != self.CONTENT.digest()

    def test_names_of_every_script_are_signed_alike_for_ever(self) -> None:
        named = replace(self.CONTENT, patient_last_name="MÜLLER")
        assert named.digest().hex().startswith("1c9d558a79fe909d")

    def test_signatures_made_before_diagnoses_named_tests_still_fit(self) -> None:
        # The digest of this content when that was not possible yet.
        assert self.CONTENT.digest().hex().startswith("495695b51356a463")
