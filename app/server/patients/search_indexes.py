"""Indexes of tables with patient snapshots, for the filter row of their grids (ADR 20)."""

from sqlalchemy import Index, literal_column

from app.server.database.base import build_trigram_index

ROOM_AND_BED = "coalesce({t}room_name || ' - ' || {t}bed, {t}room_name, {t}bed)"
"""The place as the grids show it, with ``{t}`` for the table's prefix."""

_NAMES = ("patient_last_name", "patient_first_name")
_TEXTS = ("code", "unit_name", "room_name", "bed")


def build_search_indexes(table: str, states: list[str]) -> tuple[Index, ...]:
    """Build the indexes of a table that has a snapshot, scope columns, and collection dates.

    Args:
        states: the columns with few values by which the grid filters. The indexes of dates and
            names include them, so that they answer such filters alone.
    """
    search_columns = [*_NAMES, "collection_date", *states, *_TEXTS, "test_ids"]
    last_name, first_name = _NAMES
    return (
        # Row-level security keeps the planner from the trigram index within a scope. These
        # indexes include the searched columns, so that a search for text reads them instead of
        # the table.
        Index(f"ix_{table}_client_rows", "client_id", "id", postgresql_include=search_columns),
        Index(
            f"ix_{table}_physician_rows", "physician_id", "id", postgresql_include=search_columns
        ),
        # Also leads from a patient's newest record back to the older ones, as a comparison with the
        # last earlier result does.
        Index(None, "patient_id", "collection_date", "id"),
        # Covering: the page and the count of a date range come from the index alone.
        Index(None, "collection_date", "id", postgresql_include=states),
        Index(None, "client_id", "collection_date", "id", postgresql_include=states),
        Index(None, "physician_id", "collection_date", "id", postgresql_include=states),
        # Each day in the grid's order: the page of a longer range is merged from its days.
        Index(None, "collection_day", "id", postgresql_include=states),
        Index(None, "patient_birth_date", "collection_date", "id"),
        # For the text filters of the grid across all clients.
        build_trigram_index(f"ix_{table}_texts_trgm", *_TEXTS),
        Index(
            f"ix_{table}_room_and_bed_trgm",
            literal_column(ROOM_AND_BED.format(t="")).label("room_and_bed"),
            postgresql_using="gin",
            postgresql_ops={"room_and_bed": "gin_trgm_ops"},
        ),
        # Leads from tests to the rows; a trigram index of their names would be fifty times larger.
        Index(None, "test_ids", postgresql_using="gin"),
        # Leads from a patient's name (found in ``patient_names``) to the rows of all clients.
        Index(None, last_name, "collection_date", "id", postgresql_include=[first_name, *states]),
        Index(None, first_name, "collection_date", "id", postgresql_include=[last_name, *states]),
    )
