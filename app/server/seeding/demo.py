"""The demo lab: settings, clients, physicians, patients and accounts.

``demo_backgrounds`` loads insurance, diagnoses and medications of patients, ``demo_tests`` the
test lists and favorite panels, ``demo_orders`` the requisitions with their orders, ``demo_billing``
what they are billed to, ``demo_automation`` added tests and autoverification, ``demo_specimens``
the tubes of recent orders, ``demo_criticals`` the calls about critical results,
``demo_acknowledgments`` who has read which results, and ``demo_supplies`` what clients may ask for.
"""

from datetime import date
from uuid import NAMESPACE_URL, uuid5

from psycopg.types.json import Jsonb

from app.contract import messages
from app.server.legal.rules import VERSIONS
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.physicians.rules import is_valid_npi
from app.server.seeding import (
    demo_acknowledgments,
    demo_automation,
    demo_backgrounds,
    demo_billing,
    demo_criticals,
    demo_orders,
    demo_specimens,
    demo_supplies,
    demo_tests,
)
from app.server.seeding.copying import Connection, advance_sequences, copy_rows, load_ids
from app.server.seeding.loaded_ids import LoadedIds
from seeds.demo import DemoLab, build_demo_lab

_RESULT_COLUMNS = ("GLU", "K", "CREA", "HGB")
DESKTOP_APP_URL = "https://downloads.demo.lab/desktop-app"
_SUPPORT = {"contactEmail": "contact@demo.lab", "supplyEmail": "supplies@demo.lab"}


def insert_demo_lab(
    connection: Connection, as_of: date, ssn: SocialSecurityNumbers, password_hash: str
) -> None:
    """Insert the demo lab, whose two years of records end at ``as_of``."""
    lab = build_demo_lab(as_of)
    ids = LoadedIds(
        load_ids(connection, "zip_codes", "code"),
        load_ids(connection, "lab_tests", "code"),
        load_ids(connection, "diagnoses", "code"),
    )
    _insert_settings(connection, lab, ids)
    _insert_clients(connection, lab, ids)
    _insert_physicians(connection, lab, ids)
    _insert_patients(connection, lab, ids, ssn)
    _insert_accounts(connection, lab, ids, password_hash)
    demo_tests.insert_test_lists(connection, lab, ids)
    demo_supplies.insert_supplies(connection)
    demo_backgrounds.insert_backgrounds(connection, lab, ids)
    demo_orders.insert_requisitions(connection, lab, ids)
    demo_billing.insert_billing(connection)
    demo_criticals.insert_critical_results(connection, as_of)
    demo_automation.insert_automation(connection, as_of)
    demo_specimens.insert_specimens(connection, as_of)
    demo_acknowledgments.insert_acknowledgments(connection, as_of)
    _date_registrations(connection)
    advance_sequences(connection, "clients", "units", "rooms", "physicians", "patients")


def _date_registrations(connection: Connection) -> None:
    """Register each patient shortly before their first requisition, as the timeline expects."""
    connection.execute(
        "UPDATE patients SET created_at = first.at - interval '20 minutes' FROM"
        " (SELECT patient_id, min(created_at) AS at FROM requisitions GROUP BY patient_id) first"
        " WHERE first.patient_id = patients.id"
    )


def _insert_settings(connection: Connection, lab: DemoLab, ids: LoadedIds) -> None:
    report = {name: getattr(lab.lab, name) for name in lab.lab.__dataclass_fields__}
    report |= {"title": lab.lab.name, "desktopAppUrl": DESKTOP_APP_URL}
    entry = {
        "resultEntryEnabled": True,
        "resultEntrySuperUser": True,
        "resultEntryClientAdmin": False,
        "resultEntryClientBasic": False,
    }
    copy_rows(
        connection,
        "lab_settings",
        ("name", "value"),
        (
            ("report", Jsonb(report)),
            ("result-entry", Jsonb(entry)),
            ("support", Jsonb(_SUPPORT)),
            ("web-results", Jsonb({"tests": [ids.tests[code] for code in _RESULT_COLUMNS]})),
        ),
    )


def _insert_clients(connection: Connection, lab: DemoLab, ids: LoadedIds) -> None:
    ids.clients = {c.code: i for i, c in enumerate(lab.clients, start=1)}
    units = [(c.code, name) for c in lab.clients for name in c.units]
    ids.units = {key: i for i, key in enumerate(units, start=1)}
    rooms = [(c.code, room) for c in lab.clients for room in c.rooms]
    ids.rooms = {(code, room.name): i for i, (code, room) in enumerate(rooms, start=1)}
    copy_rows(
        connection,
        "clients",
        (
            "id",
            "code",
            "name",
            "address",
            "zip_code_id",
            "zip_code_plus4",
            "phone",
            "fax",
            "notice_email",
            "web_access",
            "default_bill_to",
            "requires_physician",
        ),
        (
            (
                ids.clients[c.code],
                c.code,
                c.name,
                c.address,
                ids.zips[c.zip_code],
                c.zip_code_plus4,
                c.phone,
                c.fax,
                f"specimens@{c.code.lower()}.demo.lab",
                c.web_access,
                int(c.default_bill_to),
                c.requires_physician,
            )
            for c in lab.clients
        ),
    )
    copy_rows(
        connection,
        "units",
        ("id", "client_id", "name"),
        ((ids.units[code, name], ids.clients[code], name) for code, name in units),
    )
    copy_rows(
        connection,
        "rooms",
        ("id", "client_id", "unit_id", "name"),
        (
            (
                ids.rooms[code, room.name],
                ids.clients[code],
                ids.units[code, room.unit] if room.unit else None,
                room.name,
            )
            for code, room in rooms
        ),
    )


def _insert_physicians(connection: Connection, lab: DemoLab, ids: LoadedIds) -> None:
    if not all(is_valid_npi(p.npi) for p in lab.physicians):
        raise ValueError(messages.NPI_INVALID)
    ids.physicians = {p.npi: i for i, p in enumerate(lab.physicians, start=1)}
    copy_rows(
        connection,
        "physicians",
        ("id", "npi", "first_name", "last_name", "address", "zip_code_id", "phone", "fax"),
        (
            (
                ids.physicians[p.npi],
                p.npi,
                p.first_name,
                p.last_name,
                p.address,
                ids.zips[p.zip_code],
                p.phone,
                p.fax,
            )
            for p in lab.physicians
        ),
    )
    copy_rows(
        connection,
        "client_physicians",
        ("client_id", "physician_id"),
        (
            (ids.clients[code], ids.physicians[p.npi])
            for p in lab.physicians
            for code in p.client_codes
        ),
    )


def _insert_patients(
    connection: Connection, lab: DemoLab, ids: LoadedIds, ssn: SocialSecurityNumbers
) -> None:
    patients = (*lab.patients, lab.history.patient)
    ids.patients = {p.index: i for i, p in enumerate(patients, start=1)}
    copy_rows(
        connection,
        "patients",
        (
            "id",
            "code",
            "client_id",
            "unit_id",
            "room_id",
            "bed",
            "medical_record_id",
            "primary_physician_id",
            "last_name",
            "first_name",
            "middle_name",
            "birth_date",
            "gender",
            "ssn_encrypted",
            "ssn_hash",
            "ssn_last4",
            "sexual_orientation_id",
            "gender_identity_id",
            "race",
            "ethnicity",
            "address",
            "zip_code_id",
            "zip_code_plus4",
            "same_as_client_address",
            "phone",
            "mobile",
            "email",
        ),
        (
            (
                ids.patients[p.index],
                p.code,
                ids.clients[p.client_code],
                ids.units[p.client_code, p.unit] if p.unit else None,
                ids.rooms[p.client_code, p.room] if p.room else None,
                p.bed,
                p.medical_record_id,
                ids.physicians[p.physician_npi],
                p.last_name,
                p.first_name,
                p.middle_name,
                p.birth_date,
                p.gender,
                ssn.encrypt(p.ssn) if p.ssn else None,
                ssn.hash(p.ssn) if p.ssn else None,
                p.ssn[-4:] if p.ssn else None,
                p.sexual_orientation_id,
                p.gender_identity_id,
                p.race,
                int(p.ethnicity),
                p.address,
                ids.zips[p.zip_code],
                f"{1_000 + p.index * 7 % 9_000:04d}",
                p.same_as_client_address,
                p.phone,
                p.mobile,
                p.email,
            )
            for p in patients
        ),
    )
    last = max(int(p.code[1:]) for p in patients)
    connection.execute("SELECT setval('patient_codes', %s)", (last,))


def _insert_accounts(
    connection: Connection, lab: DemoLab, ids: LoadedIds, password_hash: str
) -> None:
    ids.users = {a.email: uuid5(NAMESPACE_URL, f"portal:{a.email}") for a in lab.accounts}
    copy_rows(
        connection,
        "users",
        (
            "id",
            "email",
            "username",
            "password_hash",
            "first_name",
            "last_name",
            "active",
            "client_ids",
            "physician_ids",
            "patient_ids",
            "sign_image",
        ),
        (
            (
                ids.users[a.email],
                a.email,
                a.email.partition("@")[0],
                password_hash if a.active else "",
                a.first_name,
                a.last_name,
                a.active,
                [ids.clients[code] for code in a.client_codes],
                [ids.physicians[npi] for npi in a.physician_npis],
                [ids.patients[index] for index in a.patient_indexes],
                a.sign_image,
            )
            for a in lab.accounts
        ),
    )
    copy_rows(
        connection,
        "registrations",
        ("user_id", "application_id", "roles"),
        ((ids.users[a.email], "portal", [a.role]) for a in lab.accounts),
    )
    copy_rows(
        connection,
        "legal_acceptances",
        ("user_id", "document", "version"),
        (
            (ids.users[a.email], document, version)
            for a in lab.accounts
            for document, version in VERSIONS.items()
        ),
    )
