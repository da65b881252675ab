"""Requisitions from two years, with their orders and results."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from random import Random

from app.contract.enumerations import (
    BillTo,
    Fasting,
    Gender,
    OrderStatus,
    Priority,
    RequisitionStatus,
    ResultKind,
    ResultStatus,
)
from app.server.orders.rules import compute_order_status, set_family
from app.server.results.clinical.rules import (
    Range,
    compute_flag,
    format_range,
    is_abnormal,
    is_critical,
    parse_value,
)
from seeds.demo import cultures, pathology, toxicology, values, words
from seeds.demo.people import get_physician_email
from seeds.demo.profiles import PROFILES, Profile
from seeds.demo.progress import Progress, choose_progress, choose_stage
from seeds.demo.records import (
    DemoClient,
    DemoOrder,
    DemoOrderTest,
    DemoPatient,
    DemoPhysician,
    DemoRequisition,
    DemoRequisitionTest,
    DemoResult,
    DemoSignature,
)
from seeds.reference.catalog import find_range, list_panel_members

PRELIMINARY_SHARE = 0.08
"""The share of completed orders with a culture whose final reading is still missing."""

_ORDERED_BEFORE = timedelta(days=2)
"""The longest time between a requisition and its collection, in whole days."""

_CONFIDENTIAL = frozenset({"HIV", "HIVVL", "UDS", "TOXC"})


@dataclass(frozen=True)
class Setting:
    """The inputs of generated requisitions."""

    as_of: date
    clients: dict[str, DemoClient]
    physicians: Sequence[DemoPhysician]
    physicians_by_npi: dict[str, DemoPhysician]
    physicians_by_client: dict[str, list[DemoPhysician]]
    patients: Sequence[DemoPatient]

    @property
    def now(self) -> datetime:
        """The start of ``as_of``; the demo has no later events."""
        return datetime.combine(self.as_of, time())


@cache
def _load_members() -> dict[str, tuple[str, ...]]:
    members: dict[str, list[str]] = {}
    for row in list_panel_members():
        members.setdefault(row.panel, []).append(row.test)
    return {panel: tuple(tests) for panel, tests in members.items()}


def build_requisition_tests(roots: Sequence[str]) -> tuple[DemoRequisitionTest, ...]:
    """Return a requisition's tests with the members of its panels, in printing order."""
    rows: list[DemoRequisitionTest] = []
    for root in roots:
        is_confidential = root in _CONFIDENTIAL
        place = len(rows)
        rows.append(DemoRequisitionTest(root, None, 0, place, is_confidential))
        for member in _load_members().get(root, ()):
            rows.append(DemoRequisitionTest(member, place, 1, len(rows), is_confidential))
    return tuple(rows)


def build_requisition(
    rng: Random,
    setting: Setting,
    number: int,
    collected_at: datetime,
    *,
    waits_at: str | None = None,
) -> DemoRequisition:
    """Build a requisition with its order and results.

    ``waits_at`` is the client of an order that waits for all of its results. Without it, the client
    and the progress are random.
    """
    patients = [p for p in setting.patients if waits_at is None or p.client_code == waits_at]
    patient = _choose_patient(rng, patients, collected_at)
    client = setting.clients[patient.client_code]
    physician = _choose_physician(rng, setting, patient)
    person = values.Person(
        patient.index, patient.gender, max(0, (collected_at.date() - patient.birth_date).days)
    )
    profiles = _choose_profiles(rng, person)
    roots = list(dict.fromkeys(test for profile in profiles for test in profile.tests))
    if not person.has_filtration_rate:
        roots = _leave_out_filtration_rate(roots)
    tests = build_requisition_tests(_remove_duplicates(roots))
    status = RequisitionStatus.DONE if waits_at else _choose_status(rng, setting.now - collected_at)
    code = f"R{collected_at:%y}{number:07d}"
    order = None
    if status is RequisitionStatus.DONE:
        stage = OrderStatus.PENDING if waits_at else None
        order = _build_order(rng, setting, person, code, collected_at, tests, stage)
        order = pathology.add_reports(order, setting.now)
        order = cultures.add_cultures(order, collected_at, setting.now)
    created = collected_at - timedelta(hours=rng.randint(1, 30), minutes=rng.randrange(60))
    created = min(created, setting.now - timedelta(minutes=5))
    requisition = DemoRequisition(
        number=number,
        code=code,
        client_code=client.code,
        physician_npi=physician.npi,
        patient_index=patient.index,
        unit=patient.unit,
        room=patient.room,
        bed=patient.bed,
        status=status,
        created_at=created,
        collection_date=collected_at,
        fasting=rng.choices(tuple(Fasting), (3, 4, 3))[0],
        priority=rng.choices(tuple(Priority), (7, 86, 5, 2))[0],
        bill_to=_choose_bill_to(rng, client),
        comments=rng.choice(words.REQUISITION_COMMENTS) if rng.random() < 0.12 else None,
        cancel_comment=(
            rng.choice(words.CANCEL_COMMENTS) if status is RequisitionStatus.CANCELED else None
        ),
        tests=tests,
        diagnoses=_sample_names(rng, [d for profile in profiles for d in profile.diagnoses], 1, 3),
        medications=_sample_names(
            rng, [m for profile in profiles for m in profile.medications], 0, 4
        ),
        signature=_build_signature(rng, setting, status, physician, created),
        order=order,
    )
    if order is None:
        return requisition
    return replace(requisition, order=toxicology.add_results(order, requisition.medications))


def _choose_patient(
    rng: Random, patients: Sequence[DemoPatient], collected_at: datetime
) -> DemoPatient:
    """Choose among the patients who were born when the specimens were ordered and collected."""
    ordered_on = (collected_at - _ORDERED_BEFORE).date()
    return rng.choice([patient for patient in patients if patient.birth_date < ordered_on])


def _choose_physician(rng: Random, setting: Setting, patient: DemoPatient) -> DemoPhysician:
    physicians = setting.physicians_by_client[patient.client_code]
    if setting.physicians[0] in physicians and rng.random() < 0.25:
        return setting.physicians[0]
    if rng.random() < 0.7:
        return setting.physicians_by_npi[patient.physician_npi]
    return rng.choice(physicians)


def _choose_profiles(rng: Random, person: values.Person) -> list[Profile]:
    matching = [profile for profile in PROFILES if profile.fits(person.gender, person.years)]
    weights = [profile.weight for profile in matching]
    count = 2 if rng.random() < 0.3 else 1
    return list(dict.fromkeys(rng.choices(matching, weights, k=count)))


def _leave_out_filtration_rate(roots: Sequence[str]) -> list[str]:
    """Leave out panels with an eGFR, whose formula needs an adult and a sex."""
    remaining_roots = [
        root for root in roots if "EGFR" not in (root, *_load_members().get(root, ()))
    ]
    return remaining_roots or ["CBCD"]


def _remove_duplicates(roots: Sequence[str]) -> list[str]:
    """Remove tests that a panel of the same requisition contains."""
    members = {member for root in roots for member in _load_members().get(root, ())}
    chosen_tests: list[str] = []
    for root in roots:
        tests = set(_load_members().get(root, (root,)))
        covered = {m for code in chosen_tests for m in _load_members().get(code, (code,))}
        if root in members or tests <= covered:
            continue
        chosen_tests.append(root)
    return chosen_tests


def _choose_status(rng: Random, age: timedelta) -> RequisitionStatus:
    if age <= timedelta():
        return RequisitionStatus.PENDING
    pending_share, canceled_share = (0.45, 0.04) if age < timedelta(days=5) else (0.06, 0.05)
    if age < timedelta(days=1):
        pending_share = 0.8
    chance = rng.random()
    if chance < pending_share:
        return RequisitionStatus.PENDING
    return (
        RequisitionStatus.CANCELED
        if chance < pending_share + canceled_share
        else RequisitionStatus.DONE
    )


def _choose_bill_to(rng: Random, client: DemoClient) -> BillTo:
    if rng.random() < 0.8:
        return client.default_bill_to
    return rng.choice((BillTo.INSURANCE, BillTo.CLIENT, BillTo.PATIENT))


def _sample_names(rng: Random, names: Sequence[str], minimum: int, maximum: int) -> tuple[str, ...]:
    unique = list(dict.fromkeys(names))
    count = min(len(unique), rng.randint(minimum, maximum))
    return tuple(rng.sample(unique, count))


def _build_signature(
    rng: Random,
    setting: Setting,
    status: RequisitionStatus,
    physician: DemoPhysician,
    created: datetime,
) -> DemoSignature | None:
    share = {RequisitionStatus.DONE: 0.85, RequisitionStatus.PENDING: 0.5}.get(status, 0.2)
    if rng.random() >= share:
        return None
    signed_at = min(created + timedelta(minutes=rng.randint(2, 600)), setting.now)
    email = get_physician_email(physician, setting.physicians)
    return DemoSignature(email, f"{physician.first_name} {physician.last_name}", signed_at)


# -- orders --------------------------------------------------------------------------------


def _build_order(
    rng: Random,
    setting: Setting,
    person: values.Person,
    requisition_code: str,
    collected_at: datetime,
    tests: Sequence[DemoRequisitionTest],
    stage: OrderStatus | None,
) -> DemoOrder:
    arrived = collected_at if collected_at.time() != time() else collected_at + timedelta(hours=8)
    received_at = min(arrived + timedelta(minutes=rng.randint(60, 600)), setting.now)
    stage = stage or choose_stage(rng, setting.now - received_at)
    catalog = values.load_catalog()
    has_cultures = any(catalog[test.code].kind is ResultKind.MICROBIOLOGY for test in tests)
    if has_cultures and stage is OrderStatus.FINAL and rng.random() < PRELIMINARY_SHARE:
        stage = OrderStatus.PRELIMINARY
    measured_tests = [test.code for test in tests if not catalog[test.code].is_panel]
    results_by_code = values.generate_results(rng, person, measured_tests)
    progress_by_code = choose_progress(rng, stage, measured_tests)
    order_tests: list[DemoOrderTest] = []
    states: dict[str, ResultStatus] = {}
    for row in tests:
        test = catalog[row.code]
        results: tuple[DemoResult, ...] = ()
        # A test that belongs to two panels has one result; the second row shows it, too.
        state = states.get(row.code, ResultStatus.NONE)
        if not test.is_panel and row.code not in states:
            results = _build_results(
                rng,
                setting,
                person,
                row.code,
                results_by_code[row.code],
                received_at,
                progress_by_code[row.code],
            )
            state = _compute_result_status(stage, results)
            if state is ResultStatus.PRELIMINARY and test.kind is not ResultKind.MICROBIOLOGY:
                state = ResultStatus.FINAL
            states[row.code] = state
        order_tests.append(
            DemoOrderTest(
                code=test.code,
                name=test.name,
                kind=test.kind,
                is_panel=test.is_panel,
                is_confidential=row.is_confidential,
                parent=row.parent,
                level=row.level,
                position=row.position,
                status=state,
                results=results,
            )
        )
    return finish_order(rng, requisition_code, received_at, order_tests)


def _compute_result_status(stage: OrderStatus, results: Sequence[DemoResult]) -> ResultStatus:
    if stage is OrderStatus.CANCELED:
        return ResultStatus.CANCELED
    if not results:
        return ResultStatus.PENDING
    if results[-1].released_at is None:
        return ResultStatus.UNRELEASED
    return ResultStatus.PRELIMINARY if stage is OrderStatus.PRELIMINARY else ResultStatus.FINAL


def _build_results(
    rng: Random,
    setting: Setting,
    person: values.Person,
    code: str,
    value: str,
    received_at: datetime,
    progress: Progress,
) -> tuple[DemoResult, ...]:
    is_entered, is_released = progress
    if not is_entered:
        return ()
    wait = timedelta(minutes=rng.randint(45, 1_500))
    first = min(received_at + wait, setting.now)
    released_at = (
        min(first + timedelta(minutes=rng.randint(5, 120)), setting.now) if is_released else None
    )
    comment = rng.choice(words.RESULT_COMMENTS) if rng.random() < 0.01 else None
    if not is_released or rng.random() >= 0.006:
        return (build_result(person, code, value, comment, first, released_at, 1, True),)
    # A correction leaves the first value in the history.
    first_value = values.generate_results(rng, person, [code])[code]
    corrected_at = min(first + timedelta(hours=rng.randint(3, 20)), setting.now)
    return (
        build_result(person, code, first_value, None, first, released_at, 1, False),
        build_result(person, code, value, "Corrected result.", corrected_at, corrected_at, 2, True),
    )


def build_result(
    person: values.Person,
    code: str,
    value: str,
    comment: str | None,
    entered_at: datetime,
    released_at: datetime | None,
    revision: int,
    is_current: bool,
) -> DemoResult:
    """Build a version of a result, judged by the range of the catalog."""
    test = values.load_catalog()[code]
    sign, number = parse_value(test.result_type, value) or (None, None)
    limits, range_text = _find_range(code, person.gender, person.age_days)
    return DemoResult(
        revision=revision,
        is_current=is_current,
        value=value,
        sign=sign or None,
        number=number,
        comment=comment,
        flag=compute_flag(test.result_type, value, limits, test.normal_choices),
        unit=test.unit,
        reference_range=range_text,
        low=limits.low,
        high=limits.high,
        reason="REPEAT" if revision > 1 else None,
        entered_at=entered_at,
        released_at=released_at,
        method=test.method,
    )


_NO_RANGE = Range()


def _find_range(code: str, gender: Gender, age_days: int) -> tuple[Range, str | None]:
    row = find_range(code, gender, age_days)
    test = values.load_catalog()[code]
    normal = test.normal_choices
    if row is None:
        return _NO_RANGE, format_range(None, None, None, normal)
    return (
        Range(row.low, row.high, row.critical_low, row.critical_high),
        format_range(row.low, row.high, row.words, normal, test.result_type),
    )


def finish_order(
    rng: Random,
    requisition_code: str,
    received_at: datetime,
    rows: Sequence[DemoOrderTest],
) -> DemoOrder:
    """Build an order of tests with their results: its status, times, and alerts."""
    measured_rows = [row for row in rows if not row.is_panel]
    times = list[datetime]()
    critical_kinds = abnormal_kinds = 0
    for row in measured_rows:
        released_result = next(
            (r for r in reversed(row.results) if r.released_at is not None), None
        )
        if released_result is None or released_result.released_at is None:
            continue
        times.append(released_result.released_at)
        if is_critical(released_result.flag):
            critical_kinds = set_family(critical_kinds, row.kind, True)
        if is_abnormal(released_result.flag):
            abnormal_kinds = set_family(abnormal_kinds, row.kind, True)
    has_critical = critical_kinds != 0
    condition = "ACCEPTABLE" if rng.random() < 0.97 else rng.choice(words.SPECIMEN_CONDITIONS)
    comment = rng.choice(words.REPORT_COMMENTS[:2]) if rng.random() < 0.05 else None
    return DemoOrder(
        code=f"L{requisition_code[1:]}",
        status=compute_order_status(row.status for row in measured_rows),
        received_at=received_at,
        reported_at=max(times, default=None),
        specimen_condition=condition,
        report_comment=words.REPORT_COMMENTS[2] if has_critical else comment,
        has_critical=has_critical,
        has_abnormal=abnormal_kinds != 0,
        critical_kinds=critical_kinds,
        abnormal_kinds=abnormal_kinds,
        tests=tuple(rows),
    )
