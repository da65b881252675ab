"""PDF documents contain all required data, even if they are long."""

from dataclasses import replace
from datetime import timedelta

import pytest
import zxingcpp
from pypdf.generic import ContentStream

from app.contract.enumerations import ResultFlag
from app.drawing.pages import (
    CumulativeCell,
    CumulativeColumn,
    CumulativeLine,
    CumulativePage,
    CumulativeSection,
    OrderDetailsPage,
    OrderDetailsPdf,
    ResultLine,
    draw_cumulative_results,
    draw_labels_pdf,
    draw_order_results,
    draw_requisitions,
)
from app.drawing.typefaces import MISSING
from tests.drawing.reading import decode_barcodes, open_pdf, read_words
from tests.drawing.samples import (
    CLIENT,
    CODE,
    LAB,
    LABEL,
    PATIENT,
    PHYSICIAN,
    REPORT,
    REQUISITION,
    RESULTS,
    parse_time,
)


class TestMissingBirthDate:
    """Pages of a patient whose birth date is unknown."""

    PATIENT = replace(PATIENT, birth_date=None)
    COLUMN = CumulativeColumn(parse_time("2026-11-21T08:30"), CODE, None)
    LINE = CumulativeLine("Glucose", "mg/dL", "70 - 99", (CumulativeCell("90"),))
    SECTION = CumulativeSection("Clinical", (COLUMN,), (LINE,))
    CUMULATIVE = CumulativePage(LAB, parse_time("2026-11-21T15:00"), PATIENT, (SECTION,))

    @pytest.mark.parametrize(
        "pdf",
        [
            draw_requisitions([replace(REQUISITION, patient=PATIENT)]),
            draw_order_results([replace(REPORT, patient=PATIENT)]),
            draw_cumulative_results([CUMULATIVE]),
        ],
        ids=["requisition", "report", "cumulative"],
    )
    def test_leave_the_birth_date_out(self, pdf: bytes) -> None:
        text = read_words(pdf)
        assert "P0000123" in text
        assert "SAMPLE, ANNA MARIE" in text
        assert "None" not in text
        assert "Birth date" not in text


class TestOrderResults:
    def test_contains_what_the_regulation_requires(self) -> None:
        """42 CFR 493.1291(c): patient, lab, report date, test, source, result, condition."""
        text = read_words(draw_order_results([REPORT]))
        for phrase in (
            "SAMPLE, ANNA MARIE",
            "P0000123",
            "Lakeside Clinical Laboratory",
            "1200 North Pier Road",
            "11/21/2026 02:12 PM",
            "11/21/2026 11:02 AM",
            "HEMOLYZED",
            "Source Serum",
            "Glucose 512 HH mg/dL 70 - 99",
            "Called and read back.",
            "EXAMPLE, MARIA",
            "LAKESHORE FAMILY MEDICINE",
            CODE,
            "PARTIAL",
            "Reviewed by the medical director.",
        ):
            assert phrase in text, phrase

    def test_shows_an_alert_before_the_results(self) -> None:
        text = read_words(draw_order_results([REPORT]))
        assert text.index("CRITICAL:") < text.index("Glucose")
        assert "CRITICAL:" not in read_words(draw_order_results([replace(REPORT, alerts=())]))

    def test_marks_each_page_of_a_preview(self) -> None:
        results = tuple(ResultLine(f"Analyte {i:03}", f"{i}.5") for i in range(100))
        page = replace(REPORT, results=results, watermark="PREVIEW - NOT RELEASED")
        pdf = open_pdf(draw_order_results([page]))
        assert len(pdf.pages) > 1
        assert all("PREVIEW - NOT RELEASED" in sheet.extract_text() for sheet in pdf.pages)
        assert decode_barcodes(pdf.pages[0]) == []

    def test_shows_the_previous_value_of_a_correction(self) -> None:
        text = read_words(draw_order_results([REPORT]))
        assert "5.4 (corrected)" in text
        assert "Corrected 11/21/2026 02:10 PM, before: 4.5" in text

    def test_shows_the_status_of_an_unreleased_test(self) -> None:
        assert "Hepatitis C antibody PENDING" in read_words(draw_order_results([REPORT]))

    def test_shows_no_flag_for_a_normal_result(self) -> None:
        assert "Sodium 139 mmol/L" in read_words(draw_order_results([REPORT]))

    def test_barcode_decodes_to_the_order_code(self) -> None:
        assert decode_barcodes(open_pdf(draw_order_results([REPORT])).pages[0]) == ["L260000123"]

    def test_continues_a_long_report_without_loss(self) -> None:
        results = tuple(
            ResultLine(f"Analyte {i:03}", f"{i}.5", unit="mg/dL", comments=(f"Comment {i:03}",))
            for i in range(200)
        )
        pdf = draw_order_results([replace(REPORT, results=results)])
        text = read_words(pdf)
        assert len(open_pdf(pdf).pages) > 3
        for i in range(200):
            assert f"Analyte {i:03} {i}.5 mg/dL" in text
            assert f"Comment {i:03}" in text

    def test_names_the_organism_of_an_antibiotic_at_the_top_of_a_page(self) -> None:
        firsts = set()
        for count in range(20, 60):
            results = (
                *(ResultLine(f"Analyte {i:03}", f"{i}.5") for i in range(count)),
                ResultLine("CULTURE, BLOOD", "FINAL"),
                ResultLine("Escherichia coli", "Present", 1),
                *(ResultLine(f"Antibiotic {i}", "1", 2, comments=("Note",)) for i in range(4)),
            )
            pages = open_pdf(draw_order_results([replace(REPORT, results=results)])).pages
            below_head = pages[-1].extract_text().partition("REFERENCE RANGE\n")[2]
            firsts.add(below_head.split("\n")[0])
        assert "CULTURE, BLOOD · Escherichia coli (continued)" in firsts
        assert not any(first.startswith(("Antibiotic", "Note")) for first in firsts)

    def test_puts_no_heading_alone_at_the_end_of_a_page(self) -> None:
        test = ResultLine("CAFFEINE", "Not judged", 1, comments=("CAFFEINE was not tested",))
        for count in range(20, 60):
            analytes = (ResultLine(f"Analyte {i:03}", f"{i}.5") for i in range(count))
            results = (*analytes, ResultLine("OTHER MEDICATIONS", is_panel=True), test)
            pages = open_pdf(draw_order_results([replace(REPORT, results=results)])).pages
            texts = [page.extract_text() for page in pages]
            assert any("OTHER MEDICATIONS" in text and "CAFFEINE was" in text for text in texts)

    def test_marks_a_critical_report_of_a_biopsy(self) -> None:
        def count_boxes(flag: ResultFlag | None) -> int:
            results = (ResultLine("Result Report", is_panel=True, flag=flag),)
            page = open_pdf(draw_order_results([replace(REPORT, results=results)])).pages[0]
            operations = ContentStream(page.get_contents(), page.pdf).operations
            return sum(operator == b"re" for _, operator in operations)

        assert count_boxes(ResultFlag.CRITICAL_ABNORMAL) == count_boxes(None) + 1

    @pytest.mark.parametrize("count", range(20, 60))
    def test_the_legend_of_flags_is_never_alone_on_a_page(self, count: int) -> None:
        lines = [f"Line {number}" for number in range(count)]
        pdf = draw_order_results([replace(REPORT, comment="\n".join(lines))])
        words = open_pdf(pdf).pages[-1].extract_text()
        assert "Line" in words
        assert "beyond the measuring range" in words

    def test_prints_a_comment_longer_than_a_page(self) -> None:
        long_line = ResultLine("Note", "SEE COMMENT", comments=("many words here " * 1200,))
        text = read_words(draw_order_results([replace(REPORT, results=(*RESULTS, long_line))]))
        assert text.count("many") == 1200

    def test_embeds_letters_beyond_latin(self) -> None:
        page = replace(REPORT, comment="Пациент, Łącka, ≥ 60, محمد")
        pdf = draw_order_results([page])
        assert "Пациент, Łącka, ≥ 60" in read_words(pdf)
        fonts = open_pdf(pdf).pages[0]["/Resources"]["/Font"].values()
        embedded_fonts = [str(font.get_object()["/BaseFont"]) for font in fonts]
        assert any(name.endswith("DejaVuSansCondensed") for name in embedded_fonts)


class TestOrderDetails:
    """The page with the history of an order."""

    def test_each_time_fits_on_one_line(self) -> None:
        times = [parse_time(f"2026-12-28T{time}") for time in ("22:58", "23:48", "22:28")]
        page = OrderDetailsPage(
            LAB,
            "L260000123",
            CODE,
            "FINAL",
            parse_time("2026-12-29T15:00"),
            PATIENT,
            CLIENT,
            PHYSICIAN,
            *times,
            bill_to="INSURANCE",
            tests=(),
            history=(),
        )
        document = OrderDetailsPdf("Order details")
        document.add([page])
        lines = open_pdf(document.finish()).pages[0].extract_text().splitlines()
        for time in ("12/28/2026 10:58 PM", "12/28/2026 11:48 PM", "12/28/2026 10:28 PM"):
            assert any(time in line for line in lines)


class TestEastAsianNames:
    @pytest.mark.parametrize("name", ["王, 小明", "김, 민준", "さくら, タロウ"])
    def test_draws_names_with_the_embedded_typeface(self, name: str) -> None:
        page = replace(REQUISITION, patient=replace(PATIENT, name=name))
        pdf = draw_requisitions([page])
        # The extraction adds a space where the typeface changes.
        assert name.replace(" ", "") in read_words(pdf).replace(" ", "")
        assert MISSING not in read_words(pdf)
        assert len(pdf) < 100_000, "unused glyphs are embedded"

    def test_mixes_names_with_other_scripts(self) -> None:
        text = read_words(draw_order_results([replace(REPORT, comment="Łącka 王小明 ≥ 60 محمد")]))
        assert "Łącka 王小明 ≥ 60" in text


class TestColor:
    @pytest.mark.parametrize(
        "pdf",
        [draw_requisitions([REQUISITION]), draw_order_results([REPORT])],
        ids=["form", "report"],
    )
    def test_headings_have_the_accent_color(self, pdf: bytes) -> None:
        page = open_pdf(pdf).pages[0]
        fills = {
            tuple(round(float(part) * 255) for part in operands)
            for operands, operator in ContentStream(page.get_contents(), page.pdf).operations
            if operator == b"rg"
        }
        assert (0x0F, 0x5C, 0x6E) in fills


class TestLabelPages:
    def test_each_label_has_a_page_of_its_size(self) -> None:
        pages = open_pdf(draw_labels_pdf([LABEL] * 3)).pages
        assert len(pages) == 3
        for page in pages:
            assert [round(float(size)) for size in page.mediabox[2:]] == [144, 72]

    def test_barcode_is_readable_on_the_page(self) -> None:
        page = open_pdf(draw_labels_pdf([LABEL])).pages[0]
        picture = page.images[0].image
        assert [barcode.text for barcode in zxingcpp.read_barcodes(picture)] == [LABEL.code]


class TestCumulativeResults:
    """The cumulative report, with a column per order."""

    @staticmethod
    def _build_page(count: int) -> CumulativePage:
        first = parse_time("2026-01-01T07:30")
        columns = tuple(
            CumulativeColumn(first + timedelta(days=i), f"L{i:09}", "CLIENT") for i in range(count)
        )
        cells = tuple(
            CumulativeCell(f"{i + 100}", ResultFlag.CRITICAL_HIGH, True, True, ("range 60 - 90",))
            for i in range(count)
        )
        line = CumulativeLine("Glucose", "mg/dL, Hexokinase", "70 - 99", cells)
        other = CumulativeLine("Sodium", "mmol/L", "", (CumulativeCell("140"), *[None] * count))
        lines = (line, replace(other, cells=other.cells[:count]))
        section = CumulativeSection("Clinical", columns, lines)
        return CumulativePage(LAB, parse_time("2026-11-21T09:00"), PATIENT, (section,))

    def test_shows_values_with_flags_ranges_and_orders(self) -> None:
        text = read_words(draw_cumulative_results([self._build_page(2)]))
        for phrase in (
            "SAMPLE, ANNA MARIE",
            "P0000123",
            "Glucose 70 - 99 100 HH 101 HH",
            "mg/dL, Hexokinase",
            "range 60 - 90",
            "01/01/2026 07:30 AM",
            "L000000001 CLIENT",
            "Page 1 of 1",
        ):
            assert phrase in text, phrase

    def test_distinguishes_normal_values_from_unjudged_ones(self) -> None:
        cells = (CumulativeCell("142", ResultFlag.NORMAL), CumulativeCell("141"))
        page = self._build_page(2)
        [section] = page.sections
        line = CumulativeLine("Sodium", "", "", cells)
        text = read_words(
            draw_cumulative_results(
                [replace(page, sections=(replace(section, lines=(line,)),))],
            )
        )
        assert "Sodium 142 N 141" in text
        assert "141 N" not in text

    def test_names_the_patient_on_every_page_and_prints_every_value(self) -> None:
        pdf = draw_cumulative_results([self._build_page(56)])
        pages = [page.extract_text() for page in open_pdf(pdf).pages]
        assert len(pages) > 2
        assert all("SAMPLE, ANNA MARIE" in page and "P0000123" in page for page in pages)
        text = read_words(pdf)
        for i in range(56):
            assert f"{i + 100} HH" in text
            assert f"L{i:09}" in text
