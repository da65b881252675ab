"""Validation of settings."""

import pytest
from pydantic import ValidationError

from app.server.jobs.worker import CONCURRENCY
from app.server.settings import Settings


class TestPools:
    """PORTAL_READ_POOL_SIZE and PORTAL_WRITE_POOL_SIZE."""

    def test_rejects_a_write_pool_in_which_jobs_would_deadlock(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PORTAL_WRITE_POOL_SIZE", str(CONCURRENCY))
        with pytest.raises(ValidationError, match="write_pool_size"):
            Settings()

    def test_accepts_one_connection_more_than_jobs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORTAL_WRITE_POOL_SIZE", str(CONCURRENCY + 1))
        assert Settings().write_pool_size == CONCURRENCY + 1

    def test_rejects_a_read_pool_of_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORTAL_READ_POOL_SIZE", "1")
        with pytest.raises(ValidationError, match="read_pool_size"):
            Settings()
