"""Insurance, responsible parties, diagnoses, and medications of the demo patients.

Each patient has a generator of their own, so that nothing here moves anything else in the lab.
Every coverage is invented: its insurance id begins with DEMO (DECISIONS, Ordering).
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from random import Random

from app.contract.enumerations import Gender
from seeds.demo import words
from seeds.demo.people import address, telephone
from seeds.demo.records import (
    DemoBackground,
    DemoInsurance,
    DemoParty,
    DemoPatient,
    DemoRequisition,
)
from seeds.reference import payers

INSURED_SHARE = 0.7
_RETIRED, _GROWN = 65, 18


def backgrounds(
    seed: int,
    of: Sequence[DemoPatient],
    requisitions: Sequence[DemoRequisition],
    as_of: date,
) -> Iterator[DemoBackground]:
    """Build a background per patient, with the last requisition's diagnoses and medications."""
    last = {each.patient_index: each for each in requisitions}
    for patient in of:
        rng = Random(f"background:{seed}:{patient.index}")
        years = (as_of - patient.birth_date).days // 365
        latest = last.get(patient.index)
        known = latest is not None and rng.random() < 0.8
        yield DemoBackground(
            patient_index=patient.index,
            insurance=_insurance(rng, patient, years) if rng.random() < INSURED_SHARE else (),
            parties=_parties(rng, patient, years),
            diagnoses=latest.diagnoses if latest and known else (),
            medications=latest.medications if latest and known else (),
        )


@cache
def _payers_of(bill_type: str) -> tuple[str, ...]:
    return tuple(payer.name for payer in payers() if payer.bill_type == bill_type)


def _insurance(rng: Random, patient: DemoPatient, years: int) -> tuple[DemoInsurance, ...]:
    if years >= _RETIRED:
        first = rng.choices(("MEDICARE", "MEDICARE ADVANTAGE"), (6, 4))[0]
        second = rng.choice(("COMMERCIAL", "MEDICAID"))
    else:
        first = rng.choices(("COMMERCIAL", "MEDICAID", "MILITARY"), (7, 3, 1))[0]
        second = "COMMERCIAL"
    types = (first, second) if rng.random() < 0.35 else (first,)
    rows = [_row(rng, patient, years, bill_type) for bill_type in types]
    return tuple({row.payer: row for row in rows}.values())


def _row(rng: Random, patient: DemoPatient, years: int, bill_type: str) -> DemoInsurance:
    payer = rng.choice(_payers_of(bill_type))
    number = f"DEMO{patient.index:05d}{rng.randrange(1_000):03d}"
    group = f"INVENTED-{rng.randint(100, 999)}" if bill_type == "COMMERCIAL" else None
    relationship = "SELF"
    if years < _GROWN:
        relationship = rng.choice(("FATHER", "MOTHER"))
    elif bill_type == "COMMERCIAL" and rng.random() < 0.2:
        relationship = "SPOUSE"
    if relationship == "SELF":
        return DemoInsurance(payer, number, group, relationship)
    gender = _gender_of(relationship, patient)
    names = words.MALE_NAMES if gender is Gender.MALE else words.FEMALE_NAMES
    older = 30 if years < _GROWN else 0
    born = patient.birth_date - timedelta(days=older * 365 + rng.randint(-900, 900))
    street, zip_code, area = address(rng)
    elsewhere = rng.random() < 0.3
    return DemoInsurance(
        payer,
        number,
        group,
        relationship,
        last_name=patient.last_name,
        first_name=rng.choice(names),
        # Some rows are incomplete, so that the form shows missing information.
        birth_date=born if rng.random() < 0.8 else None,
        gender=gender,
        phone=telephone(rng, area),
        address=street if elsewhere else patient.address,
        zip_code=zip_code if elsewhere else None,
        zip_code_plus4=f"{rng.randint(1_000, 9_999)}" if elsewhere else None,
    )


def _gender_of(relationship: str, patient: DemoPatient) -> Gender:
    if relationship == "SPOUSE":
        return Gender.MALE if patient.gender is Gender.FEMALE else Gender.FEMALE
    return Gender.MALE if relationship == "FATHER" else Gender.FEMALE


def _parties(rng: Random, patient: DemoPatient, years: int) -> tuple[DemoParty, ...]:
    likely = 1.0 if years < _GROWN else 0.5 if patient.same_as_client_address else 0.08
    count = 0 if rng.random() >= likely else rng.choices((1, 2), (8, 2))[0]
    return tuple(_party(rng, patient) for _ in range(count))


def _party(rng: Random, patient: DemoPatient) -> DemoParty:
    street, zip_code, area = address(rng)
    return DemoParty(
        last_name=patient.last_name if rng.random() < 0.7 else rng.choice(words.LAST_NAMES),
        first_name=rng.choice(words.FEMALE_NAMES + words.MALE_NAMES),
        address=street,
        zip_code=zip_code,
        zip_code_plus4=f"{rng.randint(1_000, 9_999)}",
        phone=telephone(rng, area),
        mobile=telephone(rng, area) if rng.random() < 0.5 else None,
    )
