"""A few bill types and payers."""

import psycopg


def insert_payers(connection: psycopg.Connection) -> None:
    """Insert bill types and their payers."""
    for position, name in enumerate(("MEDICARE", "MEDICAID", "COMMERCIAL"), start=1):
        connection.execute(
            "INSERT INTO bill_types (name, position) VALUES (%s, %s)", (name, position)
        )
    for name, bill_type in (
        ("AETNA", "COMMERCIAL"),
        ("BLUE CROSS BLUE SHIELD OF ILLINOIS", "COMMERCIAL"),
        ("UNITED HEALTHCARE", "COMMERCIAL"),
        ("MEDICAID OF ILLINOIS", "MEDICAID"),
        ("MEDICARE PART A", "MEDICARE"),
    ):
        connection.execute(
            "INSERT INTO payers (name, bill_type_id) SELECT %s, id FROM bill_types WHERE name = %s",
            (name, bill_type),
        )
