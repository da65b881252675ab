"""The supplies that clients of the demo lab may ask for: category, then code and name."""

SUPPLIES = (
    (
        "Blood collection",
        (
            ("TUBE-LAV", "Lavender top tube, EDTA, 4 mL"),
            ("TUBE-GOLD", "Gold top tube, serum separator, 5 mL"),
            ("TUBE-BLUE", "Light blue top tube, citrate, 2.7 mL"),
            ("TUBE-GRAY", "Gray top tube, fluoride, 4 mL"),
            ("NEEDLE-21", "Multi-sample needle, 21 gauge"),
            ("BUTTERFLY-23", "Butterfly set, 23 gauge"),
            ("TOURNIQUET", "Tourniquet, latex-free"),
        ),
    ),
    (
        "Urine and stool",
        (
            ("CUP-STERILE", "Sterile urine cup, 90 mL"),
            ("TUBE-BORIC", "Urine culture tube, boric acid"),
            ("JUG-24H", "24-hour urine jug, 3 L"),
            ("STOOL-VIAL", "Stool vial, transport medium"),
        ),
    ),
    (
        "Swabs and transport",
        (
            ("SWAB-ESWAB", "Collection swab with liquid medium"),
            ("SWAB-VTM", "Nasopharyngeal swab with viral medium"),
            ("BAG-BIO", "Specimen bag, biohazard"),
            ("BOX-COOL", "Insulated transport box"),
        ),
    ),
    (
        "Forms and labels",
        (
            ("LABEL-2X1", "Label roll, 2 by 1 inch"),
            ("REQ-PAPER", "Paper requisition pad"),
        ),
    ),
)
