"""Lines of the log."""

import json

from app.server.logs import _render_json


def test_no_text_begins_a_line_of_its_own() -> None:
    event = {"event": "request", "route": 'a\r\n{"event": "sign-in"}', "user_id": "\u2028"}
    line = _render_json(None, "info", event)
    assert line.isascii() and len(line.splitlines()) == 1
    assert json.loads(line) == event
