"""Rules about printed labels: keys, copies, and outcomes."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from app.server.paperwork.rules import compute_copy, compute_outcome, number_keys


@dataclass
class Print:
    """A print of some labels."""

    labels: list[str]
    missing: list[str] = field(default_factory=list)


class TestKeys:
    def test_keys_number_labels_with_equal_titles(self) -> None:
        assert number_keys(["SST", "SST", "FORM"]) == ["SST 1", "SST 2", "FORM 1"]

    @given(st.lists(st.sampled_from(["SST", "EDTA", "FORM"])))
    def test_keys_are_unique(self, titles: list[str]) -> None:
        assert len(set(number_keys(titles))) == len(titles)


class TestCopies:
    def test_counts_earlier_prints_of_the_same_label(self) -> None:
        earlier = [Print(["A 1", "B 1"]), Print(["A 1"])]
        assert [compute_copy(key, earlier) for key in ("A 1", "B 1", "C 1")] == [3, 2, 1]

    def test_does_not_count_labels_that_were_not_printed(self) -> None:
        assert compute_copy("A 1", [Print(["A 1"], missing=["A 1"])]) == 1


class TestOutcome:
    @given(
        st.integers(1, 6),
        st.integers(0, 5),
        st.integers(1, 4),
        st.data(),
    )
    def test_counts_of_all_requisitions_add_up_to_the_job(
        self, first: int, second: int, copies: int, data: st.DataObject
    ) -> None:
        total = (first + second) * copies
        printed_count = data.draw(st.integers(0, total))
        unknown_count = data.draw(st.integers(0, total - printed_count))
        parts = [
            compute_outcome([f"L {i}" for i in range(count)], start, first + second, copies,
                          printed_count, unknown_count)
            for start, count in ((0, first), (first, second))
        ]  # fmt: skip
        assert sum(part.printed for part in parts) == printed_count
        assert sum(part.unknown for part in parts) == unknown_count
        if printed_count + unknown_count == total:
            assert not any(part.missing for part in parts)

    def test_a_label_is_missing_if_no_copy_was_printed(self) -> None:
        outcome = compute_outcome(["A 1", "B 1"], 0, 2, 2, printed_labels=1, unknown_labels=0)
        assert outcome.missing == ["B 1"]
