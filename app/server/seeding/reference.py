"""Tests, panels, ranges, diagnoses, ZIP codes, bill types, payers, and medications."""

from app.server.seeding import reference_toxicology
from app.server.seeding.copying import Connection, copy_rows, load_ids
from seeds.reference import (
    OTHER_BILL_TYPE,
    list_bill_types,
    list_collection_sites,
    list_containers,
    list_diagnoses,
    list_diagnosis_terms,
    list_lab_tests,
    list_medications,
    list_panel_members,
    list_payers,
    list_reasons,
    list_reference_ranges,
    list_reflex_rules,
    list_test_codes,
    list_test_formulas,
    list_test_limits,
    list_zip_codes,
)


def insert_reference_data(connection: Connection) -> None:
    """Insert all reference data."""
    _insert_catalog(connection)
    copy_rows(
        connection,
        "diagnoses",
        ("code", "description", "search_text", "valid_from", "valid_to", "release"),
        (
            (d.code, d.description, d.search_text, d.valid_from, d.valid_to, d.release)
            for d in list_diagnoses()
        ),
    )
    copy_rows(
        connection,
        "zip_codes",
        ("code", "city", "state"),
        ((z.code, z.city, z.state) for z in list_zip_codes()),
    )
    copy_rows(
        connection,
        "payers",
        ("name", "medicare_part_b"),
        ((p.name.upper(), p.medicare_part_b) for p in list_payers()),
    )
    copy_rows(connection, "medications", ("name",), ((name,) for name in list_medications()))
    assign_bill_types(connection)
    assign_volumes(connection)
    insert_search_words(connection)
    insert_reasons(connection)
    insert_collection_sites(connection)
    insert_reflex_rules(connection)
    reference_toxicology.insert_toxicology_tables(connection)


def insert_search_words(connection: Connection) -> None:
    """Insert former codes of tests and everyday words for diagnoses.

    Databases older than these tables have tests and diagnoses already, but perhaps not all of ours.
    """
    codes = list_test_codes()
    connection.execute(
        "INSERT INTO test_codes (code, test_id) SELECT known.code, t.id"
        " FROM unnest(%s::text[], %s::text[]) AS known (code, test)"
        " JOIN lab_tests t ON t.code = known.test ON CONFLICT DO NOTHING",
        ([row.code for row in codes], [row.test for row in codes]),
    )
    terms = list_diagnosis_terms()
    connection.execute(
        "INSERT INTO diagnosis_terms (term, diagnosis_id) SELECT known.term, d.id"
        " FROM unnest(%s::text[], %s::text[]) AS known (term, code)"
        " JOIN diagnoses d ON d.code = known.code ON CONFLICT DO NOTHING",
        (list(terms), list(terms.values())),
    )


def insert_reasons(connection: Connection) -> None:
    """Insert our reasons for each kind that has none; kinds with reasons stay as they are.

    Databases older than the table have none.
    """
    reasons = list_reasons()
    connection.execute(
        "INSERT INTO reasons (kind, code, words, position)"
        " SELECT known.kind, known.code, known.words, row_number() OVER ()"
        " FROM unnest(%s::text[], %s::text[], %s::text[]) AS known (kind, code, words)"
        " WHERE NOT EXISTS (SELECT 1 FROM reasons r WHERE r.kind = known.kind)"
        " ON CONFLICT DO NOTHING",
        (
            [row.kind for row in reasons],
            [row.code for row in reasons],
            [row.words for row in reasons],
        ),
    )


def insert_collection_sites(connection: Connection) -> None:
    """Insert our collection sites, which a lab replaces with its own."""
    copy_rows(
        connection,
        "collection_sites",
        ("name", "position"),
        ((name, position) for position, name in enumerate(list_collection_sites(), start=1)),
    )


def assign_bill_types(connection: Connection) -> None:
    """Assign the bill type of our list, or OTHER, to each payer without a bill type.

    Databases older than bill types have such payers. Other payers keep their bill type, since
    the lab may have chosen it.
    """
    for position, name in enumerate(list_bill_types(), start=1):
        connection.execute(
            "INSERT INTO bill_types (name, position) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (name, position),
        )
    connection.execute(
        "UPDATE payers p SET bill_type_id = t.id"
        " FROM bill_types t, unnest(%s::text[], %s::text[]) AS known (payer, bill_type)"
        " WHERE p.bill_type_id IS NULL AND p.name = known.payer AND t.name = known.bill_type",
        ([p.name.upper() for p in list_payers()], [p.bill_type for p in list_payers()]),
    )
    connection.execute(
        "UPDATE payers SET bill_type_id = (SELECT id FROM bill_types WHERE name = %s)"
        " WHERE bill_type_id IS NULL",
        (OTHER_BILL_TYPE,),
    )


def insert_reflex_rules(connection: Connection) -> None:
    """Insert our rules of reflex tests, inactive until the lab approves them."""
    for row in list_reflex_rules():
        connection.execute(
            "INSERT INTO reflex_rules (code, test_id, added_test_id, condition, flags, words, low,"
            " high, source, unit) SELECT %s, t.id, a.id, %s, %s, %s, %s, %s, %s, t.unit"
            " FROM lab_tests t, lab_tests a WHERE t.code = %s AND a.code = %s"
            " ON CONFLICT DO NOTHING",
            (
                row.code,
                row.condition,
                list(row.flags),
                list(row.words),
                row.low,
                row.high,
                row.source,
                row.test,
                row.added,
            ),
        )


def assign_volumes(connection: Connection) -> None:
    """Insert our containers, and the required volume of our tests that have none.

    Databases older than volumes have such tests. Other volumes stay, since the lab may have
    chosen them.
    """
    for container in list_containers():
        connection.execute(
            "INSERT INTO containers (name, volume_ml) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (container.name, container.volume_ml),
        )
    volumes = {test.code: test.required_ml for test in list_lab_tests() if test.required_ml}
    connection.execute(
        "UPDATE lab_tests t SET required_ml = known.ml"
        " FROM unnest(%s::text[], %s::numeric[]) AS known (code, ml)"
        " WHERE t.required_ml IS NULL AND t.code = known.code",
        (list(volumes), list(volumes.values())),
    )


def _assign_limits(connection: Connection) -> None:
    """Give our tests their invented limits; only in a new portal, because they reject results."""
    rows = list_test_limits()
    connection.execute(
        "UPDATE lab_tests t SET limits_invented = true, possible_low = known.possible_low,"
        " possible_high = known.possible_high, plausible_low = known.plausible_low,"
        " plausible_high = known.plausible_high, delta_percent = known.delta_percent,"
        " delta_days = known.delta_days FROM unnest(%s::text[], %s::numeric[], %s::numeric[],"
        " %s::numeric[], %s::numeric[], %s::numeric[], %s::smallint[]) AS known (test,"
        " possible_low, possible_high, plausible_low, plausible_high, delta_percent, delta_days)"
        " WHERE t.code = known.test",
        (
            [row.test for row in rows],
            [row.possible_low for row in rows],
            [row.possible_high for row in rows],
            [row.plausible_low for row in rows],
            [row.plausible_high for row in rows],
            [row.delta_percent for row in rows],
            [row.delta_days for row in rows],
        ),
    )


def _assign_formulas(connection: Connection) -> None:
    """Give tests their formulas; only in a new portal, where nobody types their results yet."""
    for row in list_test_formulas():
        connection.execute(
            "UPDATE lab_tests SET formula = %s, formula_inputs = %s, formula_source = %s"
            " WHERE code = %s",
            (row.formula, list(row.inputs), row.source, row.test),
        )


def _insert_catalog(connection: Connection) -> None:
    copy_rows(
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
            "method",
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
                t.method,
            )
            for t in list_lab_tests()
        ),
    )
    _assign_limits(connection)
    _assign_formulas(connection)
    ids = load_ids(connection, "lab_tests", "code")
    copy_rows(
        connection,
        "panel_members",
        ("panel_id", "test_id", "position"),
        ((ids[m.panel], ids[m.test], m.position) for m in list_panel_members()),
    )
    copy_rows(
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
            for r in list_reference_ranges()
        ),
    )
    connection.execute(
        "UPDATE reference_ranges g SET unit = t.unit FROM lab_tests t WHERE t.id = g.test_id"
        " AND coalesce(g.low, g.high, g.critical_low, g.critical_high) IS NOT NULL"
    )
