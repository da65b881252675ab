"""The archive of a backup: a tar file with the dump, the files, and last the manifest."""

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

DUMP = "database.dump"
FILES = "files/"
_MANIFEST = "manifest.json"
_FORMAT = 1
_PIECE = 1024 * 1024


class BrokenArchive(Exception):
    """The archive is not a backup, or is incomplete; the text says why."""


@dataclass
class Manifest:
    """The content of a backup, to compare with when it is restored.

    Attributes:
        rows: the number of rows of each table.
        keys: the ids of the keys, never the keys.
        members: the size and SHA-256 digest of each member of the archive.
    """

    version: str
    revision: str
    postgres: int
    made_at: str
    rows: dict[str, int]
    keys: dict[str, str]
    members: dict[str, tuple[int, str]] = field(default_factory=dict)
    format: int = _FORMAT


class ArchiveWriter:
    """Adds members, and notes their digests."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.members: dict[str, tuple[int, str]] = {}

    def add_file(self, name: str, path: Path) -> None:
        """Add the content of a file."""
        with path.open("rb") as file:
            size, digest = path.stat().st_size, hashlib.sha256()
            self._tar.addfile(_build_member(name, size), _HashingFile(file, digest.update))
        self.members[name] = (size, digest.hexdigest())

    def add_bytes(self, name: str, content: bytes) -> None:
        """Add some bytes."""
        self._tar.addfile(_build_member(name, len(content)), io.BytesIO(content))
        self.members[name] = (len(content), hashlib.sha256(content).hexdigest())

    def add_manifest(self, manifest: Manifest) -> None:
        """Add the manifest, which ends the archive."""
        manifest.members = dict(self.members)
        content = json.dumps(asdict(manifest), indent=1).encode()
        self._tar.addfile(_build_member(_MANIFEST, len(content)), io.BytesIO(content))


@contextmanager
def write_archive(path: Path) -> Iterator[ArchiveWriter]:
    """Write an archive, which gets its name when it is complete and durable."""
    partial_file = path.with_name(f".{path.name}.part")
    try:
        handle = os.open(partial_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
                yield ArchiveWriter(tar)
            file.flush()
            os.fsync(file.fileno())
        partial_file.replace(path)
    finally:
        partial_file.unlink(missing_ok=True)


def read_manifest(path: Path) -> Manifest:
    """Read the whole archive, compare each member with its digest, and return the manifest.

    Raises:
        BrokenArchive: it is missing, truncated, changed, or not from this portal.
    """
    members: dict[str, tuple[int, str]] = {}
    manifest: Manifest | None = None
    try:
        with tarfile.open(path, mode="r:") as tar:
            for member in tar:
                file = open_member(tar, member)
                if file is None:
                    raise BrokenArchive(f"{path} is not a backup of the portal.")
                if member.name == _MANIFEST:
                    values = json.loads(file.read())
                    values["members"] = {n: tuple(v) for n, v in values["members"].items()}
                    manifest = Manifest(**values)
                    continue
                members[member.name] = _measure_file(file)
    except FileNotFoundError as error:
        raise BrokenArchive(f"There is no file {path}.") from error
    except (OSError, tarfile.TarError, ValueError, TypeError, KeyError) as error:
        raise BrokenArchive(f"{path} is damaged, incomplete, or not a backup.") from error
    if manifest is None:
        raise BrokenArchive(f"{path} is cut off, or not a backup: its end is missing.")
    if manifest.format != _FORMAT:
        raise BrokenArchive(f"{path} has a format that this portal does not know.")
    for name, expected_content in manifest.members.items():
        if members.get(name) != expected_content:
            raise BrokenArchive(f"{path} is damaged: {name} is not what was backed up.")
    if members.keys() != manifest.members.keys():
        raise BrokenArchive(f"{path} is damaged: it has more than was backed up.")
    return manifest


def open_member(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes] | None:
    """Open a plain file of the archive; None for anything else.

    A link would name another member, and a sparse file of a kilobyte can have a terabyte of zeros.
    """
    is_plain = member.isreg() and not member.issparse()
    return tar.extractfile(member) if is_plain else None


def extract_member(path: Path, name: str, target: Path) -> None:
    """Extract a member into a file."""
    with tarfile.open(path, mode="r:") as tar, target.open("wb") as file:
        source = tar.extractfile(name)
        assert source is not None
        while piece := source.read(_PIECE):
            file.write(piece)


def read_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the key and the content of each file of the store."""
    with tarfile.open(path, mode="r:") as tar:
        for member in tar:
            if member.name.startswith(FILES):
                source = tar.extractfile(member)
                assert source is not None
                yield member.name.removeprefix(FILES), source.read()


class _HashingFile(io.RawIOBase):
    def __init__(self, file: IO[bytes], update: Callable[[bytes], object]) -> None:
        self._file, self._update = file, update

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self._update(piece)
        return piece


def _build_member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


def _measure_file(file: IO[bytes]) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    while piece := file.read(_PIECE):
        size += len(piece)
        digest.update(piece)
    return size, digest.hexdigest()
