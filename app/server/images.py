"""Signature images: checked by content, re-encoded as PNG, never trusted as sent."""

import asyncio
import base64
import binascii
import io

from PIL import Image, UnidentifiedImageError

from app.basics.errors import BadInput, FieldError, PortalError, TooLarge, WrongKind
from app.contract import messages
from app.contract.limits import SIGNATURE_IMAGE_MAX_BYTES

KEPT_MAX_BYTES = 60_000
"""Of the PNG: each of a thousand requisitions signed at once keeps one."""

_MAX_PIXELS = 40_000_000
# A form prints it 2.5 by 0.5 inches, a dialog shows it 360 pixels wide. Few need the smaller ones:
# a photograph instead of a stroke.
_KEPT_SIZES = ((900, 450), (600, 300), (300, 150))
_KEPT_COLOURS = 64
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
_SHRUNK_AS_THEY_ARE = ("L", "LA", "RGB", "RGBA", "CMYK")
"""Kinds of pixels that can be mixed; others become RGBA first, in four times the memory."""
# 40 million pixels are up to 160 MB while they are looked at.
_turns = asyncio.Semaphore(1)


async def png_of(text: str | None, field: str = "image") -> bytes:
    """The image in a data URL or base64 text, as a PNG of at most 900 by 450 and 60 KB.

    Raises:
        BadInput: no image ('No file found.').
        TooLarge: over 10 MB decoded, or 40 million pixels ('Only 10 MB files allowed.').
        WrongKind: not an image of a known raster kind ('Only images allowed.').
    """
    if not text or not text.strip():
        raise _refused(BadInput, messages.NO_FILE, field)
    async with _turns:
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
            if image.width * image.height > _MAX_PIXELS:
                raise _refused(TooLarge, messages.SIGNATURE_TOO_BIG, field)
            image.draft("RGB", _KEPT_SIZES[0])  # a large JPEG is only read as finely as needed
            if image.mode in _SHRUNK_AS_THEY_ARE and "transparency" not in image.info:
                image.thumbnail(_KEPT_SIZES[0])
            return _small(image.convert("RGBA"))
    except (
        binascii.Error,
        UnidentifiedImageError,
        OSError,
        SyntaxError,
        ValueError,
        Image.DecompressionBombError,
    ) as error:
        raise _refused(WrongKind, messages.IMAGE_ONLY, field) from error


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
    return kind(message, errors=(FieldError(field, message),))


def data_url(png: bytes | None) -> str | None:
    """A PNG as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else None
