"""Rich text that people typed: cleaned before it is kept, and turned into plain text for paper."""

import html
import re
from html.parser import HTMLParser

import nh3

from app.basics.text import clean, visible
from app.contract.choices import RICH_TEXT_TAGS

_CLEANER = nh3.Cleaner(
    tags=set(RICH_TEXT_TAGS),
    # What is inside these is no text for people: it goes with the tag.
    clean_content_tags={
        *("script", "style", "title", "template", "noscript", "textarea"),
        *("iframe", "object", "svg", "math", "select"),
    },
    attributes={"a": {"href"}, "ol": {"start"}},
    url_schemes={"http", "https", "mailto", "tel"},
    url_relative="deny",
    link_rel="noopener noreferrer nofollow",
)
_BLOCKS = frozenset(
    {"p", "blockquote", "pre", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"}
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_EMPTY_LINES = re.compile(r"\n{3,}")


def sanitised(text: str | None) -> str | None:
    """The text with the tags of a comment and nothing that could act: no scripts, handlers,
    styles, embedded things or addresses but of the web, mail and telephone.

    Text without tags stays text, its ``<``, ``>`` and ``&`` as entities. None when no words are
    left. Takes up to seconds for text that is made to be slow: call it in a thread.
    """
    cleaned = clean(text)
    if cleaned is None:
        return None
    safe = _CLEANER.clean(cleaned).strip()
    if (seen := visible(safe)) != safe:
        # Entities wrote what nobody sees. It is not put in normal form: that joins tags and marks.
        safe = _CLEANER.clean(seen).strip()
    return safe if plain_text(safe) else None


def plain_text(rich: str | None) -> str | None:
    """The words of sanitised rich text, for print: blocks on lines of their own, items of lists
    with a dash or a number. None when there are none.
    """
    if rich is None:
        return None
    if "<" not in rich:
        return clean(html.unescape(rich))
    reader = _Reader()
    reader.feed(rich)
    reader.close()
    lines = [line.strip(" ") for line in "".join(reader.written).split("\n")]
    return clean(_EMPTY_LINES.sub("\n\n", "\n".join(lines)))


class _Reader(HTMLParser):
    """Collects text; ``lists`` holds for each open list the next number, or None for a dash."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self.lists: list[int | None] = []
        self.verbatim = 0
        self.marked = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A block begins a line, an item also its mark."""
        if tag == "br":
            self.written.append("\n")
        elif tag == "hr":
            self._new_line()
        if tag not in _BLOCKS:
            return
        self.verbatim += tag == "pre"
        # A paragraph that an item begins with goes on beside the item's mark.
        if not self.marked:
            self._new_line()
        if tag in ("ul", "ol"):
            start = dict(attrs).get("start") or "1"
            number = int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1
            self.lists.append(number if tag == "ol" else None)
        elif tag == "li":
            self._mark()

    def handle_endtag(self, tag: str) -> None:
        """A block ends its line; a paragraph keeps a distance from the next."""
        if tag not in _BLOCKS:
            return
        self.verbatim -= tag == "pre"
        self.marked = False
        if tag in ("ul", "ol") and self.lists:
            self.lists.pop()
        self._new_line()

    def handle_data(self, data: str) -> None:
        """White space counts once, but for preformatted text."""
        text = data if self.verbatim else _SPACES.sub(" ", data)
        if text.strip(" ") or not self._at_line_start():
            self.written.append(text)
            self.marked = False

    def _mark(self) -> None:
        self.marked = True
        number = self.lists[-1] if self.lists else None
        if number is None:
            self.written.append("- ")
            return
        self.written.append(f"{number}. ")
        self.lists[-1] = number + 1

    def _at_line_start(self) -> bool:
        return not self.written or self.written[-1].endswith("\n")

    def _new_line(self) -> None:
        if not self._at_line_start():
            self.written.append("\n")
