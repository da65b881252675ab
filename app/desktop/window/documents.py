"""Documents of the portal in the workstation's own viewer.

They rest in a private folder that is emptied when the app ends, and at the next start when it was
killed. Only kinds that show something are opened, never one that could run.
"""

import asyncio
import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpx
import structlog

from app.basics.errors import Forbidden, NotFound, PortalError, TooLarge, Unauthenticated
from app.contract import messages
from app.desktop.errors import DocumentUnavailable
from app.desktop.files import FileLock, private_dir
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session
from app.desktop.window.paths import document_path

_ENDINGS = {
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
_PREFIX = "lab-portal-documents-"
_UNFIT = re.compile(r"[^A-Za-z0-9 _-]+")
_log = structlog.get_logger("portal.documents")

Opener = Callable[[Path], None]


def open_with_viewer(file: Path) -> None:
    """Ask the desktop to open a file with the program that the user has for it."""
    if sys.platform == "win32":
        os.startfile(file)  # noqa: S606 - a file of our own with an ending of our own
        return
    command = "open" if sys.platform == "darwin" else "xdg-open"
    program = shutil.which(command)
    if program is None:
        raise FileNotFoundError(command)
    subprocess.Popen(
        [program, str(file)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class Documents:
    """Fetches, keeps and opens; ``aclose`` removes everything."""

    def __init__(
        self,
        portal: Portal,
        session: Session,
        opener: Opener = open_with_viewer,
        base: Path | None = None,
    ) -> None:
        self._portal = portal
        self._session = session
        self._open = opener
        base = base or Path(tempfile.gettempdir())
        _sweep(base)
        self._folder: Path | None = None
        self._base = base
        self._lock: FileLock | None = None

    async def show(self, path: str, name: str) -> None:
        """Fetch a portal path and open it.

        Raises what the portal answered (401, 403, 404), else ``DocumentUnavailable``.
        """
        answer, content = await self._fetch(document_path(path).encode("ascii"))
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        await self.show_content(content, kind, name)

    async def show_content(self, content: bytes, media_type: str, name: str) -> None:
        """Open a document that the page has already.

        Raises:
            TooLarge: it is larger than any that is fetched.
            DocumentUnavailable: it is of no kind that is shown, or nothing here shows it.
        """
        ending = _ENDINGS.get(media_type)
        if ending is None:
            raise DocumentUnavailable(messages.DOCUMENT_UNAVAILABLE)
        if len(content) > _MAX_BYTES:
            raise TooLarge(messages.BODY_TOO_LARGE)
        file = await asyncio.to_thread(self._keep, name, ending, content)
        try:
            await asyncio.to_thread(self._open, file)
        except OSError as error:
            _log.warning("viewer_failed", reason=type(error).__name__)
            raise DocumentUnavailable(messages.DOCUMENT_UNAVAILABLE) from error

    async def _fetch(self, path: bytes) -> tuple[httpx.Response, bytes]:
        token = await self._session.token()
        answer, content = await self._get(path, token)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            renewed = await self._session.after_refusal(token)
            if renewed is not None:
                answer, content = await self._get(path, renewed)
        if answer.status_code != httpx.codes.OK:
            raise _refusal(answer.status_code)
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

    def _keep(self, name: str, ending: str, content: bytes) -> Path:
        """Write a document under its own name in a folder of its own, whole or not at all."""
        stem = _UNFIT.sub(" ", Path(name).stem).strip()[:80] or "document"
        folder = private_dir(self._private_folder() / secrets.token_hex(8))
        part = folder / "part"
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        return part.replace(folder / f"{stem}{ending}")

    def _private_folder(self) -> Path:
        if self._folder is None:
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self._base))
            self._lock = FileLock(folder / "lock")
            self._lock.acquire()
            self._folder = folder
        return self._folder

    def close(self) -> None:
        """Remove every document; a viewer that still shows one keeps its own open file."""
        if self._lock is not None:
            self._lock.release()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _sweep(base: Path) -> None:
    """Remove folders that a killed app of this user left: nobody holds their lock."""
    for folder in base.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if os.name == "posix" and folder.stat().st_uid != os.getuid():
                continue
            lock = FileLock(folder / "lock")
            if (folder / "lock").exists() and lock.acquire():
                lock.release()
                shutil.rmtree(folder, ignore_errors=True)


def _refusal(status: int) -> PortalError:
    if status == httpx.codes.UNAUTHORIZED:
        return Unauthenticated(messages.SESSION_EXPIRED)
    if status == httpx.codes.FORBIDDEN:
        return Forbidden(messages.FORBIDDEN)
    if status == httpx.codes.NOT_FOUND:
        return NotFound(messages.NOT_FOUND)
    return DocumentUnavailable(messages.DOCUMENT_UNAVAILABLE)
