"""The anchor: copies of the seals outside the database, in a file or a bucket (ADR 66)."""

import json
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import obstore
from obstore.store import ObjectStore

from app.server.attachments.store import open_bucket
from app.server.settings import Settings

_FILE_NAME = "audit-anchor.jsonl"


@dataclass(frozen=True)
class AnchorEntry:
    """A seal and its digest in hexadecimal digits.

    ``is_restored``: the database was restored to this seal (0: to none). Entries before this one
    with later seals are no longer valid.
    """

    seal: int
    digest: str
    is_restored: bool = False

    def format(self) -> str:
        """Return the entry as a line of JSON."""
        values = {"seal": self.seal, "digest": self.digest}
        return json.dumps({**values, "restored": True} if self.is_restored else values)

    @classmethod
    def parse(cls, line: str) -> "AnchorEntry":
        """Parse a line, or raise ValueError or KeyError."""
        values = json.loads(line)
        return cls(values["seal"], values["digest"], values.get("restored", False))


class Anchor(Protocol):
    """Entries in the order in which they were added; none is ever changed."""

    def append(self, entries: Sequence[AnchorEntry]) -> None:
        """Add entries; they are durable when this returns. Raises OSError or obstore's errors."""
        ...

    def read(self) -> Iterator[AnchorEntry]:
        """Yield all entries in order."""
        ...


class FileAnchor:
    """A file with a line for each entry."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, entries: Sequence[AnchorEntry]) -> None:
        """See ``Anchor``."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "r+b") as file:
            text = "".join(f"{entry.format()}\n" for entry in entries)
            # A crash may have left part of a line.
            if file.seek(0, os.SEEK_END) and not self._ends_with_line(file.tell()):
                text = f"\n{text}"
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> Iterator[AnchorEntry]:
        """See ``Anchor``."""
        if self._path.exists():
            with self._path.open(encoding="utf-8") as file:
                yield from _parse_lines(file)

    def _ends_with_line(self, size: int) -> bool:
        with self._path.open("rb") as file:
            file.seek(size - 1)
            return file.read(1) == b"\n"


class BucketAnchor:
    """A bucket with an object for each call, named by its time."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    def append(self, entries: Sequence[AnchorEntry]) -> None:
        """See ``Anchor``."""
        content = "".join(f"{entry.format()}\n" for entry in entries).encode()
        key = f"{time.time_ns():020d}-{secrets.token_hex(4)}.jsonl"
        obstore.put(self._store, key, content, mode="create", use_multipart=False)

    def read(self) -> Iterator[AnchorEntry]:
        """See ``Anchor``."""
        keys = sorted(meta["path"] for page in obstore.list(self._store) for meta in page)
        for key in keys:
            content = bytes(obstore.get(self._store, key).bytes())
            yield from _parse_lines(content.decode().splitlines())


def open_anchor(settings: Settings) -> Anchor:
    """Open the anchor of the settings."""
    address = settings.audit_anchor
    if address and address.startswith("s3://"):
        return BucketAnchor(open_bucket(address))
    return FileAnchor(Path(address) if address else settings.data_dir / _FILE_NAME)


def collect_digests(entries: Iterable[AnchorEntry]) -> dict[int, str]:
    """Return the valid digest of each seal; if entries differ, the first one is valid."""
    digests: dict[int, str] = {}
    for entry in entries:
        if entry.is_restored:
            digests = {seal: d for seal, d in digests.items() if seal <= entry.seal}
        else:
            digests.setdefault(entry.seal, entry.digest)
    return digests


def _parse_lines(lines: Iterable[str]) -> Iterator[AnchorEntry]:
    for line in lines:
        try:
            yield AnchorEntry.parse(line)
        except (ValueError, KeyError):
            continue  # part of a line that a crash left
