"""The lab's own tables of microbiology."""

from dataclasses import replace
from decimal import Decimal

from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import CultureTermKind, SusceptibilityMethod
from app.server.lab_data.kind import BENCH, DataKind, Field, Values
from app.server.lab_data.kinds.fields import (
    INVENTED,
    build_code,
    build_flag,
    build_name,
    build_position,
)
from app.server.results.microbiology.reference_models import (
    Antibiotic,
    Breakpoint,
    CascadeRule,
    CriticalCultureRule,
    CultureTerm,
    IntrinsicResistance,
    OrganismName,
)

_GROUP = "Microbiology"
_TERMS = {kind.value.capitalize(): kind.value for kind in CultureTermKind}
_METHODS = {
    method.value: method.value for method in (SusceptibilityMethod.MIC, SusceptibilityMethod.ZONE)
}
_CRITICAL = ("source", "appliesTo", "mark", "finding")
_APPLIES_TO = Field("applies_to", "Organism or group", upper=True)


def _build_antibiotic(
    column: str = "antibiotic",
    label: str = "Antibiotic",
    *,
    is_required: bool = True,
    fixed: bool = False,
) -> Field:
    return Field(column, label, "lookup", required=is_required, lookup="antibiotics", fixed=fixed)


def _build_applies_to(*, fixed: bool = False) -> Field:
    return Field("applies_to", "Organism or group", required=True, upper=True, fixed=fixed)


def _build_source(column: str = "source", label: str = "Source") -> Field:
    return Field(column, label, upper=True)


def validate_critical_culture(values: Values) -> list[FieldError]:
    """Validate that a rule names something: an empty one would make every culture critical."""
    if any(values[name] for name in _CRITICAL):
        return []
    return [FieldError(_CRITICAL[0], messages.CRITICAL_CULTURE_EMPTY)]


def validate_breakpoint(values: Values) -> list[FieldError]:
    """Validate that the limits of a breakpoint are in the order of its method."""
    limits = [
        Decimal(str(values[name]))
        for name in ("susceptible", "doseDependent", "resistant")
        if values[name] is not None
    ]
    is_zone = values["method"] == SusceptibilityMethod.ZONE
    if limits != sorted(limits, reverse=is_zone):
        return [FieldError("resistant", messages.BREAKPOINT_ORDER)]
    return []


KINDS = (
    DataKind(
        key="organisms",
        title="Organisms",
        singular="Organism",
        group=_GROUP,
        model=OrganismName,
        fields=(
            build_code(fixed=True),
            build_name(),
            Field("group_code", "Group", required=True, upper=True),
            build_flag("is_flora", "Flora"),
            build_flag("is_interim", "Interim"),
            # The label is also the header of CSV files, and stays as it was.
            Field("snomed", "SNOMED", max_length=20, note=lambda _code: messages.SNOMED_OF_LAB),
        ),
        identity=("code",),
        editors=BENCH,
    ),
    DataKind(
        key="antibiotics",
        title="Antibiotics",
        singular="Antibiotic",
        group=_GROUP,
        model=Antibiotic,
        fields=(
            build_code(fixed=True),
            build_name(),
            Field("class_name", "Class", required=True),
            build_position(),
        ),
        identity=("code",),
        editors=BENCH,
        children=("breakpoints",),
    ),
    DataKind(
        key="breakpoints",
        title="Breakpoints",
        singular="Breakpoint",
        group=_GROUP,
        model=Breakpoint,
        fields=(
            Field("edition", "Edition", required=True),
            _build_applies_to(),
            _build_antibiotic(),
            Field("method", "Method", "choice", required=True, choices=_METHODS, default="MIC"),
            _build_source(),
            Field("susceptible", "Susceptible", "number", required=True),
            Field("dose_dependent", "Dose dependent", "number"),
            Field("resistant", "Resistant", "number"),
            INVENTED,
        ),
        identity=("edition", "appliesTo", "antibiotic", "method", "source"),
        editors=BENCH,
        parent="antibiotic",
        validate=validate_breakpoint,
    ),
    DataKind(
        key="cascade-rules",
        title="Cascades",
        singular="Cascade",
        group=_GROUP,
        model=CascadeRule,
        fields=(
            _APPLIES_TO,
            _build_antibiotic(),
            _build_antibiotic("unless_antibiotic", "Unless antibiotic", is_required=False),
            Field(
                "unless_interpretations",
                "Is one of",
                "texts",
                choices={code: code for code in ("S", "SDD", "I", "R", "NS")},
            ),
            _build_source("unless_source", "Unless source"),
        ),
        identity=("appliesTo", "antibiotic", "unlessAntibiotic", "unlessSource"),
        editors=BENCH,
    ),
    DataKind(
        key="intrinsic-resistances",
        title="Intrinsic Resistance",
        singular="Intrinsic Resistance",
        group=_GROUP,
        model=IntrinsicResistance,
        fields=(
            # The label is also the header of CSV files, and stays as it was.
            replace(_build_applies_to(fixed=True), note=lambda _code: messages.RESISTANCE_OF_MARK),
            _build_antibiotic(fixed=True),
        ),
        identity=("appliesTo", "antibiotic"),
        editors=BENCH,
    ),
    DataKind(
        key="culture-terms",
        title="Terms of Cultures",
        singular="Term",
        group=_GROUP,
        model=CultureTerm,
        fields=(
            Field("kind", "For", "choice", required=True, choices=_TERMS, fixed=True),
            build_code(fixed=True),
            build_name(),
            Field("words", "Words"),
            build_flag("is_interim", "Interim"),
            build_flag("is_critical", "Critical"),
            build_flag("excludes_growth", "No Growth"),
            build_position(),
        ),
        identity=("kind", "code"),
        editors=BENCH,
    ),
    DataKind(
        key="critical-culture-rules",
        title="Critical Cultures",
        singular="Critical Culture",
        group=_GROUP,
        model=CriticalCultureRule,
        fields=(
            _build_source(),
            _APPLIES_TO,
            Field("mark", "Mark", upper=True),
            Field("finding", "Finding", upper=True),
        ),
        identity=_CRITICAL,
        validate=validate_critical_culture,
    ),
)
