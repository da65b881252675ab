"""Right-to-left names in the order and the shapes in which they are read."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from app.drawing.scripts import visual
from app.drawing.typefaces import MISSING, printable


def test_latin_text_is_untouched() -> None:
    assert visual("ŁUKASZ (1) Привет") == "ŁUKASZ (1) Привет"


def test_hebrew_reads_from_the_right() -> None:
    assert visual("שלום") == "םולש"


def test_a_name_inside_english_stays_where_it_is() -> None:
    assert visual("DR. לוי, UNIT 4") == "DR. יול, UNIT 4"


def test_numbers_keep_their_order() -> None:
    assert visual("א 12.5 ב") == "ב 12.5 א"


def test_brackets_are_mirrored_within_a_run() -> None:
    assert visual("א(ב)ג") == "ג(ב)א"


def test_arabic_letters_join() -> None:
    names = [unicodedata.name(letter) for letter in reversed(visual("محمد"))]
    assert [name.split()[-2] + " " + name.split()[-1] for name in names] == [
        "INITIAL FORM",
        "MEDIAL FORM",
        "MEDIAL FORM",
        "FINAL FORM",
    ]


def test_lam_and_alef_become_one() -> None:
    assert unicodedata.name(visual("لا")) == "ARABIC LIGATURE LAM WITH ALEF ISOLATED FORM"


@given(st.text(alphabet=st.characters(blacklist_categories=("Mn", "Cf"))))
def test_nothing_is_lost(text: str) -> None:
    turned = unicodedata.normalize("NFKC", visual(text)).translate(
        {ord(c): None for c in "()[]{}<>«»"}
    )
    plain = unicodedata.normalize("NFKC", text).translate({ord(c): None for c in "()[]{}<>«»"})
    assert sorted(turned) == sorted(plain)


def test_what_the_typefaces_lack_shows_as_a_box() -> None:
    assert printable("A中B") == f"A{MISSING}B"
