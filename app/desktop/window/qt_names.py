"""Qt's classes under the names of qtpy, which pywebview imports on Linux (ADR 85).

qtpy itself imports every class of Qt's modules, which takes 10 MB. PySide6 creates a class when it
is used.
"""

import sys
from types import ModuleType
from typing import Any


class _CombinedModule(ModuleType):
    """A module with the classes of several others."""

    def __init__(self, name: str, *parts: ModuleType) -> None:
        super().__init__(name)
        self._parts = parts

    def __getattr__(self, name: str) -> Any:
        for part in self._parts:
            if hasattr(part, name):
                return getattr(part, name)
        raise AttributeError(name)


def register_qt_names() -> None:
    """Let pywebview import PySide6's classes by the names of qtpy."""
    from PySide6 import (  # noqa: PLC0415 - the headless mode has no Qt
        QtCore,
        QtGui,
        QtNetwork,
        QtWebChannel,
        QtWebEngineCore,
        QtWebEngineWidgets,
        QtWidgets,
    )

    # qtpy has some classes of a second module in these two.
    widgets = _CombinedModule("qtpy.QtWidgets", QtWidgets, QtGui)
    web_widgets = _CombinedModule("qtpy.QtWebEngineWidgets", QtWebEngineWidgets, QtWebEngineCore)
    modules: dict[str, ModuleType] = {
        "QtCore": QtCore,
        "QtGui": QtGui,
        "QtNetwork": QtNetwork,
        "QtWebChannel": QtWebChannel,
        "QtWebEngineCore": QtWebEngineCore,
        "QtWebEngineWidgets": web_widgets,
        "QtWidgets": widgets,
    }
    package = ModuleType("qtpy")
    package.__dict__.update(modules, PYQT6=False, PYSIDE6=True)
    sys.modules["qtpy"] = package
    sys.modules.update({f"qtpy.{name}": module for name, module in modules.items()})
