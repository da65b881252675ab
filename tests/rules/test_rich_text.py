"""Sanitizing comments, and converting them to plain text."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server.rich_text import sanitize_html, to_plain_text

_LINK_TO_NOTHING = '<a rel="noopener noreferrer nofollow">a</a>'


class TestSanitizing:
    """Sanitizing a comment."""

    @pytest.mark.parametrize(
        ("markup", "expected"),
        [
            ("<p>Call <strong>before</strong> noon</p>",) * 2,
            ("<ul><li><p>one</p></li></ul>",) * 2,
            ('<ol start="3"><li>three</li></ol>',) * 2,
            ("fasting since 8", "fasting since 8"),
            ("K < 3 & Na > 140", "K &lt; 3 &amp; Na &gt; 140"),
            ("<p>a<script>alert(1)</script>b</p>", "<p>ab</p>"),
            ("<p onclick='go()' style='x' class='y'>a</p>", "<p>a</p>"),
            ('<p><span style="font-size: 14pt">a</span></p>',) * 2,
            ('<span style="font-size: 900pt">a</span>', "<span>a</span>"),
            ('<span style="font-size: 14pt; position: fixed">a</span>', "<span>a</span>"),
            ("<svg onload=alert(1)>x</svg>a", "a"),
            ("<iframe src='https://x.test'>x</iframe>a", "a"),
            ("<img src=x onerror=alert(1)>a", "a"),
            (
                "<a href='JaVa\nScript:alert(1)'>a</a>",
                _LINK_TO_NOTHING,
            ),
            ("<a href='data:text/html,x'>a</a>", _LINK_TO_NOTHING),
            ("<a href='//evil.test'>a</a>", _LINK_TO_NOTHING),
            (
                "<a href='https://lab.test/x'>a</a>",
                '<a href="https://lab.test/x" rel="noopener noreferrer nofollow">a</a>',
            ),
            ("<p>never closed", "<p>never closed</p>"),
            ("a\0b\x07", "ab"),
            ("<p></p>", None),
            ("<p><br></p>", None),
            ("<p> &nbsp; </p>", None),
            ("<script>alert(1)</script>", None),
            ("  ", None),
            (None, None),
        ],
    )
    def test_keeps_only_the_tags_of_a_comment(
        self, markup: str | None, expected: str | None
    ) -> None:
        assert sanitize_html(markup) == expected

    @given(st.text(alphabet="<>/=\"' apscriptonjv:&;#!-ul", max_size=200))
    def test_is_idempotent_and_removes_other_tags(self, markup: str) -> None:
        once = sanitize_html(markup)
        assert sanitize_html(once) == once
        assert "<script" not in (once or "").lower()


class TestPlainText:
    """Plain text for print."""

    @pytest.mark.parametrize(
        ("rich", "plain"),
        [
            ("<p>One <b>two</b></p><p>three<br>four</p>", "One two\nthree\nfour"),
            ("<ul><li><p>a</p></li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n- c"),
            ('<ol start="3"><li>c</li><li>d</li></ol>', "3. c\n4. d"),
            ("<p>a   b\n c</p>", "a b c"),
            ("<pre>a  b\nc</pre>", "a  b\nc"),
            ("line one\nline two", "line one\nline two"),
            ("K &lt; 3 &amp; up", "K < 3 & up"),
            ("<p>&lt;script&gt;</p>", "<script>"),
            ("<p>Done. </p><p>Next</p>", "Done.\nNext"),
            ("<p></p>", None),
            (None, None),
        ],
    )
    def test_has_the_text_in_lines(self, rich: str | None, plain: str | None) -> None:
        assert to_plain_text(rich) == plain

    @given(st.text(alphabet="ab <>&\n", max_size=80))
    def test_returns_text_without_tags_unchanged(self, text: str) -> None:
        escaped_text = html.escape(text, quote=False)
        assert to_plain_text(escaped_text) == (text.strip() or None)


def test_removes_invisible_characters_in_any_encoding() -> None:
    for invisible in ("&#x202e;", "&#8203;", "\u202e", "&#xFEFF;"):
        assert sanitize_html(f"<p>a{invisible}b</p>") == "<p>ab</p>"
        assert sanitize_html(f"<p>{invisible}</p>") is None
    assert sanitize_html("<b>&#x338;&#x202e;x</b>") == "<b>\u0338x</b>"
