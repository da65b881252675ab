"""Code 128, code set B only: one symbol per character, the same bars on every printer and page.

Leaving out the denser code set C is on purpose. Printers switch sets each in their own way, so a
picture and a printer's own bars would differ in width; our codes of ten characters fit without.
Payloads are ``[A-Z0-9-]`` (DECISIONS, Ordering): any scanner reads them and none of them is a
command to a printer.
"""

import re

from app.basics.errors import PortalError

QUIET_MODULES = 10
"""Blank modules that the standard asks for on either side."""

_PAYLOAD = re.compile(r"[A-Z0-9-]+")
_START_B, _STOP = 104, 106

# The widths of bar, space, bar, space, bar, space of symbols 0 to 106 (ISO/IEC 15417, table 1).
_WIDTHS = (
    "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 "
    "112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 "
    "311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 "
    "112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 "
    "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 "
    "314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 "
    "122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 "
    "124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 "
    "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112"
).split()


class BarcodeImpossible(PortalError):
    """400: a code that no barcode can carry, or that is too long for the stock."""

    status, code = 400, "barcode_impossible"


def require_payload(code: str) -> str:
    """``code`` unchanged; raises :class:`BarcodeImpossible` unless it is ``[A-Z0-9-]``."""
    if not _PAYLOAD.fullmatch(code):
        raise BarcodeImpossible("A barcode carries only the letters A-Z, the digits and '-'")
    return code


def bar_widths(code: str) -> list[int]:
    """Alternating widths of bars and spaces in modules, a bar first, without quiet zones."""
    symbols = [_START_B, *(ord(character) - 32 for character in require_payload(code))]
    check = symbols[0] + sum(place * symbol for place, symbol in enumerate(symbols))
    symbols += [check % 103, _STOP]
    return [int(width) for symbol in symbols for width in _WIDTHS[symbol]]


def module_count(code: str) -> int:
    """How many modules wide the bars of ``code`` are, without quiet zones."""
    return 11 * (len(code) + 2) + 13
