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
    DemoRequisition,
)

PHYSICIANS = 40
_OLD, _YOUNG, _GROWN = (66, 97), (0, 17), (18, 92)


def npi(base: int) -> str:
    """Build a demo NPI: '2', eight digits of ``base``, and a Luhn check digit (80840 + NPI)."""
    nine = f"2{base:08d}"
    total = 0
    for place, digit in enumerate(reversed("80840" + nine)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return nine + str(-total % 10)


def telephone(rng: Random, area: str) -> str:
    """Return a telephone number from the range reserved for fiction."""
    return f"{area}-555-01{rng.randrange(100):02d}"


def address(rng: Random) -> tuple[str, str, str]:
    """Return a street, its ZIP code, and its area code."""
    code, area = rng.choice(words.ZIP_CODES)
    flat = f" APT {rng.randint(1, 40)}" if rng.random() < 0.3 else ""
    return f"{rng.randint(1, 9800)} {rng.choice(words.STREETS)}{flat}", code, area


def clients() -> tuple[DemoClient, ...]:
    """Build the six clients."""
    return tuple(
        DemoClient(
            code=code,
            name=name,
            address=street,
            zip_code=zip_code,
            zip_code_plus4=f"{1200 + place}",
            phone=f"{area}-555-0{160 + place}",
            fax=f"{area}-555-0{170 + place}",
            # One client has no web access, so that this case can be tried.
            web_access=code != words.CLIENTS[-1][0],
            default_bill_to=BillTo.CLIENT if residents else BillTo.INSURANCE,
            units=units,
            rooms=rooms,
        )
        for place, (code, name, street, zip_code, area, units, rooms, residents) in enumerate(
            words.CLIENTS
        )
    )


def physicians(
    rng: Random, of: Sequence[DemoClient], count: int = PHYSICIANS
) -> list[DemoPhysician]:
    """Build physicians; the first works with the first two clients and orders most."""
    made = []
    numbers = rng.sample(range(10_000_000, 99_999_999), count)
    for place, number in enumerate(numbers):
        home = of[place % len(of)]
        extra = [each.code for each in of if each is not home and rng.random() < 0.15]
        codes = (of[0].code, of[1].code) if place == 0 else (home.code, *extra)
        names = words.FEMALE_NAMES if rng.random() < 0.5 else words.MALE_NAMES
        made.append(
            DemoPhysician(
                npi=npi(number),
                first_name=rng.choice(names),
                last_name=rng.choice(words.LAST_NAMES),
                address=home.address,
                zip_code=home.zip_code,
                phone=home.phone,
                fax=home.fax,
                client_codes=codes,
            )
        )
    return made


def patient(
    rng: Random,
    index: int,
    client: DemoClient,
    doctors: Sequence[DemoPhysician],
    as_of: date,
    *,
    resident: bool,
) -> DemoPatient:
    """Build an invented patient of ``client``, whose physicians are ``doctors``."""
    gender = _gender(rng, client)
    names = words.MALE_NAMES if gender is Gender.MALE else words.FEMALE_NAMES
    years = _OLD if resident and client.code != "C006" else _GROWN
    if client.code == "C001" and rng.random() < 0.3:
        years = _YOUNG
    if client.code == "C004":
        years = (18, 62)
    born = as_of - timedelta(days=rng.randint(*years) * 365 + rng.randint(30, 390))
    street, zip_code, area = address(rng)
    room = rng.choice(client.rooms) if resident else None
    unit = room.unit if room else (rng.choice(client.units) if rng.random() < 0.5 else None)
    first, last = rng.choice(names), rng.choice(words.LAST_NAMES)
    grown = (as_of - born).days > 18 * 366
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
        physician_npi=rng.choice(doctors).npi,
        last_name=last,
        first_name=first,
        middle_name=rng.choice(names) if rng.random() < 0.45 else None,
        birth_date=born,
        gender=gender,
        ssn=ssn,
        race=rng.choice(RACES),
        ethnicity=rng.choice(tuple(Ethnicity)),
        sexual_orientation_id=_maybe(rng, [each.id for each in SEXUAL_ORIENTATIONS], grown),
        gender_identity_id=_maybe(rng, [each.id for each in GENDER_IDENTITIES], grown),
        address=client.address if resident else street,
        zip_code=client.zip_code if resident else zip_code,
        same_as_client_address=resident,
        phone=client.phone if resident else telephone(rng, area),
        mobile=telephone(rng, area) if grown and rng.random() < 0.6 else None,
        email=f"patient{index + 1}@example.com" if grown and rng.random() < 0.5 else None,
    )


def _gender(rng: Random, client: DemoClient) -> Gender:
    if client.code == "C004":
        return Gender.FEMALE
    return rng.choices((Gender.FEMALE, Gender.MALE, Gender.UNKNOWN), (52, 47, 1))[0]


def _maybe(rng: Random, ids: Sequence[str], grown: bool) -> str | None:
    return rng.choice(ids) if grown and rng.random() < 0.3 else None


def patients(
    rng: Random,
    count: int,
    of: Sequence[DemoClient],
    doctors: Sequence[DemoPhysician],
    as_of: date,
) -> list[DemoPatient]:
    """Build ``count`` patients, distributed over the clients."""
    residents = {code: resident for code, *_, resident in words.CLIENTS}
    working = {c.code: [d for d in doctors if c.code in d.client_codes] for c in of}
    weights = [28, 20, 18, 14, 12, 8][: len(of)]
    chosen = rng.choices(of, weights, k=count)
    return [
        patient(rng, i, client, working[client.code], as_of, resident=residents[client.code])
        for i, client in enumerate(chosen)
    ]


def signature_image(name: str) -> bytes:
    """Draw a scribble as a PNG; the same name gives the same image."""
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
    pen.line(_smooth(points), fill=(22, 40, 92, 255), width=5, joint="curve")
    small = picture.resize((360, 100), Image.Resampling.LANCZOS)
    out = BytesIO()
    small.save(out, "PNG")
    return out.getvalue()


def _smooth(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Smooth polygons to handwriting by three rounds of Chaikin's corner cutting."""
    line = list(points)
    for _ in range(3):
        cut = [line[0]]
        for (ax, ay), (bx, by) in pairwise(line):
            cut.append((ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25))
            cut.append((ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75))
        line = [*cut, line[-1]]
    return line


def accounts(
    doctors: Sequence[DemoPhysician],
    made: Sequence[DemoPatient],
    requisitions: Sequence[DemoRequisition],
) -> list[DemoAccount]:
    """Build an account per role, with the demo password, and accounts of physicians who signed."""
    orders: dict[int, int] = {}
    for each in requisitions:
        if each.order is not None and each.client_code == "C001":
            orders[each.patient_index] = orders.get(each.patient_index, 0) + 1
    seen = made[max(orders, key=lambda index: (orders[index], -index))]
    first = doctors[0]
    demo = [
        DemoAccount("superuser@demo.lab", "SAM", "SUPERVISOR", Role.SUPERUSER, True),
        DemoAccount("laboratory@demo.lab", "LARA", "BENCH", Role.LABORATORY, True),
        DemoAccount(
            "clientadmin@demo.lab", "ADA", "MANAGER", Role.CLIENT_ADMIN, True, ("C001", "C002")
        ),
        DemoAccount("clientbasic@demo.lab", "NINA", "NURSE", Role.CLIENT_BASIC, True, ("C001",)),
        DemoAccount(
            physician_email(first, doctors),
            first.first_name,
            first.last_name,
            Role.PHYSICIAN,
            True,
            physician_npis=(first.npi,),
        ),
        DemoAccount(
            "patient@demo.lab",
            seen.first_name,
            seen.last_name,
            Role.PATIENT,
            True,
            patient_indexes=(seen.index,),
        ),
    ]
    demo += [
        DemoAccount(
            physician_email(each, doctors),
            each.first_name,
            each.last_name,
            Role.PHYSICIAN,
            False,
            physician_npis=(each.npi,),
        )
        for each in doctors[1:]
    ]
    return [_with_signature(each) for each in demo]


def physician_email(doctor: DemoPhysician, doctors: Sequence[DemoPhysician]) -> str:
    """Return the e-mail of a physician's account; the first physician has the demo account."""
    return "physician@demo.lab" if doctor is doctors[0] else f"npi{doctor.npi}@demo.lab"


def _with_signature(account: DemoAccount) -> DemoAccount:
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
        signature_image(name),
    )
