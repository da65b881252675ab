"""Takes files in and clears away what is left of those that failed.

The order: a note that bytes are coming (at once, in its own transaction), the bytes, then the
record that names them together with the end of the note. A crash anywhere leaves either all of
it, or bytes that a note points at; never a record without bytes. Only bytes with a note are ever
deleted, so that a portal started with another database destroys nothing.
"""

import asyncio
import base64
import binascii
import secrets
from dataclasses import dataclass
from datetime import timedelta

import structlog

from app.basics.errors import BadInput, FieldError, PortalError, TooLarge, Unavailable, WrongKind
from app.contract import messages
from app.contract.limits import UPLOAD_MAX_BYTES
from app.server.access.parts import PortalParts
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.actor import worker
from app.server.attachments.repository import UploadRepository
from app.server.attachments.rules import Kind, kind_of, safe_name
from app.server.attachments.schemas import FileUpload
from app.server.attachments.store import FileStore
from app.server.database.pools import Database

LEFT_BEHIND = timedelta(hours=1)
"""An upload that is older than this will not end any more."""

_FIELD = "content"
_SWEEPER = worker("sweep uploads")
_log = structlog.get_logger("portal.files")


@dataclass(frozen=True)
class TakenFile:
    """A file that may be kept: its bytes, its kind, and a harmless name."""

    content: bytes
    kind: Kind
    name: str


async def taken(body: FileUpload) -> TakenFile:
    """The file in an upload.

    Raises:
        BadInput: there is none, or it is not base64.
        TooLarge: over 25 MB ('Only 25 MB files allowed.').
        WrongKind: neither PDF, PNG, JPEG nor TIFF, by its content.
    """
    # Megabytes are decoded aside, so that nobody else waits for them.
    content = await asyncio.to_thread(_decoded, body.content or body.file_base64)
    kind = kind_of(content)
    if kind is None:
        raise WrongKind(
            messages.DOCUMENT_KINDS_ONLY, errors=(_wrong(messages.DOCUMENT_KINDS_ONLY),)
        )
    return TakenFile(content, kind, safe_name(body.file_name, kind))


async def store(work: Work, content: bytes) -> str:
    """Store the bytes and answer their key; the caller's record names it in this transaction.

    Raises:
        Unavailable: the store failed.
    """
    token = secrets.token_hex(16)
    key = f"{token[:2]}/{token}"
    await _announce(work, key)
    await work.portal.part(FileStore).put(key, content)
    if not await work.repository(UploadRepository).end(key):  # it took so long that it was swept
        raise Unavailable(messages.UPLOAD_FAILED)
    return key


async def sweep(database: Database, files: FileStore, older: timedelta = LEFT_BEHIND) -> int:
    """Delete the bytes of uploads that never became a record; answers how many.

    Raises:
        Unavailable: the store failed; the uploads are tried again next time.
    """
    async with database.transaction(_SWEEPER) as session:
        keys = await UploadRepository(session, _SWEEPER).remove_older(older)
        for key in keys:
            await files.delete(key)
    return len(keys)


async def sweep_uploads(portal: PortalParts) -> None:
    """Sweep by the clock; see ``sweep``."""
    swept = await sweep(portal.database, portal.part(FileStore))
    if swept:
        _log.info("unfinished uploads removed", count=swept)


async def _announce(work: Work, key: str) -> None:
    """Note at once, outside the request's transaction, that bytes are coming under this key."""
    # By the read pool: taking a second write connection while holding one could lock all of them.
    await Reader(work.portal.database, work.actor).fetch_row(
        "INSERT INTO pending_uploads (key, user_id) VALUES (%(key)s, %(user)s::uuid) RETURNING key",
        {"key": key},
    )


def _decoded(text: str | None) -> bytes:
    if not text or not text.strip():
        raise _refused(BadInput, messages.NO_FILE)
    if text.startswith("data:"):
        text = text.partition(",")[2]
    payload = "".join(text.split())
    if len(payload) // 4 * 3 > UPLOAD_MAX_BYTES + 2:
        raise _refused(TooLarge, messages.FILE_TOO_BIG)
    try:
        content = base64.b64decode(payload, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _refused(BadInput, messages.UPLOAD_FAILED) from error
    if not content:
        raise _refused(BadInput, messages.NO_FILE)
    if len(content) > UPLOAD_MAX_BYTES:
        raise _refused(TooLarge, messages.FILE_TOO_BIG)
    return content


def _refused(kind: type[PortalError], message: str) -> PortalError:
    return kind(message, errors=(_wrong(message),))


def _wrong(message: str) -> FieldError:
    return FieldError(_FIELD, message)
