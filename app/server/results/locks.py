"""Database locks of result versions, the same for all families (ADR 45).

A released version no longer changes, and an entry changes only under the actor's own name.
"""

from app.server.database.scope import ACTOR_USER_NOW
from app.server.database.writes import Lock

RESULT_IDENTITY = ("order_test_id", "revision")
"""Columns that say which version of which result a row is."""


def build_release_lock(*open_columns: str) -> Lock:
    """Build the lock of released versions; the columns ``open_columns`` may change."""
    return Lock("released", when="OLD.released_at IS NOT NULL", all_but=open_columns)


def build_entry_lock(*open_columns: str) -> Lock:
    """Build the lock of entered content: a change must name the actor in ``entered_by``.

    The ``open_columns`` are about verification and release, which separate triggers protect.
    """
    return Lock(
        "entry",
        when="OLD.released_at IS NULL",
        change=f"NEW.entered_by IS DISTINCT FROM {ACTOR_USER_NOW}",
        all_but=("is_current", "released_by", "released_by_name", "released_at", *open_columns),
    )
