"""Who may do what, for every role and every state (O 4, O 6, P 6)."""

from uuid import UUID

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, Role
from app.server.lab_settings.rules import RESULT_ENTERERS
from app.server.orders import rules as orders
from app.server.orders.rules import OrderState
from app.server.requisitions import rules
from app.server.requisitions.rules import RequisitionState
from app.server.slices import SLICES
from tests.rules.permissions import (
    BASELINE,
    CASES,
    FLAGS,
    ME,
    REQUISITIONS,
    answer,
    person,
    render,
    route_lines,
    unlisted_rules,
)


def test_nothing_changed_unseen() -> None:
    """After a wanted change: ``python -m tests.rules.permissions``, and read the diff."""
    assert render() == BASELINE.read_text(encoding="utf-8")


def test_every_rule_about_a_person_is_in_the_table() -> None:
    assert unlisted_rules() == []


def test_names_the_file_of_a_rule_that_is_not_in_the_table() -> None:
    cases = [each for each in CASES if each.judge is not rules.judge_unsigning]
    assert unlisted_rules(cases) == [
        "app/server/requisitions/rules.py: judge_unsigning is not in tests/rules/permissions.py"
    ]


def _admitted(route: str) -> set[str]:
    [line] = [cells for name, *cells in route_lines() if name == route]
    return {role for role, cell in zip(Role, line, strict=True) if cell == "yes"}


@pytest.mark.parametrize(
    ("rule", "route"),
    [
        ("make a requisition", "POST /api/v2/requisitions"),
        ("change a requisition", "POST /api/v2/requisitions/{requisition_id}"),
        ("sign it", "POST /api/v2/requisitions/sign-multiple"),
        ("unsign it", "POST /api/v2/requisitions/{requisition_id}/unsign"),
        ("cancel it", "POST /api/v2/requisitions/{requisition_id}/cancel"),
        ("receive it", "POST /api/v2/requisitions/receive"),
        ("send it", "POST /api/v2/requisitions/transmission"),
        ("enter results", "PUT /api/v2/orders/{order_id}/result-entry"),
        ("open result entry", "GET /api/v2/orders/{order_id}/result-entry"),
        ("change a patient", "PUT /api/v2/patients/{patient_id}"),
        ("release results", "POST /api/v2/orders/{order_id}/release"),
        ("release results of an order", "POST /api/v2/orders/{order_id}/release"),
    ],
)
def test_a_route_admits_the_roles_that_its_rule_can_allow(rule: str, route: str) -> None:
    [case] = [each for each in CASES if each.name == rule]
    allowed = {
        role
        for role in Role
        if any(case.refusal(role, state) is None for state in case.states.values())
    }
    assert allowed == _admitted(route)


class TestRequisitions:
    """The reasons, which the screens show."""

    @pytest.mark.parametrize(
        ("act", "state", "reason"),
        [
            ("change a requisition", "done", messages.REQUISITION_READ_ONLY),
            ("change a requisition", "canceled", messages.REQUISITION_READ_ONLY),
            (
                "change what is signed of it",
                "pending, signed by me",
                messages.REQUISITION_SIGNED_CONTENT,
            ),
            ("sign it", "canceled", messages.REQUISITION_READ_ONLY),
            ("sign it", "done, signed by me", messages.REQUISITION_ALREADY_SIGNED),
            ("unsign it", "canceled", messages.REQUISITION_READ_ONLY),
            ("unsign it", "pending", messages.REQUISITION_NOT_SIGNED),
            ("unsign it", "pending, signed by another", messages.REQUISITION_SIGNED_BY_OTHER),
            ("receive it", "done", messages.REQUISITION_ALREADY_RECEIVED),
            ("receive it", "canceled", messages.REQUISITION_TRANSITION_NOT_ALLOWED),
            ("cancel it", "done", messages.REQUISITION_TRANSITION_NOT_ALLOWED),
            ("send it", "canceled", messages.REQUISITION_NOT_SENDABLE),
        ],
    )
    def test_says_why_not(self, act: str, state: str, reason: str) -> None:
        [case] = [each for each in CASES if each.name == act]
        refusal = case.refusal(Role.SUPERUSER, REQUISITIONS[state])
        assert refusal is not None
        assert refusal.detail == reason.format(
            code="R260000001",
            order="L260000001",
            status=REQUISITIONS[state].status.name,
            target="DONE" if act == "receive it" else "CANCELED",
        )

    def test_a_role_is_refused_before_the_state_is_told(self) -> None:
        for judge in (rules.judge_change, rules.judge_canceling, rules.judge_receiving):
            for state in REQUISITIONS.values():
                refusal = judge(person(Role.PATIENT), state)
                assert refusal is not None and refusal.detail == messages.FORBIDDEN

    def test_a_purpose_without_a_role_changes_nothing(self) -> None:
        assert answer(rules.judge_change(person(None), REQUISITIONS["pending"])) == "forbidden"

    def test_nobody_removes_a_signature_whose_signer_is_not_known(self) -> None:
        state = RequisitionState("R260000001", RequisitionStatus.PENDING, is_signed=True)
        for user in (None, ME, UUID(int=3)):
            assert (
                answer(rules.judge_unsigning(person(Role.PHYSICIAN, user), state))
                == "signed_by_another"
            )


class TestResults:
    """Entering follows the lab's flags, releasing does not (DECISIONS)."""

    def test_entering_says_that_the_lab_does_not_let_the_role(self) -> None:
        for role in Role:
            refusal = orders.judge_entering(
                person(role), FLAGS["all off"], OrderState("L1", OrderStatus.PENDING)
            )
            assert refusal is not None and refusal.detail == messages.RESULT_ENTRY_DISABLED

    def test_a_canceled_order_says_so(self) -> None:
        state = OrderState("L260000001", OrderStatus.CANCELED)
        for refusal in (
            orders.judge_releasing(person(Role.LABORATORY), state),
            orders.judge_entering(person(Role.LABORATORY), {"resultEntryEnabled": True}, state),
        ):
            assert refusal is not None
            assert refusal.detail == messages.ORDER_READ_ONLY.format(
                code="L260000001", status="CANCELED"
            )

    def test_the_roles_that_flags_can_admit_are_those_of_the_setting(self) -> None:
        [case] = [each for each in CASES if each.name == "enter results"]
        allowed = {r for r in Role for f in FLAGS.values() if case.refusal(r, f) is None}
        assert allowed == RESULT_ENTERERS


class TestActs:
    """What the interface asks beforehand: ``shared/vocabulary/permissions.json``."""

    ACTS = {act.name: act for each in SLICES for act in each.acts}

    def test_no_two_have_one_name(self) -> None:
        assert len(self.ACTS) == sum(len(each.acts) for each in SLICES)

    def test_facts_are_columns_of_lists(self) -> None:
        columns = {
            name
            for each in SLICES
            for spec in each.specs
            for name in (*(c.name for c in spec.columns), *(j.name for j in spec.joined))
        }
        for act in self.ACTS.values():
            assert set(act.facts) <= columns

    def test_says_what_the_rule_says(self) -> None:
        table = self.ACTS["receiveRequisition"].tabulate()
        assert table["facts"] == ["status", "hasSignature"]
        of_lab, of_client = table["answers"]["Laboratory"], table["answers"]["Client Basic"]
        pending, done = f"{RequisitionStatus.PENDING:d} false", f"{RequisitionStatus.DONE:d} true"
        assert of_lab[pending] is None
        assert of_lab[done] == messages.REQUISITION_ALREADY_RECEIVED.format(
            code="R{number}", order="L{number}"
        )
        assert of_client[pending] == messages.FORBIDDEN

    def test_what_depends_on_the_role_alone_has_one_answer(self) -> None:
        answers = self.ACTS["changePatient"].tabulate()["answers"]
        assert answers[Role.CLIENT_BASIC] == {"": None}
        assert answers[Role.PATIENT] == {"": messages.FORBIDDEN}
