"""Serves the built user interface: its files by name, and its page for every other path."""

from collections.abc import Mapping
from mimetypes import guess_type
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from starlette.routing import Route

from app.basics.errors import NotFound
from app.contract import messages

_ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""Encodings that the build writes, with the suffix of their files; the smallest first."""
_FOREVER = "public, max-age=31536000, immutable"


def install_ui(app: FastAPI, folder: Path) -> None:
    """Serve the files of ``ui/dist``, compressed by the build where the browser accepts it.

    Files with a hash in their name never change and are cached for a year; a missing one is a 404.
    The page itself is revalidated each time.
    """
    root = folder.resolve()

    async def serve_file(request: Request) -> Response:
        path = request.url.path.lstrip("/")
        if path.startswith(("api/", "auth/", "device/", "health/")):
            return JSONResponse(
                NotFound(messages.NOT_FOUND).build_problem(),
                status_code=404,
                media_type="application/problem+json",
            )
        file = (root / path).resolve()
        if path and file.is_relative_to(root) and file.is_file():
            cache = _FOREVER if "assets/" in path else "no-cache"
            return _build_response(file, request.headers, cache)
        if file.is_relative_to(root / "assets"):
            # A page of an earlier build asks for a missing file; answering a page instead would
            # break it. Folders are not listed.
            return Response("Not found", 404, media_type="text/plain")
        index = root / "index.html"
        if not index.is_file():
            return Response("The UI is not built yet: run `make ui`.", 503, media_type="text/plain")
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    app.router.routes.append(Route("/{path:path}", serve_file, methods=["GET", "HEAD"], name="ui"))


def _build_response(file: Path, request_headers: Mapping[str, str], cache: str) -> FileResponse:
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    media_type, _ = guess_type(file.name)
    accepted = parse_accepted_encodings(request_headers.get("accept-encoding", ""))
    for encoding, suffix in _ENCODINGS.items():
        compressed = file.with_name(file.name + suffix)
        if encoding in accepted and compressed.is_file():
            headers["Content-Encoding"] = encoding
            return FileResponse(compressed, headers=headers, media_type=media_type)
    return FileResponse(file, headers=headers, media_type=media_type)


def parse_accepted_encodings(header: str) -> frozenset[str]:
    """Return the encodings that an Accept-Encoding header names, without those of weight 0."""
    accepted = set()
    for part in header.lower().split(","):
        encoding, _, parameter = part.strip().partition(";")
        _, _, weight = parameter.partition("q=")
        if encoding and not _is_zero(weight.strip()):
            accepted.add(encoding.strip())
    return frozenset(accepted)


def _is_zero(weight: str) -> bool:
    try:
        return float(weight) == 0
    except ValueError:
        return False
