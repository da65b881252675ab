"""Databases that a test has for itself."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql


@contextmanager
def create_database(cluster_url: str, name: str, template: str = "template1") -> Iterator[str]:
    """Create a database, yield its owner's URL, and drop it at the end.

    ``portal_template`` is a template with the current schema and the reference data.
    """
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        connection.execute(drop)
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        yield f"{cluster_url}/{name}"
        connection.execute(drop)
