"""The toxicology entry screen, and what entering and releasing have in common."""

from app.contract import messages
from app.contract.enumerations import ResultStatus, ToxicologyMethod, ToxicologyVerdict
from app.server.access.work import Work
from app.server.orders.rules import judge_releasing
from app.server.orders.service.status import build_state
from app.server.results.entry.loading import OrderEntry, load_for_reading
from app.server.results.entry.rules import name_unit
from app.server.results.entry.service import (
    build_header,
    build_holds,
    build_withholding,
    find_hold_reason,
    find_obstacle,
    predates_specimen,
)
from app.server.results.toxicology.loading import QUERY, collect_tests, parse_verdicts
from app.server.results.toxicology.models import ToxicologyResult
from app.server.results.toxicology.repository import MeasuredTest, is_in_other_unit
from app.server.results.toxicology.rules import Verdict
from app.server.results.toxicology.schemas import (
    SpecimenLimits,
    ToxicologyEntry,
    ToxicologyEntryRow,
    ToxicologyVerdictRead,
)
from app.server.results.toxicology.service.assess import (
    Assessment,
    assess_results,
    compute_shown_status,
)


async def read_entry(work: Work, order_id: int) -> ToxicologyEntry:
    """Return the toxicology entry screen of an order.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    entry = await load_for_reading(work, order_id, QUERY)
    await work.audit("read", "order-results", [entry.order.id])
    return build_entry(work, entry, collect_tests(entry))


def build_entry(work: Work, entry: OrderEntry, tests: list[MeasuredTest]) -> ToxicologyEntry:
    """Build the entry screen from an order as loaded, or as the commit will store it."""
    can_release = judge_releasing(work.actor, build_state(entry.order)) is None

    def choose(item: MeasuredTest) -> ToxicologyResult | None:
        if not can_release:
            # A colleague will release, and may also release what the actor has entered.
            return choose_after_release(entry, item)
        is_left = find_entry_obstacle(work, entry, item) is not None
        return item.released if is_left else choose_after_release(entry, item)

    preview = assess_results(entry, tests, choose)
    shown_verdicts = parse_verdicts(entry.parts["shown"])
    shown = {_identify(verdict) for verdict in shown_verdicts}
    previewed = {_identify(verdict) for verdict in preview.verdicts}
    return ToxicologyEntry(
        **build_header(work, entry),
        medications=preview.medications,
        specimen_fault=preview.specimen_fault,
        verdicts=[
            ToxicologyVerdictRead(
                kind=verdict.kind,
                medication=verdict.medication,
                name=verdict.name,
                why=verdict.why,
                is_presumptive=verdict.is_presumptive,
                is_critical=verdict in preview.criticals,
                is_shown=_identify(verdict) in shown,
            )
            for verdict in preview.verdicts
        ],
        gone_verdicts=[
            verdict.why
            for verdict in shown_verdicts
            if verdict.kind != ToxicologyVerdict.OTHER and _identify(verdict) not in previewed
        ],
        rows=[_build_row(work, entry, item) for item in tests],
    )


def list_new_verdicts(entry: OrderEntry, assessment: Assessment) -> list[Verdict]:
    """List the verdicts of a release that readers do not see yet."""
    shown = {_identify(verdict) for verdict in parse_verdicts(entry.parts["shown"])}
    return [verdict for verdict in assessment.verdicts if _identify(verdict) not in shown]


def _identify(verdict: Verdict) -> tuple[str, str, str, str, bool]:
    """Return what readers see of a verdict."""
    return verdict.kind, verdict.medication, verdict.name, verdict.why, verdict.is_presumptive


def choose_after_release(entry: OrderEntry, item: MeasuredTest) -> ToxicologyResult | None:
    """Return the version of a result that clients would see after a release of the order.

    A result on hold stays unreleased; a released one that is under review or withdrawn is hidden.
    """
    result = item.current
    if result is None or result.released_at is not None:
        return item.released
    is_held = find_hold_reason(entry, item.row.test_id) is not None
    return item.released if is_held else result


def find_entry_obstacle(work: Work, entry: OrderEntry, item: MeasuredTest) -> str | None:
    """Return why the actor may not release the entered result of a test now, or None."""
    result = item.current
    if result is None or result.released_at is not None:
        return None
    return find_obstacle(work, entry, item.row, result.entered_by)


def is_before_specimen(entry: OrderEntry, item: MeasuredTest) -> bool:
    """Whether an unreleased result was entered before the specimen of its test was received."""
    result = item.current
    if result is None or result.released_at is not None:
        return False
    if item.row.status == ResultStatus.CANCELED:
        return False
    return predates_specimen(entry, item.row, item.test, result.entered_at)


def _find_entered_row(item: MeasuredTest) -> int | None:
    """Find the other row where the result of a test in several panels is entered, if any."""
    # Nothing can be entered in a canceled row.
    is_open = item.owner is not None and item.owner.status != ResultStatus.CANCELED
    return item.owner_row_id if is_open else None


def _build_row(work: Work, entry: OrderEntry, item: MeasuredTest) -> ToxicologyEntryRow:
    user_names, newest = entry.user_names, entry.hide_withheld(item.newest_released)
    result, reference = entry.hide_withheld(item.current), item.fitting_reference
    is_released = bool(result and result.released_at)
    return ToxicologyEntryRow(
        order_test_id=item.row.id,
        same_as=_find_entered_row(item),
        parent_id=item.row.parent_id,
        level=item.row.level,
        code=item.test.code,
        name=item.row.name,
        is_panel=item.row.is_panel,
        method=item.method,
        unit=item.test.unit,
        cut_off=reference.cut_off if reference else None,
        low=reference.low if reference else None,
        high=reference.high if reference else None,
        detection_window=item.reference.detection_window if item.reference else None,
        result_unit=result.unit if result else None,
        unit_notice=describe_units(item, result),
        judged_limits=_build_judged_limits(result),
        decimals=item.test.decimals,
        possible_low=item.test.possible_low,
        possible_high=item.test.possible_high,
        plausible_low=item.test.plausible_low,
        plausible_high=item.test.plausible_high,
        choices=item.choices,
        result=result.value if result else None,
        measured=result.measured if result else None,
        dilution=result.dilution if result else None,
        first_result=result.first_value if result else None,
        is_confirmed=bool(result and result.is_confirmed),
        comment=result.comment if result else None,
        # The reason of an earlier correction does not explain the next one.
        reason_code=result.reason_code if result and not is_released else None,
        reason=result.reason if result and not is_released else None,
        explanation=result.explanation if result and not is_released else None,
        is_detected=result.is_detected if result else None,
        status=compute_shown_status(item, item.current),
        awaits_collection=item.row.needs_specimen,
        predates_specimen=is_before_specimen(entry, item),
        released=newest.value if newest else None,
        released_at=newest.released_at if newest else None,
        released_by=newest.released_by_name if newest else None,
        withheld=build_withholding(entry, item.versions, entry.parts["reasons"]),
        holds=build_holds(entry, item.test.id),
        left_because=find_entry_obstacle(work, entry, item),
        entered_by=user_names.get(result.entered_by) if result and result.entered_by else None,
    )


def _build_judged_limits(result: ToxicologyResult | None) -> SpecimenLimits | None:
    if result is None or result.method != ToxicologyMethod.VALIDITY:
        return None
    return SpecimenLimits(low=result.low, high=result.high)


def describe_units(item: MeasuredTest, result: ToxicologyResult | None) -> str | None:
    """Return what to know about the unit of a result, or of the test's limits, or None."""
    if item.row.is_panel or item.row.status == ResultStatus.CANCELED:
        return None
    test_unit = name_unit(item.test.unit)
    if item.reference is not None and item.fitting_reference is None:
        return messages.TOXICOLOGY_LIMITS_IN_OTHER_UNIT.format(
            test=item.row.name,
            unit=name_unit(item.reference.unit),
            test_unit=test_unit,
        )
    if result is None or not is_in_other_unit(item, result):
        return None
    return messages.RESULT_IN_OTHER_UNIT.format(unit=name_unit(result.unit), test_unit=test_unit)
