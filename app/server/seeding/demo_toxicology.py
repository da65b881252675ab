"""Rows of the demo lab's toxicology results and assessments."""

from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Jsonb

from seeds.demo.records import DemoAssessment, DemoToxicologyResult

RESULT = (
    "id",
    "order_id",
    "order_test_id",
    "revision",
    "is_current",
    "value",
    "is_detected",
    "method",
    "unit",
    "cut_off",
    "low",
    "high",
    "detection_window",
    "reason_code",
    "reason",
    "explanation",
    "entered_at",
    "released_at",
    "released_by_name",
)
"""The columns of ``toxicology_results``."""
ASSESSMENT = (
    "id",
    "order_id",
    "revision",
    "medications",
    "edition",
    "specimen_fault",
    "verdicts",
    "released_at",
)
"""The columns of ``toxicology_assessments``."""


def build_result(
    order_id: int, order_test_id: int, result: DemoToxicologyResult
) -> tuple[Any, ...]:
    """Build the row of a result, without its id."""
    return (order_id, order_test_id, *(getattr(result, name) for name in RESULT[3:]))


def build_assessment(
    order_id: int, assessment: DemoAssessment, row_ids: Mapping[int, int]
) -> tuple[Any, ...]:
    """Build the row of an assessment, without its id; ``row_ids`` are by position."""
    verdicts = [
        {**verdict, "tests": [row_ids[position] for position in verdict["tests"]]}
        for verdict in assessment.verdicts
    ]
    return (
        order_id,
        1,
        list(assessment.medications),
        assessment.edition,
        assessment.specimen_fault,
        Jsonb(verdicts),
        assessment.released_at,
    )
