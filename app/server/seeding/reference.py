"""Tests, panels, ranges, diagnoses, ZIP codes, payers and medications."""

from app.server.seeding.copying import Connection, copy, ids_by
from seeds.reference import (
    diagnoses,
    lab_tests,
    medications,
    panel_members,
    payers,
    reference_ranges,
    zip_codes,
)


def load(connection: Connection) -> None:
    """Write all reference data."""
    _load_catalogue(connection)
    copy(
        connection,
        "diagnoses",
        ("code", "description", "search_text", "valid_from", "valid_to", "release"),
        (
            (d.code, d.description, d.search_text, d.valid_from, d.valid_to, d.release)
            for d in diagnoses()
        ),
    )
    copy(
        connection,
        "zip_codes",
        ("code", "city", "state"),
        ((z.code, z.city, z.state) for z in zip_codes()),
    )
    copy(
        connection,
        "payers",
        ("name", "medicare_part_b"),
        ((p.name.upper(), p.medicare_part_b) for p in payers()),
    )
    copy(connection, "medications", ("name",), ((name,) for name in medications()))


def _load_catalogue(connection: Connection) -> None:
    copy(
        connection,
        "lab_tests",
        (
            "code",
            "name",
            "alternate_names",
            "search_text",
            "is_panel",
            "orderable",
            "kind",
            "loinc",
            "specimen",
            "container",
            "unit",
            "result_type",
            "choices",
            "normal_choices",
            "decimals",
        ),
        (
            (
                t.code,
                t.name.upper(),
                t.alternate_names,
                t.search_text,
                t.is_panel,
                t.orderable,
                t.kind,
                t.loinc,
                t.specimen,
                t.container,
                t.unit,
                int(t.result_type),
                list(t.choices),
                list(t.normal_choices),
                t.decimals,
            )
            for t in lab_tests()
        ),
    )
    ids = ids_by(connection, "lab_tests", "code")
    copy(
        connection,
        "panel_members",
        ("panel_id", "test_id", "position"),
        ((ids[m.panel], ids[m.test], m.position) for m in panel_members()),
    )
    copy(
        connection,
        "reference_ranges",
        (
            "test_id",
            "gender",
            "age_from_days",
            "age_to_days",
            "low",
            "high",
            "critical_low",
            "critical_high",
            "words",
            "invented",
        ),
        (
            (
                ids[r.test],
                r.gender,
                r.age_from_days,
                r.age_to_days,
                r.low,
                r.high,
                r.critical_low,
                r.critical_high,
                r.words,
                r.invented,
            )
            for r in reference_ranges()
        ),
    )
