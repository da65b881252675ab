"""Pathology reports of the demo lab."""

from collections import Counter

import pytest

from app.contract.enumerations import ReportKind, ResultFlag, ResultKind
from app.server.orders.rules import FAMILY_BITS
from app.server.results.pathology.rules import find_empty_sections, find_replacements
from app.server.rich_text import sanitize_html
from seeds.demo import DemoLab
from seeds.demo.records import DemoPathologyReport
from tests.seeds.demo import list_orders

pytestmark = pytest.mark.xdist_group("demo lab")  # Building the lab takes seconds.


def list_reports(lab: DemoLab) -> list[tuple[DemoPathologyReport, ...]]:
    """Return the reports of each pathology test."""
    return [
        test.reports
        for _, order in list_orders(lab)
        for test in order.tests
        if test.kind is ResultKind.PATHOLOGY
    ]


def test_every_kind_occurs_released_and_unreleased(lab: DemoLab) -> None:
    kinds = Counter(
        (report.kind, report.released_at is not None)
        for reports in list_reports(lab)
        for report in reports
    )
    assert set(kinds) >= {
        (ReportKind.NORMAL, True),
        (ReportKind.NORMAL, False),
        (ReportKind.ADDENDUM, True),
        (ReportKind.REVISED, True),
        (ReportKind.REVISED, False),
    }
    assert () in list_reports(lab)


def test_reports_are_stored_as_they_would_be_entered(lab: DemoLab) -> None:
    for reports in list_reports(lab):
        for report in reports:
            assert sanitize_html(report.content) == report.content
            assert find_empty_sections(report.content) == []
            assert (report.kind is ReportKind.REVISED) == (report.reason is not None)


def test_addenda_and_revisions_follow_the_report_in_time(lab: DemoLab) -> None:
    for reports in list_reports(lab):
        assert [report.revision for report in reports] == list(range(1, len(reports) + 1))
        times = [report.entered_at for report in reports]
        assert times == sorted(times)


def test_orders_reflect_their_reports_in_force(lab: DemoLab) -> None:
    critical_count = 0
    for _, order in list_orders(lab):
        flags = []
        for test in order.tests:
            released_reports = [report for report in test.reports if report.released_at]
            replacements = find_replacements([report.kind for report in released_reports])
            pairs = zip(released_reports, replacements, strict=True)
            flags += [report.flag for report, index in pairs if index is None]
        bit = FAMILY_BITS[ResultKind.PATHOLOGY]
        is_critical = ResultFlag.CRITICAL_ABNORMAL in flags
        is_abnormal = is_critical or ResultFlag.ABNORMAL in flags
        assert bool(order.critical_kinds & bit) == is_critical
        assert bool(order.abnormal_kinds & bit) == is_abnormal
        critical_count += is_critical
    assert critical_count > 0
