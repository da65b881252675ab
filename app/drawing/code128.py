"""Code 128 with code set B only: one symbol per character, the same bars everywhere.

We do not use the denser code set C, because printers switch sets in different ways: the bars of an
image and of a printer would differ in width. Our codes of ten characters fit without it. Payloads
are ``[A-Z0-9-]`` (DECISIONS, Ordering): every scanner reads them, and no printer command consists
of these characters.
"""

import re

from app.basics.errors import PortalError

QUIET_MODULES = 10
"""Blank modules that the standard requires on either side."""

_PAYLOAD = re.compile(r"[A-Z0-9-]+")
_START_B, _STOP = 104, 106
_SYMBOL_MODULES, _STOP_MODULES = 11, 13
_CHECK_MODULUS = 103

# Widths of three bars and three spaces of each symbol from 0 to 105, and of the longer stop
# symbol (ISO/IEC 15417, table 1).
_TABLE = (
    "212222222122222221121223121322131222122213122312132212221213221312231212112232122132"
    "122231113222123122123221223211221132221231213212223112312131311222321122321221312212"
    "322112322211212123212321232121111323131123131321112313132113132311211313231113231311"
    "112133112331132131113123113321133121313121211331231131213113213311213131311123311321"
    "331121312113312311332111314111221411431111111224111422121124121421141122141221112214"
    "112412122114122411142112142211241211221114413111241112134111111242121142121241114212"
    "124112124211411212421112421211212141214121412121111143111341131141114113114311411113"
    "4113111131411141313111414111312114122112142112322331112"
)
_WIDTHS = (*(_TABLE[index : index + 6] for index in range(0, 636, 6)), _TABLE[636:])


class BarcodeImpossible(PortalError):
    """400: the code has characters that a barcode cannot encode, or is too long for the label."""

    status, code = 400, "barcode_impossible"


def require_payload(code: str) -> str:
    """Return ``code``, or raise :class:`BarcodeImpossible` unless it is ``[A-Z0-9-]``."""
    if not _PAYLOAD.fullmatch(code):
        raise BarcodeImpossible("A barcode carries only the letters A-Z, the digits and '-'")
    return code


def encode_bars(code: str) -> list[int]:
    """Return the widths of bars and spaces in modules, a bar first, without quiet zones."""
    # Code set B numbers the characters from the space.
    symbols = [_START_B, *(ord(character) - ord(" ") for character in require_payload(code))]
    check = symbols[0] + sum(index * symbol for index, symbol in enumerate(symbols))
    symbols += [check % _CHECK_MODULUS, _STOP]
    return [int(width) for symbol in symbols for width in _WIDTHS[symbol]]


def count_modules(code: str) -> int:
    """Return the width of the bars in modules, without quiet zones."""
    return _SYMBOL_MODULES * (len(code) + 2) + _STOP_MODULES  # with the start and check symbols
