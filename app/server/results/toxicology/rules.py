"""Rules about toxicology: what was detected, and whether it was expected (DECISIONS)."""

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from app.contract.enumerations import ToxicologyMethod, ToxicologyVerdict
from app.server.orders.rules import NEGATIVE_WORDS

_NUMBER = re.compile(r"([<>]=?)?\s*([0-9]+(?:\.[0-9]+)?)")
_WITH_UNIT = re.compile(rf"(?P<number>{_NUMBER.pattern})\s*(?P<unit>[^0-9\s.,<>].*)")
_SPACES = re.compile(r"\s+")
_SEPARATOR = re.compile(r"[/+,;&()]|\b(?:AND|WITH)\b|(?<=[A-Z])-(?=[A-Z])")
_WORD = re.compile(r"[A-Z]{3}")
POSITIVE_WORDS = frozenset({"POSITIVE", "DETECTED"})


class Reading(StrEnum):
    """The relation of an entered result to its cut-off."""

    DETECTED = "detected"
    NOT_DETECTED = "not detected"
    UNCLEAR = "unclear"
    """A signed value that may be on either side of the cut-off, or a number without a cut-off."""
    INVALID = "invalid"
    """The text is neither a number nor one of the words."""


def parse_reading(value: str, cut_off: Decimal | None) -> Reading:
    """Return whether an entered result is detected: at or above the cut-off, or by its word.

    '<50' is not detected if the cut-off is 50 or more, and '>1000' is detected if it is 1000 or
    less. A number without a cut-off is unclear.
    """
    text = value.strip().upper()
    if text in NEGATIVE_WORDS:
        return Reading.NOT_DETECTED
    if text in POSITIVE_WORDS:
        return Reading.DETECTED
    number = parse_number(text)
    return Reading.INVALID if number is None else _compare_number(*number, cut_off)


def find_detection(reading: Reading) -> bool | None:
    """Return whether a reading says detected or not detected; None if it says neither."""
    if reading in (Reading.DETECTED, Reading.NOT_DETECTED):
        return reading is Reading.DETECTED
    return None


def _compare_number(sign: str, number: Decimal, cut_off: Decimal | None) -> Reading:
    if cut_off is None:
        return Reading.UNCLEAR
    is_above = number >= cut_off
    if sign in (">", ">="):
        return Reading.DETECTED if is_above else Reading.UNCLEAR
    if sign:
        may_be_above = number > cut_off if sign == "<" else is_above
        return Reading.UNCLEAR if may_be_above else Reading.NOT_DETECTED
    return Reading.DETECTED if is_above else Reading.NOT_DETECTED


def split_unit(value: str) -> tuple[str, str | None]:
    """Split a number from the unit typed after it: '120 ng/mL' is '120' and 'ng/mL'."""
    match = _WITH_UNIT.fullmatch(value.strip())
    return (match["number"], match["unit"]) if match else (value, None)


def parse_number(value: str) -> tuple[str, Decimal] | None:
    """Parse the comparison sign, if any, and the number of a result such as '120' or '<50'."""
    match = _NUMBER.fullmatch(value.strip())
    return (match.group(1) or "", Decimal(match.group(2))) if match else None


def find_unit(value: str | None, unit: str | None) -> str | None:
    """Return the unit of a result; a word such as NEGATIVE has none."""
    return unit if value is None or parse_number(value) else None


# -- the specimen --------------------------------------------------------------------------


@dataclass(frozen=True)
class ValidityLimit:
    """The limits of a specimen test within which the specimen is valid, both inclusive."""

    low: Decimal | None = None
    high: Decimal | None = None


def find_specimen_fault(name: str, value: str, limit: ValidityLimit) -> str | None:
    """Return why a specimen is invalid by one of its tests, or None.

    A word is a fault unless it says that nothing was detected. A signed value is a fault if it may
    be outside the limits: nobody is accused because of a doubtful specimen.
    """
    text = value.strip().upper()
    if text in NEGATIVE_WORDS:
        return None
    signed_number = parse_number(text)
    if signed_number is None:
        return f"{name} is {text}"
    sign, number = signed_number
    if limit.low is not None and (number < limit.low or sign in ("<", "<=")):
        return f"{name} {text} is below {limit.low:f}"
    if limit.high is not None and (number > limit.high or sign in (">", ">=")):
        return f"{name} {text} is above {limit.high:f}"
    return None


# -- medications ---------------------------------------------------------------------------


@dataclass(frozen=True)
class ReportedDrug:
    """An ingredient of a reported medication; ``substance`` is None if it is not known."""

    medication: str
    substance: str | None


def normalize_medication(text: str) -> str:
    """Return a reported medication in upper case with single spaces."""
    return _SPACES.sub(" ", text.upper()).strip()


def resolve_medication(
    text: str, names: Mapping[str, Sequence[str]], substances: Collection[str]
) -> list[ReportedDrug]:
    """Resolve a reported medication, which is free text, to its ingredients.

    Words after a known name, such as its dose, are ignored, unless they name another ingredient.

    Args:
        names: the ingredients of brands, salts, and combinations, by name.
        substances: the names of the substances that the tables know.
    """
    medication = normalize_medication(text)
    if not medication:
        return []
    known_names = names.keys() | set(substances)
    whole = _find_known_beginning(medication, known_names)
    if whole is not None and not _SEPARATOR.search(medication[len(whole) :]):
        return _list_ingredients(medication, whole, names)
    drugs = []
    for part in _SEPARATOR.split(medication):
        if _WORD.search(part):
            known_name = _find_known_beginning(part.strip(), known_names)
            if known_name is None:
                drugs.append(ReportedDrug(part.strip(), None))
            else:
                drugs += _list_ingredients(medication, known_name, names)
    if all(drug.substance is None for drug in drugs):
        return [ReportedDrug(medication, None)]
    return list(dict.fromkeys(drugs))


def _find_known_beginning(text: str, known_names: Collection[str]) -> str | None:
    """Return the longest known name with which the words of a text begin."""
    words = text.split()
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count])
        if name in known_names:
            return name
    return None


def _list_ingredients(
    medication: str, name: str, names: Mapping[str, Sequence[str]]
) -> list[ReportedDrug]:
    return [ReportedDrug(medication, ingredient) for ingredient in names.get(name, (name,))]


# -- verdicts ------------------------------------------------------------------------------


@dataclass(frozen=True)
class JudgedTest:
    """A test of the order that detects substances; ``is_detected`` is None before its release."""

    key: int
    name: str
    method: ToxicologyMethod
    targets: frozenset[str]
    is_detected: bool | None


@dataclass(frozen=True)
class Verdict:
    """Whether a result fits the reported medications, and why.

    ``tests`` are the keys of the tests behind the verdict. Without a confirmation, the verdict is
    presumptive.
    """

    kind: ToxicologyVerdict
    medication: str
    name: str
    why: str
    tests: tuple[int, ...] = ()
    is_presumptive: bool = False


@dataclass(frozen=True)
class _Evidence:
    """The findings of the released tests; a confirmation of a substance overrides its screens."""

    tests: Sequence[JudgedTest]

    def list_tests(self, substances: frozenset[str]) -> list[JudgedTest]:
        return [test for test in self.tests if test.targets & substances]

    def find_confirmation(self, substance: str) -> JudgedTest | None:
        """Return a released confirmation of a substance, preferably a positive one, or None."""
        confirmations = [
            test
            for test in self.tests
            if test.method is ToxicologyMethod.CONFIRMATION
            and substance in test.targets
            and test.is_detected is not None
        ]
        return max(confirmations, key=lambda test: bool(test.is_detected), default=None)

    def find_unconfirmed_targets(self, screen: JudgedTest) -> frozenset[str]:
        """Return the targets of a screen without a released confirmation."""
        return frozenset(s for s in screen.targets if self.find_confirmation(s) is None)

    def is_detected(self, test: JudgedTest, substances: frozenset[str]) -> bool:
        """Whether a test shows one of the substances, unless a confirmation denies it."""
        if not test.is_detected:
            return False
        is_confirmation = test.method is ToxicologyMethod.CONFIRMATION
        shown_substances = test.targets if is_confirmation else self.find_unconfirmed_targets(test)
        return bool(shown_substances & substances)


def list_descendants(substance: str, metabolites: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Return the substance and everything that the body makes of it, even in several steps."""
    descendants = {substance}
    queue = deque([substance])
    while queue:
        for metabolite in metabolites.get(queue.popleft(), ()):
            if metabolite not in descendants:
                descendants.add(metabolite)
                queue.append(metabolite)
    return frozenset(descendants)


def compute_verdicts(
    drugs: Iterable[ReportedDrug],
    tests: Sequence[JudgedTest],
    metabolites: Mapping[str, Collection[str]],
    specimen_fault: str | None = None,
) -> list[Verdict]:
    """Compare the tests with the reported medications (R 2.2; DECISIONS, Results, Toxicology).

    Each reported ingredient gets one verdict: consistent, unexpected negative, or other. What was
    detected and is neither a reported substance nor a metabolite of one is an unexpected positive.

    Args:
        metabolites: what the body makes of a substance, by the substance's name.
        specimen_fault: why the specimen is invalid, or may be; then nothing is an unexpected
            negative.
    """
    evidence = _Evidence(tests)
    explained_substances: set[str] = set()
    verdicts = []
    for drug in dict.fromkeys(drugs):
        descendants = frozenset[str]()
        if drug.substance is not None:
            descendants = list_descendants(drug.substance, metabolites)
        explained_substances |= descendants
        verdicts.append(_compute_verdict(drug, descendants, evidence, specimen_fault))
    return verdicts + _find_unexpected_positives(evidence, frozenset(explained_substances))


def _compute_verdict(
    drug: ReportedDrug,
    descendants: frozenset[str],
    evidence: _Evidence,
    specimen_fault: str | None,
) -> Verdict:
    tests = evidence.list_tests(descendants)
    detected_tests = [test for test in tests if evidence.is_detected(test, descendants)]
    name = drug.substance or drug.medication
    if detected_tests:
        # The confirmations are the better evidence.
        confirmations = [t for t in detected_tests if t.method is ToxicologyMethod.CONFIRMATION]
        evidence_tests = confirmations or detected_tests
        return Verdict(
            ToxicologyVerdict.CONSISTENT,
            drug.medication,
            name,
            _explain_consistent(drug, evidence_tests, descendants),
            tuple(test.key for test in evidence_tests),
            is_presumptive=not confirmations,
        )
    why = _explain_without_verdict(drug, tests, specimen_fault)
    if why is not None:
        keys = tuple(test.key for test in tests)
        return Verdict(ToxicologyVerdict.OTHER, drug.medication, name, why, keys)
    is_confirmed = any(test.method is ToxicologyMethod.CONFIRMATION for test in tests)
    return Verdict(
        ToxicologyVerdict.UNEXPECTED_NEGATIVE,
        drug.medication,
        name,
        f"Neither {name} nor a metabolite of it was detected"
        if len(descendants) > 1
        else f"{name} was not detected",
        tuple(test.key for test in tests),
        is_presumptive=not is_confirmed,
    )


def _explain_without_verdict(
    drug: ReportedDrug, tests: Sequence[JudgedTest], specimen_fault: str | None
) -> str | None:
    """Return why a medication that was not detected has no verdict, or None if it has one."""
    if drug.substance is None:
        return f"{drug.medication} is not in the lab's tables"
    if not tests:
        return f"{drug.substance} was not tested"
    if any(test.is_detected is None for test in tests):
        return f"A result for {drug.substance} is pending"
    if specimen_fault is not None:
        return f"No verdict on {drug.substance}: {specimen_fault}"
    return None


def _explain_consistent(
    drug: ReportedDrug, tests: Sequence[JudgedTest], descendants: frozenset[str]
) -> str:
    """Return the words of a consistent result, by the closest evidence."""
    substance = drug.substance or drug.medication
    first = tests[0]
    if first.method is ToxicologyMethod.SCREEN:
        return f"{first.name} is presumptive positive, which the reported {substance} explains"
    if any(substance in test.targets for test in tests):
        return f"The reported {substance} was detected"
    metabolite = min(first.targets & descendants)
    return f"{metabolite} is a metabolite of the reported {substance}"


def _find_unexpected_positives(
    evidence: _Evidence, explained_substances: frozenset[str]
) -> list[Verdict]:
    verdicts = []
    for test in evidence.tests:
        if not test.is_detected:
            continue
        if test.method is ToxicologyMethod.CONFIRMATION:
            if not test.targets & explained_substances:
                name = " OR ".join(sorted(test.targets))
                verdicts.append(_build_unexpected_positive(test, name, is_presumptive=False))
        elif _is_unexplained_screen(test, evidence, explained_substances):
            verdicts.append(_build_unexpected_positive(test, test.name, is_presumptive=True))
    return verdicts


def _is_unexplained_screen(
    screen: JudgedTest, evidence: _Evidence, explained_substances: frozenset[str]
) -> bool:
    """Whether a positive screen is explained by no confirmation and no reported medication."""
    unconfirmed_targets = evidence.find_unconfirmed_targets(screen)
    confirmations = [evidence.find_confirmation(s) for s in screen.targets - unconfirmed_targets]
    if any(test is not None and test.is_detected for test in confirmations):
        return False
    return bool(unconfirmed_targets) and not unconfirmed_targets & explained_substances


def _build_unexpected_positive(test: JudgedTest, name: str, *, is_presumptive: bool) -> Verdict:
    return Verdict(
        ToxicologyVerdict.UNEXPECTED_POSITIVE,
        "",
        name,
        f"{name} {'is presumptive positive' if is_presumptive else 'was detected'}, "
        "and no reported medication explains it",
        (test.key,),
        is_presumptive=is_presumptive,
    )
