"""The paths that the relay passes on to the portal."""

import re

PREFIXES = ("/api/", "/auth/", "/voice/", "/analyzer/", "/avatars/")
"""The path prefixes of the portal's services, and of avatars."""

_DOT_SEGMENT = re.compile(rb"(?:^|/)(?:\.|%2e){1,2}(?:[/;?]|$)", re.IGNORECASE)
_ENCODED_SLASH = re.compile(rb"%2f|%5c|\\", re.IGNORECASE)


def is_plain_path(raw: bytes) -> bool:
    """Whether every server interprets a raw request path in the same way.

    Dot segments and encoded slashes could turn an allowed prefix into another path.
    """
    return (
        raw.startswith(b"/")
        and b"//" not in raw
        and not _DOT_SEGMENT.search(raw)
        and not _ENCODED_SLASH.search(raw)
    )
