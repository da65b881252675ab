"""The packaged app on clean Debians: installed, started, upgraded, and removed.

``make test-slow`` runs this file by its name, because it takes minutes. ``TEST_PACKAGE`` is the
Debian package to try, and ``TEST_ARCHIVE`` is the archive for other distributions.
"""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab_packaging.bundle import add_notices
from lab_packaging.deb import build_deb

from tests.desktop.grid import EMAIL, MEMORY_BUDGET_MB, measure_memory, open_grid
from tests.desktop.screen import Screen, run_virtual_screen
from tests.desktop.web_page import WebPage, wait_for_debugger
from tests.packaging.debian import Debian, install_debian
from tests.packaging.samples import BUILD_TIME, make_bundle, write_parts
from tests.standins import demo_lab
from tests.standins.ports import reserve_port

_SETTINGS = "etc/lab-portal/desktop.json"
_PACKAGE_BYTES = 120_000_000
_ARCHIVE_TOOLS = ("xz-utils", "desktop-file-utils")
"""The tools that the README's commands need; every desktop has them."""
_TIMEOUT_SECONDS = 120
_ROOT = Path(__file__).parents[2]
_RESULTS = _ROOT / "test-results"


@pytest.fixture(scope="module")
def package() -> Path:
    """The Debian package that was built before."""
    return Path(os.environ["TEST_PACKAGE"])


@pytest.fixture(scope="module")
def archive() -> Path:
    """The archive that was built before."""
    return Path(os.environ["TEST_ARCHIVE"])


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A portal with the demo lab, in a separate process."""
    data = tmp_path_factory.mktemp("portal") / "data"
    demo_lab.copy_data(tmp_path_factory, data)
    with demo_lab.run_portal(data, data.with_suffix(".log")) as base:
        yield base


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    """A virtual screen."""
    with run_virtual_screen() as virtual_screen:
        yield virtual_screen


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Debian:
    """A clean Debian 12 or 13."""
    return install_debian(request.param, tmp_path_factory.mktemp("debian"))


def test_package_can_be_installed_used_upgraded_and_removed(
    debian: Debian, package: Path, portal: str, screen: Screen, tmp_path: Path
) -> None:
    assert package.stat().st_size <= _PACKAGE_BYTES
    install_package(debian, package)
    assert find_missing_libraries(debian) == []
    (debian.root / _SETTINGS).write_text(json.dumps({"portalUrl": portal}))

    sign_in_with_the_app(debian, portal, screen, tmp_path)

    install_package(debian, make_next_version(package, tmp_path))
    assert read_version(debian).endswith("+next")
    assert json.loads((debian.root / _SETTINGS).read_text()) == {"portalUrl": portal}

    debian.run("apt-get", "remove", "-y", "lab-portal")
    assert not (debian.root / "usr/lib/lab-portal").exists()
    assert not (debian.root / "usr/share/applications/lab-portal.desktop").exists()
    assert (debian.root / _SETTINGS).exists()
    debian.run("dpkg", "--purge", "lab-portal")
    assert not (debian.root / "etc/lab-portal").exists()


def test_archive_can_be_installed_as_its_readme_says_used_and_removed(
    debian: Debian, archive: Path, portal: str, screen: Screen, tmp_path: Path
) -> None:
    assert archive.stat().st_size <= _PACKAGE_BYTES
    # The libraries that the package brought along must not help the archive.
    debian.run("apt-get", "autoremove", "-y", "--purge")
    debian.run("apt-get", "install", "-y", "--no-install-recommends", *_ARCHIVE_TOOLS)
    shutil.copy(archive, debian.root / "lab-portal.tar.xz")
    debian.run("tar", "-C", "/root", "-xf", "/lab-portal.tar.xz")
    folder = archive.name.removesuffix("-linux-x86_64.tar.xz")
    readme = (debian.root / "root" / folder / "README.txt").read_text()

    libraries = read_libraries(readme)
    debian.run("apt-get", "install", "-y", "--no-install-recommends", *libraries)
    for command in read_installation(readme):
        debian.run("sh", "-c", f"cd /root/{folder} && {command}")
    debian.run("rm", "-r", f"/root/{folder}")
    assert find_missing_libraries(debian, "/opt/lab-portal") == []
    (debian.root / _SETTINGS).parent.mkdir()
    (debian.root / _SETTINGS).write_text(json.dumps({"portalUrl": portal}))

    sign_in_with_the_app(debian, portal, screen, tmp_path)

    assert (debian.root / "usr/local/share/applications/lab-portal.desktop").exists()
    debian.run("rm", "-r", "/opt/lab-portal", "/usr/local/bin/lab-portal", "/etc/lab-portal")


def test_package_follows_the_rules_of_debian(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path)
    add_notices(bundle, write_parts(tmp_path, "fastapi"))
    small_package = build_deb(bundle, tmp_path, "1.2.3", BUILD_TIME)
    subprocess.run(["lintian", "--fail-on", "error,warning", small_package], check=True)
    subprocess.run(["dpkg-deb", "-x", small_package, tmp_path / "root"], check=True)
    [description] = (tmp_path / "root/usr/share/metainfo").iterdir()
    subprocess.run(["appstreamcli", "validate", "--no-net", description], check=True)


def install_package(debian: Debian, package: Path) -> None:
    """Install a package with the packages that it needs, but not those that it recommends."""
    shutil.copy(package, debian.root / "lab-portal.deb")
    debian.run("apt-get", "install", "-y", "--no-install-recommends", "/lab-portal.deb")


def read_libraries(readme: str) -> list[str]:
    """Return the names of the packages that the archive's README asks for, without versions."""
    section = readme.partition("(names of Debian packages):")[2].partition("Works of others")[0]
    return [line.split()[0] for line in section.splitlines() if line.strip()]


def read_installation(readme: str) -> list[str]:
    """Return the commands by which the archive's README installs the app for all people."""
    section = readme.partition("To install it for all people:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in section.splitlines()]


def find_missing_libraries(debian: Debian, folder: str = "/usr/lib/lab-portal") -> list[str]:
    """Return the libraries that the bundle needs but that are not installed."""
    output = debian.run(
        "sh",
        "-c",
        f"find {folder} -type f \\( -name '*.so*' -o -perm -100 \\)"
        " -exec ldd {} + 2>/dev/null || true",
    )
    return sorted(set(re.findall(r"(\S+) => not found", output)))


def read_version(debian: Debian) -> str:
    """Return the version of the installed package."""
    return debian.run("dpkg-query", "-W", "-f", "${Version}", "lab-portal")


def make_next_version(package: Path, folder: Path) -> Path:
    """Build the same package with a later version, uncompressed to save time."""
    root, target = folder / "next", folder / "next.deb"
    subprocess.run(["dpkg-deb", "-R", package, root], check=True)
    control = root / "DEBIAN" / "control"
    control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1+next", control.read_text()))
    command = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(root), str(target)]
    subprocess.run(command, check=True)
    shutil.rmtree(root)
    return target


def sign_in_with_the_app(debian: Debian, portal: str, screen: Screen, folder: Path) -> None:
    """Start the app, sign in as a person would, and measure its memory when it shows a grid."""
    log = folder / "app.log"
    with reserve_port() as port:
        variables = [
            f"DISPLAY={screen.display}",
            f"PORTAL_URL={portal}",
            f"QTWEBENGINE_REMOTE_DEBUGGING=127.0.0.1:{port}",
        ]
        started_at = time.monotonic()
        with debian.start("env", *variables, "lab-portal", log=log) as process:
            wait_for_debugger(port, process, log, _TIMEOUT_SECONDS)
            page = WebPage(port, _TIMEOUT_SECONDS)
            page.wait_for(f"document.querySelector({EMAIL!r})")
            print(f"{debian.root.name}: sign-in page after {time.monotonic() - started_at:.1f} s")
            open_grid(page)
            memory = measure_memory(process.pid)
            print(f"{debian.root.name}: memory in MB {memory}")
            assert sum(memory.values()) <= MEMORY_BUDGET_MB
            page.close()
            _RESULTS.mkdir(exist_ok=True)
            screen.take_picture().save(_RESULTS / f"package-{debian.root.name}.png")
