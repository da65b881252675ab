"""Invented people and orders for the drawing tests."""

from dataclasses import fields
from datetime import date, datetime
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

from app.contract.enumerations import ResultFlag
from app.drawing.labels import LabelContent
from app.drawing.pages import (
    DiagnosisLine,
    InsuranceLine,
    Lab,
    OrderedTest,
    OrderResultsPage,
    Party,
    PatientFacts,
    RequisitionPage,
    ResultLine,
    Signature,
)


def parse_time(text: str) -> datetime:
    """Parse a time of the lab's wall clock, without an offset, as in the database."""
    return datetime.fromisoformat(text)


CODE = "R260000123"


def build_label(**facts: Any) -> LabelContent:
    """Build the content of a label; texts that are not given are empty, other facts None."""
    blanks = {field.name: "" if field.type is str else None for field in fields(LabelContent)}
    return LabelContent(**{**blanks, **facts})


LABEL = build_label(
    patient_name="SAMPLE, ANNA",
    birth_date=date(1980, 1, 31),
    sex="F",
    code=CODE,
    collection=parse_time("2026-11-21T08:30"),
    client="LAKESHORE FAMILY MEDICINE",
    container="Lavender Top (EDTA)",
    specimen="Whole blood",
    number=1,
    count=3,
    title="Lavender Top (EDTA) Whole blood",
    copy=1,
)

LAB = Lab(
    "Lakeside Clinical Laboratory",
    "1200 North Pier Road, Suite 400, Springfield, IL 62701",
    "217-555-0142",
    "217-555-0143",
    "results@demo.lab",
)
PATIENT = PatientFacts(
    code="P0000123",
    name="SAMPLE, ANNA MARIE",
    birth_date=date(1980, 1, 31),
    gender="FEMALE",
    address="88 SOUTH GREEN AVE APT 12\nSPRINGFIELD, IL 62703",
    phone="217-555-0101",
    medical_record_id="MR-88213",
    unit="WEST WING",
    room="204",
    bed="B",
)
CLIENT = Party("LAKESHORE FAMILY MEDICINE", "500 W OAK ST\nSPRINGFIELD, IL 62704", code="C001")
PHYSICIAN = Party(
    "EXAMPLE, MARIA", "500 W OAK ST\nSPRINGFIELD, IL 62704", "217-555-0110", npi="2134567893"
)


def draw_signature() -> bytes:
    """Draw a stroke of ink on a transparent background."""
    picture = Image.new("RGBA", (600, 160), (0, 0, 0, 0))
    stroke = [(20, 120), (90, 20), (120, 130), (200, 60), (420, 110), (560, 70)]
    ImageDraw.Draw(picture).line(stroke, fill=(20, 30, 90, 255), width=6, joint="curve")
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


TESTS = (
    OrderedTest(
        "CBC", "COMPLETE BLOOD COUNT", "Lavender Top (EDTA)", "Whole blood", ("WBC", "RBC")
    ),
    OrderedTest("TSH", "THYROID STIMULATING HORMONE", "Gold Top (SST)", "Serum"),
    OrderedTest("HIV", "HIV 1/2 ANTIGEN AND ANTIBODIES", "Gold Top (SST)", "Serum", (), True),
)

REQUISITION = RequisitionPage(
    lab=LAB,
    code=CODE,
    status="PENDING",
    printed=parse_time("2026-11-21T09:00"),
    patient=PATIENT,
    client=CLIENT,
    physician=PHYSICIAN,
    collection=parse_time("2026-11-21T08:30"),
    fasting="NON FASTING",
    priority="ROUTINE",
    bill_to="INSURANCE",
    tests=TESTS,
    diagnoses=(
        DiagnosisLine("E11.9", "Type 2 diabetes mellitus without complications", ("CBC",)),
        DiagnosisLine("I10", "Essential (primary) hypertension"),
    ),
    medications=("METFORMIN", "LISINOPRIL"),
    insurance=(InsuranceLine("MEDICARE PART B", "1EG4-TE5-MK73", None, "SELF"),),
    comments="Please call with critical results.",
    signature=Signature("MARIA EXAMPLE", parse_time("2026-11-21T08:45"), draw_signature()),
)

RESULTS = (
    ResultLine("BASIC METABOLIC PANEL", is_panel=True),
    ResultLine(
        "Glucose",
        "512",
        1,
        flag=ResultFlag.CRITICAL_HIGH,
        unit="mg/dL",
        reference_range="70 - 99",
        comments=("Called and read back.",),
    ),
    ResultLine("Sodium", "139", 1, flag=ResultFlag.NORMAL, unit="mmol/L"),
    ResultLine(
        "Potassium",
        "5.4",
        1,
        flag=ResultFlag.HIGH,
        unit="mmol/L",
        reference_range="3.5 - 5.1",
        is_corrected=True,
        corrections=("Corrected 11/21/2026 02:10 PM, before: 4.5",),
    ),
    ResultLine("Hepatitis C antibody", status="PENDING"),
)

REPORT = OrderResultsPage(
    lab=LAB,
    code="L260000123",
    requisition_code=CODE,
    status="PARTIAL",
    printed=parse_time("2026-11-21T15:00"),
    patient=PATIENT,
    client=CLIENT,
    physician=PHYSICIAN,
    collected=parse_time("2026-11-21T08:30"),
    received=parse_time("2026-11-21T11:02"),
    reported=parse_time("2026-11-21T14:12"),
    specimen_condition="HEMOLYZED",
    specimens=("Serum",),
    results=RESULTS,
    comment="Reviewed by the medical director.",
    alerts=(("CRITICAL", "at least one result needs immediate attention."),),
)
