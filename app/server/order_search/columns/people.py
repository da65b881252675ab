"""Columns of the patient, the client, and the ordering physician."""

from app.contract.enumerations import Gender
from app.server.lists.spec import Column
from app.server.order_search.columns.spec import (
    NOT_PHYSICIANS,
    SearchColumn,
    Source,
    get_column,
    name_texts,
)
from app.server.order_search.rules import Kind
from app.server.requisitions.lists import PATIENT_NAMES, UNIT

_PATIENT, _PLACE, _PHYSICIAN = "Patient", "Place", "Ordering physician"
_PATIENT_CODE = (
    # People may see an order of a patient who has left their scope.
    "coalesce((SELECT p.code FROM patients p WHERE p.id = t.patient_id), "
    "code_of_patient(t.patient_id))"
)
_AGE = "date_part('year', age(t.collection_date, t.patient_birth_date))::int"
_OF_PHYSICIAN = "t.physician_id IN (SELECT y.id FROM physicians y WHERE {condition})"
_PHYSICIAN_NAME = "y.last_name || ', ' || y.first_name"
_SHOWN_PHYSICIAN = "(SELECT {column} FROM physicians y WHERE y.id = t.physician_id)"

PEOPLE_COLUMNS: tuple[SearchColumn, ...] = (
    SearchColumn(
        "lastName",
        "Last name",
        _PATIENT,
        Kind.TEXT,
        "t.patient_last_name",
        shown_column=get_column("patientLastName", "lastName"),
        indexed_column=PATIENT_NAMES[0],
        is_selective=True,
    ),
    SearchColumn(
        "firstName",
        "First name",
        _PATIENT,
        Kind.TEXT,
        "t.patient_first_name",
        shown_column=get_column("patientFirstName", "firstName"),
        indexed_column=PATIENT_NAMES[1],
        is_selective=True,
    ),
    SearchColumn(
        "middleName",
        "Middle name",
        _PATIENT,
        Kind.TEXT,
        "t.patient_middle_name",
        may_be_empty=True,
        shown_column=Column("middleName", "t.patient_middle_name", str | None),
    ),
    SearchColumn(
        "patientCode",
        "Patient Id",
        _PATIENT,
        Kind.TEXT,
        _PATIENT_CODE,
        unscoped_wrap="t.patient_id IN (SELECT p.id FROM patients p WHERE {condition})",
        shown_column=Column("patientCode", _PATIENT_CODE, str | None),
        is_selective=True,
    ),
    SearchColumn(
        "birthDate",
        "Birth date",
        _PATIENT,
        Kind.DATE,
        "t.patient_birth_date",
        may_be_empty=True,
        shown_column=get_column("patientDoB", "birthDate"),
        is_selective=True,
    ),
    SearchColumn(
        "age",
        "Age at collection",
        _PATIENT,
        Kind.NUMBER,
        _AGE,
        may_be_empty=True,
        shown_column=Column("age", _AGE, int | None),
    ),
    SearchColumn(
        "gender",
        "Gender",
        _PATIENT,
        Kind.CHOICE,
        "t.patient_gender",
        choices=name_texts(Gender),
        shown_column=Column("gender", "t.patient_gender", str),
    ),
    SearchColumn(
        "client",
        "Client",
        _PLACE,
        Kind.REFERENCE,
        "t.client_id",
        source=Source.CLIENTS,
        shown_column=get_column("client"),
        roles=NOT_PHYSICIANS,
        is_selective=True,
    ),
    SearchColumn(
        "unit",
        "Unit",
        _PLACE,
        Kind.TEXT,
        UNIT.sql,
        may_be_empty=True,
        shown_column=get_column("unit"),
        indexed_column=UNIT,
        roles=NOT_PHYSICIANS,
    ),
    SearchColumn(
        "room",
        "Room",
        _PLACE,
        Kind.TEXT,
        "t.room_name",
        may_be_empty=True,
        shown_column=get_column("patientRoom", "room"),
        indexed_column=get_column("patientRoom", "room"),
    ),
    SearchColumn(
        "bed",
        "Bed",
        _PLACE,
        Kind.TEXT,
        "t.bed",
        may_be_empty=True,
        shown_column=get_column("patientBed", "bed"),
        indexed_column=get_column("patientBed", "bed"),
    ),
    SearchColumn(
        "physician",
        "Physician",
        _PHYSICIAN,
        Kind.REFERENCE,
        "t.physician_id",
        may_be_empty=True,
        source=Source.PHYSICIANS,
        shown_column=Column(
            "physician", _SHOWN_PHYSICIAN.format(column=_PHYSICIAN_NAME), str | None
        ),
        is_selective=True,
    ),
    SearchColumn(
        "physicianName",
        "Physician's name",
        _PHYSICIAN,
        Kind.TEXT,
        f"upper({_PHYSICIAN_NAME})",
        wrap=_OF_PHYSICIAN,
        is_selective=True,
    ),
    SearchColumn(
        "physicianNpi",
        "Physician's NPI",
        _PHYSICIAN,
        Kind.TEXT,
        "y.npi",
        wrap=_OF_PHYSICIAN,
        shown_column=Column("physicianNpi", _SHOWN_PHYSICIAN.format(column="y.npi"), str | None),
        is_selective=True,
    ),
)
