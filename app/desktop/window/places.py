"""The position of the last window, and a free position beside open windows."""

import contextlib
import itertools
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import NoneType

from app.desktop.files import JsonFile

SMALLEST = (360, 480)
_SIZE = (1280, 860)
_STEP = 36
ZOOM_MIN, ZOOM_MAX = 0.5, 3.0


@dataclass(frozen=True)
class Place:
    """Position and size in the units of the window system, which chooses a missing position."""

    width: int = _SIZE[0]
    height: int = _SIZE[1]
    x: int | None = None
    y: int | None = None
    maximized: bool = False
    zoom: float = 1.0


@dataclass(frozen=True)
class Area:
    """The area of a screen."""

    x: int
    y: int
    width: int
    height: int


# Checked without pydantic, which would take 5 MB in the process of the windows.
_KINDS = {
    "width": int,
    "height": int,
    "x": int | NoneType,
    "y": int | NoneType,
    "maximized": bool,
    "zoom": int | float,
}


class RememberedPlace:
    """The place of the window that closed last, on disk; thread-safe."""

    def __init__(self, path: Path) -> None:
        self._file = JsonFile(path)
        self._lock = threading.Lock()

    def read(self) -> Place:
        """Return the place, or the default size without a position if there is none yet."""
        with self._lock:
            content = self._file.read()
        values = {name: content[name] for name in _KINDS if name in content}
        if not all(isinstance(value, _KINDS[name]) for name, value in values.items()):
            return Place()
        return Place(**values)  # type: ignore[arg-type]  # just checked

    def write(self, place: Place) -> None:
        """Remember a place; a full disk does not matter here."""
        with self._lock, contextlib.suppress(OSError):
            self._file.write(asdict(place))


def choose_place(
    last_place: Place, occupied_corners: list[tuple[int, int]], screens: list[Area]
) -> Place:
    """Return the place of a new window: on a screen, and not exactly over another window."""
    zoom = min(max(last_place.zoom, ZOOM_MIN), ZOOM_MAX)
    area = _find_screen(last_place, screens)
    if area is None:
        return Place(last_place.width, last_place.height, zoom=zoom)
    width = max(SMALLEST[0], min(last_place.width, area.width))
    height = max(SMALLEST[1], min(last_place.height, area.height))
    if last_place.x is None or last_place.y is None:
        x = area.x + (area.width - width) // 2
        y = area.y + (area.height - height) // 2
    else:
        x, y = last_place.x, last_place.y
    x, y = _fit_window(x, y, width, height, area)
    maximized = last_place.maximized and not occupied_corners
    place = Place(width, height, x, y, maximized=maximized, zoom=zoom)
    return _avoid_windows(place, (x, y), area, occupied_corners)


def _avoid_windows(
    place: Place, corner: tuple[int, int], area: Area, occupied_corners: list[tuple[int, int]]
) -> Place:
    """Return the place with a free corner; a window that fills the screen becomes smaller."""
    width, height = place.width, place.height
    while True:
        for x, y in _list_corners(corner, width, height, area):
            if not any(
                abs(x - left) < _STEP and abs(y - top) < _STEP for left, top in occupied_corners
            ):
                return replace(place, width=width, height=height, x=x, y=y)
        if (width, height) == SMALLEST:
            return place
        width, height = max(SMALLEST[0], width - _STEP), max(SMALLEST[1], height - _STEP)


def _list_corners(
    corner: tuple[int, int], width: int, height: int, area: Area
) -> Iterator[tuple[int, int]]:
    """Yield corners of a window in an area: down to the right of ``corner``, then all others."""
    columns = range(area.x, area.x + area.width - width + 1, _STEP)
    rows = range(area.y, area.y + area.height - height + 1, _STEP)
    x, y = corner
    while x + width <= area.x + area.width and y + height <= area.y + area.height:
        yield x, y
        x, y = x + _STEP, y + _STEP
    yield from zip(columns, rows, strict=False)
    yield from itertools.product(columns, rows)


def _find_screen(place: Place, screens: list[Area]) -> Area | None:
    """Return the screen with the middle of a place, or the first one: a screen may be gone."""
    if place.x is not None and place.y is not None:
        x, y = place.x + place.width // 2, place.y + place.height // 2
        for area in screens:
            if area.x <= x < area.x + area.width and area.y <= y < area.y + area.height:
                return area
    return screens[0] if screens else None


def _fit_window(x: int, y: int, width: int, height: int, area: Area) -> tuple[int, int]:
    """Move a window into a screen."""
    return (
        max(area.x, min(x, area.x + area.width - width)),
        max(area.y, min(y, area.y + area.height - height)),
    )
