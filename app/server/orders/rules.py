"""Rules about orders (R 4; DECISIONS, Results)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from app.basics.errors import Forbidden, PortalError
from app.contract import messages
from app.contract.enumerations import (
    OrderStatus,
    ResultKind,
    ResultStatus,
    Role,
    Withholding,
)
from app.server.access.policy import CLIENT_STAFF, EDITORS, LAB_STAFF, judge_role
from app.server.actor import Actor
from app.server.lab_settings.rules import judge_result_entry, judge_result_release
from app.server.orders.errors import (
    InformationLocked,
    NothingToAcknowledge,
    OrderReadOnly,
    UploadedByAnother,
)

CANCELERS = LAB_STAFF
ACCEPTABLE = "ACCEPTABLE"
"""The condition of specimens without a remark."""
ALERT_CRITICAL = "CRITICAL"
ABNORMAL_RESULT = "ABNORMAL"
"""The alert of an unexpected toxicology positive where the lab has set no label."""
RESULT_COLUMNS_SETTING = "web-results"
"""The lab's setting that names the tests with a column in the order search, by id."""

FAMILY_BITS = {
    ResultKind.CLINICAL: 1,
    ResultKind.MICROBIOLOGY: 2,
    ResultKind.TOXICOLOGY: 4,
    ResultKind.PATHOLOGY: 8,
}
"""The bits of the families in the masks ``critical_kinds`` and ``abnormal_kinds``."""

NEGATIVE_WORDS = frozenset({"NEGATIVE", "NOT DETECTED", "NONE DETECTED"})
"""The words of a toxicology result that say that nothing was detected."""

DATE_OF_BIRTH = "Date of birth"
"""What messages call the birth date in the missing-information form."""

ACKNOWLEDGERS = CLIENT_STAFF | {Role.PHYSICIAN}
"""Roles that acknowledge the results of their orders."""

_RELEASED_STATUSES = frozenset({ResultStatus.PRELIMINARY, ResultStatus.FINAL})
WITH_RELEASED_RESULTS = frozenset(
    {
        OrderStatus.PRELIMINARY,
        OrderStatus.PARTIAL,
        OrderStatus.PARTIALLY_RELEASED,
        OrderStatus.FINAL,
    }
)
"""Statuses of orders with at least one result that is visible outside the lab."""


@dataclass(frozen=True)
class OrderState:
    """The facts about an order that permissions depend on."""

    code: str
    status: OrderStatus
    # Whether something that people outside the lab saw has changed since a physician read it.
    is_unread: bool = False


@dataclass(frozen=True)
class TestState:
    """The progress of one test of an order."""

    __test__ = False

    is_entered: bool
    is_released: bool


def compute_order_status(statuses: Iterable[ResultStatus]) -> OrderStatus:
    """Return the status of an order whose tests have these statuses.

    Panels have no result, so the caller leaves them out. Canceled tests do not count, unless all
    are canceled.
    """
    all_statuses = set(statuses)
    counted_statuses = all_statuses - {ResultStatus.CANCELED}
    if not counted_statuses:
        return OrderStatus.CANCELED if all_statuses else OrderStatus.PENDING
    if counted_statuses == {ResultStatus.FINAL}:
        return OrderStatus.FINAL
    if counted_statuses & _RELEASED_STATUSES:
        return _compute_started_status(counted_statuses)
    return (
        OrderStatus.UNRELEASED
        if ResultStatus.UNRELEASED in counted_statuses
        else OrderStatus.PENDING
    )


def _compute_started_status(statuses: set[ResultStatus]) -> OrderStatus:
    """Return the status of an order with a released result and another that is not final."""
    if ResultStatus.FINAL not in statuses:
        return OrderStatus.PRELIMINARY
    if ResultStatus.PENDING in statuses:
        return OrderStatus.PARTIAL
    return OrderStatus.PARTIALLY_RELEASED


class FinalEvent(StrEnum):
    """The event that sends the final results of an order to the additional recipients.

    RELEASED: the last result was released. COMPLETED: the order became final without a release,
    when a review ended or pending tests were canceled. CORRECTED: a final result was corrected.
    ADDED: a report was added to final ones.
    """

    RELEASED = "released"
    COMPLETED = "completed"
    CORRECTED = "corrected"
    ADDED = "added"


def find_final_event(
    before: OrderStatus, after: OrderStatus, *, is_release: bool, is_addition: bool = False
) -> FinalEvent | None:
    """Return the event that a change of an order's status means, or None."""
    if after != OrderStatus.FINAL:
        return None
    if before != OrderStatus.FINAL:
        return FinalEvent.RELEASED if is_release else FinalEvent.COMPLETED
    if not is_release:
        return None
    return FinalEvent.ADDED if is_addition else FinalEvent.CORRECTED


def compute_result_status(state: TestState) -> ResultStatus:
    """Return the status of one test's result."""
    if state.is_released:
        return ResultStatus.FINAL
    return ResultStatus.UNRELEASED if state.is_entered else ResultStatus.PENDING


def set_family(kinds: int, kind: ResultKind, is_present: bool) -> int:
    """Return the mask of families with or without this one."""
    bit = FAMILY_BITS[kind]
    return kinds | bit if is_present else kinds & ~bit


def list_families(kinds: int) -> list[ResultKind]:
    """Return the families of a mask."""
    return [kind for kind, bit in FAMILY_BITS.items() if kinds & bit]


@dataclass(frozen=True)
class AlertState:
    """The data that decide an order's alert; ``label`` is the lab's abnormal-result label."""

    has_critical: bool
    has_unexpected_positive: bool
    label: str | None = None

    @property
    def has_alert(self) -> bool:
        """Whether a released result is critical, or an unexpected toxicology positive."""
        return self.has_critical or self.has_unexpected_positive


def find_alert(state: AlertState) -> str | None:
    """Return the text of an order's alert: CRITICAL, or the lab's label, or None."""
    if state.has_critical:
        return ALERT_CRITICAL
    return (state.label or ABNORMAL_RESULT) if state.has_unexpected_positive else None


def list_alert_badges(state: AlertState) -> list[str]:
    """Return the badges of an order: CRITICAL, then that of an unexpected positive (R 4)."""
    label = [state.label or ABNORMAL_RESULT] if state.has_unexpected_positive else []
    return [ALERT_CRITICAL, *label] if state.has_critical else label


@dataclass(frozen=True)
class AdditionReason:
    """Why a rule added a test: a result of another test, and its later state.

    Attributes:
        trigger: the test whose result led to the addition.
        earlier_result: that result; None if the reader may not see it.
        new_result: the result that has replaced it; None if there is none that the reader may see.
        is_gone: whether the reason no longer holds.
    """

    trigger: str
    earlier_result: str | None
    new_result: str | None = None
    is_withdrawn: bool = False
    is_gone: bool = False


def format_addition(reason: AdditionReason) -> str:
    """Return why a rule added a test, and whether the reason still holds.

    'Added because TSH was 8.20 (H). The reason no longer holds: TSH was corrected to 2.10 (N)'.
    """
    test, change = reason.trigger, None
    because = messages.TEST_ADDED_OF.format(test=test)
    if reason.earlier_result is not None:
        because = messages.TEST_ADDED.format(test=test, result=reason.earlier_result)
    if reason.is_withdrawn:
        change = messages.TEST_ADDED_WITHDRAWN.format(test=test)
    elif reason.new_result is not None:
        change = messages.TEST_ADDED_CORRECTED.format(test=test, result=reason.new_result)
    if reason.is_gone and change is None:
        change = messages.TEST_ADDED_GONE
    elif reason.is_gone:
        change = messages.TEST_ADDED_GONE_SINCE.format(change=change)
    return f"{because}. {change}" if change else because


def format_flagged_value(value: str, flag: str | None) -> str:
    """Format a value with its flag: '8.20 (H)'."""
    return f"{value} ({flag})" if flag else value


def has_remark(specimen_condition: str) -> bool:
    """Whether the lab made a remark about the specimens of an order, such as HEMOLYZED."""
    return specimen_condition != ACCEPTABLE


def judge_entering(actor: Actor, flags: Mapping[str, Any], order: OrderState) -> PortalError | None:
    """Return why the actor may not enter results of the order, or None."""
    return judge_result_entry(actor, flags) or judge_open(order)


def judge_releasing(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not release results of the order, or None."""
    return judge_result_release(actor) or judge_open(order)


def judge_acknowledging(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not acknowledge the order's results, or None."""
    if error := judge_role(actor, ACKNOWLEDGERS):
        return error
    # The withdrawal of the only result must be acknowledged, too.
    if order.status in WITH_RELEASED_RESULTS or order.is_unread:
        return None
    return NothingToAcknowledge(messages.ORDER_NOTHING_TO_ACKNOWLEDGE.format(code=order.code))


def judge_completing(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not fill in the order's missing information, or None."""
    return judge_role(actor, EDITORS) or judge_open(order)


def judge_bill_to_change(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not change who is billed, or None; a signature is no obstacle."""
    return judge_role(actor, EDITORS) or judge_open(order)


def judge_attaching(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not attach a document to the order, or None."""
    return judge_role(actor, EDITORS) or judge_open(order)


def judge_detaching(actor: Actor, uploader: UUID) -> PortalError | None:
    """Return why the actor may not remove a document with this uploader, or None."""
    if error := judge_role(actor, EDITORS):
        return error
    if actor.role in LAB_STAFF or actor.user_id == uploader:
        return None
    return UploadedByAnother(messages.DOCUMENT_OF_ANOTHER)


def judge_canceling(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not cancel tests of the order, or None."""
    return judge_role(actor, CANCELERS) or judge_open(order)


def judge_reinstating(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not reinstate canceled tests of the order, or None."""
    return judge_role(actor, CANCELERS)


def is_cancelable(status: ResultStatus, withholding: Withholding | None) -> bool:
    """Whether a test has no released result that clients may rely on.

    A withdrawn result is no longer valid, so its test can be canceled.
    """
    return status not in _RELEASED_STATUSES and withholding in (None, Withholding.WITHDRAWN)


def judge_open(order: OrderState) -> OrderReadOnly | None:
    """Return why nobody may change the order, or None."""
    if order.status != OrderStatus.CANCELED:
        return None
    text = messages.ORDER_READ_ONLY.format(code=order.code, status=order.status.name)
    return OrderReadOnly(text)


@dataclass(frozen=True)
class CompletionState:
    """The facts about an order that decide what may be filled in."""

    order: OrderState
    is_signed: bool = False
    has_physician: bool = False
    has_diagnosis: bool = False
    has_birth_date: bool = False
    has_entry_alert: bool = False
    sees_patient: bool = True


def judge_physician_change(actor: Actor, state: CompletionState) -> PortalError | None:
    """Return why the actor may not change the ordering physician, or None."""
    if error := _judge_clinic_part(actor, state):
        return error
    return _judge_filling_in(state) if state.has_physician else None


def judge_diagnoses_change(actor: Actor, state: CompletionState) -> PortalError | None:
    """Return why the actor may not change the diagnoses, or None."""
    if error := judge_completing(actor, state.order):
        return error
    return _judge_filling_in(state) if state.has_diagnosis else None


def judge_billing_change(actor: Actor, state: CompletionState) -> PortalError | None:
    """Return why the actor may not change insurance and responsible parties, or None."""
    if error := _judge_clinic_part(actor, state):
        return error
    return None if state.sees_patient else InformationLocked(messages.PATIENT_ASK_LAB)


def judge_birth_date_change(actor: Actor, state: CompletionState) -> PortalError | None:
    """Return why the actor may not fill in the birth date, or None; an existing one is locked."""
    if error := judge_billing_change(actor, state):
        return error
    if state.has_birth_date:
        return InformationLocked(messages.MISSING_INFO_PERSON.format(label=DATE_OF_BIRTH))
    return None


def judge_comment_change(actor: Actor, state: CompletionState) -> PortalError | None:
    """Return why the actor may not change the comment, or None; an entry alert locks it (R 4)."""
    if error := judge_completing(actor, state.order):
        return error
    return InformationLocked(messages.MISSING_INFO_ALERT) if state.has_entry_alert else None


def _judge_clinic_part(actor: Actor, state: CompletionState) -> PortalError | None:
    error = judge_completing(actor, state.order)
    if error is None and actor.role is Role.PHYSICIAN:
        return Forbidden(messages.MISSING_INFO_CLINIC)
    return error


def _judge_filling_in(state: CompletionState) -> InformationLocked | None:
    """Return why a value that is present cannot change, or None; empty ones may be filled in."""
    if state.is_signed or state.order.status == OrderStatus.FINAL:
        text = messages.MISSING_INFO_ATTESTED.format(code=state.order.code)
        return InformationLocked(text)
    return None
