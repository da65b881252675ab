"""The demo lab: complete, plausible, and the same every time."""

import re
from collections import Counter
from datetime import date, datetime, time, timedelta
from io import BytesIO

import pytest
from PIL import Image

from app.contract.enumerations import (
    OrderStatus,
    RequisitionStatus,
    ResultKind,
    ResultStatus,
    Role,
)
from app.server.orders.rules import compute_order_status
from seeds.demo import DemoLab, build_demo_lab
from seeds.demo.records import DemoOrder, DemoOrderTest
from seeds.reference import (
    list_diagnoses,
    list_lab_tests,
    list_medications,
    list_panel_members,
    list_payers,
    list_zip_codes,
)
from tests.seeds.demo import AS_OF, list_entries, list_orders, list_release_times
from tests.seeds.test_reference import is_luhn_valid

NOW = datetime.combine(AS_OF, time())
SMALL = {"patient_count": 60, "requisition_count": 80}
CATALOG = {test.code: test for test in list_lab_tests()}


pytestmark = pytest.mark.xdist_group("demo lab")  # Building the lab takes seconds.


def find_result_row(order: DemoOrder, test: DemoOrderTest) -> DemoOrderTest:
    """Find the order's first row of a test, which has the results of all rows of the test."""
    return next(row for row in order.tests if row.code == test.code)


class TestSize:
    def test_has_the_documented_size(self, lab: DemoLab) -> None:
        counts = tuple(map(len, (lab.clients, lab.physicians, lab.patients, lab.requisitions)))
        assert counts == (6, 40, 500, 3_000)

    def test_can_be_smaller(self) -> None:
        small_lab = build_demo_lab(AS_OF, **SMALL)
        assert (len(small_lab.patients), len(small_lab.requisitions)) == (60, 80)


class TestToday:
    """Today's pending requisitions, as on the first screen of a front desk."""

    def test_every_client_has_specimens_to_collect(self, lab: DemoLab) -> None:
        upcoming_requisitions = [
            requisition for requisition in lab.requisitions if requisition.collection_date >= NOW
        ]
        assert {requisition.client_code for requisition in upcoming_requisitions} == {
            client.code for client in lab.clients
        }
        assert {
            requisition.collection_date.date() - AS_OF for requisition in upcoming_requisitions
        } == {
            timedelta(),
            timedelta(days=1),
        }
        for requisition in upcoming_requisitions:
            assert requisition.status is RequisitionStatus.PENDING
            assert requisition.order is None
            assert requisition.created_at < NOW

    @pytest.mark.parametrize("day", range(4))
    def test_every_client_waits_for_results_from_saturday_to_tuesday(self, day: int) -> None:
        lab = build_demo_lab(AS_OF + timedelta(day))
        since = lab.as_of - timedelta(days=3)
        counts = Counter(
            requisition.client_code
            for requisition, order in list_orders(lab)
            if order.status is OrderStatus.PENDING
            and order.received_at.date() >= since
            and sum(not test.is_panel for test in order.tests) > 1
        )
        assert all(counts[client.code] >= 2 for client in lab.clients), counts

    def test_has_signed_and_unsigned_requisitions(self, lab: DemoLab) -> None:
        signed_flags = [requisition.signature is not None for requisition in lab.requisitions[-50:]]
        assert {True, False} == set(signed_flags)


class TestDeterminism:
    def test_same_day_makes_the_same_lab(self) -> None:
        assert build_demo_lab(AS_OF, **SMALL) == build_demo_lab(AS_OF, **SMALL)

    def test_another_day_shifts_all_dates(self) -> None:
        later_lab = build_demo_lab(AS_OF + timedelta(days=100), **SMALL)
        assert max(requisition.collection_date for requisition in later_lab.requisitions) > NOW


class TestPeople:
    def test_everybody_is_born_before_the_first_order(self, lab: DemoLab) -> None:
        patients = {patient.index: patient for patient in (*lab.patients, lab.history.patient)}
        for requisition in (*lab.history.requisitions, *lab.requisitions):
            patient = patients[requisition.patient_index]
            times = [requisition.created_at, requisition.collection_date]
            if requisition.order is not None:
                times.append(requisition.order.received_at)
            assert patient.birth_date < min(times).date(), requisition.code

    def test_physicians_have_valid_demo_npis(self, lab: DemoLab) -> None:
        npis = [physician.npi for physician in lab.physicians]
        assert len(set(npis)) == 40
        for npi in npis:
            assert re.fullmatch(r"2\d{9}", npi)
            assert is_luhn_valid("80840" + npi)

    def test_every_client_has_physicians_units_and_rooms(self, lab: DemoLab) -> None:
        for client in lab.clients:
            assert sum(client.code in physician.client_codes for physician in lab.physicians) >= 3
            assert client.units
            assert all(room.unit is None or room.unit in client.units for room in client.rooms)
            assert len({room.name for room in client.rooms}) == len(client.rooms)

    def test_social_security_numbers_are_fictitious(self, lab: DemoLab) -> None:
        numbers = [patient.ssn for patient in lab.patients if patient.ssn]
        assert len(set(numbers)) == len(numbers)
        assert all(re.fullmatch(r"666\d{6}", number) for number in numbers)
        assert any(patient.ssn is None for patient in lab.patients)

    def test_telephone_numbers_are_fictitious(self, lab: DemoLab) -> None:
        phones = [patient.phone for patient in lab.patients]
        phones += [physician.phone for physician in lab.physicians]
        phones += [client.phone for client in lab.clients]
        assert all(re.fullmatch(r"\d{3}-555-01\d\d", phone) for phone in phones)

    def test_patients_live_where_their_client_has_rooms(self, lab: DemoLab) -> None:
        clients = {client.code: client for client in lab.clients}
        for patient in lab.patients:
            client = clients[patient.client_code]
            assert patient.unit is None or patient.unit in client.units
            if patient.room:
                assert any((r.unit, r.name) == (patient.unit, patient.room) for r in client.rooms)

    def test_codes_are_unique_and_births_are_in_the_past(self, lab: DemoLab) -> None:
        assert len({patient.code for patient in lab.patients}) == 500
        assert all(re.fullmatch(r"P\d{7}", patient.code) for patient in lab.patients)
        assert all(date(1900, 1, 1) <= patient.birth_date < AS_OF for patient in lab.patients)

    def test_names_are_upper_case_and_diverse(self, lab: DemoLab) -> None:
        assert all(patient.last_name == patient.last_name.upper() for patient in lab.patients)
        assert len({patient.last_name for patient in lab.patients}) > 120
        assert len({patient.race for patient in lab.patients}) == 13

    def test_addresses_have_real_zip_codes(self, lab: DemoLab) -> None:
        zip_codes = {row.code for row in list_zip_codes()}
        assert {patient.zip_code for patient in lab.patients} <= zip_codes
        assert {client.zip_code for client in lab.clients} <= zip_codes
        assert {physician.zip_code for physician in lab.physicians} <= zip_codes


class TestBackgrounds:
    def test_most_patients_are_insured_and_some_are_not(self, lab: DemoLab) -> None:
        counts = Counter(len(background.insurance) for background in lab.backgrounds)
        assert set(counts) == {0, 1, 2}
        assert 0.6 < 1 - counts[0] / len(lab.patients) < 0.8

    def test_every_coverage_is_marked_as_invented(self, lab: DemoLab) -> None:
        rows = [row for background in lab.backgrounds for row in background.insurance]
        assert all(row.insurance_id.startswith("DEMO") for row in rows)
        assert all(not row.group_number or "INVENTED" in row.group_number for row in rows)

    def test_coverage_fits_the_patient(self, lab: DemoLab) -> None:
        bill_types = {row.name: row.bill_type for row in list_payers()}
        for background in lab.backgrounds:
            years = (AS_OF - lab.patients[background.patient_index].birth_date).days // 365
            for row in background.insurance:
                if row.relationship in ("FATHER", "MOTHER"):
                    assert years < 18
                if "MEDICARE" in bill_types[row.payer]:
                    assert years >= 65
                assert (row.last_name is None) == (row.relationship == "SELF")

    def test_children_have_a_responsible_party(self, lab: DemoLab) -> None:
        for background in lab.backgrounds:
            if (AS_OF - lab.patients[background.patient_index].birth_date).days // 365 < 18:
                assert background.parties

    def test_known_diagnoses_come_from_a_requisition(self, lab: DemoLab) -> None:
        codes_by_patient: dict[int, set[str]] = {}
        for requisition in lab.requisitions:
            codes_by_patient.setdefault(requisition.patient_index, set()).update(
                requisition.diagnoses
            )
        backgrounds = [background for background in lab.backgrounds if background.diagnoses]
        assert len(backgrounds) > 100
        assert all(
            set(background.diagnoses) <= codes_by_patient[background.patient_index]
            for background in backgrounds
        )


class TestAccounts:
    def test_every_role_has_an_active_account(self, lab: DemoLab) -> None:
        active = {account.role: account for account in lab.accounts if account.active}
        assert set(active) == set(Role)
        assert {account.email for account in active.values()} == {
            f"{name}@demo.lab"
            for name in (
                "superuser",
                "laboratory",
                "clientadmin",
                "clientbasic",
                "physician",
                "patient",
            )
        }
        assert active[Role.CLIENT_ADMIN].client_codes == ("C001", "C002")
        assert active[Role.CLIENT_BASIC].client_codes == ("C001",)

    def test_the_physician_has_many_requisitions(self, lab: DemoLab) -> None:
        account = next(account for account in lab.accounts if account.email == "physician@demo.lab")
        (npi,) = account.physician_npis
        counts = Counter(requisition.physician_npi for requisition in lab.requisitions)
        assert counts.most_common(1)[0][0] == npi
        assert counts[npi] > 200

    def test_the_patient_has_results_of_all_families(self, lab: DemoLab) -> None:
        account = next(account for account in lab.accounts if account.email == "patient@demo.lab")
        assert account.patient_indexes == (lab.history.patient.index,)
        orders = [requisition.order for requisition in lab.history.requisitions]
        assert len(orders) >= 5
        tests = [test for order in orders if order for test in order.tests]
        released_kinds = {test.kind for test in tests if any(r.released_at for r in test.results)}
        released_kinds |= {test.kind for test in tests if any(c.released_at for c in test.cultures)}
        released_kinds |= {
            test.kind for test in tests if any(t.released_at for t in test.toxicology)
        }
        released_kinds |= {test.kind for test in tests if any(r.released_at for r in test.reports)}
        assert released_kinds == set(ResultKind)
        organisms = [o for test in tests for c in test.cultures for o in c.content.organisms]
        assert any(organism.sensitivity for organism in organisms)

    def test_every_signer_has_an_account_with_a_signature_image(self, lab: DemoLab) -> None:
        accounts = {account.email: account for account in lab.accounts}
        assert len(accounts) == len(lab.accounts)
        for requisition in lab.requisitions:
            if requisition.signature:
                account = accounts[requisition.signature.email]
                assert account.sign_image
                assert account.physician_npis == (requisition.physician_npi,)
                assert requisition.signature.name == f"{account.first_name} {account.last_name}"
        picture = Image.open(BytesIO(lab.accounts[0].sign_image or b""))
        assert (picture.format, picture.size) == ("PNG", (360, 100))


class TestRequisitions:
    def test_all_states_occur_signed_and_unsigned(self, lab: DemoLab) -> None:
        states_seen = {
            (requisition.status, requisition.signature is not None)
            for requisition in lab.requisitions
        }
        states = (RequisitionStatus.PENDING, RequisitionStatus.DONE, RequisitionStatus.CANCELED)
        assert states_seen == {
            (state, is_signed) for state in states for is_signed in (True, False)
        }

    def test_only_received_requisitions_have_an_order(self, lab: DemoLab) -> None:
        for requisition in lab.requisitions:
            assert (requisition.order is not None) == (requisition.status is RequisitionStatus.DONE)
            assert bool(requisition.cancel_comment) == (
                requisition.status is RequisitionStatus.CANCELED
            )

    def test_codes_ascend_with_the_collection_date(self, lab: DemoLab) -> None:
        numbers = [requisition.number for requisition in lab.requisitions]
        assert numbers == list(range(1, 3_001))
        dates = [requisition.collection_date for requisition in lab.requisitions]
        assert dates == sorted(dates)
        for requisition in lab.requisitions:
            assert requisition.code == f"R{requisition.collection_date:%y}{requisition.number:07d}"

    def test_requisitions_cover_two_years_until_today(self, lab: DemoLab) -> None:
        dates = [requisition.collection_date for requisition in lab.requisitions]
        assert NOW - dates[0] > timedelta(days=715)
        assert NOW - dates[-1] < timedelta(days=4)
        assert NOW - dates[0] < timedelta(days=733)
        assert any(moment.time() == time() for moment in dates)

    def test_requisitions_have_no_future_dates(self, lab: DemoLab) -> None:
        for requisition in lab.requisitions:
            assert requisition.created_at < NOW
            assert requisition.signature is None or requisition.signature.signed_at <= NOW
        for _, order in list_orders(lab):
            times = [order.received_at, order.reported_at]
            for test in order.tests:
                for entry in list_entries(test):
                    times += [entry.entered_at, entry.released_at]
            assert all(moment <= NOW for moment in times if moment is not None)

    def test_each_requisition_has_a_physician_of_the_patients_client(self, lab: DemoLab) -> None:
        physicians = {physician.npi: physician for physician in lab.physicians}
        for requisition in lab.requisitions:
            assert requisition.client_code == lab.patients[requisition.patient_index].client_code
            assert requisition.client_code in physicians[requisition.physician_npi].client_codes

    def test_tests_diagnoses_and_medications_exist(self, lab: DemoLab) -> None:
        codes = {row.code for row in list_diagnoses()}
        for requisition in lab.requisitions:
            assert requisition.tests
            assert requisition.diagnoses
            assert set(requisition.diagnoses) <= codes
            assert set(requisition.medications) <= set(list_medications())

    def test_panels_list_their_members_in_printing_order(self, lab: DemoLab) -> None:
        members: dict[str, list[str]] = {}
        for row in list_panel_members():
            members.setdefault(row.panel, []).append(row.test)
        for requisition in lab.requisitions:
            assert [test.position for test in requisition.tests] == list(
                range(len(requisition.tests))
            )
            for test in requisition.tests:
                assert CATALOG[test.code].orderable or test.level == 1
                codes = [
                    member.code for member in requisition.tests if member.parent == test.position
                ]
                assert codes == members.get(test.code, [])

    def test_no_requisition_orders_a_test_twice(self, lab: DemoLab) -> None:
        for requisition in lab.requisitions:
            ordered_codes = [test.code for test in requisition.tests if test.level == 0]
            member_codes = {test.code for test in requisition.tests if test.level == 1}
            assert len(set(ordered_codes)) == len(ordered_codes)
            assert not set(ordered_codes) & member_codes


class TestOrders:
    def test_all_states_occur(self, lab: DemoLab) -> None:
        states = {order.status for _, order in list_orders(lab)}
        assert states == set(OrderStatus) - {OrderStatus.NONE, OrderStatus.ALL}

    def test_code_is_an_l_and_the_digits_of_the_requisition(self, lab: DemoLab) -> None:
        assert all(
            order.code == f"L{requisition.code[1:]}" for requisition, order in list_orders(lab)
        )

    def test_a_test_of_two_panels_has_one_result(self, lab: DemoLab) -> None:
        shared_count = 0
        for _, order in list_orders(lab):
            rows = Counter(test.code for test in order.tests)
            shared_count += max(rows.values()) > 1
            with_results = Counter(test.code for test in order.tests if test.results)
            assert set(with_results.values()) <= {1}
        assert shared_count > 0

    def test_status_follows_from_the_tests(self, lab: DemoLab) -> None:
        for _, order in list_orders(lab):
            measured_tests = [test for test in order.tests if not test.is_panel]
            assert order.status == compute_order_status(test.status for test in measured_tests)
            for test in measured_tests:
                is_released = any(list_release_times(find_result_row(order, test)))
                assert is_released == (
                    test.status in (ResultStatus.FINAL, ResultStatus.PRELIMINARY)
                )

    def test_each_test_has_a_status(self, lab: DemoLab) -> None:
        for _, order in list_orders(lab):
            for test in order.tests:
                if test.is_panel:
                    assert (test.status, test.results) == (ResultStatus.NONE, ())
                elif order.status is OrderStatus.CANCELED:
                    assert test.status is ResultStatus.CANCELED
                elif not list_release_times(find_result_row(order, test)):
                    assert test.status is ResultStatus.PENDING
                elif not any(list_release_times(find_result_row(order, test))):
                    assert test.status is ResultStatus.UNRELEASED
                else:
                    assert test.status in (ResultStatus.FINAL, ResultStatus.PRELIMINARY)

    def test_every_kind_of_result_occurs(self, lab: DemoLab) -> None:
        kinds = {test.kind for _, order in list_orders(lab) for test in order.tests}
        assert kinds == set(ResultKind)

    def test_times_are_in_order(self, lab: DemoLab) -> None:
        for requisition, order in list_orders(lab):
            assert requisition.collection_date <= order.received_at
            release_times = [
                time for test in order.tests for time in list_release_times(test) if time
            ]
            assert order.reported_at == max(release_times, default=None)
            assert all(moment >= order.received_at for moment in release_times)
