"""The demo clients' test lists and test codes, and their users' favorite panels."""

from __future__ import annotations

from app.server.seeding.copying import Connection, advance_sequences, copy_rows
from app.server.seeding.loaded_ids import LoadedIds
from seeds.demo.records import DemoLab


def insert_test_lists(connection: Connection, lab: DemoLab, ids: LoadedIds) -> None:
    """Insert the test lists and test codes of clients, and the favorite panels of users."""
    copy_rows(
        connection,
        "client_tests",
        ("client_id", "test_id"),
        (
            (ids.clients[test_list.client_code], ids.tests[code])
            for test_list in lab.test_lists
            for code in test_list.codes
        ),
    )
    copy_rows(
        connection,
        "test_codes",
        ("client_id", "code", "test_id"),
        ((ids.clients[c.client_code], c.code, ids.tests[c.test]) for c in lab.test_codes),
    )
    favorites = list(enumerate(lab.favorites, start=1))
    copy_rows(
        connection,
        "favorite_panels",
        ("id", "user_id", "name"),
        ((i, ids.users[favorite.email], favorite.name) for i, favorite in favorites),
    )
    copy_rows(
        connection,
        "favorite_panel_tests",
        ("panel_id", "test_id", "position"),
        (
            (i, ids.tests[code], position)
            for i, favorite in favorites
            for position, code in enumerate(favorite.codes, start=1)
        ),
    )
    advance_sequences(connection, "favorite_panels")
