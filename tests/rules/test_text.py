"""Text as it is kept: nothing in it that nobody sees."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.text import capitalise, clean, composed

UNSEEN = (
    "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
JOINERS = "\u200c\u200d"
MIXED = st.text(st.sampled_from([*UNSEEN, *JOINERS, *"ae\u0301 \t\x00", "می"[0], "👩", "1", "."]))


@pytest.mark.parametrize("char", UNSEEN)
def test_what_nobody_sees_is_no_part_of_a_name(char: str) -> None:
    assert capitalise(f"{char}Le{char}e {char}") == "LEE"
    assert clean(char) is None


@pytest.mark.parametrize("name", ["می\u200cخواهم", "क्\u200dष", "👩\u200d⚕\ufe0f", "👩🏽\u200d💻"])
def test_joiners_stay_where_writing_needs_them(name: str) -> None:
    assert clean(name) == name


@pytest.mark.parametrize("joiner", JOINERS)
def test_loose_joiners_go(joiner: str) -> None:
    assert clean(f"{joiner}Ann{joiner} {joiner}Lee{joiner}{joiner}") == "Ann Lee"
    assert clean(f"ا{joiner}{joiner}ب") == f"ا{joiner}ب"
    assert clean(joiner) is None


@given(st.text() | MIXED)
def test_cleaned_text_is_visible_normal_and_stays_so(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    if cleaned is None:
        return
    assert not set(cleaned) & set(UNSEEN)
    assert cleaned == cleaned.strip() == unicodedata.normalize("NFC", cleaned)
    for i, char in enumerate(cleaned):
        if char in JOINERS:
            assert 0 < i < len(cleaned) - 1
            for neighbor in (cleaned[i - 1], cleaned[i + 1]):
                assert unicodedata.category(neighbor)[0] in "LMS"


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"))))
def test_nothing_visible_is_lost(text: str) -> None:
    assert (clean(text) or "") == unicodedata.normalize("NFC", text).strip()


@pytest.mark.parametrize(
    "marks",
    [
        "\u0301" * 50_000 + "\u0316" * 49_000,  # above and below, sorted by whoever normalises
        "\u0f73" * 99_000,  # of no class itself, but of two when taken apart
        "\u200b".join("\u0301\u0316" * 49_000),  # kept apart by what nobody sees
    ],
)
def test_a_heap_of_accents_costs_nothing(marks: str) -> None:
    begun = time.process_time()
    cleaned = clean(f"a{marks}b")
    assert time.process_time() - begun < 2
    assert cleaned and len(cleaned) < 100 and cleaned.endswith("b")


@pytest.mark.parametrize("text", ["Nguyễn Thị Ánh", "שָׁלוֹם", "བསྒྲུབས", "e" + "\u0301" * 30])
def test_what_people_write_keeps_all_its_marks(text: str) -> None:
    assert composed(text) == unicodedata.normalize("NFC", text)
