"""Runs the sidecar as a child of the app, and starts it again when it dies (ADR 77)."""

import base64
import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import structlog

from app.contract import messages
from app.desktop.channel import (
    Answer,
    ChangeWindow,
    ChooseFile,
    CopyText,
    KeepState,
    Message,
    OpenWindow,
    Ready,
    Start,
    WindowClosed,
    decode_message,
    encode_message,
    encode_start,
)
from app.desktop.crashes import CrashCounter
from app.desktop.launch import Launch
from app.desktop.logs import get_log_dir
from app.desktop.programs import build_environment
from app.desktop.window.document_folder import DocumentFolder

SIDECAR_ARGUMENT = "--sidecar"
INVALID_SETTINGS = 2
_STOP_SECONDS = 5.0
_ROOT = Path(__file__).parents[2]
# Both exist on Windows only.
_WINDOWS_FLAGS: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "CREATE_NO_WINDOW", 0
)
_log = structlog.get_logger("portal.desktop")


class Host(Protocol):
    """What the sidecar asks the app for. A thread of the supervisor calls every method."""

    def open(self, path: str) -> None:
        """Open a window on a valid path of the user interface."""
        ...

    def change(self, name: str, act: str | None, title: str | None) -> None:
        """Change a window as its page asks; harmless if it has closed."""
        ...

    def choose_file(self, name: str) -> Path | None:
        """Ask where to save a file; waits for the answer."""
        ...

    def copy(self, text: str) -> bool:
        """Put a text into the clipboard, and return whether this window system supports it."""
        ...

    def start_over(self) -> None:
        """Reload the pages that were still loading when the sidecar died."""
        ...

    def ask_to_try_again(self, question: str) -> bool:
        """Ask the person whether to start the sidecar again; waits for the answer."""
        ...

    def close_all(self) -> None:
        """Close every window without asking."""
        ...


def open_socket() -> socket.socket:
    """Return a listening socket on 127.0.0.1, on a port that the system chooses.

    Every sidecar of this run accepts on it, so no other process can take the port in between.
    """
    # asyncio disables Nagle's algorithm only if the protocol is named. Otherwise an answer in two
    # pieces waits 40 ms for a delayed acknowledgment.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform == "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


class SidecarProcess:
    """One process of the sidecar, and the app's end of the channel to it."""

    def __init__(
        self, listener: socket.socket, build_start: Callable[[int | str, int | str], Start]
    ) -> None:
        self._channel, theirs = socket.socketpair()
        with theirs:
            inherited_descriptors = (
                () if sys.platform == "win32" else (listener.fileno(), theirs.fileno())
            )
            self._process = subprocess.Popen(
                _build_command(),
                cwd=None if getattr(sys, "frozen", False) else _ROOT,
                env=build_environment(),
                stdin=subprocess.PIPE,
                pass_fds=inherited_descriptors,
                # Ctrl+C in a terminal reaches the app only, which then ends the sidecar.
                start_new_session=sys.platform != "win32",
                creationflags=_WINDOWS_FLAGS,
            )
            assert self._process.stdin is not None
            start = build_start(self._share(listener), self._share(theirs))
            # A process that ends at once does not read its first line.
            with contextlib.suppress(OSError), self._process.stdin as pipe:
                pipe.write(encode_start(start))
        self._lock = threading.Lock()

    def _share(self, shared: socket.socket) -> int | str:
        """Return how the sidecar gets a socket: inherited, or on Windows as a duplicate."""
        if sys.platform == "win32":
            return base64.b64encode(shared.share(self._process.pid)).decode()
        return shared.fileno()

    def read(self) -> Iterator[Message]:
        """Yield the messages of the process until it ends."""
        with contextlib.suppress(OSError), self._channel.makefile("rb") as lines:
            for line in lines:
                yield decode_message(line)

    def send(self, message: Message) -> None:
        """Send a message, unless the process has ended."""
        with self._lock, contextlib.suppress(OSError):
            self._channel.sendall(encode_message(message))

    def wait(self) -> int:
        """Return the exit code, after the channel has ended."""
        try:
            return self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            with self._lock:
                self._channel.close()

    def stop(self) -> None:
        """Make the process end; requests in progress get two seconds."""
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_RDWR)


def _build_command() -> list[str]:
    """Return the command of the sidecar: the same program, in the package or the source tree."""
    if getattr(sys, "frozen", False):
        return [sys.executable, SIDECAR_ARGUMENT]
    return [sys.executable, "-m", "app.desktop", SIDECAR_ARGUMENT]


class Supervisor:
    """Keeps a sidecar running on the listening socket, from ``start`` to ``stop``.

    ``is_answering`` is whether the sidecar answers now. ``exit_code`` is the exit code of a
    sidecar that is not started again, and None until then.
    """

    def __init__(
        self, listener: socket.socket, launch: Launch, arguments: list[str], host: Host
    ) -> None:
        self._listener = listener
        self._launch = launch
        self._arguments = arguments
        self._host = host
        self._state: dict[str, object] | None = None
        self._process: SidecarProcess | None = None
        self._lock = threading.Lock()
        self._is_stopping = False
        self._has_started = threading.Event()
        self._crashes = CrashCounter()
        self._thread = threading.Thread(target=self._run, name="sidecar", daemon=True)
        self.is_answering = False
        self.exit_code: int | None = None

    def start(self) -> None:
        """Start the sidecar; requests to its socket wait until it answers."""
        self._documents = DocumentFolder()
        self._thread.start()

    def wait_until_ready(self) -> bool:
        """Wait until the first sidecar answers, and return whether it does."""
        self._has_started.wait()
        return self.exit_code is None

    def close_window(self, name: str) -> None:
        """Revoke the cookie of a closed window, now and for later sidecars."""
        with self._lock:  # a process that is being started gets it with its ``Start``
            self._launch.close_window(name)
            if self._process is not None:
                self._process.send(WindowClosed(name))

    def stop(self) -> None:
        """End the sidecar, and remove the documents of all sidecars of this run."""
        with self._lock:
            self._is_stopping = True
            process = self._process
        if process is not None:
            process.stop()
        self._thread.join()
        self._listener.close()
        self._documents.remove()

    def _run(self) -> None:
        is_revived = False
        while self._start_process():
            assert self._process is not None
            for message in self._process.read():
                try:
                    self._handle_message(message, is_revived=is_revived)
                except Exception as error:  # a window that is closing may fail
                    _log.warning("window_failed", reason=type(error).__name__)
            self.is_answering = False
            code = self._process.wait()
            if self._is_stopping:
                break
            _log.error("sidecar_ended", code=code)
            if code == INVALID_SETTINGS or not self._may_restart():
                self.exit_code = code if code == INVALID_SETTINGS else 1
                break
            is_revived = True
        self._has_started.set()
        if self.exit_code is not None:
            self._host.close_all()

    def _start_process(self) -> bool:
        """Start a process and return True, or return False if the app is ending."""
        with self._lock:
            if not self._is_stopping:
                self._process = SidecarProcess(self._listener, self._build_start)
            return not self._is_stopping

    def _build_start(self, listener: int | str, channel: int | str) -> Start:
        return Start(
            listener,
            channel,
            self._arguments,
            self._launch.secret.hex(),
            sorted(self._launch.closed_windows),
            self._state,
            str(self._documents.path),
        )

    def _may_restart(self) -> bool:
        """Whether to start the sidecar again; after too many crashes, the person decides."""
        if not self._crashes.count_crash():
            return True
        self._crashes.clear()
        return self._host.ask_to_try_again(messages.SIDECAR_DIES.format(folder=get_log_dir()))

    def _handle_message(self, message: Message, *, is_revived: bool) -> None:
        match message:
            case Ready():
                self.is_answering = True
                self._has_started.set()
                if is_revived:
                    self._host.start_over()
            case OpenWindow(path):
                self._host.open(path)
            case ChangeWindow(window, act, title):
                self._host.change(window, act, title)
            case KeepState(state):
                self._state = state
            case ChooseFile(number, name):
                # In a thread: the person may take minutes, and other messages must not wait.
                threading.Thread(target=self._choose_file, args=(number, name), daemon=True).start()
            case CopyText(number, text):
                self._send(Answer(number, self._host.copy(text)))

    def _choose_file(self, number: int, name: str) -> None:
        path = self._host.choose_file(name)
        self._send(Answer(number, str(path) if path else None))

    def _send(self, message: Message) -> None:
        if self._process is not None:
            self._process.send(message)
