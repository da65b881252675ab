"""SQL of the stored verdicts on toxicology results, for lists that show or find results.

The expressions read a released version of a result, a row of ``toxicology_results``, and the
verdicts in force, which only released results have (DECISIONS, Results).
"""

from dataclasses import dataclass
from enum import StrEnum

from app.contract.enumerations import (
    ResultFlag,
    ResultKind,
    ToxicologyMethod,
    ToxicologyVerdict,
)
from app.server.lists.spec import quote_texts
from app.server.orders.rules import FAMILY_BITS, NEGATIVE_WORDS

_SIGNED_NUMBER = r"'^([<>]=?)?\s*([0-9]+(?:\.[0-9]+)?)$'"
_UNEXPECTED_VERDICTS: tuple[StrEnum, ...] = (
    ToxicologyVerdict.UNEXPECTED_NEGATIVE,
    ToxicologyVerdict.UNEXPECTED_POSITIVE,
)
_IS_UNEXPECTED = f"v ->> 'kind' IN ({quote_texts(_UNEXPECTED_VERDICTS)})"
_FINDS_CRITICAL_DRUG = (
    f"v ->> 'kind' = '{ToxicologyVerdict.UNEXPECTED_POSITIVE}' "
    "AND NOT (v ->> 'is_presumptive')::boolean AND EXISTS (SELECT 1 "
    "FROM toxicology_substances s WHERE s.name = v ->> 'name' AND s.is_critical)"
)
_RANKED_VERDICTS: tuple[StrEnum, ...] = (
    ToxicologyVerdict.UNEXPECTED_POSITIVE,
    ToxicologyVerdict.UNEXPECTED_NEGATIVE,
    ToxicologyVerdict.CONSISTENT,
)
VERDICT_RANK = f"array_position(ARRAY[{quote_texts(_RANKED_VERDICTS)}], v ->> 'kind')"
"""SQL: the rank of the verdict ``v``, for lists that show one verdict of a result."""


@dataclass(frozen=True)
class JudgedResult:
    """SQL about the released version ``alias`` of a toxicology result."""

    alias: str

    @property
    def sign(self) -> str:
        """The comparison sign of a number."""
        return f"({self._match})[1]"

    @property
    def number(self) -> str:
        """The number; null for a word."""
        return f"({self._match})[2]::numeric"

    @property
    def is_unexpected(self) -> str:
        """Whether a verdict says that the result does not fit the reported medications."""
        return self.find_verdict(_IS_UNEXPECTED)

    @property
    def is_invalid_specimen(self) -> str:
        """Whether this result makes the specimen invalid: ``find_specimen_fault`` in SQL."""
        x = self.alias
        return (
            f"coalesce({x}.method = '{ToxicologyMethod.VALIDITY}' "
            f"AND upper(btrim({x}.value)) NOT IN ({quote_texts(sorted(NEGATIVE_WORDS))}) "
            f"AND ({self.number} IS NULL "
            f"OR ({x}.low IS NOT NULL AND ({self.number} < {x}.low "
            f"OR starts_with({self.sign}, '<'))) "
            f"OR ({x}.high IS NOT NULL AND ({self.number} > {x}.high "
            f"OR starts_with({self.sign}, '>')))), false)"
        )

    @property
    def is_abnormal(self) -> str:
        """Whether the result is unexpected, or makes the specimen invalid."""
        return f"({self.is_unexpected} OR {self.is_invalid_specimen})"

    @property
    def is_critical(self) -> str:
        """Whether a critical drug was found that nobody reported.

        Only in orders that had a critical result when they were judged, because the lab may have
        changed its list of critical drugs since.
        """
        return f"({self._is_of_critical_order} AND {self.find_verdict(_FINDS_CRITICAL_DRUG)})"

    @property
    def flag(self) -> str:
        """The flag: critical, abnormal, or null."""
        is_critical = f"coalesce({_FINDS_CRITICAL_DRUG} AND {self._is_of_critical_order}, false)"
        return (
            f"CASE (SELECT bool_or({is_critical}) {self._select_verdicts(_IS_UNEXPECTED)}) "
            f"WHEN true THEN '{ResultFlag.CRITICAL_ABNORMAL}' "
            f"WHEN false THEN '{ResultFlag.ABNORMAL}' "
            f"ELSE CASE WHEN {self.is_invalid_specimen} THEN '{ResultFlag.ABNORMAL}' END END"
        )

    def find_verdict(self, condition: str) -> str:
        """Return SQL: whether the condition is true of ``v``, a verdict in force about the test."""
        return f"EXISTS (SELECT 1 {self._select_verdicts(condition)})"

    def _select_verdicts(self, condition: str) -> str:
        """Return FROM and WHERE of the verdicts ``v`` in force about the test.

        Rows of a test in several panels share one result, and a verdict names one of the rows.
        """
        return (
            "FROM jsonb_array_elements((SELECT a.verdicts FROM toxicology_assessments a "
            f"WHERE a.order_id = {self.alias}.order_id ORDER BY a.revision DESC LIMIT 1)) v "
            f"WHERE ({condition}) AND EXISTS (SELECT 1 FROM order_tests y, order_tests z "
            f"WHERE y.id = {self.alias}.order_test_id AND z.order_id = y.order_id "
            "AND z.test_id = y.test_id AND v -> 'tests' @> to_jsonb(z.id))"
        )

    @property
    def _is_of_critical_order(self) -> str:
        bit = FAMILY_BITS[ResultKind.TOXICOLOGY]
        return (
            f"EXISTS (SELECT 1 FROM orders o WHERE o.id = {self.alias}.order_id "
            f"AND o.critical_kinds & {bit} <> 0)"
        )

    @property
    def _match(self) -> str:
        return f"regexp_match(btrim({self.alias}.value), {_SIGNED_NUMBER})"
