"""Rules about pathology reports: kinds, titles, replacement, and sections (R 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import ReportKind, ResultStatus
from app.server.results.pathology.rules import (
    ENTERED_KINDS,
    compute_next_number,
    compute_report_kind,
    compute_test_status,
    find_empty_sections,
    find_replacements,
    format_status,
    format_title,
    list_next_kinds,
)

NORMAL, ADDENDUM, REVISED = ENTERED_KINDS
LATER = st.lists(st.sampled_from([ADDENDUM, REVISED]))
WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1)


class TestKinds:
    """The kinds of reports on the wire."""

    def test_each_release_has_the_number_after_its_entry(self) -> None:
        released_kinds = [compute_report_kind(kind, is_released=True) for kind in ENTERED_KINDS]
        assert released_kinds == [
            ReportKind.NORMAL_RELEASE,
            ReportKind.ADDENDUM_RELEASE,
            ReportKind.REVISED_RELEASE,
        ]

    @pytest.mark.parametrize("kind", ENTERED_KINDS)
    def test_an_entered_report_keeps_its_kind(self, kind: ReportKind) -> None:
        assert compute_report_kind(kind, is_released=False) is kind

    def test_addenda_and_revisions_follow_a_released_report_only(self) -> None:
        assert list_next_kinds(has_released=False) == (NORMAL,)
        assert list_next_kinds(has_released=True) == (ADDENDUM, REVISED)


def format_titles(kinds: list[ReportKind]) -> list[str]:
    """Return the titles of reports that are released in this order."""
    return [
        format_title(kind, compute_next_number(kind, kinds[:index]))
        for index, kind in enumerate(kinds)
    ]


class TestTitles:
    """Titles count addenda and revisions in order."""

    def test_counts_addenda_and_revisions_apart(self) -> None:
        assert format_titles([NORMAL, ADDENDUM, REVISED, ADDENDUM, REVISED]) == [
            "Result Report",
            "Addendum 1",
            "Revision 1",
            "Addendum 2",
            "Revision 2",
        ]

    @pytest.mark.parametrize("kind", ENTERED_KINDS)
    def test_a_report_without_a_number_has_the_bare_title(self, kind: ReportKind) -> None:
        assert format_title(kind, None) == format_title(kind, 1).removesuffix(" 1")

    @given(later=LATER)
    def test_titles_are_unique(self, later: list[ReportKind]) -> None:
        titles = format_titles([NORMAL, *later])
        assert len(set(titles)) == len(titles)

    @given(later=LATER, added_kind=st.sampled_from([ADDENDUM, REVISED]))
    def test_a_later_report_does_not_change_titles(
        self, later: list[ReportKind], added_kind: ReportKind
    ) -> None:
        assert format_titles([NORMAL, *later, added_kind])[:-1] == format_titles([NORMAL, *later])


class TestReplacement:
    """A revision replaces the report before it."""

    def test_a_revision_replaces_the_report_and_the_next_one_the_revision(self) -> None:
        assert find_replacements([NORMAL, ADDENDUM, REVISED, ADDENDUM, REVISED]) == [
            2,
            None,
            4,
            None,
            None,
        ]

    @given(later=LATER)
    def test_addenda_and_one_full_report_are_in_force(self, later: list[ReportKind]) -> None:
        kinds = [NORMAL, *later]
        in_force = [
            kind
            for kind, index in zip(kinds, find_replacements(kinds), strict=True)
            if index is None
        ]
        assert in_force.count(ADDENDUM) == kinds.count(ADDENDUM)
        assert len(in_force) == kinds.count(ADDENDUM) + 1

    @given(later=LATER)
    def test_only_a_later_revision_replaces(self, later: list[ReportKind]) -> None:
        kinds = [NORMAL, *later]
        for index, replacement in enumerate(find_replacements(kinds)):
            if replacement is not None:
                assert replacement > index
                assert kinds[replacement] is REVISED

    def test_a_revision_without_a_report_replaces_nothing(self) -> None:
        assert find_replacements([]) == []


class TestStatus:
    """The status of a test and the words for it."""

    @pytest.mark.parametrize(
        ("has_entered", "has_released", "status"),
        [
            (False, False, ResultStatus.PENDING),
            (True, False, ResultStatus.UNRELEASED),
            (False, True, ResultStatus.FINAL),
            (True, True, ResultStatus.FINAL),
        ],
    )
    def test_an_addendum_or_revision_leaves_a_test_final(
        self, has_entered: bool, has_released: bool, status: ResultStatus
    ) -> None:
        assert compute_test_status(has_entered=has_entered, has_released=has_released) is status

    @pytest.mark.parametrize(
        ("status", "words"),
        [
            (ResultStatus.PENDING, "PENDING"),
            (ResultStatus.UNRELEASED, "PENDING"),
            (ResultStatus.FINAL, "FINAL"),
            (ResultStatus.CANCELED, "CANCELED"),
        ],
    )
    def test_an_entered_report_shows_as_pending(self, status: ResultStatus, words: str) -> None:
        assert format_status(status) == words


class TestSections:
    """Headings without text are reported before a release."""

    @pytest.mark.parametrize(
        ("content", "empty_sections"),
        [
            ("<p>No heading at all.</p>", []),
            ("<h3>Diagnosis</h3><p>Benign.</p>", []),
            ("<h3>Diagnosis</h3>", ["Diagnosis"]),
            ("<h3>Diagnosis</h3><p> </p>", ["Diagnosis"]),
            ("<h3>Gross</h3><h3>Diagnosis</h3><p>Benign.</p>", ["Gross"]),
            ("<p>Before</p><h3>Diagnosis</h3>", ["Diagnosis"]),
            ("<h2>Part A</h2><h3>Diagnosis</h3><p>Benign.</p>", []),
            ("<h2>Part A</h2><h3>Diagnosis</h3>", ["Part A", "Diagnosis"]),
            ("<h3>Diagnosis</h3><h2>Part B</h2><p>Benign.</p>", ["Diagnosis"]),
            ("<h3>Final <b>Diagnosis</b></h3>", ["Final Diagnosis"]),
            ("<h3>Diagnosis</h3><ul><li>Benign &amp; small</li></ul>", []),
        ],
    )
    def test_names_the_empty_sections(self, content: str, empty_sections: list[str]) -> None:
        assert find_empty_sections(content) == empty_sections

    @given(sections=st.lists(st.tuples(WORDS, st.booleans())))
    def test_sections_of_one_level_are_judged_apart(self, sections: list[tuple[str, bool]]) -> None:
        content = "".join(
            f"<h3>{heading}</h3>{'<p>Text</p>' if has_text else ''}"
            for heading, has_text in sections
        )
        assert find_empty_sections(content) == [
            heading for heading, has_text in sections if not has_text
        ]
