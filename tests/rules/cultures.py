"""Cultures for the tests of their rules."""

from dataclasses import replace
from datetime import datetime

from hypothesis import strategies as st

from app.contract.enumerations import CultureStage, Reporting, SusceptibilityMethod
from app.server.results.microbiology.rules import (
    Culture,
    Finding,
    Organism,
    Susceptibility,
)

PRELIMINARY, FINAL = CultureStage.PRELIMINARY, CultureStage.FINAL


def build_susceptibility(
    antibiotic: str = "AMP",
    interpretation: str | None = "R",
    value: str | None = ">16",
    *,
    is_suppressed: bool = False,
    comment: str | None = None,
) -> Susceptibility:
    """Build an antibiotic that is reported unless it is suppressed."""
    return Susceptibility(
        antibiotic=antibiotic,
        antibiotic_name=f"NAME OF {antibiotic}",
        method=SusceptibilityMethod.MIC,
        value=value,
        interpretation=interpretation,
        is_manual=False,
        reporting=Reporting.CASCADE,
        is_suppressed=is_suppressed,
        limits=None,
        comment=comment,
    )


AMP = build_susceptibility()
COLI = Organism(
    code="ECOLI",
    group="ENTEROBACTERALES",
    name="Escherichia coli",
    is_flora=False,
    is_interim=False,
    quantity="Q5",
    quantity_name="> 100,000 CFU/mL",
    mark=None,
    mark_name=None,
    comment=None,
    organism_comment=None,
    sensitivity=(AMP,),
)
RODS = replace(COLI, code="GNR", name="Gram-negative rods", is_interim=True, sensitivity=())
FLORA = replace(COLI, code="NFLOR", name="Normal flora", is_flora=True, sensitivity=())
LEUKOCYTES = Finding(
    code="GRWBC",
    name="Leukocytes",
    is_interim=False,
    is_critical=False,
    quantity="FEW",
    quantity_name="Few",
)
NO_GROWTH = replace(LEUKOCYTES, code="NG", name="No growth", quantity=None, quantity_name=None)
NO_GROWTH_YET = replace(NO_GROWTH, code="NGTD", name="No growth to date", is_interim=True)
CULTURE = Culture(
    source="URINE_CC",
    source_name="Urine, clean catch",
    site="LARM",
    site_name="Left arm",
    collected_at=datetime.fromisoformat("2026-05-06T07:08:00"),
    findings=(LEUKOCYTES,),
    organisms=(COLI,),
    comment="Call the lab.",
)
TEXTS = st.none() | st.sampled_from(["A", "B"])
SUSCEPTIBILITIES = st.builds(
    build_susceptibility,
    st.sampled_from(["AMP", "CIP"]),
    st.sampled_from(["S", "R", None]),
    st.sampled_from(["4", ">16", None]),
    is_suppressed=st.booleans(),
)
ORGANISMS = st.builds(
    replace,
    st.sampled_from([COLI, RODS, FLORA]),
    quantity_name=TEXTS,
    mark_name=TEXTS,
    comment=TEXTS,
    sensitivity=st.lists(SUSCEPTIBILITIES, max_size=2).map(tuple),
)
CULTURES = st.builds(
    replace,
    st.just(CULTURE),
    source_name=TEXTS,
    comment=TEXTS,
    preliminary_comment=TEXTS,
    findings=st.lists(st.sampled_from([LEUKOCYTES, NO_GROWTH_YET, NO_GROWTH])).map(tuple),
    organisms=st.lists(ORGANISMS, max_size=3).map(tuple),
)


def grow_organisms(*organisms: Organism, **values: object) -> Culture:
    """Return the culture with these organisms."""
    return replace(CULTURE, organisms=organisms, **values)
