"""Serves the built user interface: its files by name, and its page for every other path."""

from collections.abc import Mapping
from html import escape
from mimetypes import guess_type
from pathlib import Path

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from app.basics.errors import NotFound
from app.contract import messages

_ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""Encodings that the build writes, with the suffix of their files; the smallest first."""
_API_PATHS = ("/api/", "/auth/", "/device/", "/health/")
_FOREVER = "public, max-age=31536000, immutable"
_RETRY_SECONDS = "10"
_log = structlog.get_logger("portal.pages")


def install_ui(app: FastAPI, folder: Path) -> None:
    """Serve the files of ``ui/dist``, compressed by the build where the browser accepts it.

    Files with a hash in their name never change and are cached for a year; a missing one is a 404.
    The page itself is revalidated each time. While a new build replaces the folder, the answer is
    a 503 with a page that loads again.
    """
    root = folder.resolve()
    if not (root / "index.html").is_file():
        _log.warning("the interface is not built: run make ui", folder=str(root))

    async def serve_file(request: Request) -> Response:
        path = request.url.path.lstrip("/")
        file = (root / path).resolve()
        if path and file.is_relative_to(root) and _is_file(file):
            cache = _FOREVER if "assets/" in path else "no-cache"
            return _build_response(file, request.headers, cache)
        if file.is_relative_to(root / "assets"):
            # A page of an earlier build asks for a missing file; answering a page instead would
            # break it. Folders are not listed.
            return Response("Not found", 404, media_type="text/plain")
        index = root / "index.html"
        if not index.is_file():
            return _build_updating_page()
        return _BuiltFile(index, headers={"Cache-Control": "no-cache"})

    app.router.routes.append(_UiRoute("/{path:path}", serve_file, name="ui"))


class _UiRoute(Route):
    """The paths of the interface; other paths below those of the API do not exist."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].startswith(_API_PATHS):
            raise NotFound(messages.NOT_FOUND)
        await super().handle(scope, receive, send)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # longer than the file system allows


class _BuiltFile(FileResponse):
    """A file of the build, or a 503 if a new build has removed it before it was opened."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file; its head waits until the file is open."""
        head: list[Message] = []
        is_sent = False

        async def send_when_open(message: Message) -> None:
            nonlocal is_sent
            if message["type"] == "http.response.start":
                head.append(message)
                return
            if not is_sent:
                is_sent = True
                await send(head[0])
            await send(message)

        try:
            await super().__call__(scope, receive, send_when_open)
        except (FileNotFoundError, RuntimeError) as error:
            # Starlette raises a RuntimeError in the context of the FileNotFoundError.
            causes = (error, error.__context__)
            if is_sent or not any(isinstance(cause, FileNotFoundError) for cause in causes):
                raise
            await _build_updating_page()(scope, receive, send)


def _build_updating_page() -> Response:
    text = escape(messages.PORTAL_UPDATING)
    page = f'<!doctype html><html lang="en"><title>Lab Portal</title><p>{text}</p></html>'
    headers = {
        "Retry-After": _RETRY_SECONDS,
        "Refresh": _RETRY_SECONDS,
        "Cache-Control": "no-store",
    }
    return HTMLResponse(page, 503, headers=headers)


def _build_response(file: Path, request_headers: Mapping[str, str], cache: str) -> FileResponse:
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    media_type, _ = guess_type(file.name)
    encodings = parse_accepted_encodings(request_headers.get("accept-encoding", ""))
    for encoding, suffix in _ENCODINGS.items():
        compressed_file = file.with_name(file.name + suffix)
        if encoding in encodings and compressed_file.is_file():
            headers["Content-Encoding"] = encoding
            return _BuiltFile(compressed_file, headers=headers, media_type=media_type)
    return _BuiltFile(file, headers=headers, media_type=media_type)


def parse_accepted_encodings(header: str) -> frozenset[str]:
    """Return the encodings that an Accept-Encoding header names, except those with weight 0."""
    encodings = set()
    for part in header.lower().split(","):
        encoding, _, parameter = part.strip().partition(";")
        _, _, weight = parameter.partition("q=")
        if encoding and not _is_zero(weight.strip()):
            encodings.add(encoding.strip())
    return frozenset(encodings)


def _is_zero(weight: str) -> bool:
    try:
        return float(weight) == 0
    except ValueError:
        return False
