"""Signature images and logos, which are validated by content and re-encoded as PNG."""

import asyncio
import base64
import io

from PIL import Image, ImageOps, UnidentifiedImageError

from app.basics.base64_text import decode_base64, strip_data_url
from app.basics.errors import BadInput, FieldError, PortalError, TooLarge, WrongKind
from app.basics.long_text import LongText
from app.contract import messages
from app.contract.limits import LOGO_MAX_BYTES, SIGNATURE_IMAGE_MAX_BYTES
from app.server.drawing_pool import DrawingPool
from app.server.fair_queue import FairQueue

STORED_MAX_BYTES = 60_000
"""The limit of the PNG; signing a thousand requisitions at once stores a thousand copies."""

_MAX_PIXELS = 12_500_000
"""A decoded pixel takes up to four bytes; a phone's photo has 12.2 million pixels."""
# A form prints a signature 2.5 by 0.5 inches, and a dialog shows it 360 pixels wide. Only photos
# need the smaller sizes.
_STORED_SIZES = ((900, 450), (600, 300), (300, 150))
_DECODED_SIZE = (900, 900)  # square, because the image may be rotated
_STORED_COLORS = 64
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
_RESIZABLE_MODES = ("L", "LA", "RGB", "RGBA", "CMYK")
"""Pixel modes that can be resized; others become RGBA first, in four times the memory."""


_QUEUE = FairQueue(slots=1)


async def normalize_signature_image(
    text: str | LongText | None, person: str, field: str = "image"
) -> bytes:
    """Convert the image in a data URL or base64 text to a PNG of at most 900 by 450 and 60 KB.

    Call it before the first statement of a transaction, because people take turns.

    Raises:
        BadInput: no image ('No file found.').
        TooLarge: over 10 MB decoded ('Only 10 MB files allowed.'), or too many pixels.
        WrongKind: not an image of a known raster format ('Only images allowed.').
        TooManyTries: the person already has several images in progress.
    """
    if not text or (isinstance(text, str) and not text.strip()):
        raise _build_rejection(BadInput, messages.NO_FILE, field)
    async with _QUEUE.join(person):
        return await asyncio.to_thread(_convert_image, text, field)


async def normalize_logo(drawing_pool: DrawingPool, person: str, text: str) -> bytes:
    """Convert the picture in a data URL or base64 text to a PNG, in a drawing process.

    Call it before the transaction. Raises TooLarge, WrongKind and TooManyTries.
    """
    async with drawing_pool.open_function(person, convert_logo) as convert:
        answer = await convert(text)
    if isinstance(answer, bytes):
        return answer
    kind = WrongKind if answer == messages.IMAGE_ONLY else TooLarge
    raise _build_rejection(kind, answer, "logo")


def convert_logo(text: str) -> bytes | str:
    """Convert a logo to PNG, or return the message of its rejection.

    The message is returned, because a drawing process would log an exception as a fault.
    """
    try:
        return _convert_image(text, "logo", LOGO_MAX_BYTES, messages.LOGO_TOO_BIG)
    except PortalError as error:
        return error.errors[0].message


def _convert_image(
    text: str | LongText,
    field: str,
    max_bytes: int = SIGNATURE_IMAGE_MAX_BYTES,
    too_big_message: str = messages.SIGNATURE_TOO_BIG,
) -> bytes:
    try:
        content = decode_base64(strip_data_url(text), max_bytes)
        if content is None:
            raise _build_rejection(TooLarge, too_big_message, field)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if "progressive" not in image.info:
                image.draft("RGB", _DECODED_SIZE)  # decodes a JPEG at reduced size
            if image.width * image.height > _MAX_PIXELS:
                raise _build_rejection(TooLarge, messages.SIGNATURE_TOO_MANY_PIXELS, field)
            if image.mode in _RESIZABLE_MODES and "transparency" not in image.info:
                image.thumbnail(_DECODED_SIZE)
            return _encode_png(_rotate_upright(image).convert("RGBA"))
    except Image.DecompressionBombError as error:
        raise _build_rejection(TooLarge, messages.SIGNATURE_TOO_MANY_PIXELS, field) from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
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
        palette_image = image.quantize(_STORED_COLORS, Image.Quantize.FASTOCTREE)
        palette_image.save(buffer, "PNG", optimize=True)
        if buffer.tell() <= STORED_MAX_BYTES:
            break
    return buffer.getvalue()


def _build_rejection(kind: type[PortalError], message: str, field: str) -> PortalError:
    return kind.of(FieldError(field, message))


def format_data_url(png: bytes | None) -> str | None:
    """Format a PNG as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else None
