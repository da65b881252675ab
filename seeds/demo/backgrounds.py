"""Insurance, responsible parties, diagnoses, and medications of the demo patients.

Each patient has a separate random generator, so a change here does not change the rest of the lab.
Every coverage is invented: its insurance id begins with DEMO (DECISIONS, Ordering).
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from random import Random

from app.contract.enumerations import Gender
from seeds.demo import words
from seeds.demo.people import generate_address, generate_phone
from seeds.demo.records import (
    DemoBackground,
    DemoInsurance,
    DemoParty,
    DemoPatient,
    DemoRequisition,
)
from seeds.reference import list_payers

INSURED_SHARE = 0.7
_MEDICARE_AGE, _ADULT_AGE = 65, 18


def build_backgrounds(
    seed: int,
    patients: Sequence[DemoPatient],
    requisitions: Sequence[DemoRequisition],
    as_of: date,
) -> Iterator[DemoBackground]:
    """Build one background per patient; most repeat the last requisition's diagnoses."""
    last_requisitions = {requisition.patient_index: requisition for requisition in requisitions}
    for patient in patients:
        rng = Random(f"background:{seed}:{patient.index}")
        age = (as_of - patient.birth_date).days // 365
        last_requisition = last_requisitions.get(patient.index)
        is_known = last_requisition is not None and rng.random() < 0.8
        yield DemoBackground(
            patient_index=patient.index,
            insurance=_build_insurance(rng, patient, age) if rng.random() < INSURED_SHARE else (),
            parties=_build_parties(rng, patient, age),
            diagnoses=last_requisition.diagnoses if last_requisition and is_known else (),
            medications=last_requisition.medications if last_requisition and is_known else (),
        )


@cache
def _list_payers(bill_type: str) -> tuple[str, ...]:
    return tuple(payer.name for payer in list_payers() if payer.bill_type == bill_type)


def _build_insurance(rng: Random, patient: DemoPatient, age: int) -> tuple[DemoInsurance, ...]:
    if age >= _MEDICARE_AGE:
        first_type = rng.choices(("MEDICARE", "MEDICARE ADVANTAGE"), (6, 4))[0]
        second_type = rng.choice(("COMMERCIAL", "MEDICAID"))
    else:
        first_type = rng.choices(("COMMERCIAL", "MEDICAID", "MILITARY"), (7, 3, 1))[0]
        second_type = "COMMERCIAL"
    bill_types = (first_type, second_type) if rng.random() < 0.35 else (first_type,)
    rows = [_build_insurance_row(rng, patient, age, bill_type) for bill_type in bill_types]
    return tuple({row.payer: row for row in rows}.values())


def _build_insurance_row(
    rng: Random, patient: DemoPatient, age: int, bill_type: str
) -> DemoInsurance:
    payer = rng.choice(_list_payers(bill_type))
    number = f"DEMO{patient.index:05d}{rng.randrange(1_000):03d}"
    group = f"INVENTED-{rng.randint(100, 999)}" if bill_type == "COMMERCIAL" else None
    relationship = "SELF"
    if age < _ADULT_AGE:
        relationship = rng.choice(("FATHER", "MOTHER"))
    elif bill_type == "COMMERCIAL" and rng.random() < 0.2:
        relationship = "SPOUSE"
    if relationship == "SELF":
        return DemoInsurance(payer, number, group, relationship)
    gender = _choose_gender(relationship, patient)
    names = words.MALE_NAMES if gender is Gender.MALE else words.FEMALE_NAMES
    years_older = 30 if age < _ADULT_AGE else 0
    born = patient.birth_date - timedelta(days=years_older * 365 + rng.randint(-900, 900))
    street, zip_code, area = generate_address(rng)
    lives_elsewhere = rng.random() < 0.3
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
        phone=generate_phone(rng, area),
        address=street if lives_elsewhere else patient.address,
        zip_code=zip_code if lives_elsewhere else None,
        zip_code_plus4=f"{rng.randint(1_000, 9_999)}" if lives_elsewhere else None,
    )


def _choose_gender(relationship: str, patient: DemoPatient) -> Gender:
    if relationship == "SPOUSE":
        return Gender.MALE if patient.gender is Gender.FEMALE else Gender.FEMALE
    return Gender.MALE if relationship == "FATHER" else Gender.FEMALE


def _build_parties(rng: Random, patient: DemoPatient, age: int) -> tuple[DemoParty, ...]:
    probability = 1.0 if age < _ADULT_AGE else 0.5 if patient.same_as_client_address else 0.08
    count = 0 if rng.random() >= probability else rng.choices((1, 2), (8, 2))[0]
    return tuple(_build_party(rng, patient) for _ in range(count))


def _build_party(rng: Random, patient: DemoPatient) -> DemoParty:
    street, zip_code, area = generate_address(rng)
    return DemoParty(
        last_name=patient.last_name if rng.random() < 0.7 else rng.choice(words.LAST_NAMES),
        first_name=rng.choice(words.FEMALE_NAMES + words.MALE_NAMES),
        address=street,
        zip_code=zip_code,
        zip_code_plus4=f"{rng.randint(1_000, 9_999)}",
        phone=generate_phone(rng, area),
        mobile=generate_phone(rng, area) if rng.random() < 0.5 else None,
    )
