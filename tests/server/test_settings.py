"""What may be set, and what would stop the portal."""

import pytest
from pydantic import ValidationError

from app.server.jobs.worker import CONCURRENCY
from app.server.settings import Settings


class TestPools:
    """PORTAL_READ_POOL_SIZE and PORTAL_WRITE_POOL_SIZE."""

    def test_a_worker_whose_jobs_would_wait_for_each_other_does_not_start(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PORTAL_WRITE_POOL_SIZE", str(CONCURRENCY))
        with pytest.raises(ValidationError, match="write_pool_size"):
            Settings()

    def test_one_connection_more_is_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORTAL_WRITE_POOL_SIZE", str(CONCURRENCY + 1))
        assert Settings().write_pool_size == CONCURRENCY + 1

    def test_reads_need_two(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORTAL_READ_POOL_SIZE", "1")
        with pytest.raises(ValidationError, match="read_pool_size"):
            Settings()
