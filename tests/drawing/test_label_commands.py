"""Text from people never becomes a printer command."""

import re
from dataclasses import replace

import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from app.drawing.labels import draw_label
from app.drawing.labels.epl import escape_string
from app.drawing.labels.zpl import escape_field
from app.drawing.typefaces import remove_controls
from tests.drawing.samples import CODE, LABEL
from tests.drawing.zpl_renderer import render_zpl

NASTY = [
    "^XZ^XA",
    "~JR~HS",
    'O"BRIEN\\',
    "LINE\r\nBREAK\nP9",
    "_5EXZ _",
    "\\& \\",
    "\x00\x1b\x7f\x02",
    "😀 FACE",
    "محمد علي",
    "王小明",
    "a\u202e^XZ",
    "}{|`",
    '","1',
    "€‰ÿ",
    "^" * 200,
    "WASHINGTON-MONTGOMERY " * 12,
]

# A ZPL command: caret or tilde, name, and parameters up to the next command.
_ZPL = re.compile(r"([\^~])(A0|[A-Z]{2})([^\^~]*)")
_FRAME = ["XA", "CI", "PW", "LL", "LH"]
_EXPECTED = {"FO", "A0", "FB", "FH", "FD", "FS", "GF", "BY", "BC", "GB"}


def assert_well_formed_zpl(zpl: str) -> None:
    assert zpl.isascii()
    commands = _ZPL.findall(zpl)
    assert "".join("".join(parts) for parts in commands) == zpl, (
        "there is text between the commands"
    )
    names = [name for mark, name, _ in commands]
    assert all(mark == "^" for mark, _, _ in commands)
    assert names[:5] == _FRAME
    assert names[-1] == "XZ"
    assert set(names[5:-1]) <= _EXPECTED
    for index, name in enumerate(names):
        if name == "FD":
            assert names[index - 1] == "FH"
            assert commands[index - 1][2] == "_"
            assert names[index + 1] == "FS"
            assert not re.search(r"_(?![0-9A-F]{2})", commands[index][2])
        if name == "GF":
            form, total, size, across, data = commands[index][2].split(",")
            assert form == "A"
            assert total == size
            assert re.fullmatch(r"[0-9A-F]+", data)
            assert len(data) == 2 * int(total)
            assert int(total) % int(across) == 0


def parse_epl(epl: str) -> list[str]:
    """Split a form into commands as a printer does: by lines, and pictures by their size."""
    rest, commands = epl, []
    while rest:
        if rest.startswith("GW"):
            head = re.match(r"GW\d+,\d+,(\d+),(\d+),", rest)
            assert head
            size = head.end() + int(head[1]) * int(head[2])
            assert rest[size] == "\n"
            commands.append(head.group())
            rest = rest[size + 1 :]
            continue
        line, end, rest = rest.partition("\n")
        assert end
        commands.append(line)
    return commands


_EPL = re.compile(
    r"|N|I8,A,001|q\d+|Q\d+,24|P1|LO\d+,\d+,\d+,\d+|GW\d+,\d+,\d+,\d+,"
    r'|A\d+,\d+,0,[1-4],1,1,N,"(?:[^"\\\r\n]|\\["\\])*"'
    r'|B\d+,\d+,0,1B,\d,\d,\d+,N,"[A-Z0-9-]+"'
)


def assert_well_formed_epl(epl: str) -> None:
    epl.encode("latin-1")
    for command in parse_epl(epl):
        assert _EPL.fullmatch(command), command
    assert parse_epl(epl).count("P1") == 1


@pytest.mark.parametrize("field", ["patient_name", "client", "container"])
@pytest.mark.parametrize("text", NASTY)
class TestNastyInput:
    def test_hostile_text_stays_in_its_zpl_field(self, field: str, text: str) -> None:
        assert_well_formed_zpl(draw_label(replace(LABEL, **{field: text})).zpl)

    def test_hostile_text_stays_in_its_epl_string(self, field: str, text: str) -> None:
        assert_well_formed_epl(draw_label(replace(LABEL, **{field: text})).epl)


@settings(deadline=None, max_examples=150)
@given(name=st.text(max_size=220), client=st.text(max_size=60), container=st.text(max_size=60))
def test_no_text_becomes_a_command(name: str, client: str, container: str) -> None:
    label_files = draw_label(replace(LABEL, patient_name=name, client=client, container=container))
    assert_well_formed_zpl(label_files.zpl)
    assert_well_formed_epl(label_files.epl)


def test_hostile_fields_do_not_change_the_barcode() -> None:
    content = replace(
        LABEL,
        patient_name='^XZ~JR"\\_5E, ^FO0,0^GB406,203,203',
        client="王 ^XA",
        container="\\&^FS",
    )
    print_image = render_zpl(draw_label(content).zpl)
    assert [barcode.text for barcode in zxingcpp.read_barcodes(print_image)] == [CODE]


class TestFieldData:
    def test_encodes_commands_and_escapes_as_hexadecimal(self) -> None:
        assert escape_field("a^b~c_d\\e") == "a_5Eb_7Ec_5Fd_5Ce"

    def test_encodes_other_letters_as_utf8(self) -> None:
        assert escape_field("é€") == "_C3_A9_E2_82_AC"

    @given(st.text())
    def test_round_trips_through_a_printers_parser(self, text: str) -> None:
        clean = remove_controls(text)
        raw = re.sub(
            rb"_([0-9A-F]{2})",
            lambda m: bytes.fromhex(m[1].decode()),
            escape_field(clean).encode(),
        )
        assert raw.decode() == clean


class TestStringData:
    def test_escapes_quotes_and_backslashes(self) -> None:
        assert escape_string('a"b\\c') == 'a\\"b\\\\c'

    def test_removes_line_ends(self) -> None:
        assert escape_string("a\r\nP9\n") == "aP9"

    def test_encodes_letters_in_code_page_1252(self) -> None:
        assert escape_string("é€").encode("latin-1") == b"\xe9\x80"


class TestNamesOutsideThePrintersFont:
    @pytest.mark.parametrize("name", ["ŁĄCKA, ŻANETA", "محمد, علي", "王小明"])
    def test_names_outside_the_printers_font_print_as_an_image(self, name: str) -> None:
        label_files = draw_label(replace(LABEL, patient_name=name))
        assert "^GFA," in label_files.zpl
        assert "\nGW12," in label_files.epl

    def test_backslashes_print_as_an_image(self) -> None:
        label_files = draw_label(replace(LABEL, client="NORTH \\& SOUTH"))
        assert "^GFA," in label_files.zpl
        assert "SOUTH" not in label_files.zpl

    def test_latin_names_use_the_printers_font(self) -> None:
        label_files = draw_label(replace(LABEL, patient_name="MUÑOZ, JOSÉ"))
        assert "^GFA" not in label_files.zpl
        assert '"MU\xd1OZ, JOS\xc9"' in label_files.epl
