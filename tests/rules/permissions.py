"""The permission table: every rule by role and state, and every route by role, as text.

``python -m tests.rules.permissions`` writes ``permissions.txt``, and a test compares it, so that
every change to a permission appears in the diff of that file.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from importlib import import_module
from inspect import signature
from itertools import combinations
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any
from uuid import UUID

import app.server
from app.basics.errors import PortalError
from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, Role, ScopeKind
from app.server.access.routing import PortalRoute
from app.server.actor import Actor, get_scope_kind
from app.server.audit_viewer import rules as audit_viewer
from app.server.catalog import rules as catalog
from app.server.catalog.rules import TestOffer
from app.server.critical_results import rules as critical_results
from app.server.exports import rules as exports
from app.server.exports.rules import FileState
from app.server.lab_data import rules as lab_data
from app.server.lab_data.kind import BENCH, DIRECTOR
from app.server.lab_settings import rules as lab_settings
from app.server.legal import rules as legal
from app.server.operations import rules as operations
from app.server.order_history import rules as order_history
from app.server.order_search import rules as order_search
from app.server.orders import rules as orders
from app.server.orders.rules import CompletionState, OrderState
from app.server.paperwork import rules as paperwork
from app.server.patients import rules as patients
from app.server.requisitions import rules as requisitions
from app.server.requisitions.rules import RequisitionState
from app.server.results.automation import rules as automation
from app.server.results.automation.rules import Limits
from app.server.results.exports import rules as result_exports
from app.server.slices import SLICES
from app.server.specimens import rules as specimens
from app.server.support import rules as support
from app.server.transmissions import rules as transmissions
from app.server.users import rules as users
from app.server.users.rules import UserState
from app.server.waiting import rules as waiting

BASELINE = Path(__file__).with_name("permissions.txt")
ME, OTHER = UUID(int=1), UUID(int=2)


@dataclass(frozen=True)
class Case:
    """A rule with the named states for which the table shows its answers.

    Attributes:
        judge: the rule, called with an actor and a state.
        call: a function that is called instead of the rule, if given.
    """

    name: str
    judge: Callable[..., object]
    states: Mapping[str, Any]
    call: Callable[[Actor, Any], PortalError | None] | None = None

    def find_error(self, role: Role, state: Any) -> PortalError | None:
        """Return why a user with this role, who is ``ME``, is denied, or None."""
        return (self.call or self.judge)(build_actor(role), state)  # type: ignore[return-value]


def build_actor(role: Role | None, user_id: UUID | None = ME) -> Actor:
    """Build an actor with this role, by default ``ME``; without a role, a worker."""
    kind = ScopeKind.WORKER if role is None else get_scope_kind(role)
    return Actor(kind, user_id=user_id, role=role)


def _build_requisition(status: RequisitionStatus, signer: UUID | None = None) -> RequisitionState:
    return RequisitionState("R260000001", status, signer is not None, signer)


REQUISITIONS = {
    f"{status.name.lower()}{suffix}": _build_requisition(status, signer)
    for status in (RequisitionStatus.PENDING, RequisitionStatus.DONE, RequisitionStatus.CANCELED)
    for suffix, signer in (("", None), (", signed by me", ME), (", signed by another", OTHER))
}
SIGNATURE_STATES = REQUISITIONS | {
    f"order {order.name.lower()}{suffix}": replace(
        _build_requisition(RequisitionStatus.DONE, signer), order_status=order
    )
    for order in (OrderStatus.PARTIAL, OrderStatus.FINAL, OrderStatus.CANCELED)
    for suffix, signer in (("", None), (", signed by me", ME))
}
ORDERS = {
    status.name.lower(): OrderState("L260000001", status)
    for status in OrderStatus
    if status not in (OrderStatus.NONE, OrderStatus.ALL)
}
READ_STATES = ORDERS | {
    "unreleased, withdrawn since it was read": OrderState(
        "L260000001", OrderStatus.UNRELEASED, is_unread=True
    )
}
_PARTIAL = CompletionState(ORDERS["partial"], has_physician=True, has_diagnosis=True)
COMPLETIONS = {
    "empty": CompletionState(ORDERS["partial"]),
    "filled in": _PARTIAL,
    "empty, signed": CompletionState(ORDERS["partial"], is_signed=True),
    "filled in, signed": replace(_PARTIAL, is_signed=True),
    "filled in, final": replace(_PARTIAL, order=ORDERS["final"]),
    "canceled": CompletionState(ORDERS["canceled"]),
    "with an entry alert": replace(_PARTIAL, has_entry_alert=True),
    "of a patient elsewhere": replace(_PARTIAL, sees_patient=False),
    "with a birth date": replace(_PARTIAL, has_birth_date=True),
}
_FLAGS = tuple(lab_settings.RESULT_ENTRY_OFF)
FLAGS = {
    " + ".join(name.removeprefix("resultEntry") for name in names) or "all off": dict.fromkeys(
        names, True
    )
    for count in range(len(_FLAGS) + 1)
    for names in combinations(_FLAGS, count)
}
USERS = {
    "of the lab": UserState(Role.LABORATORY),
    "a client admin": UserState(Role.CLIENT_ADMIN),
    "a client user": UserState(Role.CLIENT_BASIC),
    "a client user, also of other clients": UserState(Role.CLIENT_BASIC, is_within=False),
    "a client user, not active": UserState(Role.CLIENT_BASIC, active=False),
    "a patient": UserState(Role.PATIENT),
    "oneself": UserState(Role.CLIENT_ADMIN, is_self=True),
}
_OWN, _FOREIGN = 1, 2
_OFFER = TestOffer("GLU", is_orderable=True, owner_id=None, is_outside=False)
TESTS = {
    "everybody's": _OFFER,
    "everybody's, beyond the client's list": replace(_OFFER, is_outside=True),
    "the client's own": replace(_OFFER, owner_id=_OWN),
    "another client's": replace(_OFFER, owner_id=_FOREIGN),
    "another client's, beyond the list": replace(_OFFER, owner_id=_FOREIGN, is_outside=True),
    "withdrawn": replace(_OFFER, is_orderable=False),
    "withdrawn, beyond the client's list": replace(_OFFER, is_orderable=False, is_outside=True),
}
_SAME = FileState(role="same")
FILES = {
    "with a file": _SAME,
    "without a file": replace(_SAME, has_file=False),
    "expired": replace(_SAME, is_expired=True),
    "made with another role": replace(_SAME, role="other"),
    "made with a client since withdrawn": replace(_SAME, scope_ids=frozenset({1})),
}
_LIMITS = Limits(Decimal(1), Decimal(5))
_ALL_ON = dict.fromkeys(_FLAGS, True)
_ANY = {"any": None}


def _judge_ordering(actor: Actor, test: TestOffer, *, is_on_record: bool) -> PortalError | None:
    reason = catalog.judge_ordering(actor, _OWN, test, is_on_record=is_on_record)
    return _RejectedTest(reason) if reason else None


def _judge_download(actor: Actor, state: FileState) -> PortalError | None:
    role = actor.role if state.role == "same" else state.role
    return exports.judge_download(actor, replace(state, role=role))


class _RejectedTest(PortalError):
    """A message about a test as an error; the table shows its code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.code = "unknown" if reason == messages.TEST_UNKNOWN else "not_on_list"


CASES = (
    Case(
        "create a requisition",
        requisitions.judge_creating,
        _ANY,
        lambda actor, _: requisitions.judge_creating(actor),
    ),
    Case("change a requisition", requisitions.judge_change, REQUISITIONS),
    Case("change signed content of a requisition", requisitions.judge_content_change, REQUISITIONS),
    Case(
        "change diagnoses and medications of a requisition",
        requisitions.judge_clinical_change,
        REQUISITIONS,
    ),
    Case("change comments, copies, documents", requisitions.judge_editing, REQUISITIONS),
    Case("sign a requisition", requisitions.judge_signing, SIGNATURE_STATES),
    Case("unsign a requisition", requisitions.judge_unsigning, SIGNATURE_STATES),
    Case("cancel a requisition", requisitions.judge_canceling, REQUISITIONS),
    Case("receive a requisition", requisitions.judge_receiving, REQUISITIONS),
    Case("enter results", lab_settings.judge_result_entry, FLAGS),
    Case("open result entry", lab_settings.judge_result_screen, FLAGS),
    Case("print labels of a requisition", paperwork.judge_labeling, REQUISITIONS),
    Case("send a requisition", transmissions.judge_sending, REQUISITIONS),
    Case("send results of an order", transmissions.judge_sending_results, ORDERS),
    Case(
        "enter results of an order, all flags on",
        orders.judge_entering,
        ORDERS,
        lambda actor, state: orders.judge_entering(actor, _ALL_ON, state),
    ),
    Case(
        "release results",
        lab_settings.judge_result_release,
        _ANY,
        lambda actor, _: lab_settings.judge_result_release(actor),
    ),
    Case("release results of an order", orders.judge_releasing, ORDERS),
    Case("fill in missing information of an order", orders.judge_completing, ORDERS),
    Case("change who is billed for an order", orders.judge_bill_to_change, ORDERS),
    Case("change the physician of an order", orders.judge_physician_change, COMPLETIONS),
    Case("change the diagnoses of an order", orders.judge_diagnoses_change, COMPLETIONS),
    Case("change what an order bills", orders.judge_billing_change, COMPLETIONS),
    Case("fill in a birth date", orders.judge_birth_date_change, COMPLETIONS),
    Case("comment on missing information", orders.judge_comment_change, COMPLETIONS),
    Case("attach a document to an order", orders.judge_attaching, ORDERS),
    Case(
        "remove a document of an order",
        orders.judge_detaching,
        {"uploaded by me": ME, "uploaded by another": OTHER},
    ),
    Case("acknowledge an order", orders.judge_acknowledging, READ_STATES),
    Case("cancel tests of an order", orders.judge_canceling, ORDERS),
    Case("reinstate tests of an order", orders.judge_reinstating, ORDERS),
    Case("receive specimens of an order", specimens.judge_receiving_specimens, ORDERS),
    Case(
        "administer users",
        users.judge_administering,
        _ANY,
        lambda actor, _: users.judge_administering(actor),
    ),
    Case("change a user", users.judge_change, USERS),
    Case("change assignments of a user", users.judge_access_change, USERS),
    Case("change the role of a user", users.judge_role_change, USERS),
    Case("change the e-mail of a user", users.judge_email_change, USERS),
    Case("delete a user", users.judge_deletion, USERS),
    Case("invite a user", users.judge_invitation, USERS),
    Case(
        "see critical results",
        critical_results.judge_reading,
        _ANY,
        lambda actor, _: critical_results.judge_reading(actor),
    ),
    Case(
        "tell a client of critical results",
        critical_results.judge_telling,
        {"open": True, "closed": False},
        lambda actor, is_open: critical_results.judge_telling(actor, is_open=is_open),
    ),
    Case(
        "change a patient",
        patients.judge_edit,
        _ANY,
        lambda actor, _: patients.judge_edit(actor),
    ),
    Case(
        "see a social security number",
        patients.judge_full_ssn,
        _ANY,
        lambda actor, _: patients.judge_full_ssn(actor),
    ),
    Case(
        "export results",
        result_exports.judge_exporting_results,
        _ANY,
        lambda actor, _: result_exports.judge_exporting_results(actor),
    ),
    Case(
        "try limits of autoverification out",
        automation.judge_trying,
        _ANY,
        lambda actor, _: automation.judge_trying(actor),
    ),
    Case(
        "change rules of autoverification",
        automation.judge_changing,
        _ANY,
        lambda actor, _: automation.judge_changing(actor),
    ),
    Case(
        "switch a rule of autoverification on",
        automation.judge_switching_on,
        {
            "tried": ([_LIMITS], _LIMITS.unit),
            "not tried": ([replace(_LIMITS, high=Decimal(6))], _LIMITS.unit),
            "tried in another unit": ([_LIMITS], "MG/DL"),
        },
        lambda actor, state: automation.judge_switching_on(
            actor, state[0], _LIMITS, unit=state[1], method=_LIMITS.method
        ),
    ),
    Case("download an export", exports.judge_download, FILES, _judge_download),
    *(
        Case(name, judge, _ANY, lambda actor, _, judge=judge: judge(actor))
        for name, judge in (
            ("preview results", paperwork.judge_previewing),
            ("see who had results before a correction", order_history.judge_reading_recipients),
            ("see how many alert results are unread", waiting.judge_alerts),
            ("accept the notice and the terms", legal.judge_accepting),
            ("write to the lab", support.judge_writing),
            ("ask the lab for supplies", support.judge_requesting_supplies),
            ("read the audit log", audit_viewer.judge_reading_audit),
            ("operate the portal", operations.judge_operating),
            ("read the settings of the lab", lab_settings.judge_reading_settings),
            ("change the settings of the lab", lab_settings.judge_changing_settings),
            ("read the data of the lab", lab_data.judge_reading),
            ("search orders by any column", order_search.judge_searching),
            ("export the orders of a search", order_search.judge_exporting),
            ("see how many requisitions are to sign", waiting.judge_to_sign),
            ("see how many specimens are to collect", waiting.judge_to_collect),
            (
                "see how many specimens are expected, and how many have arrived",
                waiting.judge_at_lab,
            ),
        )
    ),
    Case(
        "change the data of the lab",
        lab_data.judge_changing,
        {"of the director": DIRECTOR, "of the benches": BENCH},
    ),
    Case(
        "order a test", catalog.judge_ordering, TESTS, partial(_judge_ordering, is_on_record=False)
    ),
    Case(
        "keep a test of an earlier order",
        catalog.judge_ordering,
        TESTS,
        partial(_judge_ordering, is_on_record=True),
    ),
)


def find_unlisted_rules(cases: Sequence[Case] = CASES) -> list[str]:
    """Return a line for each permission rule without a case, beginning with its file."""
    listed_rules = {case.judge for case in cases}
    lines = []
    for info in walk_packages(app.server.__path__, "app.server."):
        if not info.name.endswith(".rules"):
            continue
        module = import_module(info.name)
        path = f"{info.name.replace('.', '/')}.py"
        lines += [
            f"{path}: {name} is not in tests/rules/permissions.py"
            for name, rule in vars(module).items()
            if _is_permission(module, name) and rule not in listed_rules
        ]
    return lines


def _is_permission(module: ModuleType, name: str) -> bool:
    """Whether the module defines this name as a rule that judges an actor."""
    rule = getattr(module, name)
    if not name.startswith("judge_") or rule.__module__ != module.__name__:
        return False
    return next(iter(signature(rule).parameters)) == "actor"


def find_stale_baseline() -> list[str]:
    """Return a line if ``permissions.txt`` differs from the rules and routes."""
    if BASELINE.read_text(encoding="utf-8") == render_table():
        return []
    command = "python -m tests.rules.permissions"
    return [f"tests/rules/{BASELINE.name}: differs from the rules: run `{command}`"]


def format_answer(error: PortalError | None) -> str:
    """Return ``yes``, or the code of the error."""
    return error.code if error else "yes"


def build_answers() -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each rule's name and its lines: a state, then the answer for each role."""
    for case in CASES:
        yield (
            case.name,
            [
                [state, *(format_answer(case.find_error(role, value)) for role in Role)]
                for state, value in case.states.items()
            ],
        )


def build_route_lines() -> list[list[str]]:
    """Build a line for each route, with the roles of its policy; ``anybody`` needs no sign-in."""
    lines = []
    for slice_ in SLICES:
        for router in slice_.routers:
            for route in router.routes:
                if isinstance(route, PortalRoute):
                    methods = "/".join(sorted(route.methods or ()))
                    cells = [_format_admission(role, route.policy.roles) for role in Role]
                    lines.append([f"{methods} {route.path}", *cells])
    return sorted(lines)


def _format_admission(role: Role, roles: Collection[Role] | None) -> str:
    if roles is None:
        return "anybody"
    return "yes" if role in roles else "no"


def render_table() -> str:
    """Return the table as text: the rules by role and state, then the routes by role."""
    tables = (
        _render_part(case.name, lines) + _render_reasons(case)
        for case, (_, lines) in zip(CASES, build_answers(), strict=True)
    )
    return "\n".join([*tables, _render_part("routes", build_route_lines())])


def _render_part(title: str, lines: list[list[str]]) -> str:
    rows = [[title.upper(), *Role], *lines]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "".join(
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def _render_reasons(case: Case) -> str:
    """Render the messages that denied people read."""
    errors = (case.find_error(role, state) for role in Role for state in case.states.values())
    reasons = {f"  {error.code}: {error.detail}\n" for error in errors if error is not None}
    return "".join(sorted(reasons))


if __name__ == "__main__":
    BASELINE.write_text(render_table(), encoding="utf-8")
