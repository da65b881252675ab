"""Writes the vocabulary of the contract to ``shared/vocabulary`` as JSON.

One direction only: Python -> ``shared/`` -> TypeScript. The files are committed; ``make check``
writes them anew and fails on a difference.
"""

import json
from enum import Enum
from pathlib import Path
from types import ModuleType

from app.contract import choices, enumerations, limits, messages, transitions


def _constants(module: ModuleType) -> dict[str, object]:
    return {name: value for name, value in vars(module).items() if name.isupper()}


def _enumerations() -> dict[str, object]:
    found: dict[str, object] = {}
    for name, item in vars(enumerations).items():
        if not (isinstance(item, type) and issubclass(item, Enum)):
            continue
        if item.__module__ != enumerations.__name__:
            continue
        entry: dict[str, object] = {"values": {member.name: member.value for member in item}}
        labels = enumerations.LABELS.get(item)
        if labels:
            entry["labels"] = {str(getattr(k, "value", k)): text for k, text in labels.items()}
        found[name] = entry
    found["NOT_ABNORMAL_FLAGS"] = {"values": sorted(enumerations.NOT_ABNORMAL_FLAGS)}
    found["CRITICAL_FLAGS"] = {"values": sorted(enumerations.CRITICAL_FLAGS)}
    return found


def _choices() -> dict[str, object]:
    return {
        name: [item._asdict() if isinstance(item, choices.Choice) else item for item in items]
        for name, items in _constants(choices).items()
        if isinstance(items, tuple)
    }


def _transitions() -> dict[str, object]:
    return {
        "requisition": {
            str(int(a)): sorted(b) for a, b in transitions.REQUISITION_TRANSITIONS.items()
        },
        "order": {str(int(a)): sorted(b) for a, b in transitions.ORDER_TRANSITIONS.items()},
    }


def vocabulary() -> dict[str, object]:
    """File name without ending -> content."""
    return {
        "messages": dict(sorted(_constants(messages).items())),
        "limits": _constants(limits),
        "enumerations": _enumerations(),
        "choices": _choices(),
        "transitions": _transitions(),
    }


def write_json(path: Path, content: object) -> None:
    """One stable rendering, so that a difference in git is a difference in meaning."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_vocabulary(shared: Path) -> None:
    """Write every vocabulary file below ``shared/vocabulary``."""
    for name, content in vocabulary().items():
        write_json(shared / "vocabulary" / f"{name}.json", content)
