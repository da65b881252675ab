"""Occasions for orders: tests, diagnoses, and medications that belong together."""

from dataclasses import dataclass

from app.contract.enumerations import Gender


@dataclass(frozen=True)
class Profile:
    """An occasion for an order; ages are in years with an inclusive upper bound."""

    weight: int
    tests: tuple[str, ...]
    diagnoses: tuple[str, ...]
    medications: tuple[str, ...] = ()
    gender: Gender | None = None
    years: tuple[int, int] = (0, 130)

    def fits(self, gender: Gender, years: int) -> bool:
        """Whether the occasion applies to a person of that sex and age."""
        return self.gender in (None, gender) and self.years[0] <= years <= self.years[1]


_ADULT = (18, 130)

PROFILES = (
    Profile(
        20,
        ("CBCD", "CMP", "LIPID", "TSH"),
        ("Z00.00", "Z13.220", "E78.5", "I10", "R53.83"),
        ("LISINOPRIL", "ATORVASTATIN", "AMLODIPINE", "ASPIRIN"),
        years=_ADULT,
    ),
    Profile(
        16,
        ("A1CP", "BMP", "MALBP", "LIPID"),
        ("E11.9", "E11.65", "R73.03", "E66.9", "N18.31"),
        ("METFORMIN", "EMPAGLIFLOZIN", "INSULIN GLARGINE", "SEMAGLUTIDE", "LOSARTAN"),
        years=_ADULT,
    ),
    Profile(
        10,
        ("CBCD", "BMP"),
        ("I10", "I50.9", "R60.9", "E87.6", "E87.1"),
        ("FUROSEMIDE", "POTASSIUM CHLORIDE", "CARVEDILOL", "HYDROCHLOROTHIAZIDE"),
        years=_ADULT,
    ),
    Profile(
        8,
        ("TSHR", "TPO"),
        ("E03.9", "R53.83", "R63.4"),
        ("LEVOTHYROXINE", "METHIMAZOLE"),
    ),
    Profile(
        8,
        ("CBCD", "IRONP", "VITP", "RETIC"),
        ("D64.9", "D50.9", "D51.9"),
        ("FERROUS SULFATE", "CYANOCOBALAMIN", "FOLIC ACID"),
    ),
    Profile(
        9,
        ("PTINR", "CBC"),
        ("I48.91", "Z79.01", "Z51.81"),
        ("WARFARIN", "METOPROLOL TARTRATE", "DIGOXIN"),
        years=(40, 130),
    ),
    Profile(
        7,
        ("UA", "UCUL"),
        ("N39.0", "R30.0", "R31.9"),
        ("NITROFURANTOIN", "CIPROFLOXACIN"),
    ),
    Profile(3, ("UCUL",), ("N39.0", "R30.0"), ("NITROFURANTOIN",)),
    Profile(6, ("HEP", "HEPAC", "GGT"), ("K76.0", "B18.2", "R79.89"), ("SPIRONOLACTONE",)),
    Profile(
        6,
        ("RENAL", "PTH", "UPCR", "CBC"),
        ("N18.30", "N18.31"),
        ("SEVELAMER", "CALCITRIOL", "LOSARTAN"),
        years=_ADULT,
    ),
    Profile(
        5,
        ("OBP", "ABORH", "ABSC", "CBC", "UA"),
        ("Z34.90", "O09.90"),
        ("FOLIC ACID",),
        Gender.FEMALE,
        (18, 44),
    ),
    Profile(
        4,
        ("CTNG", "HIV", "RPR", "HCVAB"),
        ("Z11.3", "Z11.4"),
        years=(16, 65),
    ),
    Profile(4, ("PAP",), ("Z01.419",), (), Gender.FEMALE, (21, 66)),
    Profile(5, ("PSAP", "CMP"), ("Z12.5",), ("TAMSULOSIN", "FINASTERIDE"), Gender.MALE, (50, 90)),
    Profile(
        5,
        ("UDS", "TOXC", "HEP"),
        ("F11.20", "Z79.891", "Z51.81"),
        (
            "BUPRENORPHINE-NALOXONE",
            "GABAPENTIN",
            "TRAZODONE",
            "DIAZEPAM",
            "OXYCODONE-ACETAMINOPHEN",
        ),
        years=(18, 75),
    ),
    Profile(6, ("RESP4", "CRP"), ("J06.9", "R05.9", "Z20.822", "U07.1"), ("ALBUTEROL",)),
    Profile(
        4,
        ("RHEUM", "ANA", "ESR"),
        ("M06.9", "M25.50", "M32.9"),
        ("METHOTREXATE", "HYDROXYCHLOROQUINE", "PREDNISONE"),
        years=_ADULT,
    ),
    Profile(6, ("VITD", "MG", "PHOS"), ("E55.9", "Z79.899"), ("VITAMIN D3",)),
    Profile(
        3,
        ("LI", "BMP", "TSH"),
        ("F32.A", "F41.9", "Z79.899"),
        ("LITHIUM", "SERTRALINE", "QUETIAPINE"),
        years=(18, 70),
    ),
    Profile(
        3,
        ("CBCD", "BCUL", "LACT", "CMP"),
        ("A41.9", "J18.9", "L03.90"),
        ("VANCOMYCIN", "LEVOFLOXACIN"),
        years=_ADULT,
    ),
    Profile(3, ("LEAD", "HH"), ("Z86.39", "R79.89"), (), None, (0, 8)),
    Profile(4, ("CBC", "TCUL"), ("J02.9",), ("AMOXICILLIN",), None, (2, 40)),
    Profile(
        3,
        ("TROPI", "NTBNP", "CKMB", "BMP"),
        ("I25.10", "I50.9"),
        ("CLOPIDOGREL", "NITROGLYCERIN", "ROSUVASTATIN"),
        years=(35, 130),
    ),
    Profile(2, ("FIT", "CALP"), ("R10.9", "K21.9"), ("OMEPRAZOLE",), years=(20, 90)),
    Profile(2, ("SURG",), ("R79.89",), years=_ADULT),
)
