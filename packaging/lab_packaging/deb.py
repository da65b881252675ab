"""The Debian package and the archive of the desktop app, from its bundle."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from email.utils import formatdate
from pathlib import Path

from lab_packaging.tree import (
    add_shared_files,
    copy_bundle,
    set_modes_and_times,
    write_compressed,
)

_LINUX = Path(__file__).parents[1] / "linux"
_MAINTAINER = "The maintainers of the lab portal <maintainers@portal.lab.example>"
_CONFFILE = "etc/lab-portal/desktop.json"
_CONTROL = """\
Package: lab-portal
Version: {version}
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: cups-client, gnome-keyring | kwalletmanager, xdg-desktop-portal, xdg-utils
Section: science
Priority: optional
Description: order laboratory tests, print labels, read results
 The desktop app of the lab portal for workstations that print the labels of
 specimens. It connects to the portal of a laboratory. It reads the portal's
 address from /etc/lab-portal/desktop.json, or asks for it at the first start.
"""
_NOT_LINKED = ("ca-certificates", "libssl3 (>= 3.0.0)")
"""Dependencies that the app is not linked to: Qt loads OpenSSL when it connects."""
_LIBRARY_FOLDERS = ("", "PySide6", "PySide6/Qt/lib", "shiboken6", "pillow.libs")
_DPKG_DEB_OPTIONS = ("--root-owner-group", "-Zxz", "-z9")
_CHANGES = """\
lab-portal ({version}) stable; urgency=medium

  * See the changelog of the lab portal.

 -- {maintainer}  {date}
"""


def build_deb(bundle: Path, out: Path, version: str, build_time: int) -> Path:
    """Build ``lab-portal_VERSION_amd64.deb`` and return it."""
    target = out / f"lab-portal_{version}_amd64.deb"
    with tempfile.TemporaryDirectory(dir=out) as folder:
        root = Path(folder) / "root"
        copy_bundle(bundle, root / "usr/lib/lab-portal")
        add_shared_files(root / "usr/share", version, build_time)
        _add_debian_files(root, version, build_time)
        set_modes_and_times(root, build_time)
        _write_control(root, version, find_dependencies(bundle))
        set_modes_and_times(root / "DEBIAN", build_time)
        _run_reproducibly(
            build_time, "dpkg-deb", *_DPKG_DEB_OPTIONS, "--build", str(root), str(target)
        )
    return target


def build_archive(bundle: Path, out: Path, version: str, build_time: int) -> Path:
    """Build ``lab-portal-VERSION-linux-x86_64.tar.xz``, for other distributions."""
    name = f"lab-portal-{version}"
    target = out / f"{name}-linux-x86_64.tar.xz"
    with tempfile.TemporaryDirectory(dir=out) as folder:
        root = Path(folder) / name
        copy_bundle(bundle, root)
        add_shared_files(root / "share", version, build_time)
        libraries = "\n".join(f"    {name}" for name in find_dependencies(bundle))
        text = (_LINUX / "archive-readme.txt").read_text().replace("@LIBRARIES@", libraries)
        (root / "README.txt").write_text(text)
        set_modes_and_times(root, build_time)
        options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]
        _run_reproducibly(
            build_time, "tar", *options, "-C", folder, "-I", "xz -9 -T1", "-cf", str(target), name
        )
    return target


def find_dependencies(bundle: Path) -> list[str]:
    """Return the Debian packages of the libraries that the bundle needs and does not contain."""
    with tempfile.TemporaryDirectory(dir=bundle.parent) as folder:
        # A DEBIAN folder tells dpkg-shlibdeps that the libraries beside it belong to the package.
        root, source = Path(folder) / "root", Path(folder) / "source"
        (root / "DEBIAN").mkdir(parents=True)
        shutil.copytree(bundle, root / "app", symlinks=True, copy_function=os.link)
        (source / "debian").mkdir(parents=True)
        (source / "debian" / "control").write_text(
            "Source: lab-portal\n\nPackage: lab-portal\nArchitecture: amd64\n"
        )
        files = [path for path in sorted(root.rglob("*")) if path.is_file() and _is_elf(path)]
        options = [f"-l{root / 'app' / '_internal' / name}" for name in _LIBRARY_FOLDERS]
        result = subprocess.run(
            ["/usr/bin/dpkg-shlibdeps", "-O", *options, *(f"-e{path}" for path in files)],
            cwd=source,
            capture_output=True,
            text=True,
            check=False,
        )
    if result.returncode:
        raise SystemExit(result.stderr)
    dependencies = re.sub(r"^shlibs:Depends=", "", result.stdout.strip())
    return sorted({*dependencies.split(", "), *_NOT_LINKED} - {""})


def _add_debian_files(root: Path, version: str, build_time: int) -> None:
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/lab-portal").symlink_to("../lib/lab-portal/lab-portal")
    documents = root / "usr/share/doc/lab-portal"
    (documents / "examples").mkdir(parents=True)
    shutil.copyfile(_LINUX / "copyright", documents / "copyright")
    shutil.copyfile(_LINUX / "desktop.json.example", documents / "examples" / "desktop.json")
    changes = _CHANGES.format(version=version, maintainer=_MAINTAINER, date=formatdate(build_time))
    write_compressed(documents / "changelog.gz", changes.encode())
    overrides = root / "usr/share/lintian/overrides/lab-portal"
    overrides.parent.mkdir(parents=True)
    shutil.copyfile(_LINUX / "lintian-overrides", overrides)
    settings = root / _CONFFILE
    settings.parent.mkdir(parents=True)
    settings.write_text("{}\n")


def _write_control(root: Path, version: str, depends: list[str]) -> None:
    control = root / "DEBIAN"
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    size = sum(path.lstat().st_size for path in files) // 1024
    control.mkdir()
    (control / "control").write_text(
        _CONTROL.format(
            version=version, maintainer=_MAINTAINER, size=size, depends=", ".join(depends)
        )
    )
    (control / "conffiles").write_text(f"/{_CONFFILE}\n")
    sums = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {name}\n"
        for path in files
        if (name := path.relative_to(root).as_posix()) != _CONFFILE
    ]
    (control / "md5sums").write_text("".join(sums))


def _run_reproducibly(build_time: int, *command: str) -> None:
    """Run a program that writes ``build_time`` instead of the current time."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(build_time)}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
