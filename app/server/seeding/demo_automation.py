"""The demo lab's reflex tests and autoverification: rules, and what followed from them."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from psycopg.types.json import Jsonb

from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.results.automation.trial import TRY_OUT
from app.server.seeding.copying import Connection

_RULE_AGE_DAYS = 120
_MORNING = time(9, 40)
_TRIAL_DAYS = 180
_ADDED_MAX = 8
_PENDING_COUNT = 3
# (test, low, high, largest change in percent, days, is on)
_RULES = (
    ("VITD", "30", "80", None, None, True),
    ("FERR", "30", "300", "60", 90, True),
    ("FOL", "4", "20", None, None, True),
    ("K", "3.6", "5.0", "15", 30, False),
    ("GLU", "70", "99", "40", 30, False),
)

_RULE = """
INSERT INTO autoverification_rules (test_id, low, high, delta_percent, delta_days, unit, method,
    is_on, changed_by, changed_at, switched_by, switched_at, version)
SELECT t.id, %(low)s, %(high)s, %(percent)s, %(days)s, t.unit, t.method, %(is_on)s, u.id, %(at)s,
    CASE WHEN %(is_on)s THEN u.id END, CASE WHEN %(is_on)s THEN %(at)s::timestamp END,
    CASE WHEN %(is_on)s THEN 2 ELSE 1 END
FROM lab_tests t, users u WHERE t.code = %(test)s AND u.email = 'superuser@demo.lab'
"""
_TRIAL = """
INSERT INTO autoverification_trials (test_id, low, high, allows_abnormal, delta_percent,
    delta_days, unit, method, start_date, end_date, results, comparable, released, corrected,
    tried_by, tried_at)
SELECT v.test_id, v.low, v.high, v.allows_abnormal, v.delta_percent, v.delta_days, v.unit, v.method,
    %(start)s, %(end)s, %(results)s, %(comparable)s, %(released)s, %(corrected)s,
    v.changed_by, v.changed_at
FROM autoverification_rules v WHERE v.test_id = %(test)s
"""
# Entry compares each value with the patient's last released one, as ``evaluate_version`` does.
_COMPARE = """
WITH newest AS (
    SELECT DISTINCT ON (order_test_id) id, order_test_id FROM results
    WHERE released_at IS NOT NULL AND withheld IS NULL ORDER BY order_test_id, revision DESC),
compared AS (
    SELECT t.id AS order_test_id, array_agg(n.id) FILTER (WHERE n.id IS NOT NULL) OVER (
        PARTITION BY o.patient_id, t.test_id ORDER BY o.collection_date, o.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier
    FROM order_tests t JOIN orders o ON o.id = t.order_id
    LEFT JOIN newest n ON n.order_test_id = t.id WHERE t.kind = 'clinical' AND NOT t.is_panel)
UPDATE results r SET previous_value = e.value, previous_at = x.collection_date,
    is_delta_exceeded = coalesce(r.sign IS NULL AND e.sign IS NULL AND e.number <> 0
        AND e.unit IS NOT DISTINCT FROM l.unit AND coalesce(e.method = l.method, true)
        AND o.collection_date - x.collection_date
            < coalesce(l.delta_days, 100000) * interval '1 day' + interval '1 day'
        AND 100 * abs(r.number - e.number) > l.delta_percent * abs(e.number), false)
FROM compared c JOIN results e ON e.id = c.earlier[array_upper(c.earlier, 1)]
    JOIN orders x ON x.id = e.order_id, order_tests t, lab_tests l, orders o
WHERE r.order_test_id = c.order_test_id AND t.id = r.order_test_id AND l.id = t.test_id
    AND o.id = r.order_id
"""
_AUTOVERIFY = """
UPDATE results r SET autoverified_version = v.version, released_by = NULL,
    released_at = r.entered_at
FROM autoverification_rules v, order_tests t, orders o
WHERE v.is_on AND t.test_id = v.test_id AND r.order_test_id = t.id AND o.id = t.order_id
AND o.received_at >= v.switched_at AND o.specimen_condition = 'ACCEPTABLE'
AND r.revision = 1 AND r.is_current AND r.released_at IS NOT NULL AND r.withheld IS NULL
AND (r.unit, r.method) IS NOT DISTINCT FROM (v.unit, v.method)
AND r.flag = 'N' AND r.sign IS NULL AND r.number BETWEEN v.low AND v.high
AND NOT r.is_delta_exceeded AND CASE
    WHEN v.delta_percent IS NULL OR r.previous_value IS NULL THEN true
    WHEN o.collection_date - r.previous_at >= (v.delta_days + 1) * interval '1 day' THEN true
    WHEN r.previous_value ~ '^[0-9.]+$' THEN 100 * abs(r.number - r.previous_value::numeric)
        <= v.delta_percent * abs(r.previous_value::numeric)
    ELSE false END
"""
# Final orders whose abnormal thyroid stimulating hormone calls for free thyroxine.
_CHOOSE = """
SELECT o.id, t.id, r.revision, r.released_at, a.id, a.name, x.id,
    (SELECT max(p.position) + 1 FROM order_tests p WHERE p.order_id = o.id)
FROM reflex_rules x JOIN lab_tests a ON a.id = x.added_test_id
JOIN order_tests t ON t.test_id = x.test_id JOIN orders o ON o.id = t.order_id
JOIN results r ON r.order_test_id = t.id AND r.is_current AND r.released_at IS NOT NULL
WHERE x.code = 'TSH-FT4' AND r.flag = ANY(x.flags) AND o.status = %(final)s
AND o.received_at >= %(listed_from)s
AND NOT EXISTS (SELECT 1 FROM order_tests n WHERE n.order_id = o.id AND n.test_id = a.id)
ORDER BY o.received_at DESC, o.id LIMIT %(count)s
"""
_ADD_TEST = """
INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)
VALUES (%s, %s, 0, %s, %s, 'clinical', false, %s) RETURNING id
"""
_ADD_REASON = """
INSERT INTO order_additions (order_id, order_test_id, rule_id, trigger_test_id,
    trigger_revision, added_by, added_at)
SELECT %s, %s, %s, %s, %s, u.id, %s FROM users u WHERE u.email = 'laboratory@demo.lab'
"""
_ADD_RESULT = """
INSERT INTO results (order_id, order_test_id, revision, value, number, flag, unit, method,
    reference_range, low, high, entered_at, released_at, entered_by, released_by)
SELECT %(order)s, %(row)s, 1, '1.21', 1.21, 'N', t.unit, t.method,
    g.low || ' - ' || g.high, g.low, g.high,
    %(at)s::timestamp + interval '3 hours', %(at)s::timestamp + interval '4 hours', u.id, u.id
FROM lab_tests t JOIN reference_ranges g ON g.test_id = t.id, users u
WHERE t.id = %(test)s AND u.email = 'laboratory@demo.lab' LIMIT 1
"""
_MARK_ORDER = """
UPDATE orders SET test_ids = test_ids || %(test)s::int, status = %(status)s,
    reported_at = CASE WHEN %(is_pending)s THEN reported_at
        ELSE %(at)s::timestamp + interval '4 hours' END
WHERE id = %(order)s
"""


def insert_automation(connection: Connection, as_of: date) -> None:
    """Insert rules with the results that they released, and orders with an added test."""
    listed_from = as_of - timedelta(_RULE_AGE_DAYS)
    connection.execute(
        "INSERT INTO lab_settings (name, value) VALUES ('autoverification', %s)",
        (Jsonb({"enabled": True}),),
    )
    for test, low, high, percent, days, is_on in _RULES:
        connection.execute(
            _RULE,
            {
                "test": test,
                "low": low,
                "high": high,
                "percent": percent,
                "days": days,
                "is_on": is_on,
                "at": datetime.combine(listed_from, _MORNING),
            },
        )
    connection.execute(_COMPARE)
    _try_out(connection, listed_from)
    connection.execute(_AUTOVERIFY)
    connection.execute("UPDATE reflex_rules SET is_active = true")
    values = {"final": int(OrderStatus.FINAL), "listed_from": listed_from, "count": _ADDED_MAX}
    rows = connection.execute(_CHOOSE, values).fetchall()
    _add_tests(connection, rows)


def _try_out(connection: Connection, end: date) -> None:
    """Try out the active rules on the results of half a year."""
    start = end - timedelta(_TRIAL_DAYS)
    rules = connection.execute(
        "SELECT test_id, low, high, allows_abnormal, delta_percent, delta_days, unit, method"
        " FROM autoverification_rules WHERE is_on"
    ).fetchall()
    names = ("tests", "lows", "highs", "abnormal", "percents", "days", "units", "methods")
    limits = {name: [rule[i] for rule in rules] for i, name in enumerate(names)}
    row = connection.execute(TRY_OUT, {**limits, "start": start, "end": end}).fetchone()
    assert row is not None
    trial: Any = row[0]
    for test_id, counts in trial["tests"].items():
        connection.execute(_TRIAL, {**counts, "test": test_id, "start": start, "end": end})


def _add_tests(connection: Connection, rows: Sequence[Sequence[Any]]) -> None:
    """Add free thyroxine to these orders; the newest of them wait for its result."""
    for index, (order, trigger, revision, at, test, name, rule, position) in enumerate(rows):
        is_pending = index < _PENDING_COUNT
        status = ResultStatus.PENDING if is_pending else ResultStatus.FINAL
        cursor = connection.execute(_ADD_TEST, (order, test, position, name, int(status)))
        inserted_row = cursor.fetchone()
        assert inserted_row is not None
        [row_id] = inserted_row
        connection.execute(_ADD_REASON, (order, row_id, rule, trigger, revision, at))
        if not is_pending:
            result = {"order": order, "row": row_id, "test": test, "at": at}
            connection.execute(_ADD_RESULT, result)
        connection.execute(
            _MARK_ORDER,
            {
                "order": order,
                "test": test,
                "at": at,
                "is_pending": is_pending,
                "status": int(OrderStatus.PARTIAL if is_pending else OrderStatus.FINAL),
            },
        )
