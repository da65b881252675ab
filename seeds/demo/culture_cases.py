"""Invented cultures: what grew, how much of it, and what it resisted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial


@dataclass(frozen=True)
class Isolate:
    """An organism with its MICs by antibiotic."""

    code: str
    quantity: str | None
    mics: Mapping[str, str] = field(default_factory=dict)
    mark: str | None = None
    comment: str | None = None


@dataclass(frozen=True)
class Case:
    """A culture; ``weight`` says how often it occurs. Findings are 'code' or 'code:quantity'."""

    weight: int
    source: str | None = None
    site: str | None = None
    findings: tuple[str, ...] = ()
    isolates: tuple[Isolate, ...] = ()
    result: str | None = None
    comment: str | None = None
    preliminary_comment: str | None = None


_COLI = {
    "AMP": ">16", "AMC": "4", "CZO": "<=1", "CRO": "<=0.5", "FEP": "<=1", "ETP": "<=0.25",
    "MEM": "<=0.25", "GEN": "<=1", "CIP": "<=0.06", "SXT": "<=0.5", "NIT": "<=16",
}  # fmt: skip
_ESBL = {
    "AMP": ">32", "AMC": "16", "CZO": ">16", "CRO": ">32", "FEP": "8", "ETP": "<=0.25",
    "MEM": "<=0.25", "GEN": "8", "CIP": ">2", "SXT": ">8", "NIT": "<=16",
}  # fmt: skip
_KLEBSIELLA = {
    "AMC": "<=2", "CZO": "2", "CRO": "<=0.5", "ETP": "<=0.25", "MEM": "<=0.25", "GEN": "<=1",
    "CIP": "0.5", "SXT": "<=0.5", "NIT": "32",
}  # fmt: skip
_CARBAPENEM_RESISTANT = {
    "AMC": ">32", "CZO": ">16", "CRO": ">32", "FEP": ">16", "ETP": ">4", "MEM": "8", "GEN": "2",
    "TOB": ">8", "AMK": "4", "CIP": ">2", "SXT": ">8",
}  # fmt: skip
_PROTEUS = {"AMP": "<=2", "AMC": "<=2", "CZO": "2", "CRO": "<=0.5", "GEN": "2", "CIP": "<=0.06"}
_FAECALIS = {"AMP": "<=2", "VAN": "1", "LNZ": "2", "NIT": "<=16", "LVX": "1"}
_VRE = {"AMP": ">16", "VAN": ">32", "LNZ": "2", "DAP": "2", "NIT": "64", "LVX": ">8"}
_AUREUS = {
    "PEN": ">1", "OXA": "0.5", "CLI": "0.25", "ERY": "0.25", "SXT": "<=0.5", "TET": "<=1",
    "VAN": "1", "LNZ": "2", "DAP": "0.5",
}  # fmt: skip
_MRSA = {**_AUREUS, "OXA": ">4", "ERY": ">8", "CLI": "0.25", "CPT": "0.5"}
_EPIDERMIDIS = {"PEN": ">1", "OXA": ">4", "CLI": ">8", "SXT": ">8", "VAN": "1", "LNZ": "1"}
_PYOGENES = {"PEN": "<=0.06", "CLI": "<=0.12", "ERY": "<=0.12"}

_grow_urine = partial(Case, source="URINE_CC")
_grow_catheter_urine = partial(Case, source="URINE_CATH")
_grow_blood = partial(Case, source="BLOOD", site="LARM")

CASES: Mapping[str, tuple[Case, ...]] = {
    "UCUL": (
        _grow_urine(40, findings=("NG",)),
        _grow_urine(12, findings=("CONTAM",), comment="Please collect another specimen."),
        _grow_urine(6, isolates=(Isolate("MFLOR", "Q3"),)),
        _grow_urine(18, findings=("GRWBC:MANY",), isolates=(Isolate("ECOLI", "Q5", _COLI),)),
        _grow_urine(6, isolates=(Isolate("ECOLI", "Q5", _ESBL, "ESBL"),)),
        _grow_urine(6, isolates=(Isolate("KPNEU", "Q4", _KLEBSIELLA),)),
        _grow_catheter_urine(4, isolates=(Isolate("PMIRA", "Q5", _PROTEUS),)),
        _grow_catheter_urine(3, isolates=(Isolate("EFAEM", "Q5", _VRE, "VRE"),)),
        _grow_catheter_urine(1, isolates=(Isolate("KPNEU", "Q5", _CARBAPENEM_RESISTANT, "CRE"),)),
        _grow_urine(
            4,
            findings=("GRWBC:MODERATE",),
            isolates=(
                Isolate("ECOLI", "Q5", _ESBL, "ESBL"),
                Isolate("EFAEC", "Q3", _FAECALIS),
            ),
        ),
    ),
    "BCUL": (
        _grow_blood(70, findings=("NG",)),
        _grow_blood(
            8,
            findings=("GRGPCCL",),
            isolates=(
                Isolate(
                    "SEPID", "BOT1", _EPIDERMIDIS, comment="One bottle only: may be a contaminant."
                ),
            ),
        ),
        _grow_blood(8, findings=("GRGPCCL",), isolates=(Isolate("SAURE", "BOT2", _AUREUS),)),
        _grow_blood(6, findings=("GRGPCCL",), isolates=(Isolate("SAURE", "BOT2", _MRSA, "MRSA"),)),
        _grow_blood(8, findings=("GRGNR",), isolates=(Isolate("ECOLI", "BOT2", _COLI),)),
    ),
    "TCUL": (
        Case(70, source="THROAT", findings=("NOGAS",)),
        Case(30, source="THROAT", isolates=(Isolate("SPYOG", "MANY", _PYOGENES),)),
    ),
    "WCUL": (
        Case(40, source="WOUND", site="RFOOT", isolates=(Isolate("SKFLO", "FEW"),)),
        Case(
            30,
            source="WOUND",
            site="SACRUM",
            findings=("GRWBC:MANY", "GRGPCCL:MANY"),
            isolates=(Isolate("SAURE", "MANY", _MRSA, "MRSA"),),
        ),
        Case(
            30,
            source="WOUND",
            site="LLEG",
            findings=("GRWBC:MODERATE", "GRGNR:FEW"),
            isolates=(Isolate("PMIRA", "FEW", _PROTEUS), Isolate("EFAEC", "RARE", _FAECALIS)),
        ),
    ),
    "SPCUL": (Case(1, source="SPUTUM", isolates=(Isolate("RFLOR", "MODERATE"),)),),
    "SCUL": (Case(1, source="STOOL", findings=("NOENT",)),),
    "GRAM": (Case(1, source="WOUND", findings=("GRWBC:FEW", "GRNEG")),),
    "OP": (Case(1, source="STOOL", findings=("NOOP",)),),
}
"""Cases by the code of the test. Tests whose results are choices have no cases."""

PRELIMINARY_CASES: Mapping[str, Case] = {
    "BCUL": _grow_blood(
        1,
        findings=("GRGPCCL:BOT1",),
        preliminary_comment="Gram stain of a positive bottle. Identification follows.",
    ),
}
"""The preliminary reading of tests for which it matters most."""

GRAM_STAINS: Mapping[str, str] = {
    "ECOLI": "GNR",
    "KPNEU": "GNR",
    "PMIRA": "GNR",
    "EFAEM": "GPCCH",
    "EFAEC": "GPCCH",
    "SEPID": "GPCCL",
    "SAURE": "GPCCL",
    "SPYOG": "GPCCH",
}
"""By organism: the entry ('gram-negative rods') that is reported until it is identified."""
