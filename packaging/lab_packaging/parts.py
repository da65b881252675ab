"""Third-party parts of a package: Python distributions, npm packages, and Python itself."""

import json
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path

from lab_packaging.trim import normalize_name, read_locked_names

_ROOT = Path(__file__).parents[2]
_LICENSE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
_CLASSIFIER = re.compile(r"^License :: (?:OSI Approved :: )?(.+)$")
_BUILDER = "pyinstaller"
"""The distribution whose bootloader starts the bundle."""


@dataclass(frozen=True)
class Part:
    """A third-party part; ``texts`` are its license files, by name."""

    kind: str
    name: str
    version: str
    license: str
    texts: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def purl(self) -> str:
        """The package URL, which vulnerability scanners compare."""
        name = self.name.replace("@", "%40", 1) if self.kind == "npm" else self.name
        return f"pkg:{self.kind}/{name}@{self.version}"


def write_bundled_parts(target: Path, lock: Path, sources: Iterable[Path]) -> None:
    """Write the names of the distributions that the bundled files come from."""
    owners = {
        str(Path(str(distribution.locate_file(file))).resolve()): distribution.name
        for distribution in distributions()
        for file in distribution.files or ()
    }
    names = {owners.get(str(source.resolve())) for source in sources}
    bundled_names = {normalize_name(name) for name in names if name} | {_BUILDER}
    if stray := bundled_names - read_locked_names(lock) - {_BUILDER}:
        raise SystemExit(f"The bundle has packages that {lock.name} does not name: {stray}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({"distributions": sorted(bundled_names)}, indent=2) + "\n")


def list_parts(parts_file: Path) -> list[Part]:
    """Return all parts of a bundle; ``parts_file`` is the file of ``write_bundled_parts``."""
    names = json.loads(parts_file.read_text())["distributions"]
    installed_distributions = {normalize_name(item.name): item for item in distributions()}
    python = [_describe_distribution(installed_distributions[name]) for name in names]
    return [_describe_python(), *python, *list_npm_parts(_ROOT / "ui")]


def list_npm_parts(folder: Path) -> list[Part]:
    """Return the npm packages that a project needs at run time, from its lock file."""
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    parts = {}
    for path, package in packages.items():
        if not path or package.get("dev") or package.get("optional"):
            continue
        name = path.rpartition("node_modules/")[2]
        if name.startswith("@types/"):
            continue  # type declarations, which add no code
        part = Part(
            kind="npm",
            name=name,
            version=package["version"],
            license=package.get("license", ""),
            texts=_read_texts((folder / path).iterdir()),
        )
        parts[(name, part.version)] = part
    return [parts[key] for key in sorted(parts)]


def _describe_distribution(distribution: Distribution) -> Part:
    files = [
        Path(str(distribution.locate_file(file)))
        for file in distribution.files or ()
        if ".dist-info" in file.parts[0]
    ]
    return Part(
        kind="pypi",
        name=normalize_name(distribution.name),
        version=distribution.version,
        license=_get_license(distribution),
        texts=_read_texts(files),
    )


def _get_license(distribution: Distribution) -> str:
    """Return the license as the distribution states it: expression, classifier, or field."""
    metadata = distribution.metadata
    if expressions := metadata.get_all("License-Expression"):
        return str(expressions[0])
    license_names = [
        match[1]
        for classifier in metadata.get_all("Classifier") or ()
        if (match := _CLASSIFIER.match(classifier)) and match[1] != "OSI Approved"
    ]
    if license_names:
        return " AND ".join(sorted(license_names))
    return str((metadata.get_all("License") or [""])[0]).strip().partition("\n")[0]


def _describe_python() -> Part:
    """Return the interpreter; the text of its license is in ``packaging/licenses``."""
    return Part(
        kind="generic",
        name="python",
        version=platform.python_version(),
        license="PSF-2.0",
        texts={"LICENSE": (_ROOT / "packaging" / "licenses" / "PSF-2.0.txt").read_text()},
    )


def _read_texts(files: Iterable[Path]) -> dict[str, str]:
    return {
        path.name: path.read_text(encoding="utf-8", errors="replace").strip()
        for path in sorted(files)
        if path.is_file() and _LICENSE_FILE.match(path.name)
    }
