"""The bill of materials of a package in CycloneDX, which vulnerability scanners read."""

import uuid
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from lab_packaging.parts import Part

_NAMESPACE = uuid.UUID("6d0f6a43-8c1c-4d0f-9f0c-2a9d3f1b7e51")
"""Derives the serial number from the content, so that two builds are equal."""


def write_sbom(parts: list[Part], version: str, build_time: int, target: Path) -> None:
    """Write the parts of a package as CycloneDX 1.6 JSON."""
    product = Component(
        name="lab-portal", version=version, type=ComponentType.APPLICATION, bom_ref="lab-portal"
    )
    components = [_describe_part(part) for part in parts]
    bom = Bom(
        components=components,
        serial_number=uuid.uuid5(_NAMESPACE, " ".join([version, *(p.purl for p in parts)])),
    )
    bom.metadata.component = product
    bom.metadata.timestamp = datetime.fromtimestamp(build_time, UTC)
    bom.register_dependency(product, components)
    text = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=2)
    target.write_text(text + "\n", encoding="utf-8")


def _describe_part(part: Part) -> Component:
    return Component(
        name=part.name,
        version=part.version,
        type=ComponentType.LIBRARY,
        purl=PackageURL.from_string(part.purl),
        bom_ref=part.purl,
        licenses=[LicenseFactory().make_from_string(part.license)],
    )
