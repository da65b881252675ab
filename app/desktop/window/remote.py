"""The app's windows, which the sidecar reaches by messages to the app's process (ADR 77)."""

import asyncio
import itertools
import socket
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from app.desktop.channel import (
    Answer,
    ChangeWindow,
    ChooseFile,
    CopyText,
    KeepState,
    Message,
    OpenWindow,
    Ready,
    WindowClosed,
    decode_message,
    encode_message,
)
from app.desktop.relay.session import SessionState
from app.desktop.window.endpoints import Act


class RemoteWindows:
    """Asks the app for what only it can do; ``on_closed`` gets the name of a closed window."""

    can_open = True

    def __init__(self, on_closed: Callable[[str], None]) -> None:
        self._on_closed = on_closed
        self._numbers = itertools.count()
        self._questions: dict[int, asyncio.Future[str | bool | None]] = {}
        self._writer: asyncio.StreamWriter | None = None

    async def run(self, channel: socket.socket) -> None:
        """Receive messages until the app's process ends."""
        reader, self._writer = await asyncio.open_connection(sock=channel)
        while line := await reader.readline():
            message = decode_message(line)
            if isinstance(message, WindowClosed):
                self._on_closed(message.window)
            elif isinstance(message, Answer):
                self._questions.pop(message.number).set_result(message.value)

    def _send(self, message: Message) -> None:
        if self._writer is not None:
            self._writer.write(encode_message(message))

    async def _ask(self, question: ChooseFile | CopyText) -> str | bool | None:
        answer = asyncio.get_running_loop().create_future()
        self._questions[question.number] = answer
        self._send(question)
        value: str | bool | None = await answer
        return value

    def notify_ready(self) -> None:
        """Report that the sidecar answers requests."""
        self._send(Ready())

    def store_state(self, state: SessionState) -> None:
        """Have the app store what the next sidecar needs."""
        self._send(KeepState(asdict(state)))

    def open(self, path: str) -> None:
        """Open a window on a valid path of the user interface."""
        self._send(OpenWindow(path))

    def change(self, window: str, act: Act | None, title: str | None) -> None:
        """Change a window as its page asks; harmless if it has closed."""
        self._send(ChangeWindow(window, act, title))

    async def choose_file(self, name: str) -> Path | None:
        """Ask where to save a file; waits for the answer."""
        path = await self._ask(ChooseFile(next(self._numbers), name))
        return Path(path) if isinstance(path, str) else None

    async def copy(self, text: str) -> bool:
        """Put a text into the clipboard, and return whether this window system supports it."""
        return await self._ask(CopyText(next(self._numbers), text)) is True
