"""The reference tables of toxicology."""

from psycopg.types.json import Jsonb

from app.server.seeding.copying import Connection, copy_rows
from seeds.reference import toxicology


def insert_toxicology_tables(connection: Connection) -> None:
    """Insert the tables, and the methods of the catalog's toxicology tests."""
    copy_rows(
        connection,
        "toxicology_substances",
        ("name", "drug_class", "is_critical"),
        ((row.name, row.drug_class, row.is_critical) for row in toxicology.list_substances()),
    )
    copy_rows(
        connection,
        "toxicology_metabolites",
        ("parent", "metabolite"),
        (
            (parent, metabolite)
            for parent, metabolites in toxicology.list_metabolites().items()
            for metabolite in metabolites
        ),
    )
    copy_rows(
        connection,
        "toxicology_names",
        ("name", "ingredient"),
        (
            (name, ingredient)
            for name, ingredients in toxicology.list_names().items()
            for ingredient in ingredients
        ),
    )
    for row in toxicology.list_toxicology_tests():
        connection.execute(
            "INSERT INTO toxicology_tests (test_id, method, targets, cut_off, detection_window,"
            " low, high, invented, unit) SELECT id, %s, %s, %s, %s, %s, %s, true, unit"
            " FROM lab_tests WHERE code = %s",
            (
                row.method,
                list(row.targets),
                row.cut_off,
                row.detection_window,
                row.low,
                row.high,
                row.test,
            ),
        )
    settings = {"abnormalResult": toxicology.ABNORMAL_RESULT, "edition": toxicology.EDITION}
    connection.execute(
        "INSERT INTO lab_settings (name, value) VALUES ('toxicology', %s) ON CONFLICT DO NOTHING",
        (Jsonb(settings),),
    )
