"""SQL of a try-out: what limits would have done with past results.

It finds the same obstacles as ``rules.find_obstacle``, but some facts of the past are not stored:
specimens count with today's condition, and a calculated result counts as if its inputs were
released. An earlier value in another unit or by another method is compared as if unit and method
were the same.
"""

from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, Gender, Withholding
from app.contract.limits import TRIAL_LISTED_MAX, TRIAL_RESULTS_MAX
from app.server.catalog.models import AGES_END
from app.server.lists.spec import quote_texts
from app.server.orders.rules import ACCEPTABLE
from app.server.results.automation.rules import Obstacle

_LIMITS = (
    "SELECT * FROM unnest(%(tests)s::bigint[], %(lows)s::numeric[], %(highs)s::numeric[], "
    "%(abnormal)s::boolean[], %(percents)s::numeric[], %(days)s::int[], %(units)s::text[], "
    "%(methods)s::text[]) "
    "AS l(test_id, low, high, allows_abnormal, delta_percent, delta_days, unit, method)"
)
# The first released version of each result, the newest orders first.
_FOUND_RESULTS = (
    "SELECT t.test_id, t.name, t.awaits_collection, o.id AS order_id, o.code, o.collection_date, "
    "o.patient_gender, o.patient_birth_date, o.specimen_condition, r.order_test_id, r.revision, "
    "r.value, r.unit, r.method, r.number, r.sign, r.flag, r.reference_range, r.is_confirmed, "
    "r.is_delta_exceeded, r.previous_at, r.previous_value, r.entered_at, r.withheld "
    "FROM orders o JOIN order_tests t ON t.order_id = o.id AND t.test_id = ANY(%(tests)s::bigint[])"
    " JOIN results r ON r.order_test_id = t.id AND r.released_at IS NOT NULL "
    "WHERE o.collection_date >= %(start)s::date::timestamp "
    "AND o.collection_date < (%(end)s::date + 1)::timestamp AND NOT EXISTS ("
    "SELECT 1 FROM results e WHERE e.order_test_id = r.order_test_id "
    "AND e.revision < r.revision AND e.released_at IS NOT NULL) "
    "ORDER BY o.collection_date DESC, o.id DESC, t.position "
    f"LIMIT {TRIAL_RESULTS_MAX + 1}"
)
_PREVIOUS = "replace(f.previous_value, ',', '')"
_PREVIOUS_NUMBER = f"CASE WHEN {_PREVIOUS} ~ '^-?[0-9]+([.][0-9]+)?$' THEN {_PREVIOUS}::numeric END"
_HAS_EARLIER = (
    "(f.previous_value IS NOT NULL AND (l.delta_days IS NULL "
    "OR floor(extract(epoch FROM f.collection_date - f.previous_at) / 86400) <= l.delta_days))"
)
_DELTA = (
    f"f.is_delta_exceeded OR (l.delta_percent IS NOT NULL AND {_HAS_EARLIER} "
    "AND coalesce(100 * abs(f.number - p.number) > l.delta_percent * abs(p.number), true))"
)
# A delta limit does not apply to a patient's first result.
_IS_FIRST = f"l.delta_percent IS NOT NULL AND NOT {_HAS_EARLIER}"
_HAS_RANGE = (
    "EXISTS (SELECT 1 FROM reference_ranges g WHERE g.test_id = f.test_id AND g.active AND {by})"
)
_HAS_RANGE_BY_SEX = _HAS_RANGE.format(by="g.gender IS NOT NULL")
_HAS_RANGE_BY_AGE = _HAS_RANGE.format(by=f"(g.age_from_days > 0 OR g.age_to_days < {AGES_END})")
_IS_HELD = (
    "EXISTS (SELECT 1 FROM result_holds h WHERE h.test_id = f.test_id "
    "AND (h.order_id IS NULL OR h.order_id = f.order_id) AND h.placed_at <= f.entered_at "
    "AND (h.lifted_at IS NULL OR h.lifted_at > f.entered_at))"
)
_IS_SPECIMEN_MISSING = (
    "(SELECT bool_and(s.state = 'expected') FROM specimens s WHERE s.order_id = f.order_id "
    "AND s.state <> 'rejected' AND (s.container, s.specimen) = "
    "(coalesce(c.container, ''), coalesce(c.specimen, '')))"
)
_CASES = (
    (Obstacle.UNIT, "f.unit IS DISTINCT FROM l.unit"),
    (Obstacle.METHOD, "f.method IS DISTINCT FROM l.method"),
    (Obstacle.NOT_EXACT, "f.number IS NULL OR f.sign <> ''"),
    (Obstacle.CRITICAL, f"f.flag IN ({quote_texts(sorted(CRITICAL_FLAGS))})"),
    (
        Obstacle.UNUSUAL,
        "f.is_confirmed OR f.number < c.plausible_low OR f.number > c.plausible_high",
    ),
    (Obstacle.NO_RANGE, "f.reference_range IS NULL OR coalesce(f.flag, '') = ''"),
    (
        Obstacle.SEX_UNKNOWN,
        f"f.patient_gender NOT IN ({quote_texts([Gender.MALE, Gender.FEMALE])}) "
        f"AND {_HAS_RANGE_BY_SEX}",
    ),
    (Obstacle.AGE_UNKNOWN, f"f.patient_birth_date IS NULL AND {_HAS_RANGE_BY_AGE}"),
    (Obstacle.LIMITS, "f.number < l.low OR f.number > l.high"),
    (
        Obstacle.ABNORMAL,
        f"NOT l.allows_abnormal AND f.flag NOT IN ({quote_texts(sorted(NOT_ABNORMAL_FLAGS))})",
    ),
    (Obstacle.DELTA, _DELTA),
    (Obstacle.HOLD, _IS_HELD),
    (Obstacle.SPECIMEN, f"f.awaits_collection OR f.specimen_condition <> '{ACCEPTABLE}'"),
    (Obstacle.NO_SPECIMEN, _IS_SPECIMEN_MISSING),
)
_REASON = " ".join(f"WHEN {condition} THEN '{reason}'" for reason, condition in _CASES)
_LAST = (
    "LEFT JOIN LATERAL (SELECT n.value, n.unit, n.withheld FROM results n "
    "WHERE n.order_test_id = j.order_test_id AND n.released_at IS NOT NULL "
    "ORDER BY n.revision DESC LIMIT 1) n ON j.reason IS NULL"
)
_IS_WITHDRAWN = f"n.withheld IS NOT DISTINCT FROM '{Withholding.WITHDRAWN}'"
_IS_CORRECTED = f"({_IS_WITHDRAWN} OR (n.value, n.unit) IS DISTINCT FROM (j.value, j.unit))"

_NOT_COMPARABLE = quote_texts([Obstacle.UNIT, Obstacle.METHOD])

TRY_OUT = (
    f"WITH limits AS MATERIALIZED ({_LIMITS}), found AS MATERIALIZED ({_FOUND_RESULTS}), "
    f"tried AS (SELECT * FROM found LIMIT {TRIAL_RESULTS_MAX}), "
    f"judged AS MATERIALIZED (SELECT f.*, CASE {_REASON} END AS reason, "
    f"{_IS_FIRST} AS is_first FROM tried f "
    "JOIN limits l ON l.test_id = f.test_id JOIN lab_tests c ON c.id = f.test_id "
    f"CROSS JOIN LATERAL (SELECT {_PREVIOUS_NUMBER} AS number) p), "
    f"compared AS MATERIALIZED (SELECT j.*, j.reason IS NULL AND {_IS_CORRECTED} AS is_corrected, "
    f"CASE WHEN NOT ({_IS_WITHDRAWN}) THEN concat_ws(' ', n.value, n.unit) END AS corrected "
    f"FROM judged j {_LAST}) "
    "SELECT json_build_object("
    f"'is_capped', (SELECT count(*) > {TRIAL_RESULTS_MAX} FROM found), "
    "'without_earlier', (SELECT count(*) FROM compared WHERE is_first), "
    "'obstacles', (SELECT coalesce(json_object_agg(x.reason, x.count), '{}'::json) FROM ("
    "SELECT reason, count(*) FROM compared WHERE reason IS NOT NULL GROUP BY reason) x), "
    "'tests', (SELECT coalesce(json_object_agg(x.test_id, json_build_object('results', x.results, "
    "'comparable', x.comparable, 'released', x.released, 'corrected', x.corrected)), '{}'::json) "
    "FROM (SELECT test_id, count(*) AS results, "
    f"count(*) FILTER (WHERE coalesce(reason, '') NOT IN ({_NOT_COMPARABLE})) AS comparable, "
    "count(*) FILTER (WHERE reason IS NULL) AS released, "
    "count(*) FILTER (WHERE is_corrected) AS corrected FROM compared GROUP BY test_id) x), "
    "'corrections', (SELECT coalesce(json_agg(json_build_object('order_id', x.order_id, "
    "'code_value', x.code, 'test', x.name, 'result', concat_ws(' ', x.value, x.unit), "
    "'corrected_result', x.corrected)), '[]'::json) FROM (SELECT * FROM compared "
    "WHERE is_corrected ORDER BY collection_date DESC, order_id DESC "
    f"LIMIT {TRIAL_LISTED_MAX}) x))"
)
"""Parameters: tests, lows, highs, abnormal, percents, days, units, methods (arrays of the same
length), start, end.

Returns one JSON object.
"""
