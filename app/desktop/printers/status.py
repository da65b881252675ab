"""The state that a printer reports, and why it does not print."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app.contract import messages

Problem = Literal[
    "paper-out",
    "ribbon-out",
    "head-open",
    "paused",
    "jam",
    "offline",
    "queue-stopped",
    "queue-closed",
    "too-hot",
    "too-cold",
    "error",
]

_WORDS: dict[Problem, str] = {
    "paper-out": messages.PRINTER_PAPER_OUT,
    "ribbon-out": messages.PRINTER_RIBBON_OUT,
    "head-open": messages.PRINTER_HEAD_OPEN,
    "paused": messages.PRINTER_PAUSED,
    "jam": messages.PRINTER_JAM,
    "offline": messages.PRINTER_OFFLINE,
    "queue-stopped": messages.PRINTER_QUEUE_STOPPED,
    "queue-closed": messages.PRINTER_QUEUE_CLOSED,
    "too-hot": messages.PRINTER_TOO_HOT,
    "too-cold": messages.PRINTER_TOO_COLD,
    "error": messages.PRINTER_ERROR,
}


@dataclass(frozen=True)
class PrinterStatus:
    """The state of a printer.

    Attributes:
        waiting: the number of labels that are in it and not printed yet.
        is_known: False for a printer that does not report its state.
    """

    is_known: bool = True
    problems: tuple[Problem, ...] = ()
    waiting: int = 0


UNKNOWN_STATUS = PrinterStatus(is_known=False)


def describe_problems(problems: Iterable[Problem]) -> str:
    """Return the problems in words: 'out of labels, paused'."""
    return ", ".join(_WORDS[problem] for problem in problems)
