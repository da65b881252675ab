"""Licenses, notices, and the bill of materials of the distributed code."""

import json
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path

import pytest
from lab_packaging.notices import LicenseError, require_permitted_licenses, write_notices
from lab_packaging.parts import Part, list_npm_parts, list_parts
from lab_packaging.sbom import write_sbom
from lab_packaging.trim import normalize_name, read_locked_names

from tests.packaging.samples import BUILD_TIME, write_parts

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Part]:
    """Everything that the desktop app may ship: a bundle has no more than its lock file."""
    locked_names = read_locked_names(ROOT / "requirements" / "desktop.lock")
    installed_names = {normalize_name(item.name) for item in distributions()}
    names = sorted((locked_names & installed_names) | {"pyinstaller"})
    return list_parts(write_parts(tmp_path_factory.mktemp("parts"), *names))


class TestLicenses:
    """``require_permitted_licenses``."""

    def test_every_shipped_part_may_be_shipped(self, parts: list[Part]) -> None:
        assert len(parts) > 100
        require_permitted_licenses(parts)

    def test_every_part_of_the_server_may_be_shipped(self, tmp_path: Path) -> None:
        locked_names = read_locked_names(ROOT / "requirements" / "server.lock")
        installed_names = {normalize_name(item.name) for item in distributions()}
        require_permitted_licenses(
            list_parts(write_parts(tmp_path, *sorted(locked_names & installed_names)))
        )

    @pytest.mark.parametrize(
        "license_text",
        ["GPL-3.0-only", "AGPL-3.0-or-later", "GNU General Public License v3 (GPLv3)", ""],
    )
    def test_rejects_parts_that_may_not_be_shipped(self, license_text: str) -> None:
        with pytest.raises(LicenseError, match=r"labels 1\.0"):
            require_permitted_licenses([Part("pypi", "labels", "1.0", license_text)])

    def test_permits_the_lesser_license(self) -> None:
        require_permitted_licenses([Part("pypi", "labels", "1.0", "LGPL-3.0-only")])


class TestNotices:
    """``write_notices``."""

    @pytest.fixture
    def text(self, parts: list[Part], tmp_path: Path) -> str:
        """The notices of all parts."""
        write_notices(parts, tmp_path / "notices.txt")
        return (tmp_path / "notices.txt").read_text()

    def test_has_the_texts_of_the_licenses(self, text: str) -> None:
        assert "Copyright (c) 2018 Sebastián Ramírez" in text
        assert "Copyright (c) Meta Platforms, Inc. and affiliates." in text
        assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in text

    def test_explains_each_mention_of_the_gpl(self, text: str) -> None:
        assert "bootloader exception" in text
        assert "GNU Lesser General Public License, version 3" in text

    def test_omits_npm_packages_for_development(self) -> None:
        names = {part.name for part in list_npm_parts(ROOT / "ui")}
        assert "react" in names
        assert names.isdisjoint({"vite", "vitest", "typescript", "@types/react"})


class TestBillOfMaterials:
    """``write_sbom``."""

    def test_is_valid_and_complete(self, parts: list[Part], tmp_path: Path) -> None:
        # Importing the schemas takes seconds, which every worker would need to collect the tests.
        version = import_module("cyclonedx.schema").SchemaVersion.V1_6
        validator = import_module("cyclonedx.validation.json").JsonStrictValidator(version)
        write_sbom(parts, "1.2.3", BUILD_TIME, tmp_path / "sbom.json")
        text = (tmp_path / "sbom.json").read_text()
        assert validator.validate_str(text) is None
        bom = json.loads(text)
        assert bom["metadata"]["component"]["version"] == "1.2.3"
        purls = {component["purl"] for component in bom["components"]}
        assert purls == {part.purl for part in parts}
        assert any(purl.startswith("pkg:npm/%40blueprintjs/core@") for purl in purls)

    def test_is_the_same_when_written_again(self, parts: list[Part], tmp_path: Path) -> None:
        for name in ("a.json", "b.json"):
            write_sbom(parts, "1.2.3", BUILD_TIME, tmp_path / name)
        assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
