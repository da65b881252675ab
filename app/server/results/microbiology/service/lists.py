"""The lab's lists for the entry of cultures."""

from collections.abc import Sequence

from app.contract.enumerations import CultureTermKind
from app.server.access.work import Work
from app.server.results.microbiology.reference_models import CultureTerm
from app.server.results.microbiology.reference_repository import MicrobiologyListRepository
from app.server.results.microbiology.schemas import (
    AntibioticChoice,
    MicrobiologyLists,
    OrganismChoice,
    TermShape,
)


async def read_lists(work: Work) -> MicrobiologyLists:
    """Return the lab's lists, each in its order."""
    repository = work.build_repository(MicrobiologyListRepository)
    terms = await repository.list_terms()
    antibiotics = await repository.list_antibiotics()
    edition, panels = await repository.load_panels()
    return MicrobiologyLists(
        breakpoint_edition=edition,
        sources=_list_terms(terms, CultureTermKind.SOURCE),
        sites=_list_terms(terms, CultureTermKind.SITE),
        quantities=_list_terms(terms, CultureTermKind.QUANTITY),
        findings=_list_terms(terms, CultureTermKind.FINDING),
        marks=_list_terms(terms, CultureTermKind.MARK),
        organisms=[
            OrganismChoice(
                code=row.code,
                name=row.name,
                panel=[
                    antibiotic.code
                    for antibiotic in antibiotics
                    if (row.code, antibiotic.code) in panels
                    or (row.group_code, antibiotic.code) in panels
                ],
            )
            for row in await repository.list_organisms()
        ],
        antibiotics=[AntibioticChoice.model_validate(row) for row in antibiotics],
    )


def _list_terms(terms: Sequence[CultureTerm], kind: CultureTermKind) -> list[TermShape]:
    return [TermShape.model_validate(term) for term in terms if term.kind == kind]
