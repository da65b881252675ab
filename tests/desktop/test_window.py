"""The real window, with the real program, on a virtual screen."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image

from app.desktop.files import JsonFile
from tests.desktop.host import ROOT
from tests.desktop.screen import Screen, measure_color_shares, run_virtual_screen
from tests.desktop.standins import BACKGROUND, MARK

BUILT_UI = ROOT / "ui" / "dist"


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    """A virtual screen for this file's windows."""
    with run_virtual_screen() as screen:
        yield screen


# Starts the app and a thread that closes its windows one after another.
_CLOSING_APP = """
import sys, threading, time
from pathlib import Path
import webview
from app.desktop.files import JsonFile
from app.desktop.main import run_app

preferences = JsonFile(Path(sys.argv[1]) / "preferences.json")

def close_windows():
    while "seen.second" not in preferences.read():
        time.sleep(0.05)
    first, second = webview.windows
    first.destroy()
    while len(webview.windows) > 1:
        time.sleep(0.05)
    second.events.resized.clear()
    second.resize(640, 480)
    second.events.resized.wait()  # The window still answers.
    (Path(sys.argv[1]) / "one-left").touch()
    second.destroy()

threading.Thread(target=close_windows, daemon=True).start()
sys.exit(run_app(sys.argv[2:]))
"""


@contextmanager
def run_window(
    screen: Screen,
    portal_url: str,
    config_dir: Path,
    ui_dir: Path,
    program: tuple[str, ...] = ("-m", "app.desktop"),
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the desktop app with its window, and stop it at the end."""
    config_dir.mkdir(exist_ok=True)
    with (config_dir / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *program, "--portal", portal_url],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "DISPLAY": screen.display,
                "PORTAL_DESKTOP_DIR": str(config_dir),
                "PORTAL_UI_DIR": str(ui_dir),
                "QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu",  # a virtual screen has no GPU
            },
            stdout=log,
            stderr=log,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until(condition, process: subprocess.Popen[bytes], config_dir: Path, seconds: float = 120):
    """Return the first true answer, and show the log on failure."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        result = condition()
        if result:
            return result
        time.sleep(0.1)
    raise AssertionError((config_dir / "log").read_text() or "the condition never came true")


def _is_drawn(screen: Screen) -> bool:
    """Whether the stand-in's page fills the window."""
    colors = measure_color_shares(screen.take_picture())
    return colors.get(BACKGROUND, 0) > 0.4 and colors.get(MARK, 0) > 0.02


def _read_color(variable: str) -> tuple[int, int, int]:
    """Return a color of the light theme from the page's style."""
    style = (ROOT / "ui" / "src" / "app" / "app.css").read_text()
    result = re.search(rf"{variable}: #([0-9a-f]{{6}});", style)
    assert result, variable
    return tuple(bytes.fromhex(result.group(1)))  # type: ignore[return-value]


def _find_login_button(picture: Image.Image) -> tuple[int, int, int, int] | None:
    """Return the box of the main button, or None if it is not drawn yet."""
    solid = picture.convert("RGB")
    mask = Image.new("1", solid.size)
    solid_color = _read_color("--solid")
    mask.putdata([pixel == solid_color for pixel in solid.get_flattened_data()])
    box = mask.getbbox()
    if box is None or measure_color_shares(picture).get(solid_color, 0) < 0.004:
        return None
    # The logo has another color, so the box contains the button only.
    inside = mask.crop(box)
    filled_count = sum(1 for pixel in inside.get_flattened_data() if pixel)
    return box if filled_count > 0.8 * inside.width * inside.height else None


def _build_button_finder(
    screen: Screen,
) -> Callable[[], tuple[tuple[int, int, int, int], Image.Image] | None]:
    """Return a function that finds the main button, once two pictures in a row are equal."""
    latest = screen.take_picture()

    def find() -> tuple[tuple[int, int, int, int], Image.Image] | None:
        nonlocal latest
        earlier, latest = latest, screen.take_picture()
        is_stable = earlier.tobytes() == latest.tobytes()
        button = _find_login_button(latest) if is_stable else None
        return None if button is None else (button, latest)

    return find


class TestWindow:
    def test_shows_the_sign_in_page_and_exits_cleanly(
        self, screen: Screen, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        config = tmp_path / "config"
        preferences = JsonFile(config / "preferences.json")
        with run_window(screen, portal_url, config, ui_dir) as process:
            # The page reports its state through a guarded route, so it has the launch cookie.
            page_report = wait_until(lambda: preferences.read().get("seen."), process, config)
            host, readable_cookies, code_in_address = page_report
            assert host == "desktop"
            assert readable_cookies == ""
            assert code_in_address is False
            wait_until(lambda: _is_drawn(screen), process, config)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
        log = (config / "log").read_text()
        assert "Traceback" not in log, log

    def test_second_window_has_its_own_cookie_and_the_last_one_ends_the_app(
        self, screen: Screen, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        config = tmp_path / "config"
        preferences = JsonFile(config / "preferences.json")
        preferences.write({"open.second": True})
        program = ("-c", _CLOSING_APP, str(config))
        with run_window(screen, portal_url, config, ui_dir, program) as process:
            assert process.wait(120) == 0, (config / "log").read_text()
        assert (config / "one-left").exists()
        assert preferences.read()["seen.second"] == ["desktop", "", False]
        assert "Traceback" not in (config / "log").read_text()

    def test_draws_the_sign_in_page_of_the_real_interface(
        self, screen: Screen, portal_url: str, tmp_path: Path
    ) -> None:
        """The background, the band, and the button have their places and colors."""
        assert (BUILT_UI / "index.html").is_file(), "the UI is not built: run `make ui`"
        config = tmp_path / "config"
        with run_window(screen, portal_url, config, BUILT_UI) as process:
            button, picture = wait_until(_build_button_finder(screen), process, config)
        width, height = picture.size
        left, top, right, bottom = button
        assert abs((left + right) - width) < 20, "the button is not in the middle"
        assert 150 < right - left < 500
        assert 24 < bottom - top < 60
        assert top > height / 3
        colors = measure_color_shares(picture)
        assert colors[_read_color("--ground")] > 0.3
        assert colors[_read_color("--selected-ground")] > 0.15
        assert colors[(255, 255, 255)] > 0.04, "there is no white card"

    def test_leaves_no_partial_file_when_the_app_is_killed(
        self, screen: Screen, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        config = tmp_path / "config"
        preferences = JsonFile(config / "preferences.json")
        with run_window(screen, portal_url, config, ui_dir) as process:
            wait_until(lambda: preferences.read().get("seen."), process, config)
            process.kill()
            process.wait()
        assert JsonFile(config / "preferences.json").read()["seen."]
        assert not list(config.glob("*.part"))
