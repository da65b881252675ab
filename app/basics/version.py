"""The version of the product, from the file ``VERSION``; both hosts report it."""

from pathlib import Path

VERSION = (Path(__file__).parents[2] / "VERSION").read_text(encoding="utf-8").strip()


def is_newer(version: str, other: str) -> bool:
    """Whether a release (0.10.0) is newer than another; False for other texts."""
    try:
        numbers = [tuple(map(int, text.split("."))) for text in (version, other)]
    except ValueError:
        return False
    return numbers[0] > numbers[1]
