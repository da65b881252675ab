"""The Debian package and the archive, from a small bundle."""

import json
import os
import subprocess
import tarfile
from pathlib import Path

import pytest
from lab_packaging.bundle import add_notices
from lab_packaging.deb import build_archive, build_deb

from tests.packaging.samples import BUILD_TIME, make_bundle, write_parts

pytestmark = pytest.mark.xdist_group("packaging")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with its notices."""
    folder = tmp_path_factory.mktemp("bundle")
    path = make_bundle(folder)
    add_notices(path, write_parts(folder, "fastapi", "pyinstaller"))
    return path


@pytest.fixture(scope="module")
def package(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Debian package."""
    return build_deb(bundle, tmp_path_factory.mktemp("deb"), "1.2.3", BUILD_TIME)


@pytest.fixture(scope="module")
def package_root(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of the Debian package, with its control files in DEBIAN."""
    folder = tmp_path_factory.mktemp("unpacked") / "root"
    subprocess.run(["dpkg-deb", "-R", package, folder], check=True)
    return folder


class TestDebianPackage:
    """``build_deb``."""

    def test_depends_on_the_packages_that_bundled_programs_need(self, package_root: Path) -> None:
        control = (package_root / "DEBIAN" / "control").read_text()
        [depends] = [line for line in control.splitlines() if line.startswith("Depends: ")]
        assert "libc6 (>= " in depends
        assert "ca-certificates" in depends

    def test_puts_the_program_on_the_path(self, package_root: Path) -> None:
        program = package_root / "usr" / "bin" / "lab-portal"
        assert program.resolve() == (package_root / "usr/lib/lab-portal/lab-portal").resolve()
        assert os.access(program, os.X_OK)

    def test_keeps_the_settings_that_an_administrator_changed(self, package_root: Path) -> None:
        assert (package_root / "DEBIAN/conffiles").read_text() == "/etc/lab-portal/desktop.json\n"
        assert json.loads((package_root / "etc/lab-portal/desktop.json").read_text()) == {}
        example = package_root / "usr/share/doc/lab-portal/examples/desktop.json"
        assert json.loads(example.read_text())["portalUrl"].startswith("https://")

    def test_opens_the_links_of_the_product(self, package_root: Path) -> None:
        entry = package_root / "usr/share/applications/lab-portal.desktop"
        subprocess.run(["desktop-file-validate", entry], check=True)
        lines = entry.read_text().splitlines()
        assert "MimeType=x-scheme-handler/labportal;" in lines
        assert "Exec=lab-portal %u" in lines

    def test_describes_itself_to_software_centers(self, package_root: Path) -> None:
        [path] = (package_root / "usr/share/metainfo").iterdir()
        assert '<release version="1.2.3" date="2023-11-14"/>' in path.read_text()

    def test_belongs_to_root_and_is_readable_by_all(self, package: Path) -> None:
        listing = subprocess.run(
            ["dpkg-deb", "-c", package], capture_output=True, text=True, check=True
        ).stdout
        modes = {line.split()[-1]: line.split()[:2] for line in listing.splitlines()}
        assert {owner for _, owner in modes.values()} == {"root/root"}
        assert modes["./usr/lib/lab-portal/_internal/module.so"][0] == "-rw-r--r--"
        assert modes["./usr/lib/lab-portal/_internal/ui/dist/index.html"][0] == "-rw-r--r--"
        assert modes["./usr/lib/lab-portal/"][0] == "drwxr-xr-x"

    def test_has_the_checksums_of_its_files(self, package_root: Path) -> None:
        subprocess.run(
            ["md5sum", "--check", "--quiet", "DEBIAN/md5sums"], cwd=package_root, check=True
        )

    def test_is_the_same_when_built_again(
        self, bundle: Path, package: Path, tmp_path: Path
    ) -> None:
        again = build_deb(bundle, tmp_path, "1.2.3", BUILD_TIME)
        assert again.read_bytes() == package.read_bytes()


class TestArchive:
    """``build_archive``."""

    def test_names_the_libraries_that_it_needs(self, bundle: Path, tmp_path: Path) -> None:
        path = build_archive(bundle, tmp_path, "1.2.3", BUILD_TIME)
        assert path.name == "lab-portal-1.2.3-linux-x86_64.tar.xz"
        with tarfile.open(path) as archive:
            names = set(archive.getnames())
            readme = archive.extractfile("lab-portal-1.2.3/README.txt")
            assert readme is not None
            assert b"    libc6 (>= " in readme.read()
        assert {
            "lab-portal-1.2.3/lab-portal",
            "lab-portal-1.2.3/share/applications/lab-portal.desktop",
            "lab-portal-1.2.3/licenses/THIRD-PARTY-NOTICES.txt",
            "lab-portal-1.2.3/licenses/lab-portal.cdx.json",
            "lab-portal-1.2.3/licenses/LGPL-3.0.txt",
        } <= names
