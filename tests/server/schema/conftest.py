"""Databases for a single test."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql


@contextmanager
def _create_database(cluster_url: str, name: str, template: str = "template1") -> Iterator[str]:
    """Create a database, and drop it at the end."""
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


@pytest.fixture
def empty_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """An empty database."""
    with _create_database(cluster_url, f"portal_empty_{worker_id}") as url:
        yield url


@pytest.fixture
def own_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """A database with the current schema and the reference data, which a test may change."""
    with _create_database(cluster_url, f"portal_own_{worker_id}", "portal_template") as url:
        yield url
