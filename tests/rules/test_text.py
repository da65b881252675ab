"""Cleaning of text."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.text import clean_text, compose_nfc, format_wait, to_upper_case

INVISIBLE = (
    "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
JOINERS = "\u200c\u200d"
MIXED_TEXT = st.text(
    st.sampled_from([*INVISIBLE, *JOINERS, *"ae\u0301 \t\x00", "می"[0], "👩", "1", "."])
)


@pytest.mark.parametrize("char", INVISIBLE)
def test_removes_invisible_characters(char: str) -> None:
    assert to_upper_case(f"{char}Le{char}e {char}") == "LEE"
    assert clean_text(char) is None


@pytest.mark.parametrize("code", [*range(9), 11, 12, *range(14, 32), 127])
def test_removes_control_characters(code: int) -> None:
    assert clean_text(f"{chr(code)}LE{chr(code)}E{chr(code)}") == "LEE"


@pytest.mark.parametrize("name", ["می\u200cخواهم", "क्\u200dष", "👩\u200d⚕\ufe0f", "👩🏽\u200d💻"])
def test_keeps_joiners_that_a_script_needs(name: str) -> None:
    assert clean_text(name) == name


@pytest.mark.parametrize("joiner", JOINERS)
def test_removes_loose_joiners(joiner: str) -> None:
    assert clean_text(f"{joiner}Ann{joiner} {joiner}Lee{joiner}{joiner}") == "Ann Lee"
    assert clean_text(f"ا{joiner}{joiner}ب") == f"ا{joiner}ب"
    assert clean_text(joiner) is None


@given(st.text() | MIXED_TEXT)
def test_cleaned_text_is_visible_and_normalized(text: str) -> None:
    clean = clean_text(text)
    assert clean_text(clean) == clean
    if clean is None:
        return
    assert not set(clean) & set(INVISIBLE)
    assert clean == clean.strip() == unicodedata.normalize("NFC", clean)
    for i, char in enumerate(clean):
        if char in JOINERS:
            assert 0 < i < len(clean) - 1
            for neighbor in (clean[i - 1], clean[i + 1]):
                assert unicodedata.category(neighbor)[0] in "LMS"


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"))))
def test_keeps_visible_characters(text: str) -> None:
    assert (clean_text(text) or "") == unicodedata.normalize("NFC", text).strip()


@pytest.mark.parametrize(
    "marks",
    [
        "\u0301" * 50_000 + "\u0316" * 49_000,  # above and below, sorted by normalizing
        "\u0f73" * 99_000,  # no combining class, but two when decomposed
        "\u200b".join("\u0301\u0316" * 49_000),  # separated by invisible characters
    ],
)
def test_cleans_many_accents_quickly(marks: str) -> None:
    started_at = time.process_time()
    clean = clean_text(f"a{marks}b")
    assert time.process_time() - started_at < 2
    assert clean and len(clean) < 100 and clean.endswith("b")


@pytest.mark.parametrize("text", ["Nguyễn Thị Ánh", "שָׁלוֹם", "བསྒྲུབས", "e" + "\u0301" * 30])
def test_keeps_all_marks_of_real_scripts(text: str) -> None:
    assert compose_nfc(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (1_182, "20 minutes")],
)
def test_a_wait_is_in_seconds_or_minutes(seconds: int, text: str) -> None:
    assert format_wait(seconds) == text
