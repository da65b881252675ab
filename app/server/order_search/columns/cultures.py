"""Columns of released cultures: their specimens, organisms, and susceptibilities.

Each reads the newest released version that is not withheld, for everybody (ADR 99). What a cascade
suppresses looks nonexistent to everybody, even to the lab, so that a search means the same for all
(ADR 114).
"""

from app.contract.enumerations import ResultFlag, ResultKind
from app.server.lists.spec import Column
from app.server.order_search.columns.result_rows import select_released_results
from app.server.order_search.columns.spec import SearchColumn, name_texts
from app.server.order_search.rules import Kind

_CULTURES = "Cultures"
_RELEASED = select_released_results(ResultKind.MICROBIOLOGY, "source", "site")
_HAS_CULTURE = f"EXISTS (SELECT 1 {_RELEASED} AND ({{condition}}){{per_order}})"
_HAS_ORGANISM = (
    f"EXISTS (SELECT 1 {_RELEASED} AND EXISTS (SELECT 1 FROM culture_organisms g "
    "WHERE g.culture_id = r.id AND ({condition})){per_order})"
)
_IS_REPORTED = "NOT s.is_suppressed AND s.interpretation IS NOT NULL"
_HAS_INTERPRETATION = (
    f"EXISTS (SELECT 1 {_RELEASED} AND EXISTS (SELECT 1 FROM culture_susceptibilities s "
    f"WHERE s.culture_id = r.id AND s.antibiotic = {{antibiotic}} AND {_IS_REPORTED} "
    "AND ({condition})){per_order})"
)
_OF_RELEASED = f"culture_id IN (SELECT r.id {_RELEASED})"
_SHOWN_INTERPRETATIONS = (
    "(SELECT string_agg(d.words, '; ' ORDER BY d.culture_id, d.position) FROM ("
    "SELECT g.culture_id, g.position, concat(g.name, ': ', string_agg(concat_ws(' ', "
    "s.antibiotic_name, s.interpretation), ', ' ORDER BY s.position)) AS words "
    "FROM culture_organisms g JOIN culture_susceptibilities s ON s.culture_id = g.culture_id "
    f"AND s.organism_position = g.position WHERE g.{_OF_RELEASED} AND {_IS_REPORTED} "
    "GROUP BY g.culture_id, g.position, g.name) d)"
)
_INTERPRETATIONS = (
    ResultFlag.SUSCEPTIBLE,
    ResultFlag.INTERMEDIATE,
    ResultFlag.RESISTANT,
    ResultFlag.SUSCEPTIBLE_DOSE_DEPENDENT,
    ResultFlag.NOT_SUSCEPTIBLE,
)


def _list_texts(name: str, rows: str) -> str:
    """Return SQL of the different texts of these rows, as a JSON list."""
    return (
        "(SELECT coalesce(json_agg(d.words ORDER BY d.words), '[]'::json) "
        f"FROM (SELECT DISTINCT {name} AS words {rows}) d WHERE d.words IS NOT NULL)"
    )


def _build_text_column(name: str, label: str, sql: str, wrap: str, rows: str) -> SearchColumn:
    """Build a column of a text that an order may have several of, or none."""
    return SearchColumn(
        name,
        label,
        _CULTURES,
        Kind.TEXT,
        f"upper({sql})",
        wrap=wrap,
        may_be_empty=True,
        shown_column=Column(name, _list_texts(sql, rows), list[str]),
    )


_ORGANISM_ROWS = f"FROM culture_organisms g WHERE g.{_OF_RELEASED}"

CULTURE_COLUMNS: tuple[SearchColumn, ...] = (
    _build_text_column("cultureSource", "Source of a culture", "r.source", _HAS_CULTURE, _RELEASED),
    _build_text_column("cultureSite", "Site of a culture", "r.site", _HAS_CULTURE, _RELEASED),
    _build_text_column("organism", "Organism found", "g.name", _HAS_ORGANISM, _ORGANISM_ROWS),
    _build_text_column(
        "resistanceMark", "Resistance mark", "g.mark_name", _HAS_ORGANISM, _ORGANISM_ROWS
    ),
    SearchColumn(
        "susceptibility",
        "Antibiotic, interpretation",
        _CULTURES,
        Kind.CHOICE,
        "s.interpretation",
        wrap=_HAS_INTERPRETATION,
        needs_antibiotic=True,
        choices=name_texts(_INTERPRETATIONS),
        shown_column=Column("susceptibility", _SHOWN_INTERPRETATIONS, str | None),
    ),
)
