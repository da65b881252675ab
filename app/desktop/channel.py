"""The messages between the app and its sidecar, as lines of JSON on a socket pair (ADR 77).

When the channel closes, the other process has ended. The description of a message begins with the
process that sends it.
"""

import json
from dataclasses import asdict, dataclass, fields
from typing import TypeVar


@dataclass(frozen=True)
class Ready:
    """Sidecar: the sidecar answers requests from now on."""


@dataclass(frozen=True)
class OpenWindow:
    """Sidecar: open a window on a valid path."""

    path: str


@dataclass(frozen=True)
class ChangeWindow:
    """Sidecar: change a window as its page asks; see ``WindowState``."""

    window: str
    act: str | None
    title: str | None


@dataclass(frozen=True)
class KeepState:
    """Sidecar: store what the next sidecar needs to continue the session (``SessionState``)."""

    state: dict[str, object]


@dataclass(frozen=True)
class ChooseFile:
    """Sidecar: ask where to save a file; answered with its path or None."""

    number: int
    name: str


@dataclass(frozen=True)
class CopyText:
    """Sidecar: put a text into the clipboard; answered with whether this system supports it."""

    number: int
    text: str


@dataclass(frozen=True)
class Answer:
    """App: the answer to the question with this number."""

    number: int
    value: str | bool | None


@dataclass(frozen=True)
class WindowClosed:
    """App: a window has closed; its cookie and its code are no longer valid."""

    window: str


Message = (
    Ready | OpenWindow | ChangeWindow | KeepState | ChooseFile | CopyText | Answer | WindowClosed
)
_KINDS: dict[str, type[Message]] = {
    kind.__name__: kind
    for kind in (
        Ready,
        OpenWindow,
        ChangeWindow,
        KeepState,
        ChooseFile,
        CopyText,
        Answer,
        WindowClosed,
    )
}


@dataclass(frozen=True)
class Start:
    """The first line on the sidecar's standard input.

    Attributes:
        listener, channel: the descriptors of two sockets; on Windows shared sockets in base64.
        secret: the secret of this run of the app, as hexadecimal digits (``launch``).
        closed: the windows that closed before this sidecar started.
        state: the last ``KeepState``.
        documents: the folder for documents that viewers show.
    """

    listener: int | str
    channel: int | str
    arguments: list[str]
    secret: str
    closed: list[str]
    state: dict[str, object] | None
    documents: str


def encode_message(message: Message) -> bytes:
    """Return a message as one line."""
    return json.dumps({"kind": type(message).__name__, **asdict(message)}).encode() + b"\n"


def decode_message(line: bytes) -> Message:
    """Return the message of a line, or raise ``ValueError`` for anything else."""
    content = json.loads(line)
    return _build_message(_KINDS[content.pop("kind")], content)


def encode_start(start: Start) -> bytes:
    """Return the first line for a new sidecar."""
    return json.dumps(asdict(start)).encode() + b"\n"


def decode_start(line: bytes) -> Start:
    """Return the first line as the sidecar reads it."""
    return _build_message(Start, json.loads(line))


Content = TypeVar("Content")


def _build_message(kind: type[Content], content: dict[str, object]) -> Content:
    if set(content) != {field.name for field in fields(kind)}:  # type: ignore[arg-type]
        raise ValueError(kind.__name__)
    return kind(**content)
