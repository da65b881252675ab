"""A small client of the Internet Printing Protocol (RFC 8010 and 8011), as CUPS speaks it.

ADR 69 says why it is ours: known libraries bring a second HTTP client and cannot use CUPS's socket.
"""

import getpass
import itertools
import os
import struct
import sys
from dataclasses import dataclass
from enum import IntEnum

import httpx

Value = int | bool | str
Attributes = dict[str, list[Value]]

_VERSION = b"\x01\x01"
_END = 0x03
_OPERATION_GROUP, _JOB_GROUP = 0x01, 0x02
_BOOLEAN, _ENUM = 0x22, 0x23
_TEXT_WITH_LANGUAGE, _NAME_WITH_LANGUAGE = 0x35, 0x36
_FIRST_STRING_TAG = 0x40
_FIRST_VALUE_TAG = 0x10
_FIRST_ERROR_STATUS = 0x0100
_TIMEOUT_SECONDS = 10.0
_request_ids = itertools.count(1)


class Operation(IntEnum):
    """The operations that we use; those above 0x4000 are CUPS's own."""

    PRINT_JOB = 0x0002
    CANCEL_JOB = 0x0008
    GET_JOB_ATTRIBUTES = 0x0009
    GET_PRINTER_ATTRIBUTES = 0x000B
    GET_DEFAULT = 0x4001
    GET_PRINTERS = 0x4002


class Tag(IntEnum):
    """The types of the attributes that we send."""

    INTEGER = 0x21
    NAME = 0x42
    KEYWORD = 0x44
    URI = 0x45
    CHARSET = 0x47
    LANGUAGE = 0x48
    MEDIA_TYPE = 0x49


Field = tuple[Tag, str, str | tuple[str, ...]]
"""Type, name, and value or values of an attribute; an integer is written in digits."""


class IppUnavailable(Exception):
    """The print system does not answer, or not in IPP."""


class IppRefused(IppUnavailable):
    """No print system accepts the connection, so nothing was sent."""


class IppError(Exception):
    """The print system rejects the operation; ``status`` is IPP's."""

    def __init__(self, status: int) -> None:
        super().__init__(f"{status:#06x}")
        self.status = status


@dataclass(frozen=True)
class IppAnswer:
    """An answer's status and its groups of attributes, except the operation attributes."""

    status: int
    groups: tuple[Attributes, ...]


def encode_request(
    operation: Operation, fields: list[Field], job_fields: list[Field], document: bytes = b""
) -> bytes:
    """Encode a request; ``document`` is what to print."""
    parts = [_VERSION, struct.pack(">HIB", operation, next(_request_ids), _OPERATION_GROUP)]
    parts += [_encode_field(field) for field in fields]
    if job_fields:
        parts.append(bytes([_JOB_GROUP]))
        parts += [_encode_field(field) for field in job_fields]
    return b"".join((*parts, bytes([_END]), document))


def _encode_field(field: Field) -> bytes:
    """Encode an attribute; further values of the same attribute have an empty name."""
    tag, name, value = field
    encoded = b""
    for text in (value,) if isinstance(value, str) else value:
        content = struct.pack(">i", int(text)) if tag == Tag.INTEGER else text.encode()
        encoded += struct.pack(">BH", tag, len(name)) + name.encode()
        encoded += struct.pack(">H", len(content)) + content
        name = ""
    return encoded


def decode_answer(data: bytes) -> IppAnswer:
    """Decode an answer, or raise IppUnavailable if it is not IPP."""
    try:
        return _decode_attributes(data)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise IppUnavailable from error


def _decode_attributes(data: bytes) -> IppAnswer:
    (status,) = struct.unpack_from(">H", data, 2)
    offset = 8  # after the version, the status, and the id of the request
    groups: list[Attributes] = []
    values: list[Value] = []
    while data[offset] != _END:
        tag = data[offset]
        if tag < _FIRST_VALUE_TAG:
            groups.append({})
            offset += 1
            continue
        (length,) = struct.unpack_from(">H", data, offset + 1)
        name = data[offset + 3 : offset + 3 + length].decode()
        offset += 3 + length
        (length,) = struct.unpack_from(">H", data, offset)
        content = data[offset + 2 : offset + 2 + length]
        offset += 2 + length
        if name:
            values = groups[-1].setdefault(name, [])
        values.append(_decode_value(tag, content))
    return IppAnswer(status, tuple(groups[1:]))


def _decode_value(tag: int, content: bytes) -> Value:
    if tag in (Tag.INTEGER, _ENUM):
        return int.from_bytes(content, "big", signed=True)
    if tag == _BOOLEAN:
        return content != b"\0"
    if tag in (_TEXT_WITH_LANGUAGE, _NAME_WITH_LANGUAGE):
        (language_length,) = struct.unpack_from(">H", content)
        return content[4 + language_length :].decode("utf-8", "replace")
    return content.decode("utf-8", "replace") if tag >= _FIRST_STRING_TAG else ""


def find_server() -> str:
    """Return where CUPS listens: a socket's path, or host and port (``CUPS_SERVER``)."""
    server = os.environ.get("CUPS_SERVER")
    if server:
        return server
    return "/private/var/run/cupsd" if sys.platform == "darwin" else "/run/cups/cups.sock"


class IppClient:
    """Calls CUPS; ``server`` is the path of its socket, or host and port."""

    def __init__(self, server: str | None = None) -> None:
        self._server = server or find_server()

    async def call(
        self,
        operation: Operation,
        resource: str,
        fields: list[Field],
        *,
        job_fields: list[Field] | None = None,
        document: bytes = b"",
    ) -> IppAnswer:
        """Return the answer to one operation on a resource ("/printers/Zebra").

        Raises IppUnavailable if there is no answer (IppRefused if nothing was sent), and IppError
        for a rejection.
        """
        head: list[Field] = [
            (Tag.CHARSET, "attributes-charset", "utf-8"),
            (Tag.LANGUAGE, "attributes-natural-language", "en"),
        ]
        if resource != "/":
            head.append((Tag.URI, "printer-uri", f"ipp://localhost{resource}"))
        head.append((Tag.NAME, "requesting-user-name", getpass.getuser()))
        body = encode_request(operation, head + fields, job_fields or [], document)
        answer = decode_answer(await self._post(resource, body))
        if answer.status >= _FIRST_ERROR_STATUS:
            raise IppError(answer.status)
        return answer

    async def _post(self, resource: str, body: bytes) -> bytes:
        is_socket = self._server.startswith("/")
        transport = httpx.AsyncHTTPTransport(uds=self._server if is_socket else None, verify=False)
        host = "localhost" if is_socket else self._server
        if ":" not in host and not is_socket:
            host += ":631"
        try:
            async with httpx.AsyncClient(transport=transport, timeout=_TIMEOUT_SECONDS) as http:
                answer = await http.post(
                    f"http://{host}{resource}",
                    content=body,
                    headers={"Content-Type": "application/ipp", "Host": "localhost"},
                )
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise IppRefused from error
        except (httpx.HTTPError, OSError) as error:
            raise IppUnavailable from error
        if answer.status_code != httpx.codes.OK:
            raise IppUnavailable
        return answer.content
