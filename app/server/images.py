"""Signature images, which are validated by content and re-encoded as PNG."""

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

STORED_MAX_BYTES = 60_000
"""The limit of the PNG; signing a thousand requisitions at once stores a thousand copies."""

_MAX_PIXELS = 12_500_000
"""The limit of a decoded image, at up to four bytes each; a phone's photo has 12.2 million."""
# A form prints it 2.5 by 0.5 inches, a dialog shows it 360 pixels wide. Only photos need the
# smaller sizes.
_STORED_SIZES = ((900, 450), (600, 300), (300, 150))
_DECODED_SIZE = (900, 900)  # square, because the image may be rotated
_STORED_COLORS = 64
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
_RESIZABLE_MODES = ("L", "LA", "RGB", "RGBA", "CMYK")
"""Pixel modes that can be resized; others become RGBA first, in four times the memory."""


class _Limiter:
    """Admits one image at a time, and lets a few wait.

    Each waits inside a transaction, so many would keep others from writing.
    """

    _QUEUE_MAX = 4
    _RETRY_SECONDS = 2

    def __init__(self) -> None:
        self._semaphore = asyncio.Semaphore(1)
        self._count = 0

    @asynccontextmanager
    async def acquire_slot(self) -> AsyncIterator[None]:
        """Wait for a slot; raises Unavailable when too many already wait."""
        if self._count == self._QUEUE_MAX:
            seconds = str(self._RETRY_SECONDS)
            raise Unavailable(messages.SIGNATURES_BUSY, headers={"Retry-After": seconds})
        self._count += 1
        try:
            async with self._semaphore:
                yield
        finally:
            self._count -= 1


_limiter = _Limiter()


async def normalize_signature_image(text: str | None, field: str = "image") -> bytes:
    """Convert the image in a data URL or base64 text to a PNG of at most 900 by 450 and 60 KB.

    Raises:
        BadInput: no image ('No file found.').
        TooLarge: over 10 MB decoded ('Only 10 MB files allowed.'), or too many pixels.
        WrongKind: not an image of a known raster format ('Only images allowed.').
        Unavailable: too many images already wait.
    """
    if not text or not text.strip():
        raise _build_rejection(BadInput, messages.NO_FILE, field)
    async with _limiter.acquire_slot():
        return await asyncio.to_thread(_convert, text, field)


def _convert(text: str, field: str) -> bytes:
    payload = "".join((text.partition(",")[2] if text.startswith("data:") else text).split())
    # Reject it before decoding megabytes.
    if len(payload) // 4 * 3 > SIGNATURE_IMAGE_MAX_BYTES + 2:
        raise _build_rejection(TooLarge, messages.SIGNATURE_TOO_BIG, field)
    try:
        content = base64.b64decode(payload, validate=True)
        if len(content) > SIGNATURE_IMAGE_MAX_BYTES:
            raise _build_rejection(TooLarge, messages.SIGNATURE_TOO_BIG, field)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if "progressive" not in image.info:
                image.draft("RGB", _DECODED_SIZE)  # decodes a JPEG at reduced size
            if image.width * image.height > _MAX_PIXELS:
                raise _build_rejection(TooLarge, messages.SIGNATURE_TOO_MANY_PIXELS, field)
            if image.mode in _RESIZABLE_MODES and "transparency" not in image.info:
                image.thumbnail(_DECODED_SIZE)
            return _encode_png(_rotate_upright(image).convert("RGBA"))
    except (
        binascii.Error,
        UnidentifiedImageError,
        OSError,
        SyntaxError,
        ValueError,
        Image.DecompressionBombError,
    ) as error:
        raise _build_rejection(WrongKind, messages.IMAGE_ONLY, field) from error


def _rotate_upright(image: Image.Image) -> Image.Image:
    """Rotate an image as its EXIF orientation says, which phones set."""
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # invalid EXIF data: leave the image as it is
        return image


def _encode_png(image: Image.Image) -> bytes:
    for size in _STORED_SIZES:
        image.thumbnail(size)
        buffer = io.BytesIO()
        quantized = image.quantize(_STORED_COLORS, Image.Quantize.FASTOCTREE)
        quantized.save(buffer, "PNG", optimize=True)
        if buffer.tell() <= STORED_MAX_BYTES:
            break
    return buffer.getvalue()


def _build_rejection(kind: type[PortalError], message: str, field: str) -> PortalError:
    return kind.of(FieldError(field, message))


def format_data_url(png: bytes | None) -> str | None:
    """Format a PNG as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else None
