"""The demo clients' own test lists, and favorite panels of their people."""

from __future__ import annotations

from app.server.seeding.copying import Connection, copy, settle_ids
from app.server.seeding.known import Known
from seeds.demo.records import DemoLab


def load(connection: Connection, lab: DemoLab, known: Known) -> None:
    """Write what may be ordered where, and what is ordered with one key."""
    copy(
        connection,
        "client_tests",
        ("client_id", "test_id"),
        (
            (known.clients[each.client_code], known.tests[code])
            for each in lab.test_lists
            for code in each.codes
        ),
    )
    favorites = list(enumerate(lab.favorites, start=1))
    copy(
        connection,
        "favorite_panels",
        ("id", "user_id", "name"),
        ((i, known.users[each.email], each.name) for i, each in favorites),
    )
    copy(
        connection,
        "favorite_panel_tests",
        ("panel_id", "test_id", "position"),
        (
            (i, known.tests[code], position)
            for i, each in favorites
            for position, code in enumerate(each.codes, start=1)
        ),
    )
    settle_ids(connection, "favorite_panels")
