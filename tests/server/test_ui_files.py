"""The files of the built user interface, compressed by the build."""

import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import FileResponse

from app.contract import messages
from app.server.problems import install_error_handlers
from app.server.ui_files import install_ui, parse_accepted_encodings

PLAIN, BROTLI, GZIP = b"body { margin: 0 }", b"in brotli", b"in gzip"


@pytest.fixture
async def browser(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of a portal with one style sheet; by default, it accepts no encoded files."""
    (tmp_path / "index.html").write_text("<title>Lab Portal</title>")
    assets = tmp_path / "assets"
    assets.mkdir()
    (assets / "look-1a2b.css").write_bytes(PLAIN)
    (assets / "look-1a2b.css.br").write_bytes(BROTLI)
    (assets / "look-1a2b.css.gz").write_bytes(GZIP)
    (assets / "page-3c4d.js").write_bytes(b"start()")
    portal = FastAPI()
    install_error_handlers(portal)
    install_ui(portal, tmp_path)
    transport = httpx.ASGITransport(portal)
    headers = {"Accept-Encoding": "identity"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://portal", headers=headers
    ) as client:
        yield client


_STEPS = {"stat": "__call__", "open": "_handle_simple"}
"""The methods of Starlette that look up a file, and that open it."""


def remove_before(folder: Path, method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method so that the folder is removed before it runs, as by a new build."""

    async def run(*args: Any, **options: Any) -> None:
        shutil.rmtree(folder)
        await method(*args, **options)

    return run


class TestCompression:
    """Encoded files, none of which the test client decodes."""

    @pytest.mark.parametrize(
        ("accepted_encodings", "encoding", "body"),
        [
            ("gzip, deflate, br, zstd", "br", BROTLI),
            ("br;q=0, gzip;q=0.5", "gzip", GZIP),
            ("br;q=0, gzip;q=0", None, PLAIN),
            ("identity", None, PLAIN),
            ("", None, PLAIN),
        ],
    )
    async def test_sends_the_smallest_file_that_the_browser_accepts(
        self, browser: httpx.AsyncClient, accepted_encodings: str, encoding: str | None, body: bytes
    ) -> None:
        headers = {"Accept-Encoding": accepted_encodings}
        async with browser.stream("GET", "/assets/look-1a2b.css", headers=headers) as answer:
            assert b"".join([chunk async for chunk in answer.aiter_raw()]) == body
        assert answer.headers.get("Content-Encoding") == encoding
        assert answer.headers["Content-Type"].startswith("text/css")
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert "immutable" in answer.headers["Cache-Control"]

    async def test_answers_404_for_a_file_of_an_earlier_build(
        self, browser: httpx.AsyncClient
    ) -> None:
        answer = await browser.get("/assets/page-9z9z.js")
        assert answer.status_code == 404
        assert "immutable" not in answer.headers.get("Cache-Control", "")
        assert (await browser.get("/secured/results/lab")).status_code == 200

    async def test_sends_files_that_the_build_left_uncompressed(
        self, browser: httpx.AsyncClient
    ) -> None:
        answer = await browser.get("/assets/page-3c4d.js", headers={"Accept-Encoding": "br, gzip"})
        assert answer.content == b"start()"
        assert "Content-Encoding" not in answer.headers

    def test_ignores_malformed_weights(self) -> None:
        assert parse_accepted_encodings("br;q=many, GZIP ; q=0.1,, ;q=0") == {"br", "gzip"}


class TestPaths:
    async def test_unknown_paths_are_screens(self, browser: httpx.AsyncClient) -> None:
        answer = await browser.get("/secured/results/lab")
        assert "Lab Portal" in answer.text
        assert answer.headers["Cache-Control"] == "no-cache"

    async def test_unknown_calls_are_problems(self, browser: httpx.AsyncClient) -> None:
        answer = await browser.get("/api/v2/nothing")
        assert answer.status_code == 404
        assert answer.headers["Content-Type"] == "application/problem+json"

    async def test_never_leaves_the_folder(
        self, browser: httpx.AsyncClient, tmp_path: Path
    ) -> None:
        (tmp_path.parent / "secret.txt").write_text("secret")
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
            assert "secret" not in (await browser.get(path)).text


class TestNewBuild:
    """A build that replaces the folder while the portal runs."""

    async def test_a_missing_page_says_that_the_portal_is_being_updated(
        self, browser: httpx.AsyncClient, tmp_path: Path
    ) -> None:
        (tmp_path / "index.html").unlink()
        answer = await browser.get("/secured/results/lab")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
        assert messages.PORTAL_UPDATING in answer.text
        assert answer.headers["Cache-Control"] == "no-store"

    @pytest.mark.parametrize("path", ["/secured/results/lab", "/assets/page-3c4d.js"])
    @pytest.mark.parametrize("step", ["stat", "open"])
    async def test_a_file_removed_while_being_sent_is_not_a_server_error(
        self,
        browser: httpx.AsyncClient,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        path: str,
        step: str,
    ) -> None:
        removing_method = remove_before(tmp_path, getattr(FileResponse, _STEPS[step]))
        monkeypatch.setattr(FileResponse, _STEPS[step], removing_method)
        answer = await browser.get(path)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
        assert messages.PORTAL_UPDATING in answer.text
        assert "immutable" not in answer.headers["Cache-Control"]
