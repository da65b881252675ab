"""Identicons: a picture for each account, made of the hash of its e-mail (P 3)."""

import hashlib
from itertools import product

DIGEST_DIGITS = 32
_CELLS = 5
_HALF = (_CELLS + 1) // 2
_SIZE = 8
_MARGIN = 4
_SIDE = _CELLS * _SIZE + 2 * _MARGIN


def hash_email(email: str) -> str:
    """Return the digest that names the identicon of an e-mail address."""
    return hashlib.sha256(email.encode()).hexdigest()[:DIGEST_DIGITS]


def draw_identicon(digest: str) -> str:
    """Draw the identicon of a hexadecimal digest as SVG: mirrored cells in one color."""
    values = bytes.fromhex(digest)
    hue = int.from_bytes(values[:2], "big") % 360
    # A row has _HALF values; the columns right of the middle mirror those on the left.
    cells = "".join(
        f"M{_MARGIN + column * _SIZE} {_MARGIN + row * _SIZE}h{_SIZE}v{_SIZE}h-{_SIZE}z"
        for row, column in product(range(_CELLS), repeat=2)
        if values[row * _HALF + min(column, _CELLS - 1 - column)] % 2
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIDE} {_SIDE}">'
        f'<path fill="#fff" d="M0 0h{_SIDE}v{_SIDE}H0z"/>'
        f'<path fill="hsl({hue} 45% 40%)" d="{cells}"/></svg>'
    )
