"""The demo lab: complete, plausible, and the same every time."""

import re
from collections import Counter
from datetime import date, datetime, time, timedelta
from io import BytesIO

import pytest
from PIL import Image

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    OrderStatus,
    RequisitionStatus,
    ResultFlag,
    ResultKind,
    ResultStatus,
    Role,
)
from app.server.results.clinical.rules import Range, compute_flag
from seeds.demo import DemoLab, demo_lab
from seeds.demo.records import DemoOrder, DemoPatient, DemoRequisition
from seeds.reference import diagnoses, lab_tests, medications, panel_members, payers, zip_codes
from seeds.reference.catalog import range_for
from tests.seeds.test_reference import luhn_is_valid

AS_OF = date(2026, 11, 21)
NOW = datetime.combine(AS_OF, time())
SMALL = {"patient_count": 60, "requisition_count": 80}
CATALOG = {test.code: test for test in lab_tests()}


pytestmark = pytest.mark.xdist_group("demo lab")  # the lab takes seconds to build


@pytest.fixture(scope="module")
def lab() -> DemoLab:
    return demo_lab(AS_OF)


def orders(lab: DemoLab) -> list[tuple[DemoRequisition, DemoOrder]]:
    return [(each, each.order) for each in lab.requisitions if each.order is not None]


class TestSize:
    def test_has_the_documented_size(self, lab: DemoLab) -> None:
        counts = tuple(map(len, (lab.clients, lab.physicians, lab.patients, lab.requisitions)))
        assert counts == (6, 40, 500, 3_000)

    def test_can_be_smaller(self) -> None:
        small = demo_lab(AS_OF, **SMALL)
        assert (len(small.patients), len(small.requisitions)) == (60, 80)


class TestToday:
    """Today's pending requisitions, as on the first screen of a front desk."""

    def test_every_client_has_specimens_to_collect(self, lab: DemoLab) -> None:
        round_of = [each for each in lab.requisitions if each.collection_date >= NOW]
        assert {each.client_code for each in round_of} == {each.code for each in lab.clients}
        assert {each.collection_date.date() - AS_OF for each in round_of} == {
            timedelta(),
            timedelta(days=1),
        }
        for each in round_of:
            assert each.status is RequisitionStatus.PENDING
            assert each.order is None
            assert each.created_at < NOW

    def test_has_signed_and_unsigned_requisitions(self, lab: DemoLab) -> None:
        signed = [each.signature is not None for each in lab.requisitions[-50:]]
        assert {True, False} == set(signed)


class TestDeterminism:
    def test_same_day_makes_the_same_lab(self) -> None:
        assert demo_lab(AS_OF, **SMALL) == demo_lab(AS_OF, **SMALL)

    def test_another_day_shifts_all_dates(self) -> None:
        later = demo_lab(AS_OF + timedelta(days=100), **SMALL)
        assert max(each.collection_date for each in later.requisitions) > NOW


class TestPeople:
    def test_physicians_have_valid_demo_npis(self, lab: DemoLab) -> None:
        npis = [each.npi for each in lab.physicians]
        assert len(set(npis)) == 40
        for npi in npis:
            assert re.fullmatch(r"2\d{9}", npi)
            assert luhn_is_valid("80840" + npi)

    def test_every_client_has_physicians_units_and_rooms(self, lab: DemoLab) -> None:
        for client in lab.clients:
            assert sum(client.code in each.client_codes for each in lab.physicians) >= 3
            assert client.units
            assert all(room.unit is None or room.unit in client.units for room in client.rooms)
            assert len({room.name for room in client.rooms}) == len(client.rooms)

    def test_social_security_numbers_are_fictitious(self, lab: DemoLab) -> None:
        numbers = [each.ssn for each in lab.patients if each.ssn]
        assert len(set(numbers)) == len(numbers)
        assert all(re.fullmatch(r"666\d{6}", number) for number in numbers)
        assert any(each.ssn is None for each in lab.patients)

    def test_telephone_numbers_are_fictitious(self, lab: DemoLab) -> None:
        phones = [each.phone for each in lab.patients]
        phones += [each.phone for each in lab.physicians]
        phones += [each.phone for each in lab.clients]
        assert all(re.fullmatch(r"\d{3}-555-01\d\d", phone) for phone in phones)

    def test_patients_live_where_their_client_has_rooms(self, lab: DemoLab) -> None:
        clients = {each.code: each for each in lab.clients}
        for each in lab.patients:
            client = clients[each.client_code]
            assert each.unit is None or each.unit in client.units
            if each.room:
                assert any((r.unit, r.name) == (each.unit, each.room) for r in client.rooms)

    def test_codes_are_unique_and_births_are_in_the_past(self, lab: DemoLab) -> None:
        assert len({each.code for each in lab.patients}) == 500
        assert all(re.fullmatch(r"P\d{7}", each.code) for each in lab.patients)
        assert all(date(1900, 1, 1) <= each.birth_date < AS_OF for each in lab.patients)

    def test_names_are_upper_case_and_diverse(self, lab: DemoLab) -> None:
        assert all(each.last_name == each.last_name.upper() for each in lab.patients)
        assert len({each.last_name for each in lab.patients}) > 120
        assert len({each.race for each in lab.patients}) == 13

    def test_addresses_have_real_zip_codes(self, lab: DemoLab) -> None:
        known = {row.code for row in zip_codes()}
        assert {each.zip_code for each in lab.patients} <= known
        assert {each.zip_code for each in lab.clients} <= known
        assert {each.zip_code for each in lab.physicians} <= known


class TestBackgrounds:
    def test_most_patients_are_insured_and_some_are_not(self, lab: DemoLab) -> None:
        counts = Counter(len(each.insurance) for each in lab.backgrounds)
        assert set(counts) == {0, 1, 2}
        assert 0.6 < 1 - counts[0] / len(lab.patients) < 0.8

    def test_every_coverage_is_marked_as_invented(self, lab: DemoLab) -> None:
        rows = [row for each in lab.backgrounds for row in each.insurance]
        assert all(row.insurance_id.startswith("DEMO") for row in rows)
        assert all(not row.group_number or "INVENTED" in row.group_number for row in rows)

    def test_coverage_fits_the_patient(self, lab: DemoLab) -> None:
        bill_types = {row.name: row.bill_type for row in payers()}
        for each in lab.backgrounds:
            years = (AS_OF - lab.patients[each.patient_index].birth_date).days // 365
            for row in each.insurance:
                if row.relationship in ("FATHER", "MOTHER"):
                    assert years < 18
                if "MEDICARE" in bill_types[row.payer]:
                    assert years >= 65
                assert (row.last_name is None) == (row.relationship == "SELF")

    def test_children_have_a_responsible_party(self, lab: DemoLab) -> None:
        for each in lab.backgrounds:
            if (AS_OF - lab.patients[each.patient_index].birth_date).days // 365 < 18:
                assert each.parties

    def test_known_diagnoses_come_from_a_requisition(self, lab: DemoLab) -> None:
        ordered: dict[int, set[str]] = {}
        for each in lab.requisitions:
            ordered.setdefault(each.patient_index, set()).update(each.diagnoses)
        known = [each for each in lab.backgrounds if each.diagnoses]
        assert len(known) > 100
        assert all(set(each.diagnoses) <= ordered[each.patient_index] for each in known)


class TestAccounts:
    def test_there_is_one_for_each_role(self, lab: DemoLab) -> None:
        active = {each.role: each for each in lab.accounts if each.active}
        assert set(active) == set(Role)
        assert {each.email for each in active.values()} == {
            f"{name}@demo.lab"
            for name in (
                *("superuser", "laboratory", "clientadmin", "clientbasic", "physician", "patient"),
            )
        }
        assert active[Role.CLIENT_ADMIN].client_codes == ("C001", "C002")
        assert active[Role.CLIENT_BASIC].client_codes == ("C001",)

    def test_the_physician_has_many_requisitions(self, lab: DemoLab) -> None:
        account = next(each for each in lab.accounts if each.email == "physician@demo.lab")
        (npi,) = account.physician_npis
        counts = Counter(each.physician_npi for each in lab.requisitions)
        assert counts.most_common(1)[0][0] == npi
        assert counts[npi] > 200

    def test_the_patient_has_several_orders(self, lab: DemoLab) -> None:
        account = next(each for each in lab.accounts if each.email == "patient@demo.lab")
        (index,) = account.patient_indexes
        assert sum(each.patient_index == index for each, _ in orders(lab)) >= 5
        assert lab.patients[index].client_code == "C001"

    def test_every_signer_has_an_account_with_a_signature_image(self, lab: DemoLab) -> None:
        accounts = {each.email: each for each in lab.accounts}
        assert len(accounts) == len(lab.accounts)
        for each in lab.requisitions:
            if each.signature:
                account = accounts[each.signature.email]
                assert account.sign_image
                assert account.physician_npis == (each.physician_npi,)
                assert each.signature.name == f"{account.first_name} {account.last_name}"
        picture = Image.open(BytesIO(lab.accounts[0].sign_image or b""))
        assert (picture.format, picture.size) == ("PNG", (360, 100))


class TestRequisitions:
    def test_all_states_occur_signed_and_not(self, lab: DemoLab) -> None:
        states_seen = {(each.status, each.signature is not None) for each in lab.requisitions}
        states = (RequisitionStatus.PENDING, RequisitionStatus.DONE, RequisitionStatus.CANCELED)
        assert states_seen == {(state, signed) for state in states for signed in (True, False)}

    def test_only_received_requisitions_have_an_order(self, lab: DemoLab) -> None:
        for each in lab.requisitions:
            assert (each.order is not None) == (each.status is RequisitionStatus.DONE)
            assert bool(each.cancel_comment) == (each.status is RequisitionStatus.CANCELED)

    def test_codes_ascend_with_the_collection_date(self, lab: DemoLab) -> None:
        numbers = [each.number for each in lab.requisitions]
        assert numbers == list(range(1, 3_001))
        dates = [each.collection_date for each in lab.requisitions]
        assert dates == sorted(dates)
        for each in lab.requisitions:
            assert each.code == f"R{each.collection_date:%y}{each.number:07d}"

    def test_cover_two_years_until_today(self, lab: DemoLab) -> None:
        dates = [each.collection_date for each in lab.requisitions]
        assert NOW - dates[0] > timedelta(days=715)
        assert NOW - dates[-1] < timedelta(days=4)
        assert NOW - dates[0] < timedelta(days=733)
        assert any(each.time() == time() for each in dates)

    def test_have_no_future_dates(self, lab: DemoLab) -> None:
        for each in lab.requisitions:
            assert each.created_at < NOW
            assert each.signature is None or each.signature.signed_at <= NOW
        for _, order in orders(lab):
            times = [order.received_at, order.reported_at]
            for test in order.tests:
                for result in test.results:
                    times += [result.entered_at, result.released_at]
            assert all(moment <= NOW for moment in times if moment is not None)

    def test_each_has_a_physician_of_the_patients_client(self, lab: DemoLab) -> None:
        physicians = {each.npi: each for each in lab.physicians}
        for each in lab.requisitions:
            assert each.client_code == lab.patients[each.patient_index].client_code
            assert each.client_code in physicians[each.physician_npi].client_codes

    def test_tests_diagnoses_and_medications_exist(self, lab: DemoLab) -> None:
        codes = {row.code for row in diagnoses()}
        for each in lab.requisitions:
            assert each.tests
            assert each.diagnoses
            assert set(each.diagnoses) <= codes
            assert set(each.medications) <= set(medications())

    def test_panels_list_their_members_in_printing_order(self, lab: DemoLab) -> None:
        members: dict[str, list[str]] = {}
        for row in panel_members():
            members.setdefault(row.panel, []).append(row.test)
        for each in lab.requisitions:
            assert [test.position for test in each.tests] == list(range(len(each.tests)))
            for test in each.tests:
                assert CATALOG[test.code].orderable or test.level == 1
                below = [child.code for child in each.tests if child.parent == test.position]
                assert below == members.get(test.code, [])

    def test_order_no_top_level_test_twice(self, lab: DemoLab) -> None:
        for each in lab.requisitions:
            roots = [test.code for test in each.tests if test.level == 0]
            inside = {test.code for test in each.tests if test.level == 1}
            assert len(set(roots)) == len(roots)
            assert not set(roots) & inside


class TestOrders:
    def test_all_states_occur(self, lab: DemoLab) -> None:
        states = {order.status for _, order in orders(lab)}
        assert states == set(OrderStatus) - {OrderStatus.NONE, OrderStatus.ALL}

    def test_code_is_the_requisitions_with_an_l(self, lab: DemoLab) -> None:
        assert all(order.code == f"L{each.code[1:]}" for each, order in orders(lab))

    def test_status_follows_from_the_tests(self, lab: DemoLab) -> None:
        for _, order in orders(lab):
            measured = [test for test in order.tests if not test.is_panel]
            released = [any(r.released_at for r in test.results) for test in measured]
            entered = [bool(test.results) for test in measured]
            match order.status:
                case OrderStatus.FINAL | OrderStatus.PRELIMINARY:
                    assert all(released)
                case OrderStatus.PARTIAL | OrderStatus.PARTIALLY_RELEASED:
                    assert any(released)
                    assert not all(released)
                case OrderStatus.UNRELEASED:
                    assert any(entered)
                    assert not any(released)
                case _:
                    assert not any(entered)

    def test_each_test_has_a_status(self, lab: DemoLab) -> None:
        for _, order in orders(lab):
            for test in order.tests:
                if test.is_panel:
                    assert (test.status, test.results) == (ResultStatus.NONE, ())
                elif order.status is OrderStatus.CANCELED:
                    assert test.status is ResultStatus.CANCELED
                elif not test.results:
                    assert test.status is ResultStatus.PENDING
                elif test.results[-1].released_at is None:
                    assert test.status is ResultStatus.UNRELEASED
                else:
                    assert test.status in (ResultStatus.FINAL, ResultStatus.PRELIMINARY)

    def test_every_kind_of_result_occurs(self, lab: DemoLab) -> None:
        kinds = {test.kind for _, order in orders(lab) for test in order.tests}
        assert kinds == set(ResultKind)

    def test_times_are_in_order(self, lab: DemoLab) -> None:
        for each, order in orders(lab):
            assert each.collection_date <= order.received_at
            released = [
                result.released_at
                for test in order.tests
                for result in test.results
                if result.released_at
            ]
            assert order.reported_at == max(released, default=None)
            assert all(moment >= order.received_at for moment in released)


class TestResults:
    def test_flags_follow_the_rule(self, lab: DemoLab) -> None:
        for each, order in orders(lab):
            patient = lab.patients[each.patient_index]
            for test in order.tests:
                for result in test.results:
                    assert result.flag == _judged(patient, each, test.code, result.value)

    def test_are_mostly_normal_sometimes_abnormal_rarely_critical(self, lab: DemoLab) -> None:
        flags = Counter(
            result.flag for _, o in orders(lab) for test in o.tests for result in test.results
        )
        total = sum(flags.values())
        normal = flags[ResultFlag.NORMAL] + flags[ResultFlag.NEGATIVE] + flags[None]
        assert 0.8 < normal / total < 0.95
        critical = sum(flags[flag] for flag in CRITICAL_FLAGS)
        assert 0 < critical / total < 0.01
        for flag in ("L", "H", "LL", "HH", "POS", "A"):
            assert flags[ResultFlag(flag)] > 10

    def test_order_says_whether_results_are_critical_or_abnormal(self, lab: DemoLab) -> None:
        for _, order in orders(lab):
            flags = [
                result.flag
                for test in order.tests
                for result in test.results[-1:]
                if result.released_at and result.flag
            ]
            assert order.has_critical == any(flag in CRITICAL_FLAGS for flag in flags)
            assert order.has_abnormal == any(flag not in NOT_ABNORMAL_FLAGS for flag in flags)

    def test_corrections_contain_the_previous_value(self, lab: DemoLab) -> None:
        corrected = 0
        for _, order in orders(lab):
            for test in order.tests:
                if test.results:
                    assert [r.revision for r in test.results] == list(
                        range(1, len(test.results) + 1)
                    )
                    assert [r.is_current for r in test.results][-1]
                    assert sum(r.is_current for r in test.results) == 1
                corrected += len(test.results) > 1
        assert corrected > 20

    def test_coded_values_are_among_the_choices(self, lab: DemoLab) -> None:
        for _, order in orders(lab):
            for test in order.tests:
                choices = CATALOG[test.code].choices
                assert not choices or all(result.value in choices for result in test.results)

    def test_calculated_results_add_up(self, lab: DemoLab) -> None:
        seen = 0
        for _, order in orders(lab):
            values = {
                test.code: float(test.results[0].value)
                for test in order.tests
                if len(test.results) == 1 and re.fullmatch(r"[\d.]+", test.results[0].value)
            }
            if {"CHOL", "HDL", "NHDL"} <= set(values):
                assert values["NHDL"] == pytest.approx(values["CHOL"] - values["HDL"], abs=1)
                seen += 1
            if {"NEUTP", "LYMPHP", "MONOP", "EOSP", "BASOP"} <= set(values):
                parts = ("NEUTP", "LYMPHP", "MONOP", "EOSP", "BASOP")
                assert sum(values[part] for part in parts) == pytest.approx(100, abs=0.2)
        assert seen > 100

    def test_values_of_a_patient_vary_little(self, lab: DemoLab) -> None:
        sodium: dict[int, list[float]] = {}
        for each, order in orders(lab):
            for test in order.tests:
                for result in test.results:
                    if test.code == "NA" and result.flag is ResultFlag.NORMAL:
                        sodium.setdefault(each.patient_index, []).append(float(result.value))
        spreads = [max(values) - min(values) for values in sodium.values() if len(values) > 2]
        assert sum(spreads) / len(spreads) < 3


def _judged(
    patient: DemoPatient, each: DemoRequisition, code: str, value: str
) -> ResultFlag | None:
    age = (each.collection_date.date() - patient.birth_date).days
    row = range_for(code, patient.gender, max(0, age))
    limits = Range(row.low, row.high, row.critical_low, row.critical_high) if row else Range()
    return compute_flag(CATALOG[code].result_type, value, limits, CATALOG[code].normal_choices)


class TestTestLists:
    def test_every_ordered_test_is_on_the_clients_list(self, lab: DemoLab) -> None:
        lists = {each.client_code: set(each.codes) for each in lab.test_lists}
        assert set(lists) < {client.code for client in lab.clients}
        for each in lab.requisitions:
            ordered = {test.code for test in each.tests if test.parent is None}
            assert ordered <= lists.get(each.client_code, ordered), each.code

    def test_every_list_lacks_an_orderable_test(self, lab: DemoLab) -> None:
        orderable = {code for code, test in CATALOG.items() if test.orderable}
        for each in lab.test_lists:
            assert set(each.codes) < orderable, each.client_code

    def test_nurse_can_order_all_favorites(self, lab: DemoLab) -> None:
        [on_list] = [set(each.codes) for each in lab.test_lists if each.client_code == "C001"]
        assert [each.name for each in lab.favorites] == ["ANNUAL PHYSICAL", "DIABETES FOLLOW-UP"]
        for each in lab.favorites:
            assert each.email == "clientbasic@demo.lab" and set(each.codes) <= on_list
