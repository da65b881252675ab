"""The PDF form of a requisition contains all required data, even if it is long."""

from dataclasses import replace

from app.drawing.pages import Cancellation, DiagnosisLine, OrderedTest, draw_requisitions
from tests.drawing.reading import decode_barcodes, open_pdf, read_words
from tests.drawing.samples import CODE, REQUISITION, parse_time


class TestRequisition:
    def test_fits_on_one_page(self) -> None:
        assert len(open_pdf(draw_requisitions([REQUISITION])).pages) == 1

    def test_contains_what_the_regulation_requires(self) -> None:
        """42 CFR 493.1241(c): orderer, patient, sex, birth date, tests, source, collection."""
        text = read_words(draw_requisitions([REQUISITION]))
        for phrase in (
            "EXAMPLE, MARIA",
            "2134567893",
            "500 W OAK ST",
            "SAMPLE, ANNA MARIE",
            "P0000123",
            "01/31/1980",
            "FEMALE",
            "COMPLETE BLOOD COUNT",
            "Lavender Top (EDTA) - Whole blood",
            "11/21/2026 08:30 AM",
            "NON FASTING",
            "ROUTINE",
            "INSURANCE",
            "E11.9",
            "METFORMIN, LISINOPRIL",
            "MEDICARE PART B",
            "Please call with critical results.",
            "Lakeside Clinical Laboratory",
            "1200 North Pier Road",
        ):
            assert phrase in text, phrase

    def test_barcode_decodes_to_the_code(self) -> None:
        assert decode_barcodes(open_pdf(draw_requisitions([REQUISITION])).pages[0]) == [CODE]

    def test_groups_tests_by_container(self) -> None:
        text = read_words(draw_requisitions([REQUISITION]))
        assert text.index("Gold Top (SST)") < text.index("THYROID") < text.index("HIV 1/2")
        assert text.index("COMPLETE BLOOD COUNT") < text.index("Gold Top (SST)")
        assert "(confidential)" in text

    def test_shows_the_signature_with_name_and_time(self) -> None:
        pdf = draw_requisitions([REQUISITION])
        assert "Electronically signed by: MARIA EXAMPLE 11/21/2026 08:45 AM" in read_words(pdf)
        assert len(open_pdf(pdf).pages[0].images) == 1

    def test_has_a_signature_line_if_unsigned(self) -> None:
        text = read_words(draw_requisitions([replace(REQUISITION, signature=None)]))
        assert "Electronically signed" not in text
        assert "Signature of the ordering person" in text

    def test_prints_only_the_date_of_a_collection_at_midnight(self) -> None:
        page = replace(REQUISITION, collection=parse_time("2026-11-20"), signature=None)
        assert "COLLECTED 11/20/2026 PRIORITY" in read_words(draw_requisitions([page]))

    def test_names_the_tests_that_diagnoses_support(self) -> None:
        text = read_words(draw_requisitions([REQUISITION]))
        assert "Type 2 diabetes mellitus without complications CBC" in text
        assert "Essential (primary) hypertension All tests" in text

    def test_starts_each_requisition_on_a_new_page(self) -> None:
        other = replace(REQUISITION, code="R260000124")
        pages = open_pdf(draw_requisitions([REQUISITION, other])).pages
        assert [decode_barcodes(page) for page in pages] == [[CODE], ["R260000124"]]
        assert all("Page 1 of 1" in page.extract_text() for page in pages)

    def test_continues_on_further_pages_without_loss(self) -> None:
        tests = tuple(
            OrderedTest(f"T{i:03}", f"TEST NUMBER {i:03}", f"Tube {i % 4}", "Serum")
            for i in range(120)
        )
        diagnoses = tuple(DiagnosisLine(f"Z{i:02}.9", "Of some length " * 12) for i in range(12))
        page = replace(
            REQUISITION, tests=tests, diagnoses=diagnoses, comments="line of many words " * 900
        )
        pdf = draw_requisitions([page, REQUISITION])
        pages = open_pdf(pdf).pages
        text = read_words(pdf)
        count = len(pages) - 1
        assert count > 4
        for i in range(120):
            assert text.count(f"TEST NUMBER {i:03}") == 1
        assert text.count("length") == 144
        assert text.count("many") == 900
        for number, pdf_page in enumerate(pages[:-1], start=1):
            lines = pdf_page.extract_text().split()
            assert lines
            assert f"Page {number} of" in " ".join(lines)
            if number > 1:
                assert "SAMPLE, ANNA MARIE" in pdf_page.extract_text()
        assert "Page 1 of 1" in pages[-1].extract_text()

    def test_shows_the_number_of_pages(self) -> None:
        page = replace(REQUISITION, comments="word " * 3000)
        reader = open_pdf(draw_requisitions([page]))
        forms = reader.pages[0]["/Resources"]["/XObject"].get_object()
        page_numbers = [
            form.get_object().get_data()
            for form in forms.values()
            if form.get_object()["/Subtype"] == "/Form"
        ]
        assert any(f"({len(reader.pages)})".encode() in content for content in page_numbers)

    def test_marks_every_page_if_canceled(self) -> None:
        page = replace(
            REQUISITION,
            status="CANCELED",
            cancellation=Cancellation(
                "Patient left before the draw. " * 8, parse_time("2026-11-21T08:30"), "Ann Baker"
            ),
            comments="word " * 3000,
        )
        pages = open_pdf(draw_requisitions([page, REQUISITION])).pages
        assert len(pages) > 2
        for canceled_page in pages[:-1]:
            assert "CANCELED" in canceled_page.extract_text()
            assert decode_barcodes(canceled_page) == []
        assert "CANCELED" not in pages[-1].extract_text()
        words = " ".join(pages[0].extract_text().split())
        assert words.count("Patient left before the draw.") == 8
        assert "11/21/2026 08:30 AM by Ann Baker: Patient left" in words

    def test_the_mark_of_a_canceled_form_is_light_over_its_text(self) -> None:
        canceled_form = replace(REQUISITION, status="CANCELED", cancellation=Cancellation("Twice"))
        [page] = open_pdf(draw_requisitions([canceled_form])).pages
        states = [state.get_object() for state in page["/Resources"]["/ExtGState"].values()]
        opacities = {
            float(state[key]) for state in states for key in ("/CA", "/ca") if key in state
        }
        assert 0 < max(opacities - {1.0}) <= 0.35

    def test_does_not_ask_for_a_signature_if_canceled(self) -> None:
        unsigned_form = replace(REQUISITION, signature=None)
        invitation = "Signature of the ordering person"
        assert invitation in read_words(draw_requisitions([unsigned_form]))
        canceled_form = replace(unsigned_form, cancellation=Cancellation("Twice"))
        assert invitation not in read_words(draw_requisitions([canceled_form]))

    def test_is_deterministic(self) -> None:
        assert draw_requisitions([REQUISITION]) == draw_requisitions([REQUISITION])

    def test_has_no_patient_data_in_its_properties(self) -> None:
        metadata = open_pdf(draw_requisitions([REQUISITION])).metadata
        assert metadata is not None
        assert "SAMPLE" not in str(dict(metadata))
