"""Databases for one test each."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql


@pytest.fixture
def empty_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """An empty database."""
    name = f"portal_empty_{worker_id}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield f"{cluster_url}/{name}"
        connection.execute(drop)


@pytest.fixture
def own_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """A database with the current schema and the reference data, which a test may spoil."""
    name = f"portal_own_{worker_id}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        connection.execute(drop)
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE portal_template").format(sql.Identifier(name))
        )
        yield f"{cluster_url}/{name}"
        connection.execute(drop)
