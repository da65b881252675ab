"""Patients who may be the one that is being typed (a warning before a second record is made)."""

from datetime import date
from typing import Any

from app.basics.text import capitalise, digits
from app.contract.enumerations import LookAlikeReason, ScopeKind
from app.contract.limits import LOOK_ALIKES_MAX
from app.server.access.reader import Reader
from app.server.audit.service import note
from app.server.database.statements import get_statements
from app.server.patients.likeness import Person, letters, reasons, strength
from app.server.patients.lookup_schemas import LookAlike, LookAlikeQuery
from app.server.patients.models import Patient
from app.server.patients.social_security import SocialSecurityNumbers

_CANDIDATES = 200
# A day's patients are few. Where a placeholder was typed for thousands, the nearest names count.
_STATEMENT = """
WITH found AS (
    SELECT p.id FROM patients p WHERE p.ssn_hash = %(ssn)s::bytea {scope}
    UNION
    (SELECT p.id FROM patients p WHERE p.birth_date = %(birth_date)s::date {scope}
     ORDER BY similarity(p.last_name || ' ' || p.first_name, %(name)s) DESC
     LIMIT {candidates})
)
SELECT coalesce(json_agg(json_build_object(
    'id', p.id, 'code', p.code, 'lastName', p.last_name, 'firstName', p.first_name,
    'middleName', p.middle_name, 'birthDate', p.birth_date, 'gender', p.gender,
    'clientName', c.name, 'last4', p.ssn_last4,
    'sameSsn', coalesce(p.ssn_hash = %(ssn)s::bytea, false))), '[]'::json)
FROM found JOIN patients p ON p.id = found.id LEFT JOIN clients c ON c.id = p.client_id
WHERE p.id IS DISTINCT FROM %(patient)s::bigint
"""


async def look_alikes(
    reader: Reader, ssn: SocialSecurityNumbers, asked: LookAlikeQuery
) -> list[LookAlike]:
    """At most five patients of the actor's who look like the one asked about, likeliest first.

    They have the same social security number, or the same birth date and names that are equal,
    similar or exchanged; each says which. Nothing is said of patients out of scope.
    """
    person = _person(ssn, asked)
    named = letters(person.last_name) and letters(person.first_name)
    birth_date = person.birth_date if named else None
    if person.ssn is None and birth_date is None:
        return []
    values = {
        "ssn": person.ssn,
        "birth_date": birth_date,
        "name": f"{person.last_name} {person.first_name}",
        "patient": asked.patient_id,
    }
    (rows,) = await reader.fetch_row(_statement(reader.actor.kind), values)
    found = sorted(
        ((why, row) for row in rows if (why := reasons(person, _known(row, person)))),
        key=lambda pair: (strength(pair[0]), pair[1]["id"]),
    )[:LOOK_ALIKES_MAX]
    if found:
        async with reader.database.transaction(reader.actor) as session:
            ids = [row["id"] for _, row in found]
            audited = get_statements(session)
            note(audited, reader.actor, reader.request_id, "look-alikes", "patient", ids)
    return [_shape(row, why) for why, row in found]


def _person(ssn: SocialSecurityNumbers, asked: LookAlikeQuery) -> Person:
    number = digits(asked.social_security_number)
    return Person(
        last_name=(capitalise(asked.last_name) or "")[:_CANDIDATES],
        first_name=(capitalise(asked.first_name) or "")[:_CANDIDATES],
        birth_date=asked.birth_date,
        ssn=ssn.lookup(number) if number and len(number) == 9 else None,
    )


def _known(row: dict[str, Any], asked: Person) -> Person:
    return Person(
        last_name=row["lastName"],
        first_name=row["firstName"],
        birth_date=date.fromisoformat(row["birthDate"]),
        ssn=asked.ssn if row["sameSsn"] else None,
    )


def _statement(kind: ScopeKind) -> str:
    scope = Patient.__scope__.predicate(kind, "p")
    return _STATEMENT.format(scope=f"AND {scope}", candidates=_CANDIDATES)


def _shape(row: dict[str, Any], why: tuple[LookAlikeReason, ...]) -> LookAlike:
    masked = f"***-**-{row['last4']}" if row["last4"] else None
    return LookAlike.model_validate({**row, "ssn": masked, "reasons": why})
