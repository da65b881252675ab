"""A small catalog that all tests share, from the test folders of the slices."""

import psycopg

from app.server.seeding.reference import insert_collection_sites, insert_reasons
from app.server.seeding.reference_microbiology import insert_microbiology_tables
from app.server.seeding.reference_toxicology import insert_toxicology_tables
from tests.server.addresses.reference import insert_zip_codes
from tests.server.billing.reference import insert_payers
from tests.server.catalog.reference import insert_diagnoses, insert_tests
from tests.server.lab_settings.reference import insert_settings

_PARTS = (
    insert_tests,
    insert_diagnoses,
    insert_microbiology_tables,
    insert_toxicology_tables,
    insert_reasons,
    insert_collection_sites,
    insert_settings,
    insert_zip_codes,
    insert_payers,
)
"""In this order: settings and the tables of a family name tests."""


def load_reference(owner_url: str) -> None:
    """Fill a template database with the records of all slices."""
    with psycopg.connect(owner_url) as connection:
        for insert_part in _PARTS:
            insert_part(connection)
