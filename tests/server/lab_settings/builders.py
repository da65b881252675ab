"""Changes settings of the lab for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from psycopg.types.json import Json

from tests.server.records import Records


class LabSettingBuilders(Records):
    """Updates settings of the lab."""

    @contextmanager
    def allow_result_entry(self, *flags: str) -> Iterator[None]:
        """Turn on only these flags ('Enabled', 'ClientBasic') within the context."""
        with self.change_setting("result-entry", {f"resultEntry{flag}": True for flag in flags}):
            yield

    @contextmanager
    def change_setting(self, name: str, value: dict[str, Any]) -> Iterator[None]:
        """Give a setting of the lab this value within the context."""
        before = self.run_sql("SELECT value FROM lab_settings WHERE name = %s", (name,))
        change = "UPDATE lab_settings SET value = %s WHERE name = %s"
        self.run_sql(change, (Json(value), name))
        try:
            yield
        finally:
            self.run_sql(change, (Json(before), name))
