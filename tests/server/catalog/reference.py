"""A few tests, reference ranges, and diagnoses, enough to order tests and enter results."""

import psycopg

VALUE, ALPHA, ALPHA_MICROBIOLOGY, CUT_OFF = 1, 32, 128, 1024
"""Types of results."""

_TESTS = [
    # code, name, panel, kind, container, unit, type, choices, normal choices
    ("CBC", "COMPLETE BLOOD COUNT", True, "clinical", "Lavender Top", None, 4096, [], []),
    ("WBC", "WHITE BLOOD CELLS", False, "clinical", "Lavender Top", "10*3/uL", VALUE, [], []),
    ("HGB", "HEMOGLOBIN", False, "clinical", "Lavender Top", "g/dL", VALUE, [], []),
    ("GLU", "GLUCOSE", False, "clinical", "Gold Top", "mg/dL", VALUE, [], []),
    ("K", "POTASSIUM", False, "clinical", "Gold Top", "mmol/L", VALUE, [], []),
    (
        "COVID",
        "SARS-COV-2 RNA",
        False,
        "clinical",
        "Swab",
        None,
        ALPHA,
        ["NOT DETECTED", "DETECTED"],
        ["NOT DETECTED"],
    ),
    ("UCUL", "CULTURE, URINE", False, "microbiology", "Urine Cup", None, 64, [], []),
    (
        "MRSA",
        "MRSA SCREEN",
        False,
        "microbiology",
        "Swab",
        None,
        ALPHA_MICROBIOLOGY,
        ["NOT DETECTED", "DETECTED"],
        ["NOT DETECTED"],
    ),
    ("BCUL", "CULTURE, BLOOD", False, "microbiology", "Culture Bottles", None, 64, [], []),
    (
        "UBENZ",
        "BENZODIAZEPINES SCREEN",
        False,
        "toxicology",
        "Urine Cup",
        None,
        ALPHA,
        ["NEGATIVE", "POSITIVE"],
        ["NEGATIVE"],
    ),
    *(
        (code, name, False, "toxicology", "Urine Cup", unit, kind, [], [])
        for code, name, unit, kind in (
            ("QDIA", "DIAZEPAM, URINE", "ng/mL", CUT_OFF),
            ("QOXA", "OXAZEPAM, URINE", "ng/mL", CUT_OFF),
            ("QOXY", "OXYCODONE, URINE", "ng/mL", CUT_OFF),
            ("QFEN", "FENTANYL, URINE", "ng/mL", CUT_OFF),
            ("VCRE", "CREATININE FOR VALIDITY", "mg/dL", VALUE),
        )
    ),
    ("SURG", "SURGICAL PATHOLOGY", False, "pathology", "Formalin Jar", None, 256, [], []),
]
_RANGES = [
    # code, sex, from, to, low, high, critical low, critical high
    ("WBC", None, 0, 60_000, 4.0, 11.0, 2.0, 30.0),
    ("HGB", "MALE", 6_570, 60_000, 13.5, 17.5, 7.0, 20.0),
    ("HGB", "FEMALE", 6_570, 60_000, 12.0, 15.5, 7.0, 20.0),
    ("GLU", None, 0, 60_000, 70, 99, 40, 450),
    ("K", None, 0, 60_000, 3.5, 5.1, 2.8, 6.2),
]


def insert_tests(connection: psycopg.Connection) -> None:
    """Insert the tests, a panel, and reference ranges."""
    for code, name, panel, kind, container, unit, type_, choices, normal in _TESTS:
        connection.execute(
            "INSERT INTO lab_tests (code, name, search_text, is_panel, kind, container,"
            " specimen, unit, result_type, choices, normal_choices)"
            " VALUES (%s,%s,%s,%s,%s,%s,'BLOOD',%s,%s,%s,%s)",
            (
                code,
                name,
                f"{code} {name}",
                panel,
                kind,
                container,
                unit,
                type_,
                choices,
                normal,
            ),
        )
    for position, member in enumerate(("WBC", "HGB")):
        connection.execute(
            "INSERT INTO panel_members (panel_id, test_id, position) SELECT p.id, t.id, %s"
            " FROM lab_tests p, lab_tests t WHERE p.code = 'CBC' AND t.code = %s",
            (position, member),
        )
    for code, sex, start, end, *limits in _RANGES:
        connection.execute(
            "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, low,"
            " high, critical_low, critical_high, invented, unit)"
            " SELECT id, %s, %s, %s, %s, %s, %s, %s, true, unit FROM lab_tests WHERE code = %s",
            (sex, start, end, *limits, code),
        )


def insert_diagnoses(connection: psycopg.Connection) -> None:
    """Insert diagnoses, one of which has ended."""
    for code, description, valid_from, valid_to in (
        ("E11.9", "Type 2 diabetes mellitus without complications", "2015-10-01", None),
        ("I10", "Essential (primary) hypertension", "2015-10-01", None),
        ("U09.9", "Post COVID-19 condition, unspecified", "2021-10-01", None),
        ("Z99.0", "A code that has ended", "2015-10-01", "2020-09-30"),
    ):
        connection.execute(
            "INSERT INTO diagnoses (code, description, search_text, valid_from, valid_to,"
            " release) VALUES (%s, %s, %s, %s, %s, '2026')",
            (code, description, f"{code} {description}".upper(), valid_from, valid_to),
        )
