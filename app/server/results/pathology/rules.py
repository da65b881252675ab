"""Rules about pathology reports: their kinds, titles, and sections (R 4; ADR 30)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from app.contract.enumerations import ReportKind, ResultFlag, ResultStatus

ENTERED_KINDS = (ReportKind.NORMAL, ReportKind.ADDENDUM, ReportKind.REVISED)
"""The kinds of unreleased reports; the kind of a released report is one number higher."""
FINDINGS = frozenset({ResultFlag.NORMAL, ResultFlag.ABNORMAL, ResultFlag.CRITICAL_ABNORMAL})
"""The flags with which a pathologist judges a report."""
_TITLES = {ReportKind.ADDENDUM: "Addendum", ReportKind.REVISED: "Revision"}
_REPORT_TITLE = "Result Report"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def compute_report_kind(kind: ReportKind, *, is_released: bool) -> ReportKind:
    """Return the kind of the entered report, or of its release, as it is on the wire."""
    return ReportKind(kind + 1) if is_released else kind


def list_next_kinds(*, has_released: bool, is_withheld: bool = False) -> tuple[ReportKind, ...]:
    """Return the kinds that may be entered next: the report, or what may follow a released one.

    An addendum to a report that nobody outside the lab sees would be read as the whole report.
    """
    if is_withheld:
        return (ReportKind.REVISED,)
    if has_released:
        return (ReportKind.ADDENDUM, ReportKind.REVISED)
    return (ReportKind.NORMAL,)


def compute_next_number(kind: ReportKind, released_kinds: Iterable[ReportKind]) -> int:
    """Return the number of a report among those of its kind that its test has released (R 4).

    Withheld reports have numbers, too, so that two reports of a test never have the same title.
    """
    return 1 + sum(released_kind is kind for released_kind in released_kinds)


def format_title(kind: ReportKind, number: int | None) -> str:
    """Return the title of a report: Result Report, Addendum n, or Revision n (R 4)."""
    title = _TITLES.get(kind)
    if title is None:
        return _REPORT_TITLE
    return title if number is None else f"{title} {number}"


def find_replacements(kinds: Sequence[ReportKind]) -> list[int | None]:
    """Return for each released report the index of the revision that replaces it, or None.

    A revision replaces the report, or the revision, before it. Addenda stay in force.
    """
    replacements: list[int | None] = [None] * len(kinds)
    index_in_force: int | None = None
    for index, kind in enumerate(kinds):
        if kind is ReportKind.ADDENDUM:
            continue
        if index_in_force is not None:
            replacements[index_in_force] = index
        index_in_force = index
    return replacements


def compute_test_status(*, has_entered: bool, has_released: bool) -> ResultStatus:
    """Return the status of a test; an addendum or a revision leaves it FINAL."""
    if has_released:
        return ResultStatus.FINAL
    return ResultStatus.UNRELEASED if has_entered else ResultStatus.PENDING


def format_status(status: ResultStatus) -> str:
    """Return the words of a test without a released report: CANCELED, PENDING, or FINAL (R 4)."""
    return "PENDING" if status is ResultStatus.UNRELEASED else status.name


def find_empty_sections(content: str) -> list[str]:
    """Return the headings of a sanitized report below which there is no text."""
    reader = _SectionReader()
    reader.feed(content)
    reader.close()
    return [section.heading.strip() for section in reader.sections if not section.has_text]


@dataclass
class _Section:
    level: int
    heading: str = ""
    has_text: bool = False


class _SectionReader(HTMLParser):
    """Collects the sections of a report; text belongs to all sections around it."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: list[_Section] = []
        self._open: list[_Section] = []
        self._is_in_heading = False  # pragma: no mutate - text before a heading is skipped

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a section, and end the open sections of its level and below."""
        if tag not in _HEADINGS:
            return
        section = _Section(int(tag[1]))
        self._open = [s for s in self._open if s.level < section.level]
        self._open.append(section)
        self.sections.append(section)
        self._is_in_heading = True

    def handle_endtag(self, tag: str) -> None:
        """End a heading."""
        if tag in _HEADINGS:
            self._is_in_heading = False  # pragma: no mutate - None is false too

    def handle_data(self, data: str) -> None:
        """Add text to the heading, or to the open sections."""
        if not self._open or not data.strip():
            return
        if self._is_in_heading:
            self._open[-1].heading += data
            return
        for section in self._open:
            section.has_text = True
