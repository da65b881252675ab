"""The catalog: tests, their ranges and codes, containers, medications, and everyday terms."""

from decimal import Decimal
from typing import Any

from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import Gender, ResultKind, ResultType
from app.server.catalog.models import (
    AGES_END,
    Container,
    DiagnosisTerm,
    LabTest,
    Medication,
    ReferenceRange,
    TestCode,
)
from app.server.lab_data.kind import DataKind, Field, Links, Value, Values
from app.server.lab_data.kinds.fields import (
    INVENTED,
    UNIT,
    build_code,
    build_flag,
    build_name,
)
from app.server.orders.rules import NEGATIVE_WORDS
from app.server.results.clinical.formulas import FORMULAS
from app.server.results.toxicology.rules import POSITIVE_WORDS

_GROUP = "Tests"
_TEST = Field("test_id", "Test", "lookup", required=True, lookup="lab-tests", fixed=True)
_CLIENT = Field("client_id", "Only for client", "lookup", lookup="clients", in_grid=False)
_KINDS = {kind.value.capitalize(): kind.value for kind in ResultKind}
_TYPES = {kind.name.replace("_", " ").capitalize(): kind.value for kind in ResultType}
_TOXICOLOGY_WORDS = NEGATIVE_WORDS | POSITIVE_WORDS
_AGES_MAX = 100_000
_LIMIT_PAIRS = (
    ("low", "Low", "high", "High"),
    ("criticalLow", "Critical low", "low", "Low"),
    ("high", "High", "criticalHigh", "Critical high"),
)
_RANGE_LIMITS = ("low", "high", "criticalLow", "criticalHigh")
BOUNDS = {
    "possibleLow": "Possible low",
    "possibleHigh": "Possible high",
    "plausibleLow": "Plausible low",
    "plausibleHigh": "Plausible high",
}
"""The bounds of a test, by name, with their labels."""


def _build_number(column: str, label: str, *, in_grid: bool = False) -> Field:
    return Field(column, label, "number", in_grid=in_grid)


def _build_age(column: str, label: str, default: int) -> Field:
    return Field(column, label, "integer", required=True, largest=_AGES_MAX, default=default)


def _parse_number(value: Value) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def validate_ascending(
    values: Values, pairs: tuple[tuple[str, str, str, str], ...]
) -> list[FieldError]:
    """Validate that the second number of each pair is not below the first."""
    errors = []
    for low, low_label, high, high_label in pairs:
        first, second = _parse_number(values[low]), _parse_number(values[high])
        if first is not None and second is not None and second < first:
            message = messages.RANGE_LIMITS_CROSSED.format(label=high_label, other=low_label)
            errors.append(FieldError(high, message))
    return errors


def validate_range(values: Values) -> list[FieldError]:
    """Validate a reference range without comparing it with others."""
    errors = validate_ascending(values, _LIMIT_PAIRS)
    if _read_age(values, "ageToDays") <= _read_age(values, "ageFromDays"):
        errors.append(FieldError("ageToDays", messages.RANGE_AGES_CROSSED))
    if not any(values[name] for name in (*_RANGE_LIMITS, "words")):
        errors.append(FieldError("low", messages.RANGE_EMPTY))
    return errors


def compare_ranges(values: Values, other_ranges: list[Values]) -> list[FieldError]:
    """Validate that no other range of the test is for the same people."""
    first, last = _read_age(values, "ageFromDays"), _read_age(values, "ageToDays")
    for other in other_ranges:
        is_same_sex = other["gender"] == values["gender"]
        starts_before = _read_age(other, "ageFromDays") < last
        if is_same_sex and starts_before and first < _read_age(other, "ageToDays"):
            return [FieldError("ageFromDays", messages.RANGE_OVERLAPS)]
    return []


def _read_age(values: Values, name: str) -> int:
    return int(str(values[name]))


def _validate_choices(values: Values) -> list[FieldError]:
    """Validate what the choices of a toxicology test say, and that marked choices are listed."""
    choices = _read_choices(values, "choices")
    if not choices:
        return []
    errors = []
    is_toxicology = _KINDS.get(str(values["kind"])) == ResultKind.TOXICOLOGY
    if is_toxicology and not choices <= _TOXICOLOGY_WORDS:
        words = ", ".join(sorted(_TOXICOLOGY_WORDS))
        errors.append(FieldError("choices", messages.TOXICOLOGY_CHOICES.format(words=words)))
    # A misspelled critical choice would be released without a critical result.
    for name in ("normalChoices", "criticalChoices"):
        for choice in sorted(_read_choices(values, name) - choices):
            errors.append(FieldError(name, messages.CHOICE_NOT_LISTED.format(choice=choice)))
    return errors


def _read_choices(values: Values, name: str) -> set[str]:
    """Return the choices of a field in upper case, by which results are compared."""
    choices = values[name] or []
    assert isinstance(choices, list)
    return {choice.upper() for choice in choices}


def validate_test(values: Values) -> list[FieldError]:
    """Validate the limits, the choices, and the formula of a test."""
    errors = validate_ascending(
        values,
        (
            ("possibleLow", "Possible low", "possibleHigh", "Possible high"),
            ("plausibleLow", "Plausible low", "plausibleHigh", "Plausible high"),
        ),
    )
    errors += _validate_choices(values)
    name, inputs = values["formula"], values["formulaInputs"] or []
    assert isinstance(inputs, list)
    if name is None:
        return errors
    formula = FORMULAS.get(str(name))
    if formula is None:
        text = ", ".join(FORMULAS)
        return [*errors, FieldError("formula", messages.FORMULA_UNKNOWN.format(formulas=text))]
    if len(inputs) != len(formula.units):
        message = messages.FORMULA_INPUTS.format(
            count=len(formula.units), units=", ".join(formula.units)
        )
        errors.append(FieldError("formulaInputs", message))
    if values["formulaSource"] is None:
        errors.append(FieldError("formulaSource", messages.FORMULA_NEEDS_SOURCE))
    return errors


def validate_unit_change(before: Values, after: Values) -> list[FieldError]:
    """Validate that the bounds of a test change together with its unit.

    Nobody can tell a bound of the earlier unit from one of the new unit. Zero is zero in both.
    """
    if before["unit"] == after["unit"]:
        return []
    unit = after["unit"] or messages.LIMITS_WITHOUT_UNIT
    return [
        FieldError(name, messages.BOUND_IN_OTHER_UNIT.format(label=label, unit=unit))
        for name, label in BOUNDS.items()
        if after[name] is not None
        and after[name] == before[name]
        and _parse_number(after[name]) != 0
    ]


def _derive_test(values: Values) -> dict[str, Any]:
    texts = (values["code"], values["name"], values["alternateNames"] or "")
    return {
        "search_text": " ".join(map(str, texts)).strip().upper(),
        # The column cannot be empty.
        "alternate_names": values["alternateNames"] or "",
    }


KINDS = (
    DataKind(
        key="lab-tests",
        title="Lab Tests",
        singular="Lab Test",
        group=_GROUP,
        model=LabTest,
        fields=(
            build_code(),
            build_name(upper=True),
            Field("alternate_names", "Alternate names", in_grid=False),
            Field("kind", "Kind", "choice", required=True, choices=_KINDS, default="Clinical"),
            build_flag("is_panel", "Panel"),
            Field(
                "members",
                "Members",
                "links",
                lookup="lab-tests",
                links=Links("panel_members", "panel_id", "test_id", position="position"),
                in_grid=False,
            ),
            build_flag("orderable", "Can be ordered", default=True),
            build_flag("is_confidential", "Confidential", in_grid=False),
            Field("specimen", "Specimen"),
            Field("container", "Container"),
            Field("required_ml", "Needs mL", "number", in_grid=False),
            UNIT,
            Field(
                "result_type",
                "Result type",
                "choice",
                required=True,
                choices=_TYPES,
                default="Value value",
            ),
            Field("decimals", "Decimals", "integer", largest=8, in_grid=False),
            Field("choices", "Choices", "texts", in_grid=False),
            Field("normal_choices", "Normal choices", "texts", in_grid=False),
            Field("critical_choices", "Critical choices", "texts", in_grid=False),
            Field("method", "Method", in_grid=False),
            Field("loinc", "LOINC", max_length=20, in_grid=False),
            _build_number("possible_low", "Possible low"),
            _build_number("possible_high", "Possible high"),
            _build_number("plausible_low", "Plausible low"),
            _build_number("plausible_high", "Plausible high"),
            _build_number("delta_percent", "Largest change %"),
            Field("delta_days", "Within days", "integer", in_grid=False),
            build_flag("limits_invented", "Invented limits", in_grid=False),
            Field("formula", "Formula", in_grid=False),
            Field("formula_inputs", "Formula inputs", "texts", lookup="lab-tests", in_grid=False),
            Field("formula_source", "Formula source", in_grid=False),
            _CLIENT,
        ),
        identity=("code",),
        children=("reference-ranges", "test-codes"),
        active="",
        validate=validate_test,
        validate_change=validate_unit_change,
        derive=_derive_test,
    ),
    DataKind(
        key="reference-ranges",
        title="Reference Ranges",
        singular="Reference Range",
        group=_GROUP,
        model=ReferenceRange,
        fields=(
            _TEST,
            Field(
                "gender",
                "Sex",
                "choice",
                choices={"Male": Gender.MALE.value, "Female": Gender.FEMALE.value},
                empty="Any",
            ),
            _build_age("age_from_days", "Age from (days)", 0),
            _build_age("age_to_days", "Age to (days)", AGES_END),
            _build_number("low", "Low", in_grid=True),
            _build_number("high", "High", in_grid=True),
            _build_number("critical_low", "Critical low", in_grid=True),
            _build_number("critical_high", "Critical high", in_grid=True),
            UNIT,
            Field("words", "Words"),
            INVENTED,
        ),
        identity=("test", "gender", "ageFromDays", "ageToDays"),
        parent="test",
        limits=_RANGE_LIMITS,
        validate=validate_range,
        compare=compare_ranges,
    ),
    DataKind(
        key="test-codes",
        title="Other Codes of Tests",
        singular="Other Code",
        group=_GROUP,
        model=TestCode,
        fields=(_TEST, build_code("Other code"), _CLIENT),
        identity=("test", "code", "client"),
        parent="test",
    ),
    DataKind(
        key="containers",
        title="Containers",
        singular="Container",
        group=_GROUP,
        model=Container,
        fields=(
            Field("name", "Name", required=True, fixed=True),
            Field("volume_ml", "Volume mL", "number", required=True),
        ),
        identity=("name",),
        active="",
    ),
    DataKind(
        key="medications",
        title="Medications",
        singular="Medication",
        group="Requisitions",
        model=Medication,
        fields=(build_name(upper=True),),
        identity=("name",),
    ),
    DataKind(
        key="diagnosis-terms",
        title="Everyday Terms of Diagnoses",
        singular="Everyday Term",
        group="Requisitions",
        model=DiagnosisTerm,
        fields=(
            Field("term", "Term", required=True, upper=True, fixed=True),
            Field("diagnosis_id", "Diagnosis", "lookup", required=True, lookup="diagnoses"),
        ),
        identity=("term",),
    ),
)
