"""Signature images: checked by content, re-encoded as PNG, never trusted as sent."""

import base64
import binascii
import io

from PIL import Image, UnidentifiedImageError

from app.basics.errors import BadInput, FieldError, TooLarge, WrongKind
from app.contract import messages
from app.contract.limits import SIGNATURE_IMAGE_MAX_BYTES

_MAX_PIXELS = 40_000_000
_KEPT_SIZE = (1200, 600)
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")


def png_of(text: str | None, field: str = "image") -> bytes:
    """The image in a data URL or base64 text, as a PNG no larger than 1200 by 600.

    Raises:
        BadInput: no image ('No file found.').
        TooLarge: over 10 MB decoded ('Only 10 MB files allowed.').
        WrongKind: not an image of a known raster kind ('Only images allowed.').
    """
    if not text or not text.strip():
        raise BadInput(messages.NO_FILE, errors=(FieldError(field, messages.NO_FILE),))
    payload = text.partition(",")[2] if text.startswith("data:") else text
    if len(payload) * 3 // 4 > SIGNATURE_IMAGE_MAX_BYTES + 2:
        raise TooLarge(
            messages.SIGNATURE_TOO_BIG, errors=(FieldError(field, messages.SIGNATURE_TOO_BIG),)
        )
    try:
        content = base64.b64decode(payload, validate=True)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if image.width * image.height > _MAX_PIXELS:
                raise TooLarge(
                    messages.SIGNATURE_TOO_BIG,
                    errors=(FieldError(field, messages.SIGNATURE_TOO_BIG),),
                )
            drawn = image.convert("RGBA")
            drawn.thumbnail(_KEPT_SIZE)
            out = io.BytesIO()
            drawn.save(out, "PNG", optimize=True)
    except (
        binascii.Error,
        UnidentifiedImageError,
        OSError,
        SyntaxError,
        ValueError,
        Image.DecompressionBombError,
    ) as error:
        raise WrongKind(
            messages.IMAGE_ONLY, errors=(FieldError(field, messages.IMAGE_ONLY),)
        ) from error
    return out.getvalue()


def data_url(png: bytes | None) -> str | None:
    """A PNG as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else None
