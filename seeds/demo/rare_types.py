"""Tests of less common result types: titers, cut-offs, open results, strict limits (R 3).

An order gets them if it has certain other tests. They have a separate random generator, so the rest
of the demo lab is the same with and without them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.orders.rules import compute_order_status, set_family
from app.server.results.clinical.rules import is_abnormal, is_critical
from seeds.demo import values
from seeds.demo.orders import build_result
from seeds.demo.records import (
    DemoOrder,
    DemoOrderTest,
    DemoPatient,
    DemoRequisition,
    DemoRequisitionTest,
    DemoResult,
)

HISTORY_TESTS = ("ANAT", "ASO", "ELAS", "LYMI", "U24V")
"""The tests that the patient with the long history has every ``MONTHS_BETWEEN`` months."""
MONTHS_BETWEEN = 3
HISTORY_ORDERS = 4
_CLIENT = "C001"
_TESTS_TO_ENTER = (*HISTORY_TESTS, "CRYC", "SMEAR")

# An ordered test or panel, the test that is added to it, and the share of such orders.
_OCCASIONS = (
    ("ANA", "ANAT", 1.0),
    ("RHEUM", "ASO", 0.5),
    ("RHEUM", "LYMI", 0.6),
    ("HEPAC", "SMAT", 0.4),
    ("HEPAC", "CRYC", 0.2),
    ("RENAL", "U24V", 0.5),
    ("RETIC", "SMEAR", 0.4),
    ("CALP", "ELAS", 0.8),
)
_STAGES = {
    OrderStatus.FINAL: ResultStatus.FINAL,
    OrderStatus.UNRELEASED: ResultStatus.UNRELEASED,
    OrderStatus.PENDING: ResultStatus.PENDING,
    OrderStatus.PARTIAL: ResultStatus.PENDING,
    OrderStatus.CANCELED: ResultStatus.CANCELED,
}
_WORK = timedelta(minutes=25)


def _choose_titer(rng: Random, first: int, *, is_positive: bool) -> str:
    if not is_positive:
        return f"<1:{first}"
    return f"1:{first * 2 ** rng.choices((1, 2, 3, 4, 5), (30, 30, 20, 12, 8))[0]}"


def _choose_elastase(rng: Random) -> str:
    shares = ((">500", 35), (str(rng.randint(215, 495)), 45), (str(rng.randint(40, 195)), 20))
    return rng.choices([value for value, _ in shares], [share for _, share in shares])[0]


def _choose_index(rng: Random) -> str:
    low, high = rng.choices(((0.1, 0.85), (0.91, 1.08), (1.2, 4.5)), (75, 10, 15))[0]
    return f"{rng.uniform(low, high):.2f}"


def _choose_volume(rng: Random) -> str:
    if rng.random() < 0.08:
        return "INCOMPLETE COLLECTION"
    return str(rng.choices((rng.randrange(900, 1_950, 25), rng.randrange(350, 750, 25)), (8, 2))[0])


_Generator = Callable[[Random, bool], str]  # The second argument: whether the screen is positive.

_GENERATORS: dict[str, _Generator] = {
    "ANAT": lambda rng, is_positive: _choose_titer(rng, 40, is_positive=is_positive),
    "SMAT": lambda rng, _: _choose_titer(rng, 20, is_positive=rng.random() < 0.15),
    "ASO": lambda rng, _: str(
        rng.choices((rng.randint(20, 140), rng.randint(215, 900)), (8, 2))[0]
    ),
    "ELAS": lambda rng, _: _choose_elastase(rng),
    "LYMI": lambda rng, _: _choose_index(rng),
    "U24V": lambda rng, _: _choose_volume(rng),
    "CRYC": lambda rng, _: rng.choices(("NEGATIVE AT 72 HOURS", "1", "2", "4"), (80, 8, 8, 4))[0],
    "SMEAR": lambda rng, _: rng.choice(
        (
            "NORMOCYTIC, NORMOCHROMIC; NO SCHISTOCYTES",
            "MODERATE MICROCYTOSIS AND HYPOCHROMIA",
            "OCCASIONAL TARGET CELLS; PLATELETS ADEQUATE",
        )
    ),
}


def add_tests(requisition: DemoRequisition, patient: DemoPatient) -> DemoRequisition:
    """Add rare tests that fit the requisition's tests, with as much progress as those."""
    rng = Random(f"rare types {requisition.number}")
    ordered_codes = {test.code for test in requisition.tests}
    codes = [
        code
        for occasion, code, share in _OCCASIONS
        if occasion in ordered_codes and rng.random() < share
    ]
    return _complete(rng, requisition, patient, codes)


def add_tests_to_enter(
    requisitions: Sequence[DemoRequisition], patients: Mapping[int, DemoPatient]
) -> list[DemoRequisition]:
    """Add a test of each type to one order that waits for its results.

    It is the third newest such order of the client, because the two newest show a rejected tube and
    canceled tests. If the client has at most two, it is the newest such order of the other clients.
    """
    waiting = [
        index
        for index, requisition in enumerate(requisitions)
        if requisition.order is not None
        and requisition.order.status is OrderStatus.PENDING
        and len(requisition.order.tests) > 1
    ]
    of_client = [index for index in waiting if requisitions[index].client_code == _CLIENT]
    of_others = [index for index in waiting if requisitions[index].client_code != _CLIENT]
    completed = list(requisitions)
    for index in [*of_others, *of_client[:-2]][-1:]:
        requisition = requisitions[index]
        ordered_codes = {test.code for test in requisition.tests}
        codes = [code for code in _TESTS_TO_ENTER if code not in ordered_codes]
        patient = patients[requisition.patient_index]
        completed[index] = _complete(Random(0), requisition, patient, codes)
    return completed


def add_history_tests(
    requisitions: Sequence[DemoRequisition], patient: DemoPatient
) -> tuple[DemoRequisition, ...]:
    """Add ``HISTORY_TESTS`` to some of the patient's orders, including the newest one."""
    newest = len(requisitions) - 1
    return tuple(
        _complete(
            Random(f"rare types {requisition.number}"),
            requisition,
            patient,
            HISTORY_TESTS
            if (newest - index) % MONTHS_BETWEEN == 0
            and (newest - index) // MONTHS_BETWEEN < HISTORY_ORDERS
            else (),
        )
        for index, requisition in enumerate(requisitions)
    )


def _complete(
    rng: Random, requisition: DemoRequisition, patient: DemoPatient, codes: Iterable[str]
) -> DemoRequisition:
    order = requisition.order
    if order is None or order.status not in _STAGES:
        return requisition
    status = _STAGES[order.status]
    tests, rows = list(requisition.tests), list(order.tests)
    for code in codes:
        test = values.load_catalog()[code]
        tests.append(DemoRequisitionTest(code, None, 0, len(tests), False))
        rows.append(
            DemoOrderTest(
                code=code,
                name=test.name,
                kind=test.kind,
                is_panel=False,
                is_confidential=False,
                parent=None,
                level=0,
                position=len(rows),
                status=status,
                results=_build_results(rng, requisition, order, patient, code, status),
            )
        )
    return replace(requisition, tests=tuple(tests), order=_finish(order, rows))


def _build_results(
    rng: Random,
    requisition: DemoRequisition,
    order: DemoOrder,
    patient: DemoPatient,
    code: str,
    status: ResultStatus,
) -> tuple[DemoResult, ...]:
    """Build the result of an added test, which is ready with the order's last result."""
    is_positive = any(
        result.value == "POSITIVE"
        for test in order.tests
        if test.code == "ANA"
        for result in test.results[-1:]
    )
    if code in HISTORY_TESTS and not any(test.code == "ANA" for test in order.tests):
        is_positive = rng.random() < 0.5
    times = [result.entered_at for test in order.tests for result in test.results]
    if status not in (ResultStatus.FINAL, ResultStatus.UNRELEASED) or not times:
        return ()
    value = _GENERATORS[code](rng, is_positive)
    age = max(0, (requisition.collection_date.date() - patient.birth_date).days)
    person = values.Person(patient.index, patient.gender, age)
    released_at = order.reported_at if status is ResultStatus.FINAL else None
    entered_at = max(times) if released_at is None else max(order.received_at, released_at - _WORK)
    return (build_result(person, code, value, None, entered_at, released_at, 1, True),)


def _finish(order: DemoOrder, rows: Sequence[DemoOrderTest]) -> DemoOrder:
    """Return the order with these tests, its status, and what they say about its alerts."""
    critical_kinds, abnormal_kinds = order.critical_kinds, order.abnormal_kinds
    for row in rows[len(order.tests) :]:
        for result in row.results:
            if result.released_at is not None and is_abnormal(result.flag):
                abnormal_kinds = set_family(abnormal_kinds, row.kind, True)
            if result.released_at is not None and is_critical(result.flag):
                critical_kinds = set_family(critical_kinds, row.kind, True)
    return replace(
        order,
        status=compute_order_status(row.status for row in rows if not row.is_panel),
        critical_kinds=critical_kinds,
        has_critical=critical_kinds != 0,
        abnormal_kinds=abnormal_kinds,
        has_abnormal=abnormal_kinds != 0,
        tests=tuple(rows),
    )
