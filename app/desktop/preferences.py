"""Preferences of the user interface on this workstation.

``localStorage`` would lose them: windows are private and the port changes with every start. They
contain no patient data, only column widths, the theme, the chosen printer (key ``printer``, O 9),
and the like.
"""

import json
import re
import threading
from pathlib import Path
from typing import cast

from fastapi import APIRouter, Response
from pydantic import JsonValue

from app.basics.errors import BadInput, FieldError, TooLarge
from app.contract import messages
from app.desktop.files import JsonFile, explain_failed_write
from app.desktop.shapes import Shape

_KEY = re.compile(r"[A-Za-z0-9.-]{1,64}")
_VALUE_BYTES = 16 * 1024
_COUNT = 500


class Preferences:
    """A small dictionary on disk; every change rewrites the file."""

    def __init__(self, path: Path) -> None:
        self._file = JsonFile(path)
        self._lock = threading.Lock()
        self._values = cast("dict[str, JsonValue]", self._file.read())

    def list_all(self) -> dict[str, JsonValue]:
        """Return every preference."""
        return dict(self._values)

    def get(self, key: str) -> JsonValue:
        """Return one preference, or ``None``."""
        return self._values.get(key)

    def put(self, key: str, value: JsonValue) -> None:
        """Set a preference.

        Raises:
            BadInput: the key is invalid.
            TooLarge: the value has more than 16 KiB, or there are too many keys.
            Conflict: the file cannot be written.
        """
        if not _KEY.fullmatch(key):
            raise BadInput(messages.PREFERENCE_KEY_INVALID)
        if len(json.dumps(value)) > _VALUE_BYTES:
            field = FieldError("value", messages.BODY_TOO_LARGE)
            raise TooLarge(messages.BODY_TOO_LARGE, errors=(field,))
        with self._lock:
            values = {**self._values, key: value}
            if len(values) > _COUNT:
                raise TooLarge(messages.PREFERENCES_FULL)
            self._write(values)

    def delete(self, key: str) -> None:
        """Remove a preference; harmless if it is not set. Raises Conflict as ``put`` does."""
        with self._lock:
            if key in self._values:
                self._write({k: v for k, v in self._values.items() if k != key})

    def _write(self, values: dict[str, JsonValue]) -> None:
        with explain_failed_write(self._file.path):
            self._file.write(cast("dict[str, object]", values))
        self._values = values


class PreferenceValue(Shape):
    """PUT /device/preferences/{key}: any JSON value."""

    value: JsonValue


def build_routes(preferences: Preferences) -> APIRouter:
    """Build the routes below /device/preferences."""
    router = APIRouter(prefix="/device/preferences", tags=["preferences"])

    @router.get("")
    def read_all() -> dict[str, JsonValue]:
        """Every preference by its key."""
        return preferences.list_all()

    @router.put("/{key}")
    def put(key: str, body: PreferenceValue) -> PreferenceValue:
        """Set one preference."""
        preferences.put(key, body.value)
        return body

    @router.delete("/{key}", status_code=204)
    def delete(key: str) -> Response:
        """Forget one preference."""
        preferences.delete(key)
        return Response(status_code=204)

    return router
