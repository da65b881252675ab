"""Databases for a single test."""

from collections.abc import Iterator

import pytest

from tests.standins.databases import create_database


@pytest.fixture
def empty_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """An empty database."""
    with create_database(cluster_url, f"portal_empty_{worker_id}") as url:
        yield url


@pytest.fixture
def own_url(cluster_url: str, worker_id: str) -> Iterator[str]:
    """A database with the current schema and the reference data, which a test may change."""
    with create_database(cluster_url, f"portal_own_{worker_id}", "portal_template") as url:
        yield url
