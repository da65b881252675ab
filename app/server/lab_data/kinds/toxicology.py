"""The lab's tables of toxicology."""

from app.contract.enumerations import ToxicologyMethod
from app.server.lab_data.kind import BENCH, DataKind, Field
from app.server.lab_data.kinds.fields import INVENTED, UNIT, build_flag
from app.server.lab_data.kinds.tests import validate_ascending
from app.server.results.toxicology.models import (
    ToxicologyMetabolite,
    ToxicologyName,
    ToxicologySubstance,
    ToxicologyTest,
)

_GROUP = "Toxicology"
_METHODS = {method.value.capitalize(): method.value for method in ToxicologyMethod}


def _build_substance(column: str, label: str) -> Field:
    return Field(column, label, "lookup", required=True, lookup="substances", fixed=True)


KINDS = (
    DataKind(
        key="toxicology-substances",
        title="Substances",
        singular="Substance",
        group=_GROUP,
        model=ToxicologySubstance,
        fields=(
            Field("name", "Name", required=True, upper=True, fixed=True),
            Field("drug_class", "Class", required=True, upper=True),
            build_flag("is_critical", "Critical"),
        ),
        identity=("name",),
        editors=BENCH,
        children=("toxicology-metabolites",),
    ),
    DataKind(
        key="toxicology-metabolites",
        title="Metabolites",
        singular="Metabolite",
        group=_GROUP,
        model=ToxicologyMetabolite,
        fields=(
            _build_substance("parent", "Substance"),
            _build_substance("metabolite", "Metabolite"),
        ),
        identity=("parent", "metabolite"),
        editors=BENCH,
        parent="parent",
    ),
    DataKind(
        key="toxicology-names",
        title="Brands and Combinations",
        singular="Brand",
        group=_GROUP,
        model=ToxicologyName,
        fields=(
            Field("name", "Name", required=True, upper=True, fixed=True),
            _build_substance("ingredient", "Ingredient"),
        ),
        identity=("name", "ingredient"),
        editors=BENCH,
    ),
    DataKind(
        key="toxicology-tests",
        title="Cutoffs",
        singular="Cutoff",
        group=_GROUP,
        model=ToxicologyTest,
        fields=(
            Field("test_id", "Test", "lookup", required=True, lookup="lab-tests", fixed=True),
            Field("method", "Method", "choice", required=True, choices=_METHODS),
            Field("targets", "Targets", "texts", upper=True, lookup="substances"),
            Field("cut_off", "Cutoff", "number"),
            Field("detection_window", "Detection window"),
            Field("low", "Valid from", "number"),
            Field("high", "Valid to", "number"),
            UNIT,
            INVENTED,
        ),
        identity=("test",),
        editors=BENCH,
        active="",
        limits=("cutOff", "low", "high"),
        validate=lambda values: validate_ascending(
            values, (("low", "Valid from", "high", "Valid to"),)
        ),
    ),
)
