"""A transaction for statements that the application never sends."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.server.database.raw_sql import SqlSession


@pytest.fixture(scope="module")
def session(owner_url: str) -> Iterator[SqlSession]:
    """A transaction with a row in each table."""
    with psycopg.connect(owner_url) as connection:
        yield SqlSession(connection)
        connection.rollback()
