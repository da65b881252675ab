"""Settings files: a person's, and one for the whole computer, which takes precedence.

A mistake raises an error that names its position: an app that ignored a setting might talk to a
portal that the file does not name.
"""

import difflib
import importlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog

from app.contract import messages
from app.desktop.errors import SettingsError

FILE_NAME = "desktop.json"
_POLICY = r"Software\Policies\Lab Portal"
# Windows' well-known identifiers of the system and of its administrators.
_TRUSTED_OWNERS = frozenset({"S-1-5-18", "S-1-5-32-544"})
_OWNER_SECURITY_INFORMATION = 0x1
_log = structlog.get_logger("portal.settings")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


def _is_portal_list(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict)
        and _is_text(item.get("url"))
        and set(item) <= {"url", "name"}
        and isinstance(item.get("name", ""), str)
        for item in value
    )


# For each setting: the check of a value, and a description of valid values.
_SETTINGS: dict[str, tuple[Callable[[object], bool], str]] = {
    "portalUrl": (_is_text, 'an address in quotation marks ("https://portal.example")'),
    "portals": (_is_portal_list, 'a list of portals ([{"url": "https://...", "name": "..."}])'),
    "proxy": (_is_text, 'an address in quotation marks, or "none"'),
    "certificateAuthority": (_is_text, "the path of a PEM file, in quotation marks"),
    "localPrinters": (_is_boolean, "true or false"),
    "namesInTitles": (_is_boolean, "true or false"),
}
_BOOLEANS = {name for name, (is_valid, _) in _SETTINGS.items() if is_valid is _is_boolean}


@dataclass(frozen=True)
class Source:
    """The settings of one source; ``name`` is what people call it."""

    name: str
    values: dict[str, object] = field(default_factory=dict)


def get_machine_dir() -> Path:
    """Return the folder of the settings for the whole computer."""
    if sys.platform == "win32":
        return Path(os.environ.get("PROGRAMDATA") or r"C:\ProgramData") / "Lab Portal"
    if sys.platform == "darwin":
        return Path("/Library/Application Support/lab-portal")
    return Path("/etc/lab-portal")


def read_machine_settings() -> list[Source]:
    """Read the settings for the whole computer, the source with the highest precedence first."""
    path = get_machine_dir() / FILE_NAME
    if sys.platform != "win32":
        return [read_file(path)]
    return [_read_policy(), read_owned_file(path, importlib.import_module("win32security"))]


def read_owned_file(path: Path, win32security: Any) -> Source:
    """Read a file of settings, but ignore one that no administrator of Windows owns.

    Anybody can create a folder in ProgramData, and so settings for everybody. The installer
    protects the folder; this check is for computers on which it has not run.
    """
    try:
        exists = path.exists()
    except OSError:
        exists = False  # ``read_file`` says why it cannot be read
    if exists and not _is_owned_by_administrators(path, win32security):
        _log.warning("machine_settings_ignored", reason="owner")
        return Source(str(path))
    return read_file(path)


def _is_owned_by_administrators(path: Path, win32security: Any) -> bool:
    try:
        descriptor = win32security.GetFileSecurity(str(path), _OWNER_SECURITY_INFORMATION)
        owner = win32security.ConvertSidToStringSid(descriptor.GetSecurityDescriptorOwner())
    except Exception:  # pywintypes.error: the owner is hidden from this person
        return False
    return owner in _TRUSTED_OWNERS


def read_file(path: Path) -> Source:
    """Read a file of settings, which may be absent, or raise ``SettingsError`` for a mistake."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Source(str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        message = messages.SETTINGS_FILE_UNREADABLE.format(file=path, reason=reason)
        raise SettingsError(message) from error
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise SettingsError(
            messages.SETTINGS_FILE_BROKEN.format(file=path, line=error.lineno, column=error.colno)
        ) from error
    except RecursionError:  # thousands of brackets
        content = None
    if not isinstance(content, dict):
        raise SettingsError(messages.SETTINGS_FILE_NO_OBJECT.format(file=path))
    validate_settings(str(path), content)
    return Source(str(path), content)


def validate_settings(file: str, content: dict[str, object]) -> None:
    """Raise ``SettingsError`` for a setting that does not exist, or has the wrong type."""
    for name, value in content.items():
        if name not in _SETTINGS:
            names = {key.lower(): key for key in _SETTINGS}
            similar_names = difflib.get_close_matches(name.lower(), names, 1)
            if similar_names:
                key = names[similar_names[0]]
                raise SettingsError(
                    messages.SETTING_UNKNOWN_LIKE.format(file=file, name=name, like=key)
                )
            raise SettingsError(messages.SETTING_UNKNOWN.format(file=file, name=name))
        is_valid, expected_value = _SETTINGS[name]
        if not is_valid(value):
            raise SettingsError(
                messages.SETTING_INVALID.format(file=file, name=name, expected=expected_value)
            )


def _read_policy() -> Source:  # pragma: no cover - exists on Windows only
    """Read the policies of Windows: a text or a number for each setting; lists are JSON texts."""
    name = rf"HKEY_LOCAL_MACHINE\{_POLICY}"
    values: dict[str, object] = {}
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415 - exists on Windows only

        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _POLICY) as key:
                for index in range(winreg.QueryInfoKey(key)[1]):
                    setting, value, _ = winreg.EnumValue(key, index)
                    values[setting] = parse_policy(setting, value)
        except FileNotFoundError:
            return Source(name)
        validate_settings(name, values)
    return Source(name, values)


def parse_policy(setting: str, value: object) -> object:
    """Convert a registry value to a setting; the registry has neither booleans nor lists."""
    if setting in _BOOLEANS and isinstance(value, int):
        return bool(value)
    if setting == "portals" and isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
