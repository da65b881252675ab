"""The version of the product, which both hosts say; the file ``VERSION`` is its one place."""

from pathlib import Path

VERSION = (Path(__file__).parents[2] / "VERSION").read_text(encoding="utf-8").strip()
