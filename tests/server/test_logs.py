"""Lines of the log."""

import json
import logging
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import psycopg
import pytest

from app.server.logs import JsonFormatter, _encode_event


def test_a_text_cannot_begin_a_new_line() -> None:
    event = {"event": "request", "route": 'a\r\n{"event": "sign-in"}', "user_id": "\u2028"}
    line = _encode_event(None, "info", event).decode()
    assert line.isascii() and len(line.splitlines()) == 1
    assert json.loads(line) == event


class TestLibraries:
    """Records of libraries, which do not use the portal's own logger."""

    PATIENT = "duplicate key: Key (ssn)=(123-45-6789)\nDETAIL: ZYXWVU"

    def format(self, message: str, *values: object, error: BaseException | None = None) -> str:
        info = (type(error), error, error.__traceback__) if error else None
        record = logging.LogRecord("lib", logging.ERROR, __file__, 1, message, values, info)
        return JsonFormatter().format(record)

    @pytest.mark.parametrize(
        ("message", "values", "event"),
        [
            ("Invalid HTTP request received.", (), "Invalid HTTP request received."),
            (
                "error connecting in %r: %s",
                ("pool-1", ValueError(PATIENT)),
                "error connecting in 'pool-1'",
            ),
            (
                "Task exception was never retrieved\nfuture: <Task exception=%r>",
                (PATIENT,),
                "Task exception was never retrieved",
            ),
            ("Exception in callback save(%s)", (PATIENT,), "Exception in callback save"),
            ("broken %d", ("text",), "broken %d"),
        ],
    )
    def test_library_messages_have_one_line_without_values(
        self, message: str, values: tuple[object, ...], event: str
    ) -> None:
        line = self.format(message, *values)
        assert len(line.splitlines()) == 1
        record = json.loads(line)
        assert (record["event"], record["logger"], record["level"]) == (event, "lib", "error")
        assert "ZYXWVU" not in line and "6789" not in line

    def test_library_errors_name_their_type_and_places(self) -> None:
        try:
            raise psycopg.errors.UniqueViolation(self.PATIENT)
        except psycopg.Error as error:
            line = self.format("failed", error=error)
        record = json.loads(line)
        assert record["kind"] == "UniqueViolation"
        assert re.search(r"test_logs\.py:\d+$", record["where"])
        assert record["trace"] == [record["where"]]
        assert "ZYXWVU" not in line

    def test_every_line_of_a_process_is_json(self, tmp_path: Path) -> None:
        """Even where a lost task, a thread, or the whole process fails, or Python warns."""
        program = """
            import asyncio, gc, logging, threading, warnings
            from app.server.logs import configure_logs

            configure_logs("INFO")
            logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
            warnings.warn("old\\nZYXWVU")

            async def fail():
                raise ValueError("a row\\nZYXWVU")

            async def lose():
                task = asyncio.create_task(fail())
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                del task
                gc.collect()

            asyncio.run(lose())
            thread = threading.Thread(target=lambda: int("ZYXWVU"))
            thread.start()
            thread.join()
            raise ValueError("a row\\nZYXWVU")
        """
        file = tmp_path / "program.py"
        file.write_text(textwrap.dedent(program))
        process = subprocess.run(
            [sys.executable, str(file)],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=False,
        )
        events = [json.loads(line) for line in process.stderr.splitlines()]
        assert [event["event"] for event in events] == [
            "Invalid HTTP request received.",
            f"{file}:7",
            "Task exception was never retrieved",
            "uncaught error",
            "uncaught error",
        ]
        assert [event.get("kind") for event in events[2:]] == ["ValueError"] * 3
        assert "ZYXWVU" not in process.stderr
        assert process.returncode == 1
