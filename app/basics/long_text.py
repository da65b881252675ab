"""A text of megabytes that stays in a file, so that no single step copies all of it.

A step that copies megabytes holds the interpreter's lock, and everybody else waits.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Annotated, Any

from pydantic import GetCoreSchemaHandler, GetPydanticSchema
from pydantic_core import core_schema


@dataclass(frozen=True)
class LongText:
    """A part of an open file: ``length`` bytes that begin at ``start``."""

    file: IO[bytes]
    start: int
    length: int

    def read_pieces(self, size: int) -> Iterator[bytes]:
        """Yield the text in pieces of ``size`` bytes; the last one is shorter."""
        self.file.seek(self.start)
        for position in range(0, self.length, size):
            yield self.file.read(min(size, self.length - position))

    def read_start(self, size: int) -> bytes:
        """Return the first bytes."""
        return next(self.read_pieces(size), b"")

    def skip(self, count: int) -> "LongText":
        """Return the text without its first bytes."""
        return replace(self, start=self.start + count, length=self.length - count)


def _accept_long_text(_source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    def accept(value: Any, validate: core_schema.ValidatorFunctionWrapHandler) -> Any:
        return value if isinstance(value, LongText) else validate(value)

    return core_schema.no_info_wrap_validator_function(accept, handler(str))


LongString = Annotated[str | LongText, GetPydanticSchema(_accept_long_text)]
"""A field of a body: a string on the wire, which may arrive as ``LongText``."""
