"""The patient search (O 2.5, O 7)."""

from collections.abc import Callable
from datetime import date

from app.basics.text import capitalise, digits
from app.contract.choices import GENDER_IDENTITIES, SEXUAL_ORIENTATIONS
from app.contract.limits import TAKE_MAX
from app.server.lists import filters
from app.server.lists.lookups import choices
from app.server.lists.spec import Column, Filter, Joined, ListSpec, Parsed
from app.server.patients.models import Patient, PatientName

NAMES = PatientName.__tablename__
"""Every name of a patient, told once."""

sexual_orientations = choices("sexual-orientations", SEXUAL_ORIENTATIONS)
gender_identities = choices("gender-identities", GENDER_IDENTITIES)


def _by_ssn(lookup: Callable[[str], bytes]) -> Filter:
    def parse(values: list[str]) -> Parsed | None:
        number = digits(values[-1])
        if not number:
            return None
        if len(number) != 9:
            raise ValueError("ssn")
        return {"f_ssn": lookup(number)}

    return Filter("ssn", parse, "t.ssn_hash = %(f_ssn)s")


def patients(lookup: Callable[[str], bytes]) -> ListSpec:
    """The list; ``lookup`` is the keyed hash by which a number is found."""
    return ListSpec(
        name="patients",
        table="patients",
        scope=Patient.__scope__,
        columns=(
            Column("id", "t.id", int, sort="indexed", kind="number"),
            Column("code", "t.code", str, sort="indexed", kind="text", trigrams="t.code"),
            Column(
                "firstName", "t.first_name", str, sort="indexed", kind="text", names_table=NAMES
            ),
            Column("middleName", "t.middle_name", str | None),
            Column("lastName", "t.last_name", str, sort="indexed", kind="text", names_table=NAMES),
            Column("birthDate", "t.birth_date", date, sort="indexed", kind="date"),
            Column("gender", "t.gender", str),
            Column(
                "ssn",
                "CASE WHEN t.ssn_last4 IS NULL THEN NULL ELSE '***-**-' || t.ssn_last4 END",
                str | None,
            ),
            Column("clientId", "t.client_id", int),
            Column("unitId", "t.unit_id", int | None, hidden=True),
            Column("roomId", "t.room_id", int | None, hidden=True),
            Column("bed", "t.bed", str | None),
        ),
        filters=(
            filters.prefix("firstName", "t.first_name", capitalise),
            filters.prefix("lastName", "t.last_name", capitalise),
            filters.day("birthDate", "t.birth_date"),
            _by_ssn(lookup),
            filters.ids("ids", "t.id", max_count=TAKE_MAX),
            filters.ids("clientIds", "t.client_id"),
            filters.ids("physicianIds", "t.primary_physician_id"),
            filters.ids("patientIds", "t.id"),
            filters.ignored("fromSearch"),
        ),
        joins=(
            'LEFT JOIN clients c ON c.id = page."clientId" '
            'LEFT JOIN units u ON u.id = page."unitId" LEFT JOIN rooms r ON r.id = page."roomId"'
        ),
        joined=(
            Joined("clientName", "c.name", str),
            Joined("clientWebAccess", "c.web_access", bool),
            Joined("unit", "u.name", str | None),
            Joined("room", "r.name", str | None),
        ),
        default_sort="lastName,firstName",
    )


described = patients(str.encode)
"""The same without the key by which numbers are found: what the list holds, for the manifest."""
