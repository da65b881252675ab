"""One patient with five years of monthly results, for cumulative results (R 2.3).

The method of her creatinine changes, the ranges of potassium and creatinine change, and for three
months the lab received nothing. One order has results of all four families. She has the demo
account of a patient.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import sin
from random import Random

from app.contract.enumerations import (
    BillTo,
    Fasting,
    Gender,
    Priority,
    RequisitionStatus,
    ResultStatus,
)
from app.server.results.clinical.rules import NUMERIC_TYPES, Range, compute_flag, format_range
from seeds.demo import cultures, pathology, toxicology, values
from seeds.demo.orders import Setting, build_requisition_tests, build_result, finish_order
from seeds.demo.people import build_patient, get_physician_email
from seeds.demo.records import (
    DemoHistory,
    DemoOrder,
    DemoOrderTest,
    DemoPatient,
    DemoRequisition,
    DemoResult,
    DemoSignature,
)

MONTHS = 60
GAP = range(22, 25)
"""The months without an order, counted from the first month."""

_FIRST_MONTH_OF_DRUG_TESTS, _MONTHS_BETWEEN_DRUG_TESTS = 30, 6
_MONTH_OF_ALL_FAMILIES = 54
"""A month whose order has a pathology report, in addition to drug tests and a culture."""
_NEWEST = timedelta(days=4)
_CLIENT = "C001"
_TESTS = ("BMP", "A1CP", "CBC")
_DIAGNOSES = ("E11.9", "N18.31")
_MEDICATIONS = ("METFORMIN", "LOSARTAN", "OXYCODONE-ACETAMINOPHEN")


@dataclass(frozen=True)
class _Course:
    """An analyte's value in the first and the last month, and how much it varies."""

    first: float
    last: float
    spread: float


_COURSES = {
    "CREA": _Course(0.82, 1.42, 0.07),
    "K": _Course(4.2, 4.9, 0.25),
    "GLU": _Course(176, 108, 14),
    "A1C": _Course(8.9, 6.3, 0.2),
    "HGB": _Course(13.4, 11.3, 0.3),
}
_OUTLIERS = {("K", 41): 6.4, ("GLU", 47): 52.0}


@dataclass(frozen=True)
class _Standard:
    """The method and limits by which the lab judged an analyte, beginning with ``month``."""

    month: int
    low: str
    high: str
    method: str
    critical_low: str | None = None
    critical_high: str | None = None

    def build_range(self) -> Range:
        """Build the limits of the standard."""
        limits = (self.low, self.high, self.critical_low, self.critical_high)
        return Range(*(None if limit is None else Decimal(limit) for limit in limits))


_STANDARDS = {
    "CREA": (
        _Standard(0, "0.60", "1.10", "JAFFE", None, "7.40"),
        _Standard(32, "0.59", "1.04", "ENZYMATIC", None, "7.40"),
    ),
    "K": (
        _Standard(0, "3.5", "5.3", "ISE", "2.8", "6.2"),
        _Standard(38, "3.5", "5.1", "ISE", "2.8", "6.2"),
    ),
    "A1C": (_Standard(0, "4.0", "5.6", "HPLC"),),
}


def build_history(rng: Random, setting: Setting, first_number: int) -> DemoHistory:
    """Build the patient and her requisitions, which are numbered from ``first_number``."""
    patient = _build_history_patient(rng, setting)
    months = [month for month in range(MONTHS) if month not in GAP]
    return DemoHistory(
        patient,
        tuple(
            _build_requisition(rng, setting, patient, month, number)
            for number, month in enumerate(months, start=first_number)
        ),
    )


def _build_history_patient(rng: Random, setting: Setting) -> DemoPatient:
    client, physician = setting.clients[_CLIENT], setting.physicians[0]
    patient = build_patient(
        rng, len(setting.patients), client, [physician], setting.as_of, resident=False
    )
    return replace(
        patient,
        last_name="YEARWOOD",
        first_name="FREYA",
        birth_date=date(setting.as_of.year - 64, 3, 14),
        gender=Gender.FEMALE,
        unit=client.units[0],
    )


def _compute_collected(as_of: date, month: int) -> datetime:
    """Return the time of a month's collection, on a weekday morning."""
    day = as_of - _NEWEST - timedelta(days=round((MONTHS - 1 - month) * 30.44))
    day -= timedelta(days=max(0, day.weekday() - 4))
    return datetime.combine(day, time(8, 15))


def _build_requisition(
    rng: Random, setting: Setting, patient: DemoPatient, month: int, number: int
) -> DemoRequisition:
    collected_at = _compute_collected(setting.as_of, month)
    created = collected_at - timedelta(hours=2)
    physician = setting.physicians[0]
    code = f"R{collected_at:%y}{number:07d}"
    tests = build_requisition_tests(_list_codes(month))
    order = _build_order(rng, patient, month, code, collected_at, [test.code for test in tests])
    rows = zip(tests, order.tests, strict=True)
    order = replace(
        order,
        tests=tuple(
            replace(row, parent=test.parent, level=test.level, is_confidential=test.is_confidential)
            for test, row in rows
        ),
    )
    order = pathology.add_reports(order, setting.now)
    order = cultures.add_cultures(order, collected_at, setting.now)
    return DemoRequisition(
        number=number,
        code=code,
        client_code=patient.client_code,
        physician_npi=physician.npi,
        patient_index=patient.index,
        unit=patient.unit,
        room=patient.room,
        bed=patient.bed,
        status=RequisitionStatus.DONE,
        created_at=created,
        collection_date=collected_at,
        fasting=Fasting.FASTING,
        priority=Priority.ROUTINE,
        bill_to=BillTo.CLIENT,
        comments=None,
        cancel_comment=None,
        tests=tests,
        diagnoses=_DIAGNOSES,
        medications=_MEDICATIONS,
        signature=DemoSignature(
            get_physician_email(physician, setting.physicians),
            f"{physician.first_name} {physician.last_name}",
            created + timedelta(minutes=20),
        ),
        order=toxicology.add_results(order, _MEDICATIONS),
    )


def _list_codes(month: int) -> tuple[str, ...]:
    """Return the codes of the tests that are ordered in a month."""
    since_drugs = month - _FIRST_MONTH_OF_DRUG_TESTS
    if since_drugs < 0 or since_drugs % _MONTHS_BETWEEN_DRUG_TESTS:
        return _TESTS
    codes = (*_TESTS, "UDS", "WCUL")
    return (*codes, "PAP") if month == _MONTH_OF_ALL_FAMILIES else codes


def _build_order(
    rng: Random,
    patient: DemoPatient,
    month: int,
    code: str,
    collected_at: datetime,
    codes: Sequence[str],
) -> DemoOrder:
    age = (collected_at.date() - patient.birth_date).days
    person = values.Person(patient.index, patient.gender, age)
    catalog = values.load_catalog()
    received_at = collected_at + timedelta(hours=3)
    measured_tests = [test for test in codes if not catalog[test].is_panel]
    texts = _generate_values(rng, person, month, measured_tests)
    rows = [
        DemoOrderTest(
            code=test,
            name=catalog[test].name,
            kind=catalog[test].kind,
            is_panel=catalog[test].is_panel,
            is_confidential=False,
            parent=None,
            level=0,
            position=position,
            status=ResultStatus.NONE if catalog[test].is_panel else ResultStatus.FINAL,
            results=(
                (_build_history_result(person, month, test, texts[test], received_at),)
                if test in texts
                else ()
            ),
        )
        for position, test in enumerate(codes)
    ]
    return finish_order(rng, code, received_at, rows)


def _generate_values(
    rng: Random, person: values.Person, month: int, codes: Sequence[str]
) -> dict[str, str]:
    """Generate the results of a month; the followed analytes take their course."""
    catalog = values.load_catalog()
    texts = values.generate_results(rng, person, codes)
    numbers = {
        code: float(text)
        for code, text in texts.items()
        if catalog[code].result_type in NUMERIC_TYPES
    }
    for code, course in _COURSES.items():
        trend = course.first + (course.last - course.first) * month / (MONTHS - 1)
        wave = course.spread * sin(month / 2) / 2
        value = _OUTLIERS.get((code, month), trend + wave + rng.gauss(0, course.spread / 3))
        numbers[code] = round(value, catalog[code].decimals or 0)
    for code in numbers:
        if code in values.FORMULAS:
            _, calculate = values.FORMULAS[code]
            numbers[code] = calculate(numbers, person)
    return texts | {
        code: f"{number:.{catalog[code].decimals or 0}f}" for code, number in numbers.items()
    }


def _build_history_result(
    person: values.Person, month: int, code: str, value: str, received_at: datetime
) -> DemoResult:
    entered_at = received_at + timedelta(hours=2)
    released_at = entered_at + timedelta(minutes=40)
    result = build_result(person, code, value, None, entered_at, released_at, 1, True)
    standard = next(
        (
            past_standard
            for past_standard in reversed(_STANDARDS.get(code, ()))
            if past_standard.month <= month
        ),
        None,
    )
    if standard is None:
        return result
    test, limits = values.load_catalog()[code], standard.build_range()
    return replace(
        result,
        method=standard.method,
        low=limits.low,
        high=limits.high,
        reference_range=format_range(limits.low, limits.high, None, (), test.result_type),
        flag=compute_flag(test.result_type, value, limits, test.normal_choices),
    )
