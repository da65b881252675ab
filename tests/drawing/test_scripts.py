"""Right-to-left names, in visual order and with joined letters."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from app.drawing.scripts import reorder_visually
from app.drawing.typefaces import MISSING, prepare_text


def test_leaves_latin_text_unchanged() -> None:
    assert reorder_visually("ŁUKASZ (1) Привет") == "ŁUKASZ (1) Привет"


def test_reverses_hebrew() -> None:
    assert reorder_visually("שלום") == "םולש"


def test_keeps_the_position_of_a_name_in_english_text() -> None:
    assert reorder_visually("DR. לוי, UNIT 4") == "DR. יול, UNIT 4"


def test_preserves_the_order_of_digits() -> None:
    assert reorder_visually("א 12.5 ב") == "ב 12.5 א"


def test_mirrors_brackets_in_a_run() -> None:
    assert reorder_visually("א(ב)ג") == "ג(ב)א"


def test_joins_arabic_letters() -> None:
    names = [unicodedata.name(letter) for letter in reversed(reorder_visually("محمد"))]
    assert [name.split()[-2] + " " + name.split()[-1] for name in names] == [
        "INITIAL FORM",
        "MEDIAL FORM",
        "MEDIAL FORM",
        "FINAL FORM",
    ]


def test_joins_lam_and_alef() -> None:
    assert unicodedata.name(reorder_visually("لا")) == "ARABIC LIGATURE LAM WITH ALEF ISOLATED FORM"


@given(st.text(alphabet=st.characters(blacklist_categories=("Mn", "Cf"))))
def test_preserves_every_letter(text: str) -> None:
    visual_text = unicodedata.normalize("NFKC", reorder_visually(text)).translate(
        {ord(c): None for c in "()[]{}<>«»"}
    )
    plain = unicodedata.normalize("NFKC", text).translate({ord(c): None for c in "()[]{}<>«»"})
    assert sorted(visual_text) == sorted(plain)


def test_shows_a_box_for_missing_glyphs() -> None:
    assert prepare_text("A中\U00020000B") == f"A中{MISSING}B"
