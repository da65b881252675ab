"""The version of the product, from the file ``VERSION``; both hosts report it."""

from pathlib import Path

VERSION = (Path(__file__).parents[2] / "VERSION").read_text(encoding="utf-8").strip()
