"""A clock that does not move, for tests of the delays after failed sign-ins."""

import pytest

from app.basics.clock import get_utc_now


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock, because hashing on a busy machine can outlast the first delay."""
    now = get_utc_now()
    for module in ("attempts", "service"):
        monkeypatch.setattr(f"app.server.accounts.{module}.get_utc_now", lambda: now)
