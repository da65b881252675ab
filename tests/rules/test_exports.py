"""Rules about exports, and about exporting results."""

from datetime import UTC, date, datetime

import pytest

from app.basics.errors import BadInput, NotFound
from app.contract import messages
from app.contract.enumerations import ExportFormat, ExportState, OrderStatus, Role
from app.contract.limits import (
    EXPORT_CLIENTS_MAX,
    EXPORT_ROWS_MAX,
    EXPORT_TESTS_MAX,
    EXPORTS_UNFINISHED_MAX,
)
from app.server.actor import Actor, get_scope_kind
from app.server.exports import rules
from app.server.exports.errors import ExportEnded, TooManyExports
from app.server.results.cumulative.rules import Period
from app.server.results.exports.rules import (
    ResultFilters,
    build_unknown_test,
    parse_parameters,
    require_valid_filters,
)
from tests.rules.errors import list_errors

_UNFINISHED_STATES = (ExportState.QUEUED, ExportState.RUNNING)
_MARCH = Period(date(2026, 3, 1), date(2026, 3, 31))


def build_owner(role: Role, *ids: int) -> Actor:
    """Build the owner of an export, with the ids of clients or patients."""
    return Actor(get_scope_kind(role), role=role, ids=ids)


class TestTroubles:
    """Why an export failed, in words."""

    def test_each_trouble_has_its_own_message(self) -> None:
        texts = {rules.describe_trouble(trouble) for trouble in rules.Trouble}
        assert len(texts) == len(rules.Trouble)
        assert all(texts)

    def test_a_trouble_from_another_release_has_a_general_message(self) -> None:
        assert rules.describe_trouble("new") == messages.EXPORT_TROUBLE
        assert rules.describe_trouble(None) is None

    def test_names_the_row_limit(self) -> None:
        text = rules.describe_trouble(rules.Trouble.TOO_MANY_ROWS)
        assert text == messages.EXPORT_TOO_MANY_ROWS.format(max="1,000,000")
        assert EXPORT_ROWS_MAX == 1_000_000


class TestStates:
    """The acts on an export, by its state."""

    @pytest.mark.parametrize("state", list(ExportState))
    def test_running_exports_can_be_canceled_and_ended_ones_deleted(
        self, state: ExportState
    ) -> None:
        canceling_error, removing_error = rules.judge_canceling(state), rules.judge_removing(state)
        assert (canceling_error is None) == (state in _UNFINISHED_STATES)
        assert (removing_error is None) == (state not in _UNFINISHED_STATES)
        if canceling_error:
            assert isinstance(canceling_error, ExportEnded)
            assert canceling_error.detail == messages.EXPORT_ALREADY_ENDED
        if removing_error:
            assert isinstance(removing_error, ExportEnded)
            assert removing_error.detail == messages.EXPORT_STILL_RUNNING

    def test_a_person_has_few_unfinished_exports(self) -> None:
        assert rules.judge_quota(EXPORTS_UNFINISHED_MAX - 1) is None
        error = rules.judge_quota(EXPORTS_UNFINISHED_MAX)
        assert isinstance(error, TooManyExports)
        assert error.detail == messages.EXPORTS_UNFINISHED.format(max=EXPORTS_UNFINISHED_MAX)

    @pytest.mark.parametrize(
        ("user_count", "total_count", "is_allowed"),
        [(0, 0, True), (0, 1, True), (0, 2, False), (1, 1, False)],
    )
    def test_limits_running_exports_of_a_person_and_of_all(
        self, user_count: int, total_count: int, is_allowed: bool
    ) -> None:
        assert rules.may_start(user_count, total_count) is is_allowed

    def test_files_are_named_by_source_and_day(self) -> None:
        day = datetime(2026, 3, 4, 23, tzinfo=UTC)
        name = rules.build_file_name("Advanced Search", day, 12, ExportFormat.CSV)
        assert name == "advanced-search-2026-03-04-12.csv"


class TestDownload:
    """Whether the owner may download the file."""

    def test_allows_the_owner_with_unchanged_access(self) -> None:
        owner = build_owner(Role.CLIENT_BASIC, 1, 2)
        state = rules.FileState(Role.CLIENT_BASIC, frozenset({1}))
        assert rules.judge_download(owner, state) is None

    @pytest.mark.parametrize(
        ("state", "text"),
        [
            (
                rules.FileState(Role.CLIENT_BASIC, is_expired=True),
                messages.EXPORT_EXPIRED.format(days=7),
            ),
            (rules.FileState(Role.CLIENT_BASIC, has_file=False), messages.EXPORT_NOT_READY),
            (rules.FileState(Role.CLIENT_BASIC, frozenset({1, 3})), messages.EXPORT_ACCESS_CHANGED),
            (rules.FileState(Role.CLIENT_ADMIN, frozenset({1})), messages.EXPORT_ACCESS_CHANGED),
            (rules.FileState(None), messages.EXPORT_ACCESS_CHANGED),
        ],
    )
    def test_says_why_a_download_is_denied(self, state: rules.FileState, text: str) -> None:
        error = rules.judge_download(build_owner(Role.CLIENT_BASIC, 1, 2), state)
        assert isinstance(error, NotFound)
        assert error.detail == text

    def test_patients_may_not_download(self) -> None:
        error = rules.judge_download(build_owner(Role.PATIENT, 1), rules.FileState(Role.PATIENT))
        assert error is not None
        assert error.status == 403


class TestResultFilters:
    """The filters of an export of results."""

    def test_all_statuses_filter_nothing(self) -> None:
        assert ResultFilters(_MARCH).statuses is None
        filters = ResultFilters(_MARCH, status=OrderStatus.PARTIAL | OrderStatus.FINAL)
        assert sorted(filters.statuses or ()) == sorted([OrderStatus.PARTIAL, OrderStatus.FINAL])

    def test_filters_are_stored_as_json(self) -> None:
        filters = ResultFilters(_MARCH, (1, 2), (3,), int(OrderStatus.FINAL))
        assert filters.build_parameters() == {
            "startDate": "2026-03-01",
            "endDate": "2026-03-31",
            "clientIds": [1, 2],
            "testIds": [3],
            "status": OrderStatus.FINAL,
        }
        assert parse_parameters(filters.build_parameters()) == filters

    def test_accepts_the_maximum_number(self) -> None:
        most = ResultFilters(_MARCH, range(EXPORT_CLIENTS_MAX), range(EXPORT_TESTS_MAX))
        require_valid_filters(most)
        require_valid_filters(ResultFilters(_MARCH, status=1))

    def test_names_each_error(self) -> None:
        invalid_filters = ResultFilters(
            _MARCH, range(EXPORT_CLIENTS_MAX + 1), range(EXPORT_TESTS_MAX + 1), 0
        )
        with pytest.raises(BadInput) as caught:
            require_valid_filters(invalid_filters)
        assert list_errors(caught.value.errors) == [
            ("clientIds", messages.EXPORT_TOO_MANY_CLIENTS.format(max=EXPORT_CLIENTS_MAX)),
            ("testIds", messages.EXPORT_TOO_MANY_TESTS.format(max=EXPORT_TESTS_MAX)),
            ("status", messages.VALUE_INVALID),
        ]

    @pytest.mark.parametrize("status", [-1, 0, int(OrderStatus.ALL) + 1])
    def test_rejects_unknown_statuses(self, status: int) -> None:
        with pytest.raises(BadInput):
            require_valid_filters(ResultFilters(_MARCH, status=status))

    def test_names_an_unknown_test(self) -> None:
        [error] = build_unknown_test(3).errors
        assert (error.field, error.message) == ("testIds.3", messages.TEST_UNKNOWN)
