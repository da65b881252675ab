"""Ports that stay reserved for a test."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

ADDRESS = "127.0.0.1"


def bind_port(port: int = 0) -> socket.socket:
    """Return a socket that is bound and does not listen: connections to it are refused.

    While it is open, the system assigns its port to no other program. A server that is given the
    port can still bind to it, because both reuse the address.
    """
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((ADDRESS, port))
    return bound


@contextmanager
def reserve_port() -> Iterator[int]:
    """Reserve a port for a server that starts later, perhaps in another process."""
    with bind_port() as bound:
        yield int(bound.getsockname()[1])
