"""Stores uploaded files, and deletes the bytes of uploads that failed.

First, a separate transaction stores a pending upload. Then the bytes are stored. Finally, one
transaction stores the record and deletes the pending upload. A crash leaves either everything, or
bytes with a pending upload, but never a record without bytes. Only bytes with a pending upload are
ever deleted, so that a portal started with another database destroys nothing.
"""

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import structlog

from app.basics.base64_text import decode_base64, strip_data_url
from app.basics.errors import (
    BadInput,
    FieldError,
    NotFound,
    PortalError,
    TooLarge,
    Unavailable,
    WrongKind,
)
from app.basics.long_text import LongText
from app.contract import messages
from app.contract.limits import REQUISITION_DOCUMENTS_MAX, UPLOAD_MAX_BYTES
from app.server.access.parts import PortalParts
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.actor import Actor, build_worker_actor
from app.server.attachments.repository import (
    INSERT_PENDING_UPLOAD,
    UploadRepository,
    build_visibility_statement,
)
from app.server.attachments.rules import Kind, detect_kind, sanitize_name
from app.server.attachments.schemas import FileUpload
from app.server.attachments.store import FileStore
from app.server.database.base import Table
from app.server.database.pools import Database, HasDatabase

ABANDONED_AFTER = timedelta(hours=1)
"""An upload that is still pending after this time has failed."""

_FIELD = "content"
_SWEEPER = build_worker_actor("sweep uploads")
_log = structlog.get_logger("portal.files")


@dataclass(frozen=True)
class UploadedFile:
    """An accepted file: its bytes, its kind, and a harmless name."""

    content: bytes
    kind: Kind
    name: str


class StoredFile(Protocol):
    """The record of a file: its id, and the key and the digest of its bytes."""

    @property
    def id(self) -> int:
        """The id of the record."""
        ...

    @property
    def key(self) -> str:
        """The key of the bytes in the store."""
        ...

    @property
    def sha256(self) -> bytes:
        """The SHA-256 digest of the bytes."""
        ...


async def decode_upload(body: FileUpload) -> UploadedFile:
    """Decode and check the file of an upload.

    Raises:
        BadInput: the upload has no file, or it is not base64.
        TooLarge: over 25 MB ('Only 25 MB files allowed.').
        WrongKind: the content is neither PDF, PNG, JPEG nor TIFF.
    """
    # Decode megabytes in a thread, so that other requests do not wait.
    content = await asyncio.to_thread(_decode_text, body.content or body.file_base64)
    kind = detect_kind(content)
    if kind is None:
        raise WrongKind(
            messages.DOCUMENT_KINDS_ONLY, errors=(_build_field_error(messages.DOCUMENT_KINDS_ONLY),)
        )
    return UploadedFile(content, kind, sanitize_name(body.file_name, kind))


async def require_in_scope(work: Work, table: type[Table], record_id: int) -> None:
    """Raise NotFound unless the actor sees the record, before the transaction has a connection.

    Call it before an upload is decoded and stored, since that takes longer than a transaction
    should.
    """
    statement = build_visibility_statement(table, work.actor.kind)
    reader = Reader(work.portal.database, work.actor, work.request_id)
    (is_visible,) = await reader.fetch_row(statement, {"id": record_id})
    if not is_visible:
        raise NotFound(messages.NOT_FOUND)


def require_room(document_count: int) -> None:
    """Raise BadInput unless a record with this number of documents has room for another."""
    if document_count >= REQUISITION_DOCUMENTS_MAX:
        raise BadInput(messages.DOCUMENTS_TOO_MANY.format(max=REQUISITION_DOCUMENTS_MAX))


@dataclass(frozen=True)
class StoredUpload:
    """Bytes in the store; ``end_upload`` makes them belong to a record."""

    key: str
    sha256: bytes


async def store_upload(work: Work, content: bytes) -> StoredUpload:
    """Begin an upload and store its bytes; the transaction of the record ends the upload.

    Raises:
        Unavailable: the store failed.
    """
    key = await begin_upload(work.portal, work.actor)
    await work.portal.get_part(FileStore).put(key, content)
    return StoredUpload(key, await compute_digest(content))


async def begin_upload(portal: HasDatabase, actor: Actor) -> str:
    """Insert a pending upload now, outside any transaction, and return its new key."""
    token = secrets.token_hex(16)
    key = f"{token[:2]}/{token}"
    # Use the read pool: waiting for a second write connection while holding one could deadlock.
    await Reader(portal.database, actor).fetch_row(INSERT_PENDING_UPLOAD, {"key": key})
    return key


async def end_upload(work: Work, key: str) -> None:
    """Delete the pending upload, in the transaction of the record that has the key.

    Raises:
        Unavailable: the upload took too long, and its bytes were deleted meanwhile.
    """
    if not await work.build_repository(UploadRepository).delete(key):
        raise Unavailable(messages.UPLOAD_FAILED)


async def read_content(files: FileStore, file: StoredFile) -> bytes:
    """Return the bytes of a file, exactly as they were uploaded.

    Raises:
        Unavailable: the store failed, or its bytes have changed.
    """
    content = await files.get(file.key)
    if await compute_digest(content) != file.sha256:
        _log.error("a stored file has changed", document=file.id)
        raise Unavailable(messages.DOCUMENT_UNAVAILABLE)
    return content


async def compute_digest(content: bytes) -> bytes:
    """Return the SHA-256 digest of the bytes, computed in a thread."""
    return await asyncio.to_thread(lambda: hashlib.sha256(content).digest())


async def delete_abandoned_uploads(
    database: Database, files: FileStore, age: timedelta = ABANDONED_AFTER
) -> int:
    """Delete the bytes of abandoned uploads older than ``age``, and return their number.

    Raises:
        Unavailable: the store failed; the next run tries again.
    """
    async with database.transaction(_SWEEPER) as transaction:
        keys = await transaction.build_repository(UploadRepository).delete_older(age)
        for key in keys:
            await files.delete(key)
    return len(keys)


async def sweep_uploads(portal: PortalParts) -> None:
    """Delete the bytes of abandoned uploads, as a periodic job."""
    count = await delete_abandoned_uploads(portal.database, portal.get_part(FileStore))
    if count:
        _log.info("unfinished uploads removed", count=count)


def _decode_text(text: str | LongText | None) -> bytes:
    if not text or (isinstance(text, str) and not text.strip()):
        raise _build_rejection(BadInput, messages.NO_FILE)
    try:
        content = decode_base64(strip_data_url(text), UPLOAD_MAX_BYTES)
    except ValueError as error:
        raise _build_rejection(BadInput, messages.UPLOAD_FAILED) from error
    if content is None:
        raise _build_rejection(TooLarge, messages.FILE_TOO_BIG)
    if not content:
        raise _build_rejection(BadInput, messages.NO_FILE)
    return content


def _build_rejection(kind: type[PortalError], message: str) -> PortalError:
    return kind(message, errors=(_build_field_error(message),))


def _build_field_error(message: str) -> FieldError:
    return FieldError(_FIELD, message)
