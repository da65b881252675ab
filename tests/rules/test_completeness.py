"""The missing billing data of an order (R 4)."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import BillTo
from app.server.orders.completeness import (
    CLAIM_FIELDS,
    DIAGNOSES,
    INSURANCE,
    PHYSICIAN,
    BillingState,
    find_missing_claim_fields,
    find_missing_parts,
    is_insurance_incomplete,
)

COMPLETE: dict[str, Any] = {
    **dict.fromkeys(CLAIM_FIELDS, "X"),
    "zipCode": {"id": 1, "code": "60614", "city": "CHICAGO", "state": "IL"},
}
EMPTY: st.SearchStrategy[Any] = st.sampled_from([None, "", {}])
ROWS = st.sets(st.sampled_from(CLAIM_FIELDS)).map(
    lambda missing: {name: value for name, value in COMPLETE.items() if name not in missing}
)
STATES = st.builds(
    BillingState,
    has_physician=st.booleans(),
    has_diagnosis=st.booleans(),
    bill_to=st.sampled_from(BillTo),
    insurance=st.lists(ROWS, max_size=3),
)


class TestMissingParts:
    """The parts of the form that lack something."""

    @given(STATES)
    def test_every_order_needs_a_physician_and_a_diagnosis(self, state: BillingState) -> None:
        missing_parts = find_missing_parts(state)
        assert (PHYSICIAN in missing_parts) is not state.has_physician
        assert (DIAGNOSES in missing_parts) is not state.has_diagnosis

    @given(STATES)
    def test_insurance_matters_only_where_it_is_billed(self, state: BillingState) -> None:
        is_complete = bool(state.insurance) and all(row == COMPLETE for row in state.insurance)
        is_missing = state.bill_to is BillTo.INSURANCE and not is_complete
        assert (INSURANCE in find_missing_parts(state)) is is_missing


class TestInsurance:
    """Whether insurance rows have all that a claim needs."""

    def test_missing_rows_are_incomplete(self) -> None:
        assert is_insurance_incomplete([])
        assert not is_insurance_incomplete([COMPLETE])

    @given(st.sampled_from(CLAIM_FIELDS), EMPTY)
    def test_every_field_counts_in_every_row(self, name: str, empty_value: Any) -> None:
        row = {**COMPLETE, name: empty_value}
        assert find_missing_claim_fields(row) == [name]
        assert is_insurance_incomplete([COMPLETE, row])

    @given(st.sampled_from(["city", "state"]), st.sampled_from([None, ""]))
    def test_a_zip_code_needs_city_and_state(self, name: str, empty_value: str | None) -> None:
        row = {**COMPLETE, "zipCode": {**COMPLETE["zipCode"], name: empty_value}}
        assert find_missing_claim_fields(row) == ["zipCode"]
