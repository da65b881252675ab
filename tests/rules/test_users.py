"""Rules of users: their values, assignments, and names."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import USER_ASSIGNMENTS_MAX, USER_EMAIL_MAX, USER_NAME_MAX
from app.server.actor import Actor, get_scope_kind
from app.server.users import rules
from app.server.users.errors import UserOutOfReach
from app.server.users.rules import Assignments, SignUpValues, UserState, UserValues
from tests.rules.errors import list_errors

_EMAIL = "ada@clinic.example"
_NURSE = UserValues(_EMAIL, "TESTER", "ADA", Role.CLIENT_BASIC, assigned=Assignments(clients=(1,)))
_PATIENT = SignUpValues("TESTER", "ADA", date(1980, 1, 2), "P1", _EMAIL)
_LONGEST_EMAIL = "a@" + "b" * (USER_EMAIL_MAX - 10) + ".example"
_ALL_IDS = Assignments((1, 2, 1), (3,), (4,))


def build_actor(role: Role) -> Actor:
    """Build an actor with this role."""
    return Actor(get_scope_kind(role), role=role, ids=(1,))


class TestUserValues:
    """The values of a form about a user."""

    @pytest.mark.parametrize(
        ("role", "assignments"),
        [
            (Role.SUPERUSER, Assignments()),
            (Role.LABORATORY, Assignments()),
            (Role.CLIENT_ADMIN, Assignments(clients=(1,))),
            (Role.CLIENT_BASIC, Assignments(clients=tuple(range(USER_ASSIGNMENTS_MAX)))),
            (Role.PHYSICIAN, Assignments(physicians=(1,))),
            (Role.PATIENT, Assignments(patients=(1,))),
        ],
    )
    def test_each_role_has_its_assignments(self, role: Role, assignments: Assignments) -> None:
        assert (
            rules.validate_user(replace(_NURSE, role=role, assigned=assignments), tuple(Role)) == []
        )

    @pytest.mark.parametrize(
        ("role", "field", "message"),
        [
            (Role.CLIENT_ADMIN, "data.clients", messages.USER_CLIENT_REQUIRED),
            (Role.CLIENT_BASIC, "data.clients", messages.USER_CLIENT_REQUIRED),
            (Role.PHYSICIAN, "data.physicians", messages.USER_PHYSICIAN_REQUIRED),
            (Role.PATIENT, "data.patients", messages.USER_PATIENT_REQUIRED),
        ],
    )
    def test_names_missing_assignments(self, role: Role, field: str, message: str) -> None:
        values = replace(_NURSE, role=role, assigned=Assignments())
        assert list_errors(rules.validate_user(values, tuple(Role))) == [(field, message)]

    def test_rejects_too_many_assignments(self) -> None:
        many = Assignments(clients=tuple(range(USER_ASSIGNMENTS_MAX + 1)))
        text = messages.USER_ASSIGNMENTS_TOO_MANY.format(max="1,000")
        errors = rules.validate_user(replace(_NURSE, assigned=many), tuple(Role))
        assert list_errors(errors) == [("data.clients", text)]

    def test_rejects_roles_that_the_actor_may_not_give(self) -> None:
        errors = rules.validate_user(replace(_NURSE, role=Role.SUPERUSER), [Role.CLIENT_BASIC])
        assert list_errors(errors) == [("role", messages.USER_ROLE_REQUIRED)]

    def test_names_all_errors_at_once(self) -> None:
        values = replace(_NURSE, email="", last_name="", first_name="", role="")
        assert list_errors(rules.validate_user(values, tuple(Role))) == [
            ("email", messages.EMAIL_REQUIRED),
            ("lastName", messages.LAST_NAME_REQUIRED),
            ("firstName", messages.USER_FIRST_NAME_REQUIRED),
            ("role", messages.USER_ROLE_REQUIRED),
        ]


class TestNames:
    """E-mail addresses and names."""

    def test_accepts_the_maximum_length(self) -> None:
        assert rules.validate_names(_EMAIL, "L" * USER_NAME_MAX, "F" * USER_NAME_MAX) == []
        assert rules.validate_names(_LONGEST_EMAIL, "L", "F") == []

    def test_rejects_names_over_the_maximum_length(self) -> None:
        too_long = messages.VALUE_TOO_LONG.format(max=USER_NAME_MAX)
        longer = "N" * (USER_NAME_MAX + 1)
        assert list_errors(rules.validate_names(_EMAIL, longer, longer)) == [
            ("lastName", too_long),
            ("firstName", too_long),
        ]

    @pytest.mark.parametrize("email", ["nobody", "a@" + "b" * USER_EMAIL_MAX + ".example"])
    def test_rejects_invalid_addresses(self, email: str) -> None:
        assert list_errors(rules.validate_names(email, "L", "F")) == [
            ("email", messages.EMAIL_INVALID)
        ]

    @pytest.mark.parametrize(
        ("text", "email"), [(None, ""), ("  ", ""), (" Ada@Clinic.Example ", "ada@clinic.example")]
    )
    def test_addresses_are_stored_in_lower_case(self, text: str | None, email: str) -> None:
        assert rules.normalize_email(text) == email

    @pytest.mark.parametrize(("text", "name"), [(None, ""), (" ", ""), (" ada ", "ADA")])
    def test_names_are_stored_in_upper_case(self, text: str | None, name: str) -> None:
        assert rules.build_name(text) == name

    def test_user_names_begin_like_the_address(self) -> None:
        assert rules.build_username(_EMAIL, 12345) == "ada12345"
        assert rules.build_username("a@b@clinic.example", 1) == "a1"
        name = rules.choose_username(_EMAIL)
        assert name.startswith("ada")
        assert 10_000 <= int(name.removeprefix("ada")) < 100_000


class TestSignUp:
    """A patient's own sign-up."""

    def test_a_complete_sign_up_is_valid(self) -> None:
        assert rules.validate_sign_up(_PATIENT) == []
        assert rules.validate_sign_up(replace(_PATIENT, email=_LONGEST_EMAIL)) == []

    def test_names_what_is_missing(self) -> None:
        assert list_errors(rules.validate_sign_up(SignUpValues("", "", None, "", ""))) == [
            ("lastName", messages.SEARCH_LAST_NAME_REQUIRED),
            ("firstName", messages.SEARCH_FIRST_NAME_REQUIRED),
            ("birthDate", messages.BIRTH_DATE_REQUIRED),
            ("code", messages.SIGN_UP_CODE_REQUIRED),
            ("email", messages.EMAIL_REQUIRED),
        ]

    @pytest.mark.parametrize("email", ["nobody", "a@" + "b" * USER_EMAIL_MAX + ".example"])
    def test_rejects_invalid_addresses(self, email: str) -> None:
        errors = rules.validate_sign_up(replace(_PATIENT, email=email))
        assert list_errors(errors) == [("email", messages.EMAIL_INVALID)]


class TestAssignments:
    """The ids of the clients, physicians, or patients that are assigned to a user."""

    @pytest.mark.parametrize(
        ("role", "assignments"),
        [
            (Role.SUPERUSER, Assignments()),
            (Role.LABORATORY, Assignments()),
            (Role.CLIENT_ADMIN, Assignments(clients=(1, 2))),
            (Role.CLIENT_BASIC, Assignments(clients=(1, 2))),
            (Role.PHYSICIAN, Assignments(physicians=(3,))),
            (Role.PATIENT, Assignments(patients=(4,))),
        ],
    )
    def test_a_role_keeps_only_assignments_of_its_kind(
        self, role: Role, assignments: Assignments
    ) -> None:
        assert rules.normalize_assignments(role, _ALL_IDS) == assignments

    def test_hidden_assignments_stay(self) -> None:
        assert rules.merge_assignments([3, 1, 3], [1, 2, 9], [1, 2]) == (3, 1, 9)

    @given(st.lists(st.integers()), st.lists(st.integers()), st.lists(st.integers()))
    def test_nobody_removes_assignments_that_they_cannot_see(
        self, sent_ids: list[int], current: list[int], visible_ids: list[int]
    ) -> None:
        merged_ids = rules.merge_assignments(sent_ids, current, visible_ids)
        assert set(merged_ids) == set(sent_ids) | (set(current) - set(visible_ids))
        assert len(merged_ids) == len(set(merged_ids))


class TestAdministrators:
    """What administrators may do to other users."""

    def test_administrators_give_and_list_roles(self) -> None:
        superuser, admin = build_actor(Role.SUPERUSER), build_actor(Role.CLIENT_ADMIN)
        assert rules.list_assignable_roles(superuser) == rules.list_roles(superuser) == tuple(Role)
        assert rules.list_assignable_roles(admin) == (Role.CLIENT_BASIC, Role.PATIENT)
        assert rules.list_roles(admin) == (Role.CLIENT_ADMIN, Role.CLIENT_BASIC)

    @pytest.mark.parametrize(
        "judge", [rules.judge_email_change, rules.judge_deletion, rules.judge_invitation]
    )
    def test_administrators_change_only_users_in_their_scope(self, judge) -> None:
        nurse = UserState(Role.CLIENT_BASIC)
        assert judge(build_actor(Role.SUPERUSER), nurse) is None
        assert judge(build_actor(Role.CLIENT_ADMIN), nurse) is None
        assert judge(build_actor(Role.CLIENT_BASIC), nurse) is not None
        assert judge(build_actor(Role.CLIENT_ADMIN), replace(nurse, is_within=False)) is not None
        assert judge(build_actor(Role.SUPERUSER), replace(nurse, is_self=True)) is not None

    def test_administrators_invite_only_active_users(self) -> None:
        error = rules.judge_invitation(
            build_actor(Role.SUPERUSER), UserState(Role.CLIENT_BASIC, active=False)
        )
        assert isinstance(error, UserOutOfReach)
        assert error.detail == messages.USER_INACTIVE
