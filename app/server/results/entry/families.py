"""The families of results that have an entry of their own."""

from app.contract.enumerations import ResultKind

SEPARATE_FAMILIES = frozenset(
    {ResultKind.MICROBIOLOGY, ResultKind.TOXICOLOGY, ResultKind.PATHOLOGY}
)
"""The clinical entry and the clinical results leave out tests of these families."""
