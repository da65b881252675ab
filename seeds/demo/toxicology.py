"""Toxicology results of the demo lab, with verdicts of every kind."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from random import Random

from app.contract.enumerations import ResultKind, ToxicologyMethod, ToxicologyVerdict
from app.server.orders.rules import set_family
from app.server.results.toxicology import rules
from app.server.results.toxicology.rules import JudgedTest, Reading, ReportedDrug, ValidityLimit
from seeds.demo.records import (
    DemoAssessment,
    DemoOrder,
    DemoOrderTest,
    DemoToxicologyResult,
)
from seeds.reference import list_lab_tests, toxicology

RELEASED_BY = "LARA BENCH"
TAKEN_SHARE = 0.8
"""The share of reported medications that the patient takes."""
UNREPORTED_SHARE = 0.22
INVALID_SHARE = 0.06
_UNREPORTED_DRUGS = ("COCAINE", "METHAMPHETAMINE", "FENTANYL", "THC", "ALPRAZOLAM", "HEROIN")
_METHODS = {row.test: row for row in toxicology.list_toxicology_tests()}
_CATALOG = {test.code: test for test in list_lab_tests()}
_SUBSTANCES = {row.name: row.is_critical for row in toxicology.list_substances()}
_OLDEST_CREATININE, _NEWEST_CREATININE = 25, 220


@dataclass(frozen=True)
class _Specimen:
    """The content of a specimen: substances, and whether it was diluted."""

    substances: frozenset[str]
    is_diluted: bool


def add_results(order: DemoOrder, medications: Sequence[str]) -> DemoOrder:
    """Return the order with toxicology results and verdicts instead of plain results."""
    if not any(_is_measured(test) for test in order.tests):
        return order
    rng = Random(f"toxicology {order.code}")
    drugs = [
        drug
        for medication in medications
        for drug in rules.resolve_medication(medication, toxicology.list_names(), _SUBSTANCES)
    ]
    specimen = _collect_specimen(rng, drugs)
    tests = tuple(
        replace(test, results=(), toxicology=_build_results(rng, test, specimen))
        if _is_measured(test)
        else test
        for test in order.tests
    )
    if not any(_find_released(test) for test in tests):
        return replace(order, tests=tests)
    return _assess_order(replace(order, tests=tests), medications, drugs)


def _is_measured(test: DemoOrderTest) -> bool:
    return test.kind is ResultKind.TOXICOLOGY and not test.is_panel


def _find_released(test: DemoOrderTest) -> DemoToxicologyResult | None:
    return next((r for r in reversed(test.toxicology) if r.released_at is not None), None)


def _collect_specimen(rng: Random, drugs: Sequence[ReportedDrug]) -> _Specimen:
    names = [drug.substance for drug in drugs if drug.substance and rng.random() < TAKEN_SHARE]
    if rng.random() < UNREPORTED_SHARE:
        names.append(rng.choice(_UNREPORTED_DRUGS))
    substances = frozenset[str]().union(
        *(rules.list_descendants(name, toxicology.list_metabolites()) for name in names)
    )
    return _Specimen(substances, rng.random() < INVALID_SHARE)


def _build_results(
    rng: Random, test: DemoOrderTest, specimen: _Specimen
) -> tuple[DemoToxicologyResult, ...]:
    """Build the versions of a test's result at the times of its plain result."""
    if not test.results:
        return ()
    first = test.results[0]
    value = _generate_value(rng, test.code, specimen)
    result = _build_result(test.code, value, 1, first.entered_at, first.released_at)
    last = test.results[-1]
    if last is first or last.released_at is None:
        return (result,)
    wrong_value = _generate_value(rng, test.code, _Specimen(frozenset(), is_diluted=False))
    return (
        replace(
            _build_result(test.code, wrong_value, 1, first.entered_at, first.released_at),
            is_current=False,
        ),
        replace(
            _build_result(test.code, value, 2, last.entered_at, last.released_at),
            reason_code="REPEAT",
            reason="Changed on repeat testing",
            explanation="The first injection was repeated.",
        ),
    )


def _generate_value(rng: Random, code: str, specimen: _Specimen) -> str:
    method = _METHODS[code]
    if method.method is ToxicologyMethod.VALIDITY:
        if method.low is None:
            return "NEGATIVE"
        if code == "VPH":
            return f"{rng.uniform(5, 8):.1f}"
        low = 3 if specimen.is_diluted else _OLDEST_CREATININE
        return str(rng.randint(low, 15 if specimen.is_diluted else _NEWEST_CREATININE))
    is_present = bool(specimen.substances & set(method.targets))
    if method.method is ToxicologyMethod.SCREEN:
        return "POSITIVE" if is_present else "NEGATIVE"
    cut_off = int(method.cut_off or 1)
    return str(rng.randint(cut_off, cut_off * 40)) if is_present else "NEGATIVE"


def _build_result(
    code: str, value: str, revision: int, entered_at: datetime, released_at: datetime | None
) -> DemoToxicologyResult:
    method = _METHODS[code]
    is_validity = method.method is ToxicologyMethod.VALIDITY
    reading = rules.parse_reading(value, method.cut_off)
    return DemoToxicologyResult(
        revision=revision,
        is_current=True,
        value=value,
        is_detected=None if is_validity else reading is Reading.DETECTED,
        method=method.method,
        unit=_CATALOG[code].unit,
        cut_off=method.cut_off,
        low=method.low,
        high=method.high,
        detection_window=method.detection_window,
        reason_code=None,
        reason=None,
        explanation=None,
        entered_at=entered_at,
        released_at=released_at,
        released_by_name=RELEASED_BY if released_at else None,
    )


def _assess_order(
    order: DemoOrder, medications: Sequence[str], drugs: Sequence[ReportedDrug]
) -> DemoOrder:
    """Return the order with the verdicts on its released results, and its alert."""
    measured_tests = [test for test in order.tests if _is_measured(test)]
    fault = _find_fault(measured_tests)
    doubt = fault or _find_missing_validity(measured_tests)
    verdicts = rules.compute_verdicts(
        drugs,
        [
            JudgedTest(
                key=test.position,
                name=test.name.upper(),
                method=_METHODS[test.code].method,
                targets=frozenset(_METHODS[test.code].targets),
                is_detected=released_result.is_detected if released_result else None,
            )
            for test in measured_tests
            if _METHODS[test.code].method is not ToxicologyMethod.VALIDITY
            for released_result in (_find_released(test),)
        ],
        toxicology.list_metabolites(),
        doubt,
    )
    positives = [v for v in verdicts if v.kind is ToxicologyVerdict.UNEXPECTED_POSITIVE]
    is_critical = any(not v.is_presumptive and _SUBSTANCES.get(v.name, False) for v in positives)
    is_abnormal = fault is not None or any(
        v.kind in (ToxicologyVerdict.UNEXPECTED_NEGATIVE, ToxicologyVerdict.UNEXPECTED_POSITIVE)
        for v in verdicts
    )
    critical_kinds = set_family(order.critical_kinds, ResultKind.TOXICOLOGY, is_critical)
    abnormal_kinds = set_family(order.abnormal_kinds, ResultKind.TOXICOLOGY, is_abnormal)
    times = [r.released_at for test in measured_tests for r in test.toxicology if r.released_at]
    return replace(
        order,
        critical_kinds=critical_kinds,
        abnormal_kinds=abnormal_kinds,
        has_critical=critical_kinds != 0,
        has_abnormal=abnormal_kinds != 0,
        assessment=DemoAssessment(
            medications=tuple(medications),
            edition=toxicology.EDITION,
            specimen_fault=fault,
            verdicts=tuple(asdict(verdict) for verdict in verdicts),
            has_unexpected_positive=bool(positives),
            released_at=max(times),
        ),
    )


def _find_fault(tests: Sequence[DemoOrderTest]) -> str | None:
    for test in tests:
        method, released_result = _METHODS[test.code], _find_released(test)
        if method.method is ToxicologyMethod.VALIDITY and released_result is not None:
            limit = ValidityLimit(method.low, method.high)
            fault = rules.find_specimen_fault(test.name.upper(), released_result.value, limit)
            if fault is not None:
                return fault
    return None


def _find_missing_validity(tests: Sequence[DemoOrderTest]) -> str | None:
    for test in tests:
        is_validity = _METHODS[test.code].method is ToxicologyMethod.VALIDITY
        if is_validity and _find_released(test) is None:
            return f"{test.name.upper()} is pending"
    return None
