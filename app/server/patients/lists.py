"""The patient search (O 2.5, O 7)."""

from collections.abc import Callable
from datetime import date

from app.basics.text import keep_digits
from app.contract.choices import GENDER_IDENTITIES, SEXUAL_ORIENTATIONS
from app.contract.limits import TAKE_MAX
from app.server.lists import filters
from app.server.lists.lookups import build_choice_list
from app.server.lists.spec import Column, Filter, JoinedValue, ListSpec, Lookup, ParsedValues
from app.server.patients.models import Patient, PatientName, build_birth_order


def build_name_lookup(column: str, *, is_ordered: bool = False) -> Lookup:
    """Build a lookup of letters in the distinct names of patients, which leads to their rows.

    ``is_ordered``: an index begins with the column, so it returns the rows in order of the names.
    """
    return Lookup(
        PatientName.__tablename__,
        ("lookup.name",),
        "lookup.name",
        f"{column} IN ({{keys}})",
        ordered_sql=f"{column} = ANY(ARRAY({{keys}}))" if is_ordered else "",
    )


sexual_orientations = build_choice_list("sexual-orientations", SEXUAL_ORIENTATIONS)
gender_identities = build_choice_list("gender-identities", GENDER_IDENTITIES)


def _build_ssn_filter(hash_number: Callable[[str], bytes]) -> Filter:
    def parse(values: list[str]) -> ParsedValues | None:
        number = keep_digits(values[-1])
        if not number:
            return None
        if len(number) != 9:
            raise ValueError("ssn")
        return {"f_ssn": hash_number(number)}

    return Filter("ssn", parse, "t.ssn_hash = %(f_ssn)s")


def build_patient_list(hash_number: Callable[[str], bytes]) -> ListSpec:
    """Build the list; ``hash_number`` is the keyed hash of a social security number."""
    return ListSpec(
        name="patients",
        table="patients",
        scope=Patient.__scope__,
        columns=(
            Column("id", "t.id", int, sort="indexed", kind="number"),
            Column("code", "t.code", str, sort="indexed", kind="text", trigrams="t.code"),
            Column(
                "firstName",
                "t.first_name",
                str,
                sort="indexed",
                kind="text",
                lookup=build_name_lookup("t.first_name", is_ordered=True),
            ),
            Column("middleName", "t.middle_name", str | None),
            Column(
                "lastName",
                "t.last_name",
                str,
                sort="indexed",
                kind="text",
                lookup=build_name_lookup("t.last_name", is_ordered=True),
            ),
            Column(
                "birthDate",
                "t.birth_date",
                date | None,
                sort="indexed",
                kind="date",
                order_sql=build_birth_order("t.birth_date"),
            ),
            Column("gender", "t.gender", str),
            Column(
                "ssn",
                "CASE WHEN t.ssn_last4 IS NULL THEN NULL ELSE '***-**-' || t.ssn_last4 END",
                str | None,
            ),
            Column("clientId", "t.client_id", int),
            Column("unitId", "t.unit_id", int | None, is_hidden=True),
            Column("roomId", "t.room_id", int | None, is_hidden=True),
            Column("bed", "t.bed", str | None),
        ),
        filters=(
            filters.match_column("firstName"),
            filters.match_column("lastName"),
            filters.match_day("birthDate", "t.birth_date"),
            _build_ssn_filter(hash_number),
            filters.match_ids("ids", "t.id", max_count=TAKE_MAX),
            filters.match_ids("clientIds", "t.client_id"),
            filters.match_ids("physicianIds", "t.primary_physician_id"),
            filters.match_ids("patientIds", "t.id"),
            filters.ignore_parameter("fromSearch"),
        ),
        joins=(
            'LEFT JOIN clients c ON c.id = page."clientId" '
            'LEFT JOIN units u ON u.id = page."unitId" LEFT JOIN rooms r ON r.id = page."roomId"'
        ),
        joined_values=(
            JoinedValue("clientName", "c.name", str),
            JoinedValue("clientWebAccess", "c.web_access", bool),
            JoinedValue("unit", "u.name", str | None),
            JoinedValue("room", "r.name", str | None),
        ),
        default_sort="lastName,firstName",
    )


patients = build_patient_list(str.encode)
"""The list without the key of the hash, for the manifest and the OpenAPI document."""
