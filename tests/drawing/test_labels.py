"""The content of specimen labels, and the agreement of their three formats."""

from dataclasses import replace
from datetime import date
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image

from app.drawing.code128 import QUIET_MODULES, BarcodeImpossible, count_modules, encode_bars
from app.drawing.labels import LabelStock, draw_label, draw_labels, draw_ruler_label
from app.drawing.labels.draw import STANDARD_STOCK
from app.drawing.labels.elements import Barcode, Element, Text
from app.drawing.labels.layout import LabelContent, lay_out, measure_width
from app.drawing.typefaces import MISSING
from tests.drawing.samples import CODE, LABEL, build_label, parse_time
from tests.drawing.zpl_renderer import render_zpl


def open_image(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("L")


def read_barcodes(image: Image.Image) -> list[str]:
    return [barcode.text for barcode in zxingcpp.read_barcodes(image)]


def list_texts(content: LabelContent, stock: LabelStock = STANDARD_STOCK) -> list[str]:
    return [element.text for element in lay_out(content, stock) if isinstance(element, Text)]


class TestContent:
    def test_contains_everything_that_identifies_the_specimen(self) -> None:
        assert set(list_texts(LABEL)) == {
            "SAMPLE, ANNA",
            "DOB 01/31/1980 F",
            "11/21/2026 08:30 AM",
            CODE,
            "Lavender Top (EDTA)",
            "Whole blood",
            "LAKESHORE FAMILY MEDICINE",
            "1 of 3",
        }

    def test_label_of_the_form_has_the_number_of_tubes(self) -> None:
        form = replace(LABEL, container="REQUISITION FORM", specimen="", number=None)
        assert "3 tubes" in list_texts(form)
        assert "1 tube" in list_texts(replace(form, count=1))

    def test_cuts_a_long_container_before_the_specimen(self) -> None:
        texts = list_texts(replace(LABEL, container="Light Blue Top (Citrate) of some length"))
        assert "Whole blood" in texts
        assert any(text.startswith("Light Blue Top") and text.endswith("...") for text in texts)

    @pytest.mark.parametrize("collection", [parse_time("2026-11-21"), date(2026, 11, 21)])
    def test_prints_only_the_date_if_the_time_is_unknown(self, collection: date) -> None:
        assert "11/21/2026" in list_texts(replace(LABEL, collection=collection))

    def test_leaves_a_missing_birth_date_out(self) -> None:
        texts = list_texts(replace(LABEL, birth_date=None))
        assert "F" in texts
        assert not [text for text in texts if "DOB" in text or "None" in text]

    def test_prints_no_text_for_facts_that_are_not_given(self) -> None:
        texts = list_texts(build_label(code=LABEL.code, number=1, count=1, copy=1))
        assert {text for text in texts if text} == {LABEL.code, "1 of 1"}

    def test_leaves_a_missing_collection_date_empty(self) -> None:
        label_files = draw_label(replace(LABEL, collection=None))
        assert "11/21/2026" not in label_files.zpl + label_files.epl

    def test_cuts_a_long_last_name_before_the_first_name(self) -> None:
        name = list_texts(replace(LABEL, patient_name="WOLFE" * 20 + ", GRZEGORZ"))[0]
        assert name.startswith("WOLFEWOLFE")
        assert name.endswith("..., GRZEGORZ")

    @pytest.mark.parametrize("field", ["patient_name", "client", "container", "specimen"])
    @pytest.mark.parametrize("letter", ["W", "i", "Ł", "ب", "中", "😀"])
    def test_keeps_two_hundred_letters_in_their_box(self, field: str, letter: str) -> None:
        for element in lay_out(replace(LABEL, **{field: letter * 200}), STANDARD_STOCK):
            if isinstance(element, Text):
                width = measure_width(element.text, element.height, element.bold)
                assert width <= element.width
                assert element.x + element.width <= STANDARD_STOCK.width

    def test_keeps_the_title(self) -> None:
        assert draw_label(LABEL).title == "Lavender Top (EDTA) Whole blood"


class TestPicture:
    def test_has_the_size_of_the_stock(self) -> None:
        image = Image.open(BytesIO(draw_label(LABEL).png))
        assert image.size == (406, 203)
        assert image.info["dpi"][0] == pytest.approx(203, abs=0.1)

    @pytest.mark.parametrize("code", [CODE, "L260000123", "P0000001", "A-1", "0123456789ABC"])
    def test_barcode_decodes_to_the_code(self, code: str) -> None:
        assert read_barcodes(open_image(draw_label(replace(LABEL, code=code)).png)) == [code]

    @pytest.mark.parametrize(
        "stock", [LabelStock(2, 1, 300), LabelStock(3, 2, 203), LabelStock(2.25, 1.25, 600)]
    )
    def test_other_stocks_decode_too(self, stock: LabelStock) -> None:
        image = open_image(draw_label(LABEL, stock).png)
        assert image.size == (stock.width, stock.height)
        assert read_barcodes(image) == [CODE]

    def test_bars_have_quiet_zones(self) -> None:
        image = open_image(draw_label(LABEL).png)
        row = [image.getpixel((x, 90)) for x in range(image.width)]
        dark = [x for x, shade in enumerate(row) if shade == 0]
        assert dark[0] >= 2 * QUIET_MODULES
        assert image.width - 1 - dark[-1] >= 2 * QUIET_MODULES
        assert dark[-1] - dark[0] + 1 == 2 * count_modules(CODE)


class TestBarcode:
    @pytest.mark.parametrize("code", ["", "r26", "R 26", "R26>5", "É1", "A_B", "R26\n", "^XZ"])
    def test_rejects_invalid_codes(self, code: str) -> None:
        with pytest.raises(BarcodeImpossible):
            draw_label(replace(LABEL, code=code))

    def test_rejects_a_code_too_long_for_the_stock(self) -> None:
        with pytest.raises(BarcodeImpossible):
            draw_label(replace(LABEL, code="A" * 60))

    def test_encodes_every_allowed_letter(self) -> None:
        for part in ("ABCDEFGHIJKLM", "NOPQRSTUVWXYZ", "0123456789-"):
            widths = encode_bars(part)
            assert sum(widths) == count_modules(part)
            assert len(widths) == 6 * (len(part) + 2) + 7
            assert read_barcodes(open_image(draw_label(replace(LABEL, code=part)).png)) == [part]


class TestAgreement:
    """The image and the commands of a label show the same elements in the same places."""

    def test_printed_barcode_decodes_to_the_code(self) -> None:
        assert read_barcodes(render_zpl(draw_label(LABEL).zpl)) == [CODE]

    def test_printed_bars_are_where_those_of_the_image_are(self) -> None:
        label_files = draw_label(LABEL)
        bars = next(e for e in lay_out(LABEL, STANDARD_STOCK) if isinstance(e, Barcode))
        area = (bars.x, bars.y + 5, bars.x + 2 * count_modules(CODE), bars.y + bars.height - 5)
        print_image = (
            render_zpl(label_files.zpl).point(lambda shade: 255 * (shade > 127)).crop(area)
        )
        assert print_image.tobytes() == open_image(label_files.png).crop(area).tobytes()

    @pytest.mark.parametrize("name", ["SAMPLE, ANNA", "ŁĄCKA, ŻANETA", "محمد, علي"])
    def test_prints_every_element_that_the_image_has(self, name: str) -> None:
        content = replace(LABEL, patient_name=name)
        label_files = draw_label(content)
        print_image, screen_image = render_zpl(label_files.zpl), open_image(label_files.png)
        for element in lay_out(content, STANDARD_STOCK):
            assert _count_ink(print_image, element) > 0
            assert _count_ink(screen_image, element) > 0

    @pytest.mark.parametrize("name", ["王, 小明", "김, 민준", "さくら, タロウ"])
    def test_east_asian_names_are_the_same_picture_everywhere(self, name: str) -> None:
        content = replace(LABEL, patient_name=name)
        box = next(e for e in lay_out(content, STANDARD_STOCK) if isinstance(e, Text))
        area = (box.x, box.y, box.x + box.width, box.y + box.height)
        label_files = draw_label(content)
        screen_image = open_image(label_files.png).crop(area)
        print_image = (
            render_zpl(label_files.zpl).point(lambda shade: 255 * (shade > 127)).crop(area)
        )
        assert print_image.tobytes() == screen_image.tobytes()
        # The picture has the letters, not the boxes of a typeface that lacks them.
        label_with_box = draw_label(replace(content, patient_name=MISSING + name[1:]))
        assert open_image(label_with_box.png).crop(area).tobytes() != screen_image.tobytes()

    def test_epl_places_the_same_elements(self) -> None:
        lines = draw_label(LABEL).epl.splitlines()
        bars = next(e for e in lay_out(LABEL, STANDARD_STOCK) if isinstance(e, Barcode))
        expected = f'B{bars.x},{bars.y},0,1B,{bars.module},{bars.module},{bars.height},N,"{CODE}"'
        assert expected in lines
        assert sum(line.startswith("A") for line in lines) == 8
        assert lines[-1] == "P1"


def _count_ink(image: Image.Image, element: Element) -> int:
    right = element.x + getattr(element, "width", 2 * count_modules(CODE))
    area = image.crop((element.x, element.y, right, element.y + element.height))
    return area.histogram()[0]


class TestCopiesAndDensities:
    def test_a_copy_is_marked(self) -> None:
        assert "COPY 2  1 of 3" in list_texts(replace(LABEL, copy=2))
        assert "COPY 3  3 tubes" in list_texts(replace(LABEL, number=None, copy=3))

    @pytest.mark.parametrize("dpi", [203, 300, 600])
    def test_draws_two_by_one_inch_labels_for_each_print_head(self, dpi: int) -> None:
        (label,) = draw_labels([LABEL], LabelStock(2, 1, dpi))
        assert open_image(label.png).size == (2 * dpi, dpi)
        assert f"^PW{2 * dpi}^LL{dpi}" in label.zpl
        assert read_barcodes(open_image(label.png)) == [CODE]


class TestRuler:
    @pytest.mark.parametrize("dpi", [203, 300])
    def test_frames_the_label_and_marks_inches_and_millimeters(self, dpi: int) -> None:
        stock = LabelStock(2, 1, dpi)
        label = draw_ruler_label(("Bench", f"ZPL {dpi} dpi"), stock)
        image = open_image(label.png)
        assert image.size == (2 * dpi, dpi)
        corners = [(0, 0), (2 * dpi - 1, 0), (0, dpi - 1), (2 * dpi - 1, dpi - 1)]
        assert [image.getpixel(place) for place in corners] == [0] * 4
        below_frame = dpi // 25
        assert image.getpixel((round(10 * dpi / 25.4), below_frame)) == 0
        assert image.getpixel((dpi, dpi - 1 - below_frame)) == 0
        assert f"^PW{2 * dpi}^LL{dpi}" in label.zpl
        assert f"q{2 * dpi}\nQ{dpi}" in label.epl
