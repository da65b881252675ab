"""Reads the toxicology results of an order in five sections, with their verdicts (R 2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.contract import messages
from app.contract.enumerations import (
    ResultStatus,
    ScopeKind,
    ToxicologyMethod,
    ToxicologyVerdict,
)
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.lab_settings.repository import SettingRepository
from app.server.orders.rules import ABNORMAL_RESULT
from app.server.results.entry.loading import OrderEntry, load_many_for_reading
from app.server.results.performing import list_performers, load_lab_name
from app.server.results.toxicology import rules
from app.server.results.toxicology.loading import (
    QUERY,
    SETTINGS,
    collect_tests,
    format_cut_off,
    format_limits,
    parse_verdicts,
)
from app.server.results.toxicology.models import ToxicologyResult
from app.server.results.toxicology.opening import open_toxicology
from app.server.results.toxicology.repository import MeasuredTest, ToxicologyRepository
from app.server.results.toxicology.rules import Verdict
from app.server.results.toxicology.schemas import (
    OtherMedication,
    ToxicologyRow,
    ToxicologyRowData,
    ToxicologySettings,
    ToxicologyVersion,
)
from app.server.results.toxicology.service.assess import (
    assess_results,
    compute_shown_status,
    find_validity_limit,
)
from app.server.results.toxicology.service.entry import choose_after_release


async def read_settings(work: Work) -> ToxicologySettings:
    """Return the lab's label for unexpected positives."""
    settings = await work.build_repository(SettingRepository).load_group(SETTINGS)
    return ToxicologySettings(abnormal_result=settings.get("abnormalResult") or ABNORMAL_RESULT)


@dataclass(frozen=True)
class ToxicologyResults:
    """The toxicology tests of an order with the verdicts in force.

    Attributes:
        specimen_fault: the reason why the specimen is invalid, or None.
        lab_name: the name that the lab has on its reports now.
    """

    tests: list[MeasuredTest]
    verdicts: list[Verdict]
    specimen_fault: str | None
    lab_name: str | None


async def load_results(work: Work, order_ids: Sequence[int]) -> dict[int, ToxicologyResults]:
    """Load the toxicology results of these orders by order id.

    The number of statements does not depend on the number of orders.
    """
    repository = work.build_repository(ToxicologyRepository)
    assessments = await repository.load_assessments(order_ids)
    tests = await repository.load_tests_of_many(order_ids)
    lab_name = await load_lab_name(work)
    results = {}
    for order_id in order_ids:
        assessment = assessments.get(order_id)
        results[order_id] = ToxicologyResults(
            tests.get(order_id, []),
            parse_verdicts(assessment.verdicts if assessment else ()),
            assessment.specimen_fault if assessment else None,
            lab_name,
        )
    return results


async def preview_results(work: Work, order_ids: Sequence[int]) -> dict[int, ToxicologyResults]:
    """Load the entered results of orders with the verdicts after their release.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    entries = await load_many_for_reading(work, order_ids, QUERY)
    return {order_id: _preview_results(entry) for order_id, entry in entries.items()}


def _preview_results(entry: OrderEntry) -> ToxicologyResults:
    tests = collect_tests(entry)
    assessment = assess_results(entry, tests, lambda item: choose_after_release(entry, item))
    return ToxicologyResults(tests, assessment.verdicts, assessment.specimen_fault, entry.lab_name)


async def read_alpha_results(reader: Reader, order_id: int) -> list[ToxicologyRow]:
    """Return every test of the order as a tree; only the lab sees values before release."""
    results = await _read_results(reader, order_id)
    rows = build_alpha_rows(results, is_lab=reader.actor.kind is ScopeKind.STAFF)
    return _hide_names(reader, rows)


async def read_verdicts(
    reader: Reader, order_id: int, kind: ToxicologyVerdict
) -> list[ToxicologyRow]:
    """Return the verdicts of a kind in force, each with the tests behind it."""
    results = await _read_results(reader, order_id)
    by_id = {item.row.id: item for item in results.tests}
    rows = []
    for index, verdict in enumerate(results.verdicts):
        if verdict.kind != kind:
            continue
        tests = [by_id[key] for key in verdict.tests if key in by_id]
        key = f"{kind}-{index}"
        rows.append(_build_verdict_row(verdict, tests, key))
        rows += [
            _build_test_row(
                item,
                item.released,
                key=f"{key}-{item.row.id}",
                parent_key=key,
                results=results,
            )
            for item in tests
        ]
    return _hide_names(reader, rows)


async def read_other_medications(reader: Reader, order_id: int) -> list[OtherMedication]:
    """Return the reported medications that have no verdict, and why."""
    results = await _read_results(reader, order_id)
    return [
        OtherMedication(medication_name=format_medication(verdict), rx_verification=verdict.why)
        for verdict in results.verdicts
        if verdict.kind == ToxicologyVerdict.OTHER
    ]


def build_alpha_rows(results: ToxicologyResults, *, is_lab: bool) -> list[ToxicologyRow]:
    """Build the tree of tests; ``is_lab`` shows values that are not released."""
    return [
        _build_test_row(
            item,
            _choose_version(item, is_lab=is_lab),
            key=str(item.row.id),
            parent_key=str(item.row.parent_id) if item.row.parent_id else None,
            results=results,
            is_lab=is_lab,
        )
        for item in results.tests
    ]


def _choose_version(item: MeasuredTest, *, is_lab: bool) -> ToxicologyResult | None:
    # The result of a canceled row belongs to another row of its analyte (ADR 92).
    if item.row.status == ResultStatus.CANCELED:
        return None
    return item.current if is_lab else item.released


async def _read_results(reader: Reader, order_id: int) -> ToxicologyResults:
    order = await open_toxicology(reader, order_id)
    verdicts = parse_verdicts(order.verdicts)
    return ToxicologyResults(order.tests, verdicts, order.specimen_fault, order.lab_name)


def _hide_names(reader: Reader, rows: list[ToxicologyRow]) -> list[ToxicologyRow]:
    """Return the rows; patients do not see the names of the people who released them."""
    if not reader.actor.sees_user_names:
        for row in rows:
            row.released_by = None
            for version in row.corrected_from:
                version.released_by = None
    return rows


def _build_verdict_row(verdict: Verdict, tests: list[MeasuredTest], key: str) -> ToxicologyRow:
    is_detected = verdict.kind != ToxicologyVerdict.UNEXPECTED_NEGATIVE
    return ToxicologyRow(
        tree_id=key,
        key=key,
        parent_key=None,
        tests=[item.row.name for item in tests],
        medication_name=format_medication(verdict) or None,
        name=verdict.name,
        result="DETECTED" if is_detected else "NOT DETECTED",
        unit=None,
        detection_window=None,
        cut_off=None,
        validity_range=None,
        is_invalid=False,
        specimen_fault=None,
        rx_verification=verdict.why,
        is_panel=False,
        is_presumptive=verdict.is_presumptive,
        is_detected=is_detected,
        status=ResultStatus.FINAL,
        withheld=None,
        withheld_at=None,
        awaits_collection=False,
        released_at=None,
        released_by=None,
        reason=None,
        explanation=None,
        corrected_from=[],
        data=ToxicologyRowData(
            result_report_comments=_list_report_comments(is_presumptive=verdict.is_presumptive),
            comment=None,
        ),
    )


def _build_test_row(
    item: MeasuredTest,
    result: ToxicologyResult | None,
    *,
    key: str,
    parent_key: str | None,
    results: ToxicologyResults,
    is_lab: bool = False,
) -> ToxicologyRow:
    # A withdrawn version stays inside the lab, even after its correction.
    released_versions = item.released_versions if is_lab else item.visible_versions
    if item.row.status == ResultStatus.CANCELED:
        released_versions = []
    earlier_versions = [version for version in released_versions if version is not result]
    # A result is shown with the cut-off and window by which it was judged.
    method_data = result or item.fitting_reference
    cut_off = method_data.cut_off if method_data else None
    window = method_data.detection_window if method_data else None
    unit = result.unit if result else item.test.unit
    limit = find_validity_limit(item, result)
    is_presumptive = item.find_method(result) is ToxicologyMethod.SCREEN
    comments = []
    if result is not None:
        comments = _list_report_comments(is_presumptive=is_presumptive)
        comments += list_performers(result.performing_lab, results.lab_name)
    return ToxicologyRow(
        tree_id=key,
        key=key,
        parent_key=parent_key,
        tests=[item.row.name],
        medication_name=None,
        name=item.row.name,
        result=result.value if result else None,
        unit=rules.find_unit(result.value, unit) if result else unit,
        detection_window=window,
        cut_off=format_cut_off(cut_off, unit),
        validity_range=format_limits(limit.low, limit.high) if limit else None,
        is_invalid=limit is not None
        and result is not None
        and rules.find_specimen_fault(item.row.name, result.value, limit) is not None,
        specimen_fault=results.specimen_fault,
        rx_verification=None,
        is_panel=item.row.is_panel,
        is_presumptive=is_presumptive,
        is_detected=result.is_detected if result else None,
        status=compute_shown_status(item, result),
        withheld=item.row.withheld,
        withheld_at=item.row.withheld_at,
        awaits_collection=item.row.needs_specimen,
        released_at=result.released_at if result else None,
        released_by=result.released_by_name if result else None,
        reason=result.reason if result else None,
        explanation=result.explanation if result else None,
        corrected_from=[
            ToxicologyVersion(
                result=version.value,
                unit=rules.find_unit(version.value, version.unit),
                comment=version.comment,
                released_at=version.released_at,
                released_by=version.released_by_name,
            )
            for version in earlier_versions
        ],
        data=ToxicologyRowData(
            result_report_comments=comments, comment=result.comment if result else None
        ),
    )


def _list_report_comments(*, is_presumptive: bool) -> list[str]:
    return [messages.RESULT_PRESUMPTIVE] if is_presumptive else []


def format_medication(verdict: Verdict) -> str:
    """Return the medication as reported, with its ingredient if that has another name."""
    if verdict.name in ("", verdict.medication) or not verdict.medication:
        return verdict.medication
    return f"{verdict.medication} ({verdict.name})"
