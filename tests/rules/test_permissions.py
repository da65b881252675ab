"""Permissions by role and state (O 4, O 6, P 6)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.basics.errors import PortalError
from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, Role
from app.server.access.policy import judge_role
from app.server.actor import Actor
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
    SIGNATURE_STATES,
    build_actor,
    find_unlisted_rules,
    format_answer,
    render_table,
)
from tests.rules.routes import RULES_OF_ROUTES, find_deviating_routes


def test_permissions_match_the_baseline() -> None:
    """After an intended change, run ``python -m tests.rules.permissions`` and read the diff."""
    assert render_table() == BASELINE.read_text(encoding="utf-8")


def test_every_permission_rule_is_in_the_table() -> None:
    assert find_unlisted_rules() == []


def test_names_the_file_of_an_unlisted_rule() -> None:
    cases = [case for case in CASES if case.judge is not rules.judge_unsigning]
    assert find_unlisted_rules(cases) == [
        "app/server/requisitions/rules.py: judge_unsigning is not in tests/rules/permissions.py"
    ]


class TestRoutes:
    """The roles that routes admit, compared with those that their rules allow."""

    def test_agree_with_their_rules(self) -> None:
        assert find_deviating_routes() == []

    def test_names_the_file_of_a_route_with_other_roles(self) -> None:
        [case] = [case for case in CASES if case.name == "release results"]
        denying_case = replace(
            case, call=lambda actor, _: judge_role(actor, frozenset({Role.PATIENT}))
        )
        cases = [denying_case if other is case else other for other in CASES]
        lines = find_deviating_routes(cases=cases)
        # Every family of results has such a route, and clinical results have several.
        acts = ("release", "verify", "withhold", "restore", "holds", "holds/{hold_id}/lift")
        assert sorted(line for line in lines if "results/clinical/" in line) == sorted(
            f"app/server/results/clinical/endpoints.py: POST /api/v2/orders/{{order_id}}/{act}"
            " admits Superuser, Laboratory, but 'release results' allows Patient"
            for act in acts
        )

    def test_names_the_file_of_a_route_without_a_rule(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        route = "POST /api/v2/requisitions/receive"
        others = {name: names for name, names in RULES_OF_ROUTES.items() if name != route}
        monkeypatch.setattr("tests.rules.routes.RULES_OF_ROUTES", others)
        assert find_deviating_routes() == [
            f"app/server/specimens/endpoints.py: {route} has no rule in tests/rules/routes.py"
        ]


class TestRequisitions:
    """The reasons that screens show for requisitions."""

    @pytest.mark.parametrize(
        ("act", "state", "reason"),
        [
            ("change a requisition", "done", messages.REQUISITION_READ_ONLY),
            ("change a requisition", "canceled", messages.REQUISITION_READ_ONLY),
            (
                "change signed content of a requisition",
                "pending, signed by me",
                messages.REQUISITION_SIGNED_CONTENT,
            ),
            ("sign a requisition", "canceled", messages.REQUISITION_READ_ONLY),
            ("sign a requisition", "done, signed by me", messages.REQUISITION_ALREADY_SIGNED),
            ("unsign a requisition", "canceled", messages.REQUISITION_READ_ONLY),
            ("unsign a requisition", "pending", messages.REQUISITION_NOT_SIGNED),
            (
                "unsign a requisition",
                "pending, signed by another",
                messages.REQUISITION_SIGNED_BY_OTHER,
            ),
            ("receive a requisition", "done", messages.REQUISITION_ALREADY_RECEIVED),
            ("receive a requisition", "canceled", messages.REQUISITION_NOT_RECEIVABLE),
            ("cancel a requisition", "done", messages.REQUISITION_NOT_CANCELABLE),
            ("cancel a requisition", "canceled", messages.REQUISITION_ALREADY_CANCELED),
            ("send a requisition", "canceled", messages.REQUISITION_NOT_SENDABLE),
        ],
    )
    def test_gives_the_reason(self, act: str, state: str, reason: str) -> None:
        [case] = [case for case in CASES if case.name == act]
        error = case.find_error(Role.SUPERUSER, REQUISITIONS[state])
        assert error is not None
        assert error.detail == reason.format(
            code="R260000001",
            order="L260000001",
            status=REQUISITIONS[state].status.name,
        )

    def test_names_the_order_that_closed_a_signature(self) -> None:
        for status in (OrderStatus.FINAL, OrderStatus.CANCELED):
            state = SIGNATURE_STATES[f"order {status.name.lower()}"]
            error = rules.judge_signing(build_actor(Role.PHYSICIAN), state)
            assert error is not None
            assert error.detail == messages.ORDER_SIGNATURE_CLOSED.format(
                code="L260000001", status=status.name
            )

    @pytest.mark.parametrize(
        ("judge", "changes", "text", "order_text"),
        [
            (
                rules.judge_signing,
                {"is_signed": True},
                messages.REQUISITION_ALREADY_SIGNED,
                messages.ORDER_ALREADY_SIGNED,
            ),
            (
                rules.judge_unsigning,
                {"is_signed": False},
                messages.REQUISITION_NOT_SIGNED,
                messages.ORDER_NOT_SIGNED,
            ),
            (
                rules.judge_unsigning,
                {"is_signed": True, "signer": UUID(int=9)},
                messages.REQUISITION_SIGNED_BY_OTHER,
                messages.ORDER_SIGNED_BY_OTHER,
            ),
        ],
    )
    def test_names_the_record_that_the_person_chose(
        self,
        judge: Callable[[Actor, RequisitionState], PortalError | None],
        changes: dict[str, Any],
        text: str,
        order_text: str,
    ) -> None:
        actor = build_actor(Role.PHYSICIAN)
        state = replace(REQUISITIONS["pending"], **changes)
        error = judge(actor, state)
        order_error = judge(actor, replace(state, is_shown_as_order=True))
        assert error is not None and order_error is not None
        assert error.detail == text.format(code="R260000001")
        assert order_error.detail == order_text.format(code="L260000001")

    def test_denies_a_role_without_revealing_the_state(self) -> None:
        for judge in (rules.judge_change, rules.judge_canceling, rules.judge_receiving):
            for state in REQUISITIONS.values():
                error = judge(build_actor(Role.PATIENT), state)
                assert error is not None and error.detail == messages.FORBIDDEN

    def test_denies_workers_without_a_role(self) -> None:
        assert (
            format_answer(rules.judge_change(build_actor(None), REQUISITIONS["pending"]))
            == "forbidden"
        )

    def test_nobody_removes_a_signature_of_an_unknown_signer(self) -> None:
        state = RequisitionState("R260000001", RequisitionStatus.PENDING, is_signed=True)
        for user in (None, ME, UUID(int=3)):
            assert (
                format_answer(rules.judge_unsigning(build_actor(Role.PHYSICIAN, user), state))
                == "signed_by_another"
            )


class TestResults:
    """Entering follows the lab's flags, releasing does not (DECISIONS)."""

    def test_entering_is_denied_when_disabled_for_the_role(self) -> None:
        for role in Role:
            error = orders.judge_entering(
                build_actor(role), FLAGS["all off"], OrderState("L1", OrderStatus.PENDING)
            )
            assert error is not None and error.detail == messages.RESULT_ENTRY_DISABLED

    def test_canceled_orders_are_read_only(self) -> None:
        state = OrderState("L260000001", OrderStatus.CANCELED)
        for error in (
            orders.judge_releasing(build_actor(Role.LABORATORY), state),
            orders.judge_entering(
                build_actor(Role.LABORATORY), {"resultEntryEnabled": True}, state
            ),
        ):
            assert error is not None
            assert error.detail == messages.ORDER_READ_ONLY.format(
                code="L260000001", status="CANCELED"
            )

    def test_flags_can_admit_the_roles_of_the_route(self) -> None:
        [case] = [case for case in CASES if case.name == "enter results"]
        allowed_roles = {r for r in Role for f in FLAGS.values() if case.find_error(r, f) is None}
        assert allowed_roles == RESULT_ENTERERS


class TestActs:
    """The acts that the interface checks: ``shared/vocabulary/permissions.json``."""

    ACTS = {act.name: act for slice_ in SLICES for act in slice_.acts}

    def test_names_are_unique(self) -> None:
        assert len(self.ACTS) == sum(len(slice_.acts) for slice_ in SLICES)

    def test_facts_are_columns_of_lists(self) -> None:
        specs = [spec for slice_ in SLICES for spec in slice_.specs]
        columns = {column.name for spec in specs for column in spec.columns}
        columns |= {value.name for spec in specs for value in spec.joined_values}
        for act in self.ACTS.values():
            assert set(act.facts) <= columns

    def test_answers_match_the_rule(self) -> None:
        table = self.ACTS["receiveRequisition"].tabulate()
        assert table["facts"] == ["status", "hasSignature"]
        lab_answers, client_answers = (
            table["answers"]["Laboratory"],
            table["answers"]["Client Basic"],
        )
        pending, done = f"{RequisitionStatus.PENDING:d} false", f"{RequisitionStatus.DONE:d} true"
        assert lab_answers[pending] is None
        assert lab_answers[done] == messages.REQUISITION_ALREADY_RECEIVED.format(
            code="R{number}", order="L{number}"
        )
        assert client_answers[pending] == messages.FORBIDDEN

    def test_acts_without_facts_have_one_answer(self) -> None:
        answers = self.ACTS["changePatient"].tabulate()["answers"]
        assert answers[Role.CLIENT_BASIC] == {"": None}
        assert answers[Role.PATIENT] == {"": messages.FORBIDDEN}
