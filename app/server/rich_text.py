"""Rich text: sanitized before it is stored, and converted to plain text for print."""

import html
import re
from html.parser import HTMLParser

import nh3

from app.basics.text import clean_text, remove_invisible
from app.contract.choices import RICH_TEXT_FONT_SIZES_PT, RICH_TEXT_TAGS
from app.server.drawing_pool import DrawingPool

_CLEANER = nh3.Cleaner(
    tags=set(RICH_TEXT_TAGS),
    # The content of these tags is removed with them.
    clean_content_tags={
        "script",
        "style",
        "title",
        "template",
        "noscript",
        "textarea",
        "iframe",
        "object",
        "svg",
        "math",
        "select",
    },
    attributes={"a": {"href"}, "ol": {"start"}},
    tag_attribute_values={
        "span": {"style": {f"font-size: {size}pt" for size in RICH_TEXT_FONT_SIZES_PT}}
    },
    url_schemes={"http", "https", "mailto", "tel"},
    url_relative="deny",
    link_rel="noopener noreferrer nofollow",
)
_BLOCKS = frozenset(
    {"p", "blockquote", "pre", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"}
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_EMPTY_LINES = re.compile(r"\n{3,}")


_SHORT_CHARACTERS = 2_000


async def sanitize_in_turn(drawing_pool: DrawingPool, person: str, text: str | None) -> str | None:
    """Sanitize rich text; long text in a drawing process, for which people take turns.

    Call it before the first statement of a transaction. Raises TooManyTries.
    """
    if len(text or "") <= _SHORT_CHARACTERS:
        return sanitize_html(text)
    async with drawing_pool.open_function(person, sanitize_html) as sanitize_there:
        return await sanitize_there(text)


def sanitize_html(text: str | None) -> str | None:
    """Reduce rich text to the tags of a comment; None when no words are left.

    Removes scripts, handlers, styles, embedded content and links other than web, mail and phone.
    In text without tags, ``<``, ``>`` and ``&`` become entities. Crafted text can take seconds.
    """
    clean_html = clean_text(text)
    if clean_html is None:
        return None
    safe_html = _CLEANER.clean(clean_html).strip()
    if (visible_text := remove_invisible(safe_html)) != safe_html:
        # Entities had hidden invisible characters, which are removed now. The text is not composed
        # again, as ``clean_text`` would do: that could join a combining mark with a tag.
        safe_html = _CLEANER.clean(visible_text).strip()
    return safe_html if to_plain_text(safe_html) else None


def to_plain_text(rich: str | None) -> str | None:
    """Convert sanitized rich text to plain text for print; None if it has no words.

    Each block has its own line, and items of lists begin with a dash or a number.
    """
    if rich is None:
        return None
    if "<" not in rich:
        return clean_text(html.unescape(rich))
    reader = _Reader()
    reader.feed(rich)
    reader.close()
    lines = [line.strip(" ") for line in "".join(reader.parts).split("\n")]
    return clean_text(_EMPTY_LINES.sub("\n\n", "\n".join(lines)))


class _Reader(HTMLParser):
    """Collects text; ``lists`` has the next number of each open list, or None for a dash."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.lists: list[int | None] = []
        self.pre_depth = 0
        self.is_after_mark = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line for a block, and add the mark of an item."""
        if tag == "br":
            self.parts.append("\n")
        elif tag == "hr":
            self._start_line()
        if tag not in _BLOCKS:
            return
        self.pre_depth += tag == "pre"
        # The first paragraph of an item continues on the line of the item's mark.
        if not self.is_after_mark:
            self._start_line()
        if tag in ("ul", "ol"):
            start = dict(attrs).get("start") or "1"
            number = int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1
            self.lists.append(number if tag == "ol" else None)
        elif tag == "li":
            self._add_mark()

    def handle_endtag(self, tag: str) -> None:
        """End the line of a block."""
        if tag not in _BLOCKS:
            return
        self.pre_depth -= tag == "pre"
        self.is_after_mark = False
        if tag in ("ul", "ol") and self.lists:
            self.lists.pop()
        self._start_line()

    def handle_data(self, data: str) -> None:
        """Collapse white space, except in preformatted text."""
        text = data if self.pre_depth else _SPACES.sub(" ", data)
        if text.strip(" ") or not self._is_at_line_start():
            self.parts.append(text)
            self.is_after_mark = False

    def _add_mark(self) -> None:
        self.is_after_mark = True
        number = self.lists[-1] if self.lists else None
        if number is None:
            self.parts.append("- ")
            return
        self.parts.append(f"{number}. ")
        self.lists[-1] = number + 1

    def _is_at_line_start(self) -> bool:
        return not self.parts or self.parts[-1].endswith("\n")

    def _start_line(self) -> None:
        if not self._is_at_line_start():
            self.parts.append("\n")
