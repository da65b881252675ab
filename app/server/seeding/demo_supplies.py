"""The supplies of the demo lab."""

from app.server.seeding.copying import Connection, advance_sequences, copy_rows
from seeds.demo.supplies import SUPPLIES


def insert_supplies(connection: Connection) -> None:
    """Insert categories and supplies, in their order."""
    copy_rows(
        connection,
        "supply_categories",
        ("id", "name", "position"),
        ((i, name, i) for i, (name, _) in enumerate(SUPPLIES, 1)),
    )
    copy_rows(
        connection,
        "supplies",
        ("category_id", "code", "name", "position"),
        (
            (i, code, name, position)
            for i, (_, supplies) in enumerate(SUPPLIES, 1)
            for position, (code, name) in enumerate(supplies, 1)
        ),
    )
    advance_sequences(connection, "supply_categories")
