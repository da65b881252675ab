"""The settings of the lab, for tests."""

import psycopg


def insert_settings(connection: psycopg.Connection) -> None:
    """Insert the settings; those of web results name tests of the catalog."""
    connection.execute(
        "INSERT INTO lab_settings (name, value) VALUES"
        ' (\'report\', \'{"name": "TEST LAB", "address": "1 MAIN ST, JOLIET, IL 60435",'
        ' "phone": "815-555-0100", "title": "Test Lab"}\'),'
        " ('result-entry', '{\"resultEntryEnabled\": true, \"resultEntrySuperUser\": true}'),"
        " ('autoverification', '{\"enabled\": false}')"
    )
    connection.execute(
        "INSERT INTO lab_settings (name, value) SELECT 'web-results',"
        " jsonb_build_object('tests', jsonb_agg(id ORDER BY code DESC)) FROM lab_tests"
        " WHERE code IN ('GLU', 'K')"
    )
