"""The lines of pathology reports on the result report."""

from collections.abc import Iterable, Iterator

from app.basics.dates import format_timestamp
from app.contract.enumerations import ResultFlag
from app.drawing.pages import ResultLine
from app.server.paperwork.service.corrections import describe_missing, list_state_notes
from app.server.results.pathology.schemas import PathologyReportRead, PathologyResult
from app.server.rich_text import to_plain_text

_FINDINGS = {
    ResultFlag.ABNORMAL: "Finding: ABNORMAL",
    ResultFlag.CRITICAL_ABNORMAL: "Finding: CRITICAL",
}


def build_pathology_lines(
    tests: Iterable[PathologyResult], *, is_named: bool = True
) -> tuple[ResultLine, ...]:
    """Build the lines of released reports; a test without one is a single line.

    With ``is_named``, a line names who released a report. It always names the pathologist who
    signed the report out.
    """
    return tuple(line for test in tests for line in _list_lines(test, is_named=is_named))


def _list_lines(test: PathologyResult, *, is_named: bool) -> Iterator[ResultLine]:
    if not test.results:
        yield ResultLine(test.name, status=describe_missing(test, test.label))
        return
    yield ResultLine(test.name, is_panel=True, comments=tuple(list_state_notes(test)))
    for report in test.results:
        notes = tuple(_list_notes(report, is_named=is_named))
        # A replaced report needs no attention any more.
        flag = None if report.replaced_by else report.flag
        title = _format_title(report)
        yield ResultLine(title, level=1, is_panel=True, flag=flag, comments=notes)


def _format_title(report: PathologyReportRead) -> str:
    # An earlier report stays legible, and must not be read as the current one.
    return (
        f"{report.title} (replaced by {report.replaced_by})" if report.replaced_by else report.title
    )


def _list_notes(report: PathologyReportRead, *, is_named: bool) -> Iterator[str]:
    reason = ", ".join(text for text in (report.reason, report.explanation) if text)
    if reason:
        yield f"Reason: {reason}"
    if report.flag in _FINDINGS:
        yield _FINDINGS[report.flag]
    yield from (line for line in (to_plain_text(report.comment) or "").splitlines() if line)
    yield from report.result_report_comments
    signer = f"Signed out by {report.signed_out_by}; " if report.signed_out_by else ""
    if report.released_at:
        by = f" by {report.released_by}" if report.released_by and is_named else ""
        yield f"{signer}released {format_timestamp(report.released_at)}{by}"
