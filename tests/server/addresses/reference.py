"""A few zip codes."""

import psycopg


def insert_zip_codes(connection: psycopg.Connection) -> None:
    """Insert zip codes."""
    for code, city, state in (("60601", "CHICAGO", "IL"), ("60435", "JOLIET", "IL")):
        connection.execute(
            "INSERT INTO zip_codes (code, city, state) VALUES (%s, %s, %s)", (code, city, state)
        )
