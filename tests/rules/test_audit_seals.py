"""Digests of the audit log's hash chain, and how each kind of change is detected (ADR 66)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server.audit_seals.rules import (
    FIRST_PREVIOUS,
    UNANCHORED_MAX,
    Seal,
    compute_key_id,
    digest_rows,
    digest_seal,
    find_anchor_fault,
    find_link_fault,
    find_rows_fault,
    sign_removal,
)

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
ROWS = ["one", "two"]


def build_seal(before: Seal | None = None, **values: object) -> Seal:
    """Build a valid seal of two rows, the first one or the one after ``before``."""
    number, first = (before.id + 1, before.last_id + 1) if before else (1, 1)
    seal = Seal(
        id=number,
        first_id=first,
        last_id=first + 1,
        row_count=2,
        last_at=AT,
        rows_digest=digest_rows(KEY, ROWS),
        previous=before.digest if before else FIRST_PREVIOUS,
        digest=b"",
        key_id=compute_key_id(KEY),
        sealed_at=AT,
    )
    seal = replace(seal, **values)
    return replace(seal, digest=digest_seal(KEY, seal))


FIRST = build_seal()
SECOND = build_seal(FIRST)


class TestDigests:
    """The data that digests cover."""

    @given(st.lists(st.text()), st.lists(st.text()))
    def test_different_rows_have_different_digests(
        self, some: list[str], others: list[str]
    ) -> None:
        assert (digest_rows(KEY, some) == digest_rows(KEY, others)) == (some == others)

    def test_row_boundaries_change_the_digest(self) -> None:
        assert digest_rows(KEY, ["ab", "c"]) != digest_rows(KEY, ["a", "bc"])
        assert digest_rows(KEY, ["abc"]) != digest_rows(KEY, ["abc", ""])

    def test_the_digest_of_rows_is_the_same_in_each_release(self) -> None:
        expected = "45763292fac73fff1f14a9f7ed461bc8"
        assert digest_rows(KEY, ["one", "two", "\u00e9"]).hex()[:32] == expected

    def test_the_digest_of_a_seal_is_the_same_in_each_release(self) -> None:
        assert digest_seal(KEY, FIRST).hex()[:32] == "352ceff23dc42c178b2aa23424e2565f"
        assert sign_removal(KEY, FIRST).hex()[:32] == "f1425779a6de69b4ea16ed0bf18d2e8b"

    def test_different_keys_give_different_digests(self) -> None:
        assert digest_rows(KEY, ROWS) != digest_rows(OTHER_KEY, ROWS)
        assert digest_seal(KEY, FIRST) != digest_seal(OTHER_KEY, FIRST)
        assert sign_removal(KEY, FIRST) != sign_removal(OTHER_KEY, FIRST)

    def test_the_name_of_a_key_does_not_reveal_the_key(self) -> None:
        assert compute_key_id(KEY) == "d39b8c5e9e040852"
        assert len(compute_key_id(KEY)) == 16
        assert compute_key_id(KEY) != compute_key_id(OTHER_KEY)
        assert KEY.hex()[:16] not in compute_key_id(KEY)

    @pytest.mark.parametrize(
        "change",
        [
            {"id": 9},
            {"first_id": 9},
            {"last_id": 9},
            {"row_count": 9},
            {"last_at": AT + timedelta(microseconds=1)},
            {"sealed_at": AT + timedelta(microseconds=1)},
            {"rows_digest": b"x"},
            {"previous": b"x"},
            {"key_id": "x"},
        ],
        ids=lambda change: next(iter(change)),
    )
    def test_each_value_changes_the_digest_of_a_seal(self, change: dict[str, object]) -> None:
        assert digest_seal(KEY, replace(FIRST, **change)) != FIRST.digest


class TestLinks:
    """A seal and the one before it."""

    def test_a_chain_is_valid(self) -> None:
        assert find_link_fault(FIRST, None, KEY) is None
        assert find_link_fault(SECOND, FIRST, KEY) is None

    def test_names_a_missing_seal(self) -> None:
        assert find_link_fault(SECOND, None, KEY) == "seal 1 is missing"
        assert find_link_fault(build_seal(SECOND), FIRST, KEY) == "seal 2 is missing"

    @pytest.mark.parametrize("change", [{"first_id": 4}, {"previous": b"x" * 32}])
    def test_names_a_seal_that_does_not_follow_the_one_before(
        self, change: dict[str, object]
    ) -> None:
        """A seal may have a correct digest and still not follow the one before."""
        assert find_link_fault(build_seal(FIRST, **change), FIRST, KEY) == "seal 2 was changed"

    def test_names_a_changed_seal(self) -> None:
        assert find_link_fault(replace(SECOND, digest=b"x"), FIRST, KEY) == "seal 2 was changed"
        assert find_link_fault(FIRST, None, OTHER_KEY) == "seal 1 was changed"


class TestRows:
    """The rows of a seal."""

    def test_the_sealed_rows_are_valid(self) -> None:
        assert find_rows_fault(SECOND, ROWS, KEY) is None

    @pytest.mark.parametrize(
        ("rows", "trouble"),
        [
            (["one"], "rows 3 to 4 (seal 2): 1 of 2 rows was removed"),
            ([], "rows 3 to 4 (seal 2): 2 of 2 rows were removed"),
            (["one", "two", "three"], "rows 3 to 4 (seal 2): 1 row was inserted"),
            (["one", "two", "3", "4"], "rows 3 to 4 (seal 2): 2 rows were inserted"),
            (["one", "TWO"], "rows 3 to 4 (seal 2): a row was changed"),
            (["two", "one"], "rows 3 to 4 (seal 2): a row was changed"),
        ],
    )
    def test_names_each_error(self, rows: list[str], trouble: str) -> None:
        assert find_rows_fault(SECOND, rows, KEY) == trouble

    def test_the_portal_may_remove_all_rows_of_a_seal(self) -> None:
        removed_seal = replace(FIRST, removed_at=AT, removal=sign_removal(KEY, FIRST))
        assert find_rows_fault(removed_seal, [], KEY) is None
        trouble = "rows 1 to 2 (seal 1): rows were inserted after the removal"
        assert find_rows_fault(removed_seal, ["one"], KEY) == trouble

    @pytest.mark.parametrize("proof", [None, b"x", sign_removal(OTHER_KEY, FIRST)])
    def test_nobody_else_may_remove_rows(self, proof: bytes | None) -> None:
        removed_seal = replace(FIRST, removed_at=AT, removal=proof)
        trouble = "rows 1 to 2 (seal 1): rows were removed, but not by the portal"
        assert find_rows_fault(removed_seal, [], KEY) == trouble


class TestAnchor:
    """A seal and its copy outside the database."""

    def test_accepts_a_copy_with_the_same_digest(self) -> None:
        assert find_anchor_fault(FIRST, FIRST.digest.hex(), AT) is None
        assert find_anchor_fault(FIRST, "00", AT) == "seal 1 differs from the anchor"

    def test_a_copy_may_be_missing_for_an_hour(self) -> None:
        assert find_anchor_fault(FIRST, None, AT + UNANCHORED_MAX) is None
        late = AT + UNANCHORED_MAX + timedelta(microseconds=1)
        assert find_anchor_fault(FIRST, None, late) == "seal 1 is missing in the anchor"

    def test_a_copy_may_not_disappear(self) -> None:
        anchored_seal = replace(FIRST, anchored_at=AT)
        assert find_anchor_fault(anchored_seal, None, AT) == "seal 1 is missing in the anchor"
