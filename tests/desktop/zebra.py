"""A label printer that speaks ZPL: it prints, reports its state, and fails on request."""

import contextlib
import re
import socket
import threading
from dataclasses import dataclass, field

from tests.desktop.standins import open_listener

_LABEL = re.compile(rb"(?:~SD\d+)?\^XA.*?\^XZ\r?\n?|~HS\r?\n?|~HI\r?\n?", re.DOTALL)


@dataclass
class Zebra:
    """A network printer that stores the labels it received and printed.

    Attributes:
        resets_after: the number of labels after which it resets a connection.
        closes_after: the number of labels after which it closes a connection.
        hangs_after: the number of labels after which it stops reading.
        paper: the number of labels on its roll.
        is_paused, is_head_open: while either is set, received labels stay in its buffer.
        prints: if False, received labels stay in its buffer although it reports no problem.
        can_answer: while this is not set, it holds back its answers about its state.
    """

    model: str = "ZD420-203dpi,V84.20.18Z,8,8176KB"
    resets_after: int | None = None
    closes_after: int | None = None
    hangs_after: int | None = None
    paper: int = 1_000
    is_paused: bool = False
    is_head_open: bool = False
    prints: bool = True
    received: list[bytes] = field(default_factory=list)
    printed: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.can_answer = threading.Event()
        self.can_answer.set()
        self._socket = open_listener()
        self.port: int = self._socket.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        data, labels = b"", 0
        with contextlib.suppress(OSError):
            while piece := connection.recv(65_536):
                data += piece
                while command := _LABEL.match(data.lstrip(b"\r\n")):
                    data = data.lstrip(b"\r\n")[command.end() :]
                    if command[0].startswith(b"~HS"):
                        self.can_answer.wait()
                        connection.sendall(self.describe())
                        continue
                    if command[0].startswith(b"~HI"):
                        connection.sendall(b"\x02" + self.model.encode() + b"\x03\r\n")
                        continue
                    labels += 1
                    self._receive(command[0])
                    if labels == self.hangs_after:
                        return
                    if labels == self.resets_after:
                        linger = b"\x01\0\0\0\0\0\0\0"
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                        connection.close()
                        return
                    if labels == self.closes_after:
                        connection.close()
                        return
            connection.close()

    def _receive(self, label: bytes) -> None:
        with self._lock:
            self.received.append(label)
        self.print_waiting_labels()

    def print_waiting_labels(self) -> None:
        """Print waiting labels while paper, head, and pause allow it."""
        with self._lock:
            while (
                self.prints
                and len(self.printed) < len(self.received)
                and not any(self._get_flags())
            ):
                self.printed.append(self.received[len(self.printed)])
                self.paper -= 1

    def _get_flags(self) -> tuple[int, int, int]:
        """Return the flags of paper, pause, and head."""
        return int(self.paper <= 0), int(self.is_paused), int(self.is_head_open)

    def resume(self) -> None:
        """Load a roll, close the head, and press the pause key, as a person does."""
        self.paper, self.is_paused, self.is_head_open = 1_000, False, False
        self.print_waiting_labels()

    def describe(self) -> bytes:
        """Return the answer to ``~HS``."""
        with self._lock:
            paper, is_paused, head = self._get_flags()
            waiting_count = len(self.received) - len(self.printed)
        first = f"030,{paper},{is_paused},0406,{waiting_count:03d},0,0,0,000,0,0,0"
        second = f"000,0,{head},0,0,2,4,0,00000000,1,000"
        return f"\x02{first}\x03\r\n\x02{second}\x03\r\n\x021234,0\x03\r\n".encode()

    def close(self) -> None:
        """Switch the printer off."""
        self.can_answer.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for connection in self._open:
            connection.close()
