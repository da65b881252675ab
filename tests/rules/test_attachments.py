"""Rules for the kinds and names of files."""

import unicodedata
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server.attachments.rules import (
    KINDS,
    NAME_MAX_BYTES,
    detect_kind,
    find_by_name,
    make_unique_name,
    sanitize_name,
)

PDF, PNG, JPEG, TIFF = KINDS


class TestKind:
    """The kind of a file."""

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            (b"%PDF-1.7\n...", PDF),
            (b"\x89PNG\r\n\x1a\n...", PNG),
            (b"\xff\xd8\xff\xe0...", JPEG),
            (b"II*\0....", TIFF),
            (b"MM\0*....", TIFF),
            (b"MZ\x90\0 an executable", None),
            (b"<html>%PDF-1.7", None),
            (b"GIF89a", None),
            (b"%PDF", None),
            (b"", None),
        ],
    )
    def test_detects_the_kind_from_the_first_bytes(self, content: bytes, kind) -> None:
        assert detect_kind(content) is kind


class TestName:
    """The name of a file, which people see; storage uses keys."""

    @pytest.mark.parametrize(
        ("raw_name", "name"),
        [
            ("scan.pdf", "scan.pdf"),
            ("SCAN.PDF", "SCAN.pdf"),
            ("../../etc/passwd", "passwd.pdf"),
            ("C:\\Users\\ada\\scan.pdf", "scan.pdf"),
            ("..", "document.pdf"),
            (".pdf", "document.pdf"),
            (".htaccess", "htaccess.pdf"),
            ("", "document.pdf"),
            (None, "document.pdf"),
            ("scan.png", "scan.pdf"),
            ("scan.exe", "scan.exe.pdf"),
            ("Dr. Smith", "Dr. Smith.pdf"),
            ("con.pdf", "_con.pdf"),
            ("NUL.tar.pdf", "_NUL.tar.pdf"),
            ('a"b;c%0d.pdf', "a_b_c_0d.pdf"),
            ("in\r\nvoice.pdf", "in voice.pdf"),
            ("in\r\ud7fc\x00 voice.pdf", "in voice.pdf"),
            ("abc\u202efdp.exe", "abcfdp.exe.pdf"),
            ("a\0b.pdf", "ab.pdf"),
            ("scan.pdf. . ", "scan.pdf"),
            ("Blutbild Müller.pdf", "Blutbild Müller.pdf"),
            ("e\u200d\u0301.pdf", "é.pdf"),
            ("X ray of X.pdf", "X ray of X.pdf"),
            ("scan X", "scan X.pdf"),
            (". scan ..pdf", "scan.pdf"),
            ("con .tar.pdf", "_con .tar.pdf"),
            ("X" * 300, "X" * 200 + ".pdf"),
            ("X" * 198 + ". and more", "X" * 198 + ".pdf"),
            ("X" + "é" * 100, "X" + "é" * 99 + ".pdf"),
        ],
    )
    def test_sanitizes_the_name(self, raw_name: str | None, name: str) -> None:
        assert sanitize_name(raw_name, PDF) == name

    def test_keeps_a_correct_extension_and_replaces_others(self) -> None:
        assert sanitize_name("scan.jpeg", JPEG) == "scan.jpeg"
        assert sanitize_name("scan.tiff", TIFF) == "scan.tiff"
        assert sanitize_name("scan.pdf", JPEG) == "scan.jpg"

    @given(st.text(max_size=400), st.sampled_from(KINDS))
    def test_returns_a_safe_name_for_any_input(self, raw_name: str, kind) -> None:
        name = sanitize_name(raw_name, kind)
        assert name.rpartition(".")[2] in kind.extensions
        assert not set(name) & set('/\\<>:"|?*;%')
        assert not any(unicodedata.category(c).startswith("C") for c in name)
        assert not name.startswith((".", " "))
        assert len(name.encode()) <= NAME_MAX_BYTES + 10
        assert sanitize_name(name, kind) == name == unicodedata.normalize("NFC", name)


class TestUniqueName:
    """Unique names within a record."""

    def test_adds_a_number_before_the_extension(self) -> None:
        assert make_unique_name("scan.pdf", []) == "scan.pdf"
        assert make_unique_name("scan.pdf", ["scan.pdf"]) == "scan (2).pdf"
        assert make_unique_name("Dr. Lee.pdf", ["Dr. Lee.pdf"]) == "Dr. Lee (2).pdf"
        assert make_unique_name("scan.pdf", ["scan.pdf", "scan (2).pdf"]) == "scan (3).pdf"

    def test_ignores_case(self) -> None:
        assert make_unique_name("Scan.pdf", ["scan.pdf"]) == "Scan (2).pdf"

    @given(st.lists(st.sampled_from(["a.pdf", "A.pdf", "b.png", "a (2).pdf"]), max_size=12))
    def test_never_repeats_a_name(self, raw_names: list[str]) -> None:
        names: list[str] = []
        for name in raw_names:
            names.append(make_unique_name(name, names))
        assert len({name.casefold() for name in names}) == len(raw_names)


@dataclass(frozen=True)
class StoredDocument:
    """A document of a record."""

    name: str


class TestFindingByName:
    """The document that a download names."""

    @pytest.mark.parametrize("form", ["NFC", "NFD"])
    def test_finds_an_accented_name_in_any_form(self, form: str) -> None:
        stored = StoredDocument(unicodedata.normalize(form, "Réné.pdf"))
        for sent_form in ("NFC", "NFD"):
            name = unicodedata.normalize(sent_form, "Réné.pdf")
            assert find_by_name([StoredDocument("a.pdf"), stored], name) is stored

    def test_returns_none_for_another_name(self) -> None:
        assert find_by_name([StoredDocument("Rene.pdf")], "Réné.pdf") is None
