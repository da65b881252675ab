"""The rule for versions of all families: a released version no longer changes (ADR 45)."""

from app.server.database.writes import Lock

RESULT_IDENTITY = ("order_test_id", "revision")
"""Columns that say which version of which result a row is."""


def build_release_lock(*still_open: str) -> Lock:
    """Build the lock of released versions; the columns ``still_open`` may change.

    A correction adds a version, and the earlier one is no longer current.
    """
    return Lock("released", when="OLD.released_at IS NOT NULL", all_but=("is_current", *still_open))
