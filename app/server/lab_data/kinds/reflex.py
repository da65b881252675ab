"""The lab's rules of reflex tests."""

from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import ResultFlag
from app.server.lab_data.kind import DataKind, Field, Values
from app.server.lab_data.kinds.fields import UNIT, build_code
from app.server.lab_data.kinds.tests import validate_ascending
from app.server.results.reflex.models import ReflexRule
from app.server.results.reflex.rules import ConditionKind

_CONDITIONS = {kind.value.capitalize(): kind.value for kind in ConditionKind}
_NEEDED_FIELDS = {
    "Flag": ("flags",),
    "Above": ("low",),
    "Below": ("high",),
    "Between": ("low", "high"),
    "Equals": ("words",),
}
_LABELS = {"flags": "Flags", "low": "Low", "high": "High", "words": "Words"}


def validate_reflex_rule(values: Values) -> list[FieldError]:
    """Validate that a rule has what its condition needs, and adds a test other than its own."""
    needed_names = _NEEDED_FIELDS[str(values["condition"])]
    missing_names = [name for name in needed_names if values[name] in (None, [])]
    errors = validate_ascending(values, (("low", "Low", "high", "High"),))
    if missing_names:
        labels = ", ".join(_LABELS[name] for name in missing_names)
        errors.append(FieldError(missing_names[0], messages.REFLEX_NEEDS.format(labels=labels)))
    if values["test"] == values["addedTest"]:
        errors.append(FieldError("addedTest", messages.REFLEX_SAME_TEST))
    return errors


KINDS = (
    DataKind(
        key="reflex-rules",
        title="Reflex Rules",
        singular="Reflex Rule",
        group="Rules",
        model=ReflexRule,
        fields=(
            build_code(),
            Field("test_id", "Test", "lookup", required=True, lookup="lab-tests"),
            Field("condition", "Condition", "choice", required=True, choices=_CONDITIONS),
            Field(
                "flags",
                "Flags",
                "texts",
                choices={flag.value: flag.value for flag in ResultFlag},
            ),
            Field("words", "Words", "texts"),
            Field("low", "Low", "number"),
            Field("high", "High", "number"),
            UNIT,
            Field("added_test_id", "Adds test", "lookup", required=True, lookup="lab-tests"),
            Field("source", "Source", required=True, in_grid=False),
        ),
        identity=("code",),
        active="is_active",
        validate=validate_reflex_rule,
        limits=("low", "high"),
    ),
)
