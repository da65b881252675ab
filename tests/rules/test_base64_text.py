"""Long base64 text is decoded in steps."""

import base64
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics import base64_text
from app.basics.base64_text import decode_base64, strip_data_url
from app.basics.long_text import LongText


@given(content=st.binary(max_size=200), step=st.integers(1, 50), width=st.integers(1, 30))
def test_steps_do_not_change_the_content(content: bytes, step: int, width: int) -> None:
    text = base64.b64encode(content).decode()
    wrapped_text = "\n".join(text[i : i + width] for i in range(0, len(text), width))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base64_text, "_STEP_CHARACTERS", step)
        assert decode_base64(wrapped_text, 200) == content


@pytest.mark.parametrize("text", ["QUJ", "QQ==QQ==", "a b-c", "Q\u00fcJD", "QQ==x", "=AAA"])
@pytest.mark.parametrize("step", [3, 4, 8, 1_000])
def test_rejects_other_text(text: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base64_text, "_STEP_CHARACTERS", step)
    with pytest.raises(ValueError):
        decode_base64(text, 100)


@given(text=st.text(alphabet="AQ=\n", max_size=12), step=st.integers(1, 13))
def test_text_in_a_file_is_decoded_like_a_string(text: str, step: int) -> None:
    def decode(text: str | LongText) -> bytes | None:
        with suppress(ValueError):
            return decode_base64(text, 100)
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base64_text, "_STEP_CHARACTERS", step)
        assert decode(build_long_text(text)) == decode(text)


@pytest.mark.parametrize("text", ["data:image/png;base64,QUJD", "QUJD", "data:"])
def test_strips_the_head_of_a_text_in_a_file(text: str) -> None:
    stripped_text = strip_data_url(build_long_text(text))
    assert isinstance(stripped_text, LongText)
    assert b"".join(stripped_text.read_pieces(3)).decode() == strip_data_url(text)


def build_long_text(text: str) -> LongText:
    """Build a text inside a file."""
    return LongText(io.BytesIO(f"<{text}>".encode()), 1, len(text))


def test_stops_at_the_limit() -> None:
    text = base64.b64encode(b"x" * 11).decode()
    assert decode_base64(text, 10) is None
    assert decode_base64(text, 11) == b"x" * 11


def test_strips_the_head_of_a_data_url() -> None:
    assert strip_data_url("data:image/png;base64,QUJD") == "QUJD"
    assert strip_data_url("QUJD") == "QUJD"
