"""Patients who look like the one being typed, for a warning against duplicate records."""

from datetime import date
from typing import Any

from app.basics.text import keep_digits, to_upper_case
from app.contract.enumerations import LookAlikeReason
from app.contract.limits import LOOK_ALIKES_MAX
from app.server.access.reader import Reader
from app.server.audit.service import add_audit_row
from app.server.patients.likeness import Person, build_rank_key, extract_letters, find_reasons
from app.server.patients.lookup_schemas import LookAlike, LookAlikeQuery
from app.server.patients.repository import build_look_alike_statement
from app.server.patients.social_security import SocialSecurityNumbers

_NAME_MAX = 200


async def find_look_alikes(
    reader: Reader, ssn: SocialSecurityNumbers, query: LookAlikeQuery
) -> list[LookAlike]:
    """Find at most five patients who look like the typed one, the most similar first.

    They have the same social security number, or the same birth date and names that are equal,
    similar, or swapped; each result has its reasons. Patients out of scope are never found.
    """
    person = _build_person(ssn, query)
    has_names = extract_letters(person.last_name) and extract_letters(person.first_name)
    birth_date = person.birth_date if has_names else None
    if person.ssn is None and birth_date is None:
        return []
    values = {
        "ssn": person.ssn,
        "birth_date": birth_date,
        "name": f"{person.last_name} {person.first_name}",
        "patient": query.patient_id,
    }
    (rows,) = await reader.fetch_row(build_look_alike_statement(reader.actor.kind), values)
    matches: list[tuple[tuple[LookAlikeReason, ...], dict[str, Any]]] = []
    for row in rows:
        if reasons := find_reasons(person, _parse_candidate(row, person)):
            matches.append((reasons, row))
    matches.sort(key=lambda match: (build_rank_key(match[0]), match[1]["id"]))
    look_alikes = matches[:LOOK_ALIKES_MAX]
    if look_alikes:
        async with reader.database.transaction(reader.actor) as transaction:
            ids = [row["id"] for _, row in look_alikes]
            add_audit_row(
                transaction.statements,
                transaction.actor,
                reader.request_id,
                "look-alikes",
                "patient",
                ids,
            )
    return [_build_look_alike(row, reasons) for reasons, row in look_alikes]


def _build_person(ssn: SocialSecurityNumbers, query: LookAlikeQuery) -> Person:
    number = keep_digits(query.social_security_number)
    return Person(
        last_name=(to_upper_case(query.last_name) or "")[:_NAME_MAX],
        first_name=(to_upper_case(query.first_name) or "")[:_NAME_MAX],
        birth_date=query.birth_date,
        ssn=ssn.hash(number) if number and len(number) == 9 else None,
    )


def _parse_candidate(row: dict[str, Any], typed_person: Person) -> Person:
    birth_date = row["birthDate"]
    return Person(
        last_name=row["lastName"],
        first_name=row["firstName"],
        birth_date=date.fromisoformat(birth_date) if birth_date else None,
        ssn=typed_person.ssn if row["sameSsn"] else None,
    )


def _build_look_alike(row: dict[str, Any], reasons: tuple[LookAlikeReason, ...]) -> LookAlike:
    masked_ssn = f"***-**-{row['last4']}" if row["last4"] else None
    return LookAlike.model_validate({**row, "ssn": masked_ssn, "reasons": reasons})
