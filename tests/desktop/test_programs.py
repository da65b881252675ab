"""Programs that the app starts, and libraries that its window needs."""

import sys
import webbrowser

import pytest

from app.desktop.errors import SettingsError
from app.desktop.programs import build_environment, open_links_in_user_environment
from app.desktop.window import libraries
from app.desktop.window.libraries import require_libraries


class TestEnvironment:
    def test_packaged_app_passes_the_users_environment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "_MEIPASS", "/opt/lab-portal/_internal", raising=False)
        monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lab-portal/_internal")
        monkeypatch.setenv("QT_PLUGIN_PATH", "/opt/lab-portal/_internal/plugins")
        monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
        environment = build_environment()
        assert "LD_LIBRARY_PATH" not in environment
        assert "QT_PLUGIN_PATH" not in environment
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/home/ada/lib")
        environment = build_environment()
        assert environment["LD_LIBRARY_PATH"] == "/home/ada/lib"
        assert "LD_LIBRARY_PATH_ORIG" not in environment

    def test_source_tree_passes_the_environment_unchanged(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LD_LIBRARY_PATH", "/home/ada/lib")
        assert build_environment()["LD_LIBRARY_PATH"] == "/home/ada/lib"


class TestLinks:
    @pytest.mark.parametrize("url", ["http://[", "file:///etc/passwd", "javascript:alert(1)", ""])
    def test_opens_links_of_other_kinds_with_no_browser_at_all(
        self, monkeypatch: pytest.MonkeyPatch, url: str
    ) -> None:
        opened: list[str] = []

        class OtherBrowser(webbrowser.BaseBrowser):
            def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
                opened.append(url)
                return True

        monkeypatch.setattr(webbrowser, "_browsers", {})
        monkeypatch.setattr(webbrowser, "_tryorder", [])
        webbrowser.register("other", None, OtherBrowser())
        open_links_in_user_environment()
        webbrowser.open(url, 2)
        assert opened == []


class TestLibraries:
    def test_names_every_missing_library_and_its_package(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        missing_libraries = {"libxcb-cursor.so.0", "libnss3.so"}

        def load(name: str) -> None:
            if name in missing_libraries or name.endswith("libqxcb.so"):
                name = "libxcb-cursor.so.0" if name.endswith("libqxcb.so") else name
                raise OSError(f"{name}: cannot open shared object file: No such file or directory")

        monkeypatch.setenv("DISPLAY", ":9")
        monkeypatch.setattr(libraries, "load_library", load)
        with pytest.raises(SettingsError) as raised:
            require_libraries()
        assert "lacks: libxcb-cursor.so.0, libnss3.so." in str(raised.value)
        assert "apt-get install libxcb-cursor0 libnss3" in str(raised.value)

    def test_reports_nothing_if_no_library_is_missing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DISPLAY", ":9")
        monkeypatch.setattr(libraries, "load_library", lambda _: None)
        require_libraries()
