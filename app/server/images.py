"""Signature images: checked by content, re-encoded as PNG, never trusted as sent."""

import asyncio
import base64
import binascii
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from PIL import Image, ImageOps, UnidentifiedImageError

from app.basics.errors import (
    BadInput,
    FieldError,
    PortalError,
    TooLarge,
    Unavailable,
    WrongKind,
)
from app.contract import messages
from app.contract.limits import SIGNATURE_IMAGE_MAX_BYTES

KEPT_MAX_BYTES = 60_000
"""Of the PNG: each of a thousand requisitions signed at once keeps one."""

_MAX_PIXELS = 12_500_000
"""Of which up to four bytes each are in memory; a phone's photograph has 12.2 million."""
# A form prints it 2.5 by 0.5 inches, a dialog shows it 360 pixels wide. Few need the smaller ones:
# a photograph instead of a stroke.
_KEPT_SIZES = ((900, 450), (600, 300), (300, 150))
_READ_SIZE = (900, 900)  # it may lie on its side
_KEPT_COLOURS = 64
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
_SHRUNK_AS_THEY_ARE = ("L", "LA", "RGB", "RGBA", "CMYK")
"""Kinds of pixels that can be mixed; others become RGBA first, in four times the memory."""


class _Turns:
    """One picture at a time, and few that wait: each of them waits in a transaction, and all
    together must not keep others from writing."""

    _MOST = 4
    _TRY_AGAIN_SECONDS = 2

    def __init__(self) -> None:
        self._one = asyncio.Semaphore(1)
        self._there = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for it; refused when too many wait already."""
        if self._there == self._MOST:
            seconds = str(self._TRY_AGAIN_SECONDS)
            raise Unavailable(messages.SIGNATURES_BUSY, headers={"Retry-After": seconds})
        self._there += 1
        try:
            async with self._one:
                yield
        finally:
            self._there -= 1


_turns = _Turns()


async def png_of(text: str | None, field: str = "image") -> bytes:
    """The image in a data URL or base64 text, as a PNG of at most 900 by 450 and 60 KB.

    Raises:
        BadInput: no image ('No file found.').
        TooLarge: over 10 MB decoded ('Only 10 MB files allowed.'), or of too many pixels.
        WrongKind: not an image of a known raster kind ('Only images allowed.').
        Unavailable: too many pictures are waiting already.
    """
    if not text or not text.strip():
        raise _refused(BadInput, messages.NO_FILE, field)
    async with _turns.turn():
        return await asyncio.to_thread(_png_of, text, field)


def _png_of(text: str, field: str) -> bytes:
    payload = "".join((text.partition(",")[2] if text.startswith("data:") else text).split())
    # Said before megabytes are decoded.
    if len(payload) // 4 * 3 > SIGNATURE_IMAGE_MAX_BYTES + 2:
        raise _refused(TooLarge, messages.SIGNATURE_TOO_BIG, field)
    try:
        content = base64.b64decode(payload, validate=True)
        if len(content) > SIGNATURE_IMAGE_MAX_BYTES:
            raise _refused(TooLarge, messages.SIGNATURE_TOO_BIG, field)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if "progressive" not in image.info:
                image.draft("RGB", _READ_SIZE)  # a JPEG is only read as finely as needed
            if image.width * image.height > _MAX_PIXELS:
                raise _refused(TooLarge, messages.SIGNATURE_TOO_MANY_PIXELS, field)
            if image.mode in _SHRUNK_AS_THEY_ARE and "transparency" not in image.info:
                image.thumbnail(_READ_SIZE)
            return _small(_upright(image).convert("RGBA"))
    except (
        binascii.Error,
        UnidentifiedImageError,
        OSError,
        SyntaxError,
        ValueError,
        Image.DecompressionBombError,
    ) as error:
        raise _refused(WrongKind, messages.IMAGE_ONLY, field) from error


def _upright(image: Image.Image) -> Image.Image:
    """As the camera was held: a phone's photograph may lie on its side, and then says so."""
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # what it says can not be read: it is taken as it lies
        return image


def _small(image: Image.Image) -> bytes:
    for size in _KEPT_SIZES:
        image.thumbnail(size)
        out = io.BytesIO()
        drawn = image.quantize(_KEPT_COLOURS, Image.Quantize.FASTOCTREE)
        drawn.save(out, "PNG", optimize=True)
        if out.tell() <= KEPT_MAX_BYTES:
            break
    return out.getvalue()


def _refused(kind: type[PortalError], message: str, field: str) -> PortalError:
    return kind.of(FieldError(field, message))


def data_url(png: bytes | None) -> str | None:
    """A PNG as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else None
