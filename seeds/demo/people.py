"""Clients, physicians, patients, and accounts of the demo lab."""

from collections.abc import Sequence
from datetime import date, timedelta
from io import BytesIO
from itertools import pairwise
from random import Random

from PIL import Image, ImageDraw

from app.contract.choices import GENDER_IDENTITIES, RACES, SEXUAL_ORIENTATIONS
from app.contract.enumerations import BillTo, Ethnicity, Gender, Role
from seeds.demo import words
from seeds.demo.records import (
    DemoAccount,
    DemoClient,
    DemoPatient,
    DemoPhysician,
)

PHYSICIANS = 40
_RESIDENT_AGES, _CHILD_AGES, _ADULT_AGES = (66, 97), (0, 17), (18, 92)


def build_npi(base: int) -> str:
    """Build a demo NPI: '2', eight digits of ``base``, and a Luhn check digit (80840 + NPI)."""
    nine = f"2{base:08d}"
    total = 0
    for index, digit in enumerate(reversed("80840" + nine)):
        value = int(digit) * (2 if index % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return nine + str(-total % 10)


def generate_phone(rng: Random, area: str) -> str:
    """Return a telephone number from the range reserved for fiction."""
    return f"{area}-555-01{rng.randrange(100):02d}"


def generate_address(rng: Random) -> tuple[str, str, str]:
    """Return a street, its ZIP code, and its area code."""
    code, area = rng.choice(words.ZIP_CODES)
    flat = f" APT {rng.randint(1, 40)}" if rng.random() < 0.3 else ""
    return f"{rng.randint(1, 9800)} {rng.choice(words.STREETS)}{flat}", code, area


def build_clients() -> tuple[DemoClient, ...]:
    """Build the six clients."""
    return tuple(
        DemoClient(
            code=code,
            name=name,
            address=street,
            zip_code=zip_code,
            zip_code_plus4=f"{1200 + index}",
            phone=f"{area}-555-0{160 + index}",
            fax=f"{area}-555-0{170 + index}",
            # One client has no web access, so that the demo covers this case.
            web_access=code != words.CLIENTS[-1][0],
            default_bill_to=BillTo.CLIENT if residents else BillTo.INSURANCE,
            # One client's requisitions need an ordering physician.
            requires_physician=code == words.CLIENTS[1][0],
            units=units,
            rooms=rooms,
        )
        for index, (code, name, street, zip_code, area, units, rooms, residents) in enumerate(
            words.CLIENTS
        )
    )


def build_physicians(
    rng: Random, clients: Sequence[DemoClient], count: int = PHYSICIANS
) -> list[DemoPhysician]:
    """Build physicians; the first works with the first two clients and orders the most."""
    physicians = []
    numbers = rng.sample(range(10_000_000, 99_999_999), count)
    for index, number in enumerate(numbers):
        main_client = clients[index % len(clients)]
        other_codes = [
            client.code for client in clients if client is not main_client and rng.random() < 0.15
        ]
        codes = (
            (clients[0].code, clients[1].code) if index == 0 else (main_client.code, *other_codes)
        )
        names = words.FEMALE_NAMES if rng.random() < 0.5 else words.MALE_NAMES
        physicians.append(
            DemoPhysician(
                npi=build_npi(number),
                first_name=rng.choice(names),
                last_name=rng.choice(words.LAST_NAMES),
                address=main_client.address,
                zip_code=main_client.zip_code,
                phone=main_client.phone,
                fax=main_client.fax,
                client_codes=codes,
            )
        )
    return physicians


def build_patient(
    rng: Random,
    index: int,
    client: DemoClient,
    physicians: Sequence[DemoPhysician],
    as_of: date,
    *,
    resident: bool,
) -> DemoPatient:
    """Build an invented patient of ``client``; ``physicians`` work with that client."""
    gender = _choose_gender(rng, client)
    names = words.MALE_NAMES if gender is Gender.MALE else words.FEMALE_NAMES
    ages = _RESIDENT_AGES if resident and client.code != "C006" else _ADULT_AGES
    if client.code == "C001" and rng.random() < 0.3:
        ages = _CHILD_AGES
    if client.code == "C004":
        ages = (18, 62)
    born = as_of - timedelta(days=rng.randint(*ages) * 365 + rng.randint(30, 390))
    street, zip_code, area = generate_address(rng)
    room = rng.choice(client.rooms) if resident else None
    unit = room.unit if room else (rng.choice(client.units) if rng.random() < 0.5 else None)
    first, last = rng.choice(names), rng.choice(words.LAST_NAMES)
    is_adult = (as_of - born).days > 18 * 366
    # The number contains the whole index, so it is unique.
    ssn = f"666{1_000 + index * 7:06d}" if rng.random() < 0.86 else None
    return DemoPatient(
        index=index,
        code=f"P{index + 1:07d}",
        client_code=client.code,
        unit=unit,
        room=room.name if room else None,
        bed=rng.choice("AB") if room and rng.random() < 0.7 else None,
        medical_record_id=f"MR{rng.randint(10_000, 99_999)}" if rng.random() < 0.7 else None,
        physician_npi=rng.choice(physicians).npi,
        last_name=last,
        first_name=first,
        middle_name=rng.choice(names) if rng.random() < 0.45 else None,
        birth_date=born,
        gender=gender,
        ssn=ssn,
        race=rng.choice(RACES),
        ethnicity=rng.choice(tuple(Ethnicity)),
        sexual_orientation_id=_choose_or_omit(
            rng, [orientation.id for orientation in SEXUAL_ORIENTATIONS], is_adult
        ),
        gender_identity_id=_choose_or_omit(
            rng, [identity.id for identity in GENDER_IDENTITIES], is_adult
        ),
        address=client.address if resident else street,
        zip_code=client.zip_code if resident else zip_code,
        same_as_client_address=resident,
        phone=client.phone if resident else generate_phone(rng, area),
        mobile=generate_phone(rng, area) if is_adult and rng.random() < 0.6 else None,
        email=f"patient{index + 1}@example.com" if is_adult and rng.random() < 0.5 else None,
    )


def _choose_gender(rng: Random, client: DemoClient) -> Gender:
    if client.code == "C004":
        return Gender.FEMALE
    return rng.choices((Gender.FEMALE, Gender.MALE, Gender.UNKNOWN), (52, 47, 1))[0]


def _choose_or_omit(rng: Random, ids: Sequence[str], is_adult: bool) -> str | None:
    return rng.choice(ids) if is_adult and rng.random() < 0.3 else None


def build_patients(
    rng: Random,
    count: int,
    clients: Sequence[DemoClient],
    physicians: Sequence[DemoPhysician],
    as_of: date,
) -> list[DemoPatient]:
    """Build ``count`` patients, distributed among the clients."""
    residents = {code: resident for code, *_, resident in words.CLIENTS}
    physicians_of = {c.code: [p for p in physicians if c.code in p.client_codes] for c in clients}
    weights = [28, 20, 18, 14, 12, 8][: len(clients)]
    chosen_clients = rng.choices(clients, weights, k=count)
    return [
        build_patient(
            rng, i, client, physicians_of[client.code], as_of, resident=residents[client.code]
        )
        for i, client in enumerate(chosen_clients)
    ]


def draw_signature(name: str) -> bytes:
    """Draw an invented signature as a PNG; the same name gives the same image."""
    rng = Random(name)
    picture = Image.new("RGBA", (720, 200), (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    x, base = 40.0, 130.0
    points = [(x, base)]
    for letter in name:
        high = 90 if letter.isupper() else rng.uniform(15, 50)
        step = 560 / max(len(name), 8)
        points += [
            (x + step * 0.3, base - high + rng.uniform(-8, 8)),
            (x + step * 0.6, base + rng.uniform(0, 22)),
            (x + step, base - rng.uniform(0, 18)),
        ]
        x += step
    pen.line(_smooth_line(points), fill=(22, 40, 92, 255), width=5, joint="curve")
    small = picture.resize((360, 100), Image.Resampling.LANCZOS)
    file = BytesIO()
    small.save(file, "PNG")
    return file.getvalue()


def _smooth_line(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Round the corners of a line by three rounds of Chaikin's corner cutting."""
    line = list(points)
    for _ in range(3):
        cut = [line[0]]
        for (ax, ay), (bx, by) in pairwise(line):
            cut.append((ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25))
            cut.append((ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75))
        line = [*cut, line[-1]]
    return line


def build_accounts(
    physicians: Sequence[DemoPhysician],
    patient: DemoPatient,
) -> list[DemoAccount]:
    """Build an active account per role, and an inactive one per other physician."""
    first_physician = physicians[0]
    demo = [
        DemoAccount("superuser@demo.lab", "SAM", "SUPERVISOR", Role.SUPERUSER, True),
        DemoAccount("laboratory@demo.lab", "LARA", "BENCH", Role.LABORATORY, True),
        DemoAccount(
            "clientadmin@demo.lab", "ADA", "MANAGER", Role.CLIENT_ADMIN, True, ("C001", "C002")
        ),
        DemoAccount("clientbasic@demo.lab", "NINA", "NURSE", Role.CLIENT_BASIC, True, ("C001",)),
        DemoAccount(
            get_physician_email(first_physician, physicians),
            first_physician.first_name,
            first_physician.last_name,
            Role.PHYSICIAN,
            True,
            physician_npis=(first_physician.npi,),
        ),
        DemoAccount(
            "patient@demo.lab",
            patient.first_name,
            patient.last_name,
            Role.PATIENT,
            True,
            patient_indexes=(patient.index,),
        ),
    ]
    demo += [
        DemoAccount(
            get_physician_email(physician, physicians),
            physician.first_name,
            physician.last_name,
            Role.PHYSICIAN,
            False,
            physician_npis=(physician.npi,),
        )
        for physician in physicians[1:]
    ]
    return [_add_signature(account) for account in demo]


def get_physician_email(physician: DemoPhysician, physicians: Sequence[DemoPhysician]) -> str:
    """Return the e-mail of a physician's account; the first physician has the demo account."""
    return "physician@demo.lab" if physician is physicians[0] else f"npi{physician.npi}@demo.lab"


def _add_signature(account: DemoAccount) -> DemoAccount:
    name = f"{account.first_name} {account.last_name}".title()
    return DemoAccount(
        account.email,
        account.first_name,
        account.last_name,
        account.role,
        account.active,
        account.client_codes,
        account.physician_npis,
        account.patient_indexes,
        draw_signature(name),
    )
