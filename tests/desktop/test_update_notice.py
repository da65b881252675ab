"""The desktop app beside portals of other versions: it says if it is the older one."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.basics.version import VERSION, is_newer
from tests.desktop.host import run_sidecar
from tests.desktop.standins import serve_app

MAJOR = int(VERSION.partition(".")[0])


def build_portal(version: object) -> Starlette:
    """Build a portal that reports this version, and fields that this app does not know."""

    async def send_capabilities(_: Request) -> Response:
        return JSONResponse({"lab": {"title": "Lab"}, "version": version, "canFly": True})

    return Starlette(routes=[Route("/capabilities", send_capabilities)])


@pytest.mark.parametrize(
    ("version", "newer"),
    [
        (f"{MAJOR + 1}.0.0", f"{MAJOR + 1}.0.0"),
        (VERSION, None),
        ("0.0.1", None),
        ("next", None),
        (None, None),
    ],
)
def test_names_the_newer_version_of_the_portal(
    version: object, newer: str | None, tmp_path: Path, ui_dir: Path
) -> None:
    with (
        serve_app(build_portal(version)) as url,
        run_sidecar(url, tmp_path / "c", ui_dir) as host,
        host.open_page() as page,
    ):
        answer = page.get("/capabilities").json()
        assert answer["lab"] == {"title": "Lab"}
        assert answer["portal"]["newerVersion"] == newer


@pytest.mark.parametrize(
    ("version", "than", "expected"),
    [
        ("0.10.0", "0.9.9", True),
        ("1.0.0", "0.99.0", True),
        ("0.9.0", "0.9.0", False),
        ("0.9.0", "0.10.0", False),
        ("0.9.0-rc1", "0.8.0", False),
        ("", "0.8.0", False),
    ],
)
def test_compares_releases_by_number(version: str, than: str, expected: bool) -> None:
    assert is_newer(version, than) is expected
