"""Opens documents of the portal in the workstation's viewer.

The files stay until the app ends (``DocumentFolder``). Only documents are opened, never a file that
could run.
"""

import asyncio
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import structlog

from app.basics.errors import Forbidden, NotFound, PortalError, TooLarge, Unauthenticated
from app.contract import messages
from app.desktop.errors import DocumentUnavailable, NoViewer
from app.desktop.files import make_private_dir
from app.desktop.programs import build_environment
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session
from app.desktop.window.paths import validate_document_path

_EXTENSIONS = {
    "application/pdf": ".pdf",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/tiff": ".tiff",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}
_MAX_BYTES = 64 * 1024 * 1024
_SECONDS = 120.0
_VIEWER_SECONDS = 2.0
_NO_ASSOCIATION = 1155  # ERROR_NO_ASSOCIATION of Windows
_UNSAFE = re.compile(r"[^A-Za-z0-9 _-]+")
_log = structlog.get_logger("portal.documents")

Opener = Callable[[Path], None]


class ViewerMissing(OSError):
    """This workstation has no program for this type of file."""


def open_with_viewer(file: Path) -> None:
    """Open a file with the user's program for its type, or raise ``ViewerMissing``."""
    if sys.platform == "win32":
        try:
            os.startfile(file)  # noqa: S606 - our own file with our own extension
        except OSError as error:
            if error.winerror == _NO_ASSOCIATION:
                raise ViewerMissing from error
            raise
        return
    command = "open" if sys.platform == "darwin" else "xdg-open"
    program = shutil.which(command)
    if program is None:
        raise ViewerMissing(command)
    process = subprocess.Popen(
        [program, str(file)],
        env=build_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        code = process.wait(_VIEWER_SECONDS)
    except subprocess.TimeoutExpired:
        return  # some programs wait until the viewer closes
    if code != 0:
        raise ViewerMissing(command)


class Documents:
    """Fetches documents, stores them in ``folder``, and opens them."""

    def __init__(
        self,
        portal: Portal,
        session: Session,
        folder: Path,
        opener: Opener = open_with_viewer,
        choose_file: Callable[[str], Awaitable[Path | None]] | None = None,
    ) -> None:
        self._portal = portal
        self._session = session
        self._folder = folder
        self._open = opener
        self._choose_file = choose_file

    async def show(self, path: str, name: str, *, is_saved: bool = False) -> None:
        """Fetch a path of the portal, and open it or save it; see ``show_content``.

        Raises the portal's error (401, 403, 404), otherwise ``DocumentUnavailable``.
        """
        answer, content = await self._fetch(validate_document_path(path).encode("ascii"))
        media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        await self.show_content(content, media_type, name, is_saved=is_saved)

    async def show_content(
        self, content: bytes, media_type: str, name: str, *, is_saved: bool = False
    ) -> None:
        """Open a document that the page has loaded, or save it where the person chooses.

        Raises:
            TooLarge: it exceeds the limit for documents.
            DocumentUnavailable: it is empty (R 8), its type is not supported, the viewer fails, or
                it cannot be saved there.
            NoViewer: no program opens the type; the person could save the document instead.
        """
        extension = _EXTENSIONS.get(media_type)
        if extension is None or not content:
            raise DocumentUnavailable(messages.DOCUMENT_UNAVAILABLE)
        if len(content) > _MAX_BYTES:
            raise TooLarge(messages.BODY_TOO_LARGE)
        file = await asyncio.to_thread(self._store, name, extension, content)
        if is_saved:
            await self._save(file)
            return
        try:
            await asyncio.to_thread(self._open, file)
        except ViewerMissing as error:
            path = await self._save(file)
            message = messages.NO_VIEWER if path is None else messages.NO_VIEWER_SAVED
            text = message.format(extension=extension, name=path.name if path else "")
            raise NoViewer(text) from error
        except OSError as error:
            _log.warning("viewer_failed", reason=type(error).__name__)
            raise DocumentUnavailable(messages.DOCUMENT_UNAVAILABLE) from error

    async def _save(self, file: Path) -> Path | None:
        """Save a document where the person chooses, or return None if they cancel."""
        path = await self._choose_file(file.name) if self._choose_file else None
        if path is not None:
            try:
                await asyncio.to_thread(shutil.copyfile, file, path)
            except OSError as error:
                text = messages.DOCUMENT_NOT_SAVED.format(folder=path.parent)
                raise DocumentUnavailable(text) from error
        return path

    async def _fetch(self, path: bytes) -> tuple[httpx.Response, bytes]:
        token = await self._session.get_token()
        answer, content = await self._get(path, token)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            renewed_token = await self._session.renew_after_401(token)
            if renewed_token is not None:
                answer, content = await self._get(path, renewed_token)
        if answer.status_code != httpx.codes.OK:
            raise _build_error(answer.status_code)
        return answer, content

    async def _get(self, path: bytes, token: str | None) -> tuple[httpx.Response, bytes]:
        headers = [(b"accept", b"*/*")]
        if token is not None:
            headers.append((b"authorization", b"JWT " + token.encode()))
        answer = await self._portal.send("GET", path, headers)
        try:
            content = bytearray()
            async with asyncio.timeout(_SECONDS):
                async for part in answer.aiter_bytes():
                    content += part
                    if len(content) > _MAX_BYTES:
                        raise TooLarge(messages.BODY_TOO_LARGE)
        except (httpx.HTTPError, TimeoutError, OSError) as error:
            raise DocumentUnavailable(messages.DOCUMENT_UNAVAILABLE) from error
        finally:
            await answer.aclose()
        return answer, bytes(content)

    def _store(self, name: str, extension: str, content: bytes) -> Path:
        """Write a document atomically, under its name in a new folder."""
        stem = _UNSAFE.sub(" ", Path(name).stem).strip()[:80] or "document"
        folder = make_private_dir(self._folder / secrets.token_hex(8))
        part = folder / "part"
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        return part.replace(folder / f"{stem}{extension}")


def _build_error(status: int) -> PortalError:
    if status == httpx.codes.UNAUTHORIZED:
        return Unauthenticated(messages.SESSION_EXPIRED)
    if status == httpx.codes.FORBIDDEN:
        return Forbidden(messages.FORBIDDEN)
    if status == httpx.codes.NOT_FOUND:
        return NotFound(messages.NOT_FOUND)
    return DocumentUnavailable(messages.DOCUMENT_UNAVAILABLE)
