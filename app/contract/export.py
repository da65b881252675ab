"""Writes the vocabulary of the contract to ``shared/vocabulary`` as JSON.

TypeScript is generated from these files. They are committed, and ``make check`` fails when they
differ from the Python sources.
"""

import json
from enum import Enum
from pathlib import Path
from types import ModuleType

from app.contract import choices, enumerations, limits, messages, transitions


def _list_constants(module: ModuleType) -> dict[str, object]:
    return {name: value for name, value in vars(module).items() if name.isupper()}


def _build_enumerations() -> dict[str, object]:
    content: dict[str, object] = {}
    for name, item in vars(enumerations).items():
        if not (isinstance(item, type) and issubclass(item, Enum)):
            continue
        if item.__module__ != enumerations.__name__:
            continue
        enumeration: dict[str, object] = {"values": {member.name: member.value for member in item}}
        labels = enumerations.LABELS.get(item)
        if labels:
            enumeration["labels"] = {
                str(getattr(k, "value", k)): text for k, text in labels.items()
            }
        content[name] = enumeration
    content["NOT_ABNORMAL_FLAGS"] = {"values": sorted(enumerations.NOT_ABNORMAL_FLAGS)}
    content["CRITICAL_FLAGS"] = {"values": sorted(enumerations.CRITICAL_FLAGS)}
    return content


def _build_choices() -> dict[str, object]:
    return {
        name: [item._asdict() if isinstance(item, choices.Choice) else item for item in items]
        for name, items in _list_constants(choices).items()
        if isinstance(items, tuple)
    }


def _build_transitions() -> dict[str, object]:
    return {
        "requisition": {
            str(int(status)): sorted(targets)
            for status, targets in transitions.REQUISITION_TRANSITIONS.items()
        },
        "order": {
            str(int(status)): sorted(targets)
            for status, targets in transitions.ORDER_TRANSITIONS.items()
        },
    }


def build_vocabulary() -> dict[str, object]:
    """Build the content of each vocabulary file, by its name without suffix."""
    return {
        "messages": dict(sorted(_list_constants(messages).items())),
        "limits": _list_constants(limits),
        "enumerations": _build_enumerations(),
        "choices": _build_choices(),
        "transitions": _build_transitions(),
    }


def write_json(path: Path, content: object) -> None:
    """Write JSON in a stable format, so that a diff always means a different content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_vocabulary(shared: Path) -> None:
    """Write all vocabulary files to ``shared/vocabulary``."""
    for name, content in build_vocabulary().items():
        write_json(shared / "vocabulary" / f"{name}.json", content)
