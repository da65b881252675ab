"""Requisitions of two years with their orders and results."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from random import Random

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    BillTo,
    Fasting,
    Gender,
    OrderStatus,
    Priority,
    RequisitionStatus,
    ResultFlag,
    ResultKind,
    ResultStatus,
)
from app.server.orders.rules import TestState, compute_order_status
from app.server.results.clinical.rules import Range, compute_flag, format_range
from seeds.demo import values, words
from seeds.demo.people import physician_email
from seeds.demo.profiles import PROFILES, Profile
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
from seeds.reference.catalog import panel_members, range_for

DAYS = 730
"""The period that the demo covers."""

PRELIMINARY_SHARE = 0.08
"""The share of orders with a culture that still wait for the last reading."""

_CONFIDENTIAL = frozenset({"HIV", "HIVVL", "UDS"})


@dataclass(frozen=True)
class Setting:
    """The inputs of generated requisitions."""

    as_of: date
    clients: dict[str, DemoClient]
    physicians: Sequence[DemoPhysician]
    by_npi: dict[str, DemoPhysician]
    working: dict[str, list[DemoPhysician]]
    patients: Sequence[DemoPatient]

    @property
    def now(self) -> datetime:
        """The start of the day; the demo has no later events."""
        return datetime.combine(self.as_of, time())


@cache
def _members() -> dict[str, tuple[str, ...]]:
    members: dict[str, list[str]] = {}
    for each in panel_members():
        members.setdefault(each.panel, []).append(each.test)
    return {panel: tuple(tests) for panel, tests in members.items()}


def requisition_tree(roots: Sequence[str]) -> tuple[DemoRequisitionTest, ...]:
    """Return a requisition's tests with the members of its panels, in printing order."""
    rows: list[DemoRequisitionTest] = []
    for root in roots:
        secret = root in _CONFIDENTIAL
        place = len(rows)
        rows.append(DemoRequisitionTest(root, None, 0, place, secret))
        for member in _members().get(root, ()):
            rows.append(DemoRequisitionTest(member, place, 1, len(rows), secret))
    return tuple(rows)


def collection_times(rng: Random, as_of: date, count: int) -> list[datetime]:
    """Return ``count`` ascending collection times of two years, mostly on weekday mornings."""
    times: list[datetime] = []
    while len(times) < count:
        # Later days are slightly more likely, as in a growing practice.
        day = as_of - timedelta(days=1 + int(DAYS * rng.random() ** 1.15))
        if day.weekday() >= 5 and rng.random() < 0.8:
            continue
        times.append(datetime.combine(day, _clock(rng)))
    return sorted(times)


def coming_times(rng: Random, as_of: date, count: int) -> list[datetime]:
    """Return ``count`` collection times of today and tomorrow, not yet collected."""
    days = rng.choices((as_of, as_of + timedelta(days=1)), (4, 1), k=count)
    return sorted(datetime.combine(day, _clock(rng)) for day in days)


def _clock(rng: Random) -> time:
    """Return a time of day, mostly in the morning; midnight if it is unknown."""
    if rng.random() >= 0.88:
        return time()
    return time(rng.choice((6, 7, 7, 8, 8, 8, 9, 9, 10, 11, 13, 15)), rng.randrange(0, 60, 5))


def requisition(rng: Random, setting: Setting, number: int, collected: datetime) -> DemoRequisition:
    """Build a requisition with its order and results."""
    patient = rng.choice(setting.patients)
    client = setting.clients[patient.client_code]
    doctor = _doctor(rng, setting, patient)
    person = values.Person(
        patient.index, patient.gender, max(0, (collected.date() - patient.birth_date).days)
    )
    chosen = _profiles(rng, person)
    roots = list(dict.fromkeys(test for profile in chosen for test in profile.tests))
    tests = requisition_tree(_without_doubles(roots))
    status = _status(rng, setting.now - collected)
    code = f"R{collected:%y}{number:07d}"
    order = None
    if status is RequisitionStatus.DONE:
        order = _order(rng, setting, person, code, collected, tests)
    created = collected - timedelta(hours=rng.randint(1, 30), minutes=rng.randrange(60))
    created = min(created, setting.now - timedelta(minutes=5))
    return DemoRequisition(
        number=number,
        code=code,
        client_code=client.code,
        physician_npi=doctor.npi,
        patient_index=patient.index,
        unit=patient.unit,
        room=patient.room,
        bed=patient.bed,
        status=status,
        created_at=created,
        collection_date=collected,
        fasting=rng.choices(tuple(Fasting), (3, 4, 3))[0],
        priority=rng.choices(tuple(Priority), (7, 86, 5, 2))[0],
        bill_to=_bill_to(rng, client),
        comments=rng.choice(words.REQUISITION_COMMENTS) if rng.random() < 0.12 else None,
        cancel_comment=(
            rng.choice(words.CANCEL_COMMENTS) if status is RequisitionStatus.CANCELED else None
        ),
        tests=tests,
        diagnoses=_some(rng, [d for profile in chosen for d in profile.diagnoses], 1, 3),
        medications=_some(rng, [m for profile in chosen for m in profile.medications], 0, 4),
        signature=_signature(rng, setting, status, doctor, created),
        order=order,
    )


def _doctor(rng: Random, setting: Setting, patient: DemoPatient) -> DemoPhysician:
    working = setting.working[patient.client_code]
    if setting.physicians[0] in working and rng.random() < 0.25:
        return setting.physicians[0]
    if rng.random() < 0.7:
        return setting.by_npi[patient.physician_npi]
    return rng.choice(working)


def _profiles(rng: Random, person: values.Person) -> list[Profile]:
    fitting = [profile for profile in PROFILES if profile.fits(person.gender, person.years)]
    weights = [profile.weight for profile in fitting]
    count = 2 if rng.random() < 0.3 else 1
    return list(dict.fromkeys(rng.choices(fitting, weights, k=count)))


def _without_doubles(roots: Sequence[str]) -> list[str]:
    """Remove tests that a panel of the same requisition contains."""
    members = {member for root in roots for member in _members().get(root, ())}
    chosen: list[str] = []
    for root in roots:
        own_tests = set(_members().get(root, (root,)))
        covered = {m for other in chosen for m in _members().get(other, (other,))}
        if root in members or own_tests <= covered:
            continue
        chosen.append(root)
    return chosen


def _status(rng: Random, age: timedelta) -> RequisitionStatus:
    if age <= timedelta():
        return RequisitionStatus.PENDING
    pending, canceled = (0.45, 0.04) if age < timedelta(days=5) else (0.06, 0.05)
    if age < timedelta(days=1):
        pending = 0.8
    chance = rng.random()
    if chance < pending:
        return RequisitionStatus.PENDING
    return RequisitionStatus.CANCELED if chance < pending + canceled else RequisitionStatus.DONE


def _bill_to(rng: Random, client: DemoClient) -> BillTo:
    if rng.random() < 0.8:
        return client.default_bill_to
    return rng.choice((BillTo.INSURANCE, BillTo.CLIENT, BillTo.PATIENT))


def _some(rng: Random, of: Sequence[str], least: int, most: int) -> tuple[str, ...]:
    unique = list(dict.fromkeys(of))
    count = min(len(unique), rng.randint(least, most))
    return tuple(rng.sample(unique, count))


def _signature(
    rng: Random,
    setting: Setting,
    status: RequisitionStatus,
    doctor: DemoPhysician,
    created: datetime,
) -> DemoSignature | None:
    share = {RequisitionStatus.DONE: 0.85, RequisitionStatus.PENDING: 0.5}.get(status, 0.2)
    if rng.random() >= share:
        return None
    signed = min(created + timedelta(minutes=rng.randint(2, 600)), setting.now)
    email = physician_email(doctor, setting.physicians)
    return DemoSignature(email, f"{doctor.first_name} {doctor.last_name}", signed)


# -- orders --------------------------------------------------------------------------------


def _order(
    rng: Random,
    setting: Setting,
    person: values.Person,
    requisition_code: str,
    collected: datetime,
    tests: Sequence[DemoRequisitionTest],
) -> DemoOrder:
    arrived = collected if collected.time() != time() else collected + timedelta(hours=8)
    received = min(arrived + timedelta(minutes=rng.randint(60, 600)), setting.now)
    stage = _stage(rng, setting.now - received)
    catalog = values.catalog()
    cultures = any(catalog[each.code].kind is ResultKind.MICROBIOLOGY for each in tests)
    if cultures and stage is OrderStatus.FINAL and rng.random() < PRELIMINARY_SHARE:
        stage = OrderStatus.PRELIMINARY
    measured = [each.code for each in tests if not catalog[each.code].is_panel]
    drawn = values.draw(rng, person, measured)
    rows: list[DemoOrderTest] = []
    for each in tests:
        test = catalog[each.code]
        results: tuple[DemoResult, ...] = ()
        state = ResultStatus.NONE
        if not test.is_panel:
            reached = _reached(rng, stage, each.position)
            results = _results(rng, setting, person, each.code, drawn[each.code], received, reached)
            state = _result_status(stage, results)
            if state is ResultStatus.PRELIMINARY and test.kind is not ResultKind.MICROBIOLOGY:
                state = ResultStatus.FINAL
        rows.append(
            DemoOrderTest(
                code=test.code,
                name=test.name,
                kind=test.kind,
                is_panel=test.is_panel,
                is_confidential=each.is_confidential,
                parent=each.parent,
                level=each.level,
                position=each.position,
                status=state,
                results=results,
            )
        )
    return _finished(rng, requisition_code, received, stage, rows)


def _stage(rng: Random, age: timedelta) -> OrderStatus:
    """Return the stage of an order, given the time since reception."""
    stages: tuple[OrderStatus, ...]
    weights: tuple[int, ...]
    if age < timedelta(hours=10):
        stages, weights = (OrderStatus.PENDING, OrderStatus.UNRELEASED), (3, 1)
    elif age < timedelta(days=3):
        stages = (
            OrderStatus.PENDING,
            OrderStatus.UNRELEASED,
            OrderStatus.PARTIAL,
            OrderStatus.FINAL,
        )
        weights = (12, 10, 28, 50)
    else:
        stages = (
            OrderStatus.FINAL,
            OrderStatus.PARTIAL,
            OrderStatus.PARTIALLY_RELEASED,
            OrderStatus.UNRELEASED,
            OrderStatus.PENDING,
            OrderStatus.CANCELED,
        )
        weights = (926, 25, 8, 8, 8, 15)
    return rng.choices(stages, weights)[0]


def _reached(rng: Random, stage: OrderStatus, position: int) -> tuple[bool, bool]:
    """Return whether a test of an order at that stage is entered and released."""
    if stage is OrderStatus.FINAL:
        return True, True
    if stage in (OrderStatus.PENDING, OrderStatus.CANCELED):
        return False, False
    if stage is OrderStatus.UNRELEASED:
        return rng.random() < 0.8 or position == 0, False
    if stage is OrderStatus.PARTIALLY_RELEASED:
        return True, rng.random() < 0.5
    if stage is OrderStatus.PRELIMINARY:
        return True, True
    return (True, True) if rng.random() < 0.6 else (False, False)


def _result_status(stage: OrderStatus, results: Sequence[DemoResult]) -> ResultStatus:
    if stage is OrderStatus.CANCELED:
        return ResultStatus.CANCELED
    if not results:
        return ResultStatus.PENDING
    if results[-1].released_at is None:
        return ResultStatus.UNRELEASED
    return ResultStatus.PRELIMINARY if stage is OrderStatus.PRELIMINARY else ResultStatus.FINAL


def _results(
    rng: Random,
    setting: Setting,
    person: values.Person,
    code: str,
    value: str,
    received: datetime,
    reached: tuple[bool, bool],
) -> tuple[DemoResult, ...]:
    entered, released = reached
    if not entered:
        return ()
    wait = timedelta(minutes=rng.randint(45, 1_500))
    first = min(received + wait, setting.now)
    out = min(first + timedelta(minutes=rng.randint(5, 120)), setting.now) if released else None
    comment = rng.choice(words.RESULT_COMMENTS) if rng.random() < 0.01 else None
    if not released or rng.random() >= 0.006:
        return (_result(person, code, value, comment, first, out, 1, True),)
    # A correction keeps the first value in the history.
    before = values.draw(rng, person, [code])[code]
    again = min(first + timedelta(hours=rng.randint(3, 20)), setting.now)
    return (
        _result(person, code, before, None, first, out, 1, False),
        _result(person, code, value, "Corrected result.", again, again, 2, True),
    )


def _result(
    person: values.Person,
    code: str,
    value: str,
    comment: str | None,
    entered: datetime,
    released: datetime | None,
    revision: int,
    current: bool,
) -> DemoResult:
    test = values.catalog()[code]
    limits, words_of_range = _limits(code, person.gender, person.age_days)
    return DemoResult(
        revision=revision,
        is_current=current,
        value=value,
        comment=comment,
        flag=compute_flag(test.result_type, value, limits, test.normal_choices),
        unit=test.unit,
        reference_range=words_of_range,
        entered_at=entered,
        released_at=released,
    )


_NO_RANGE = Range()


def _limits(code: str, gender: Gender, age_days: int) -> tuple[Range, str | None]:
    row = range_for(code, gender, age_days)
    normal = values.catalog()[code].normal_choices
    if row is None:
        return _NO_RANGE, format_range(None, None, None, normal)
    return (
        Range(row.low, row.high, row.critical_low, row.critical_high),
        format_range(row.low, row.high, row.words, normal),
    )


def _finished(
    rng: Random,
    requisition_code: str,
    received: datetime,
    stage: OrderStatus,
    rows: Sequence[DemoOrderTest],
) -> DemoOrder:
    states, flags, times = [], list[ResultFlag | None](), list[datetime]()
    for row in rows:
        if row.is_panel:
            continue
        released = next((r for r in reversed(row.results) if r.released_at is not None), None)
        states.append(TestState(is_entered=bool(row.results), is_released=released is not None))
        if released is not None and released.released_at is not None:
            flags.append(released.flag)
            times.append(released.released_at)
    status = compute_order_status(states)
    # These two states do not follow from the tests alone.
    partly = stage is OrderStatus.PARTIALLY_RELEASED and status is OrderStatus.PARTIAL
    if partly or stage is OrderStatus.CANCELED:
        status = stage
    elif any(row.status is ResultStatus.PRELIMINARY for row in rows):
        status = OrderStatus.PRELIMINARY
    critical = any(flag in CRITICAL_FLAGS for flag in flags)
    condition = "ACCEPTABLE" if rng.random() < 0.97 else rng.choice(words.SPECIMEN_CONDITIONS)
    comment = rng.choice(words.REPORT_COMMENTS[:2]) if rng.random() < 0.05 else None
    return DemoOrder(
        code=f"L{requisition_code[1:]}",
        status=status,
        received_at=received,
        reported_at=max(times, default=None),
        specimen_condition=condition,
        report_comment=words.REPORT_COMMENTS[2] if critical else comment,
        has_critical=critical,
        has_abnormal=any(flag is not None and flag not in NOT_ABNORMAL_FLAGS for flag in flags),
        tests=tuple(rows),
    )
