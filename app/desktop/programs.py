"""The environment of programs that the app starts: the user's, not the packaged app's."""

import os
import subprocess
import sys
import webbrowser
from urllib.parse import urlsplit

_LIBRARIES = "LD_LIBRARY_PATH"
_ORIGINAL = "LD_LIBRARY_PATH_ORIG"
_SCHEMES = ("http", "https", "mailto", "tel")


def build_environment() -> dict[str, str]:
    """Return the environment without what the package has set for itself.

    PyInstaller makes programs load the libraries of the app. With these, a viewer or a browser of
    the system does not start. PyInstaller stores the user's path in another variable.
    """
    environment = dict(os.environ)
    folder = getattr(sys, "_MEIPASS", None)
    if folder is None:
        return environment
    original = environment.pop(_ORIGINAL, None)
    environment.pop(_LIBRARIES, None)
    if original:
        environment[_LIBRARIES] = original
    return {name: value for name, value in environment.items() if not value.startswith(folder)}


class UserBrowser(webbrowser.BaseBrowser):
    """Opens links with the system's browser, in the user's environment.

    It ignores links to files and to other programs, and files that somebody drops on a window.
    """

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        try:
            is_known = urlsplit(url).scheme in _SCHEMES
        except ValueError:  # an IPv6 address without one of its brackets
            is_known = False
        if not is_known:
            return True  # after False, webbrowser would ask the system's other browsers
        try:
            subprocess.Popen(
                ["xdg-open", url],  # noqa: S607 - its folder depends on the system
                env=build_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return False
        return True


def open_links_in_user_environment() -> None:
    """Open links to other sites in the user's environment; needed on Linux only."""
    if sys.platform == "linux":
        webbrowser.register("lab-portal", None, UserBrowser(), preferred=True)
