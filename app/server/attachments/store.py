"""Storage of files: a folder on this machine, or a bucket of an S3-compatible service."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import obstore
import structlog
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, S3Store

from app.basics.errors import Unavailable
from app.contract import messages

_log = structlog.get_logger("portal.files")
_S3 = "s3://"
_FAILURES = (BaseError, OSError)
_PIECE_BYTES = 5 * 1024 * 1024
"""The smallest piece that a bucket accepts."""


def open_bucket(url: str) -> ObjectStore:
    """Open the bucket at ``s3://bucket/prefix``, or raise ValueError for another address."""
    if not url.startswith(_S3):
        raise ValueError(f"The address of the file store must begin with {_S3}")
    return S3Store.from_url(
        url,
        client_options={
            "timeout": "30s",
            "connect_timeout": "5s",
            # Explicit options disable those of the environment.
            "allow_http": os.environ.get("AWS_ALLOW_HTTP", "").lower() == "true",
        },
        retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=20)},
    )


class FileStore:
    """Files by key. A key is written once and never overwritten.

    Failures of the store raise ``Unavailable`` (503). Their texts may contain addresses, so only
    the kind of failure is logged.
    """

    def __init__(self, store: ObjectStore, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder

    @classmethod
    def open(cls, url: str | None, folder: Path) -> "FileStore":
        """Open the store at ``s3://bucket/prefix``, or without a URL in the folder.

        The folder is created if missing. The bucket's region, endpoint and credentials come from
        the usual variables (``AWS_REGION``, ``AWS_ENDPOINT``, ``AWS_ACCESS_KEY_ID`` ...) or the
        machine's own role. Connections use TLS unless ``AWS_ALLOW_HTTP`` is true (a local store).

        Raises:
            ValueError: the URL does not begin with ``s3://``.
        """
        if url is None:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return cls(LocalStore(folder), folder)
        return cls(open_bucket(url))

    async def put(self, key: str, content: bytes) -> None:
        """Store the bytes; they are durable when this returns.

        Raises:
            Unavailable: the store failed, or already has this key.
        """
        try:
            await obstore.put_async(self._store, key, content, mode="create", use_multipart=False)
            if self._folder is not None:
                await asyncio.to_thread(_make_durable, self._folder / key, self._folder)
        except _FAILURES as error:
            raise _store_error("put", error, messages.UPLOAD_FAILED) from error

    async def put_file(self, key: str, file: Path) -> None:
        """Store the content of a file in pieces; it is durable when this returns.

        Unlike ``put``, this overwrites an existing key, so keys must be random.

        Raises:
            Unavailable: the store failed.
        """
        try:
            await obstore.put_async(
                self._store, key, file, chunk_size=_PIECE_BYTES, max_concurrency=2
            )
            if self._folder is not None:
                await asyncio.to_thread(_make_durable, self._folder / key, self._folder)
        except _FAILURES as error:
            raise _store_error("put", error, messages.UPLOAD_FAILED) from error

    async def find_size(self, key: str) -> int | None:
        """Return the number of bytes under a key, or None if the store has lost them.

        Raises:
            Unavailable: the store failed.
        """
        try:
            return int((await obstore.head_async(self._store, key))["size"])
        except FileNotFoundError:
            return None
        except _FAILURES as error:
            raise _store_error("head", error, messages.DOCUMENT_UNAVAILABLE) from error

    async def read_pieces(self, key: str, size: int) -> AsyncIterator[bytes]:
        """Yield the bytes in pieces, each read by a separate request.

        A slow reader therefore holds no request open.

        Raises:
            Unavailable: the store failed.
        """
        try:
            for start in range(0, size, _PIECE_BYTES):
                length = min(_PIECE_BYTES, size - start)
                piece = await obstore.get_range_async(self._store, key, start=start, length=length)
                yield bytes(piece)
        except _FAILURES as error:
            raise _store_error("get", error, messages.DOCUMENT_UNAVAILABLE) from error

    async def list_keys(self) -> list[str]:
        """Return the keys of all files, or raise Unavailable."""
        keys = []
        try:
            async for page in obstore.list(self._store):
                keys += [str(item["path"]) for item in page]
        except _FAILURES as error:
            raise _store_error("list", error, messages.UNAVAILABLE) from error
        return sorted(keys)

    async def get(self, key: str) -> bytes:
        """Return the bytes, or raise Unavailable when the store fails or has lost them."""
        try:
            result = await obstore.get_async(self._store, key)
            return bytes(await result.bytes_async())
        except _FAILURES as error:
            raise _store_error("get", error, messages.DOCUMENT_UNAVAILABLE) from error

    async def delete(self, key: str) -> None:
        """Delete the bytes; a missing key is not an error.

        Raises:
            Unavailable: the store failed.
        """
        try:
            await obstore.delete_async(self._store, key)
        except FileNotFoundError:
            return
        except _FAILURES as error:
            raise _store_error("delete", error, messages.UNAVAILABLE) from error


def _store_error(act: str, error: Exception, message: str) -> Unavailable:
    _log.warning("file store failed", act=act, kind=type(error).__name__)
    return Unavailable(message)


def _make_durable(path: Path, root: Path) -> None:
    """Flush the file and its parent folders to disk, because a record will depend on it."""
    _sync_path(path, os.O_RDONLY)
    if os.name != "posix":  # folders cannot be opened elsewhere
        return
    folder = path.parent
    while folder.is_relative_to(root):
        _sync_path(folder, os.O_RDONLY | os.O_DIRECTORY)
        folder = folder.parent


def _sync_path(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
