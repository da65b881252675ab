"""Text in a width: the size that fits, and the ends of lines."""

from app.drawing.pages.lettering import break_lines, fit_words, measure_width


class TestFittingWords:
    def test_leaves_the_size_of_text_whose_words_fit(self) -> None:
        assert fit_words("SAMPLE, ANNA MARIE", 40, True, 8) == 8

    def test_shrinks_a_long_word_instead_of_breaking_it(self) -> None:
        size = fit_words("WOLFESCHLEGELSTEINHAUSEN, ANNA", 100, True, 7.5)
        assert size < 7.5
        lines = break_lines("WOLFESCHLEGELSTEINHAUSEN, ANNA", 100, True, size)
        assert lines == ("WOLFESCHLEGELSTEINHAUSEN,", "ANNA")

    def test_does_not_shrink_text_below_a_legible_size(self) -> None:
        assert fit_words("W" * 90, 50, False, 9) > 6


class TestBreakingLines:
    def test_keeps_lines_within_the_width(self) -> None:
        for line in break_lines("several words and a Donaudampfschiffahrt " * 5, 60, False, 9):
            assert measure_width(line, False, 9) <= 60

    def test_splits_a_word_wider_than_the_line(self) -> None:
        assert "".join(break_lines("W" * 90, 50, False, 9)) == "W" * 90

    def test_preserves_line_ends(self) -> None:
        assert break_lines("a\n\nb", 50, False, 9) == ("a", "", "b")
