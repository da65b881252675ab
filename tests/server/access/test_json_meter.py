"""The meter of JSON text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import messages
from app.server.access.json_meter import JsonMeter

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='ab"\\,[]{}é\n', max_size=8),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(st.text(alphabet='a"\\[{', max_size=4), children, max_size=4)
    ),
    max_leaves=20,
)


def count_parts(value: object) -> int:
    """Return how many parts a meter may count in this value at most, in pieces of any size."""
    if isinstance(value, dict):
        return 2 + sum(3 + count_parts(member) for member in value.values())
    if isinstance(value, list):
        return 2 + sum(2 + count_parts(member) for member in value)
    return 2


def find_depth(value: object) -> int:
    """Return how deep lists and objects are nested."""
    if isinstance(value, dict):
        return 1 + max(map(find_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(find_depth, value), default=0)
    return 0


def is_within(text: bytes, size: int, parts_max: int, depth_max: int) -> bool:
    """Whether the text is within the limits when it arrives in pieces of this size."""
    meter = JsonMeter(parts_max, depth_max)
    return not any(meter.measure(text[i : i + size]) for i in range(0, len(text), size))


@given(value=_VALUES, size=st.integers(1, 40))
def test_finds_the_depth_in_pieces_of_any_size(value: object, size: int) -> None:
    text = json.dumps(value, ensure_ascii=False).encode()
    depth = find_depth(value)
    assert is_within(text, size, 10_000, depth)
    assert depth == 0 or not is_within(text, size, 10_000, depth - 1)


@given(value=_VALUES)
def test_counts_at_least_every_value_and_not_the_content_of_strings(value: object) -> None:
    text = json.dumps(value).encode()
    assert is_within(text, len(text), count_parts(value), 100)
    leaves = text.count(b"null") + text.count(b"true") + text.count(b"false")
    assert leaves == 0 or not is_within(text, len(text), leaves - 1, 100)


def test_long_strings_count_once() -> None:
    text = b'{"content":"' + b"A" * 1_000_000 + b'\\\\"}'
    assert is_within(text, 65_536, 20, 1)


@given(value=_VALUES, size=st.integers(1, 40))
def test_finds_the_longest_plain_string(value: object, size: int) -> None:
    text = json.dumps(value, ensure_ascii=False).encode()
    meter = JsonMeter(10_000, 100)
    for i in range(0, len(text), size):
        assert meter.measure(text[i : i + size]) is None
    start, length = meter.longest
    plain_strings = [
        string
        for string in list_strings(value)
        if json.dumps(string, ensure_ascii=False) == f'"{string}"'
    ]
    assert length == max((len(string.encode()) for string in plain_strings), default=0)
    assert text[start : start + length].decode() in {"", *plain_strings}


def list_strings(value: object) -> list[str]:
    """List the strings of a value, keys included."""
    if isinstance(value, dict):
        return [*value, *(string for member in value.values() for string in list_strings(member))]
    if isinstance(value, list):
        return [string for member in value for string in list_strings(member)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_rejects_other_encodings(encoding: str, size: int) -> None:
    # One byte of the letter Ģ looks like a quotation mark. A meter of bytes would mistake it
    # for the start of a string, and count nothing after it.
    text = ('["\u0122"' + ",1" * 1_000 + "]").encode(encoding)
    assert json.loads(text)
    assert not is_within(text, size, 100, 10)
    assert JsonMeter(100, 10).measure(text) == messages.BODY_NOT_JSON


@pytest.mark.parametrize("text", [b"[[[]]]", b"[1,2,3,4,5]"])
def test_names_the_limit_that_the_text_exceeds(text: bytes) -> None:
    assert JsonMeter(parts_max=5, depth_max=2).measure(text) == messages.BODY_TOO_COMPLEX
    assert JsonMeter(parts_max=20, depth_max=3).measure(text) is None
