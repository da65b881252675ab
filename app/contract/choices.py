"""Closed lists of choices, with the codes that are stored (O 3, DECISIONS)."""

from typing import NamedTuple


class Choice(NamedTuple):
    """A code and its label."""

    id: str
    name: str


RACES: tuple[str, ...] = (
    "ALASKA NATIVE",
    "AMERICAN INDIAN",
    "ASIAN",
    "BLACK OR AFRICAN AMERICAN",
    "NATIVE HAWAIIAN",
    "WHITE",
    "MULTIRACIAL",
    "OTHER PACIFIC ISLANDER",
    "OTHER RACE",
    "ASKED BUT UNKNOWN",
    "DOES NOT WISH TO DISCLOSE",
    "HISPANIC OR LATINO",
    "NOT PROVIDED",
)

SUPPLY_UNITS: tuple[str, ...] = ("Count", "Box", "Case")

SEXUAL_ORIENTATIONS: tuple[Choice, ...] = (
    Choice("38628009", "Lesbian, gay or homosexual"),
    Choice("20430005", "Straight or heterosexual"),
    Choice("42035005", "Bisexual"),
    Choice("OTH", "Something else"),
    Choice("UNK", "Don't know"),
    Choice("ASKU", "Choose not to disclose"),
)

GENDER_IDENTITIES: tuple[Choice, ...] = (
    Choice("446151000124109", "Male"),
    Choice("446141000124107", "Female"),
    Choice("407377005", "Transgender male"),
    Choice("407376001", "Transgender female"),
    Choice("446131000124102", "Genderqueer"),
    Choice("OTH", "Other"),
    Choice("ASKU", "Choose not to disclose"),
)

RELATIONSHIPS: tuple[str, ...] = ("SELF", "SPOUSE", "FATHER", "MOTHER", "SON", "DAUGHTER")

RICH_TEXT_TAGS: tuple[str, ...] = (
    "p",
    "br",
    "hr",
    "blockquote",
    "pre",
    "code",
    "strong",
    "b",
    "em",
    "i",
    "u",
    "s",
    "mark",
    "sub",
    "sup",
    "ul",
    "ol",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "a",
    "span",
)
"""The tags of comments: the editor writes no others, and the portal removes others (ADR 9)."""

RICH_TEXT_HEADER_LEVELS: tuple[int, ...] = (1, 2, 3, 4, 5)
"""The levels of headers that the editor offers (P 9)."""

RICH_TEXT_FONT_SIZES_PT: tuple[int, ...] = (8, 10, 12, 14, 18, 24, 36)
"""The font sizes of rich text in points, as styles of a ``span`` (P 9)."""
