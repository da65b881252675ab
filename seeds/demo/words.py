"""Names, streets, and sentences of the demo lab; all people are invented."""

import json
from pathlib import Path

from seeds.demo.records import DemoRoom, LabInfo

LAB = LabInfo(
    name="Lakeside Clinical Laboratory",
    address="1200 North Pier Road, Suite 400, Springfield, IL 62701",
    phone="217-555-0142",
    fax="217-555-0143",
    email="results@demo.lab",
    url="https://demo.lab",
    director="Ida Invented, MD",
    clia="99D9999999",
)

_NAMES: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("names.json").read_text(encoding="utf-8")
)
FEMALE_NAMES, MALE_NAMES = tuple(_NAMES["female"]), tuple(_NAMES["male"])
LAST_NAMES, STREETS = tuple(_NAMES["last"]), tuple(_NAMES["streets"])

ZIP_CODES = (
    ("60601", "312"),
    ("60611", "312"),
    ("60614", "773"),
    ("60640", "773"),
    ("60126", "630"),
    ("60187", "630"),
    ("60201", "847"),
    ("60302", "708"),
    ("60440", "630"),
    ("60540", "630"),
    ("61101", "815"),
    ("61602", "309"),
    ("61701", "309"),
    ("61820", "217"),
    ("62701", "217"),
    ("62703", "217"),
    ("62901", "618"),
    ("60506", "630"),
    ("60085", "847"),
)
"""ZIP codes in Illinois with their telephone area codes."""


def _build_rooms(unit: str | None, first: int, count: int) -> tuple[DemoRoom, ...]:
    return tuple(DemoRoom(unit, str(number)) for number in range(first, first + count))


# Code, name, street, ZIP code, area code, units, rooms, and whether patients live there.
CLIENTS = (
    (
        "C001",
        "LAKESHORE FAMILY MEDICINE",
        "500 W MADISON ST",
        "60601",
        "312",
        ("FAMILY PRACTICE", "PEDIATRICS"),
        (*_build_rooms("FAMILY PRACTICE", 1, 6), *_build_rooms("PEDIATRICS", 11, 4)),
        False,
    ),
    (
        "C002",
        "ST. BRIGID NURSING AND REHABILITATION",
        "2210 PRAIRIE AVE",
        "62703",
        "217",
        ("NORTH WING", "SOUTH WING", "MEMORY CARE"),
        (
            *_build_rooms("NORTH WING", 101, 14),
            *_build_rooms("SOUTH WING", 201, 14),
            *_build_rooms("MEMORY CARE", 301, 8),
        ),
        True,
    ),
    (
        "C003",
        "GREENFIELD INTERNAL MEDICINE",
        "88 CHURCH ST",
        "61820",
        "217",
        ("SUITE A", "SUITE B"),
        (*_build_rooms("SUITE A", 1, 5), *_build_rooms("SUITE B", 6, 5)),
        False,
    ),
    (
        "C004",
        "RIVERBEND WOMEN'S HEALTH",
        "14 RIVER RD",
        "60540",
        "630",
        ("OBSTETRICS", "GYNECOLOGY"),
        (*_build_rooms("OBSTETRICS", 1, 4), *_build_rooms("GYNECOLOGY", 5, 4)),
        False,
    ),
    (
        "C005",
        "OAK HILL ASSISTED LIVING",
        "730 HICKORY CT",
        "61602",
        "309",
        ("EAST HOUSE", "WEST HOUSE"),
        (
            *_build_rooms("EAST HOUSE", 10, 12),
            *_build_rooms("WEST HOUSE", 30, 12),
            DemoRoom(None, "GUEST"),
        ),
        True,
    ),
    (
        "C006",
        "PRAIRIE STATE RECOVERY CENTER",
        "4100 COUNTY LINE RD",
        "62901",
        "618",
        ("DETOX", "RESIDENTIAL"),
        (*_build_rooms("DETOX", 1, 6), *_build_rooms("RESIDENTIAL", 20, 12)),
        True,
    ),
)

REQUISITION_COMMENTS = (
    "Please call with critical results.",
    "Patient is hard to draw; butterfly needle used.",
    "Repeat of an earlier specimen.",
    "Copy to the patient's cardiologist on file.",
    "Collected by the night nurse.",
)

CANCEL_COMMENTS = (
    "ORDERED IN ERROR",
    "PATIENT REFUSED",
    "DUPLICATE ORDER",
    "PATIENT DISCHARGED",
    "SPECIMEN NOT COLLECTED",
)

REPORT_COMMENTS = (
    "Results reviewed by the laboratory director.",
    "Specimen received at ambient temperature.",
    "Critical result called to the ordering client and read back.",
)

SPECIMEN_CONDITIONS = ("SLIGHTLY HEMOLYZED", "LIPEMIC", "ICTERIC", "HEMOLYZED")

RESULT_COMMENTS = (
    "Result confirmed by repeat analysis.",
    "Slight hemolysis may affect this result.",
    "Correlate with the clinical picture.",
)

CULTURES = (
    "NO GROWTH",
    "NORMAL FLORA",
    "ESCHERICHIA COLI, > 100,000 CFU/ML",
    "KLEBSIELLA PNEUMONIAE, 50,000 CFU/ML",
    "MIXED FLORA, PROBABLE CONTAMINATION",
)

PATHOLOGY = (
    "NEGATIVE FOR INTRAEPITHELIAL LESION OR MALIGNANCY",
    "BENIGN, NO ATYPIA IDENTIFIED",
    "ATYPICAL SQUAMOUS CELLS OF UNDETERMINED SIGNIFICANCE",
)
