"""/device/about: the version of the app, and the licenses of the works that it contains."""

import sys
from pathlib import Path

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from app.basics.version import VERSION
from app.desktop.shapes import Shape

_FOLDER = "licenses"


class LicenseText(Shape):
    """A text of the package: the notices of third parties, or a license."""

    name: str
    text: str


class About(Shape):
    """The version, and the texts; a source tree has no texts."""

    version: str
    licenses: tuple[LicenseText, ...]


def find_licenses() -> Path:
    """Return the folder of the texts, which is beside the program in a package."""
    return Path(sys.executable).parent / _FOLDER


def read_about() -> About:
    """Return the version, and the texts with the notices first."""
    files = sorted(
        find_licenses().glob("*.txt"), key=lambda file: ("NOTICES" not in file.name, file)
    )
    texts = [LicenseText(name=f.stem, text=f.read_text("utf-8", "replace")) for f in files]
    return About(version=VERSION, licenses=tuple(texts))


def build_routes() -> APIRouter:
    """Build the route /device/about."""
    router = APIRouter(prefix="/device/about", tags=["host"])

    @router.get("")
    async def read() -> About:
        """The version of the app, and the licenses of the works that it contains."""
        return await run_in_threadpool(read_about)

    return router
