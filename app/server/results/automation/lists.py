"""The list of rules of autoverification."""

from datetime import datetime

from app.server.database.scope import Rows
from app.server.lists import filters
from app.server.lists.spec import Column, JoinedValue, ListSpec

_TABLE = (
    "(SELECT v.*, l.code, l.name, l.unit AS test_unit, l.method AS test_method "
    "FROM autoverification_rules v JOIN lab_tests l ON l.id = v.test_id)"
)
_IS_TRIED = (
    'EXISTS (SELECT 1 FROM autoverification_trials x WHERE x.test_id = page."testId" '
    'AND (x.low, x.high, x.allows_abnormal) = (page.low, page.high, page."allowsAbnormal") '
    'AND x.delta_percent IS NOT DISTINCT FROM page."deltaPercent" '
    'AND x.delta_days IS NOT DISTINCT FROM page."deltaDays" '
    "AND x.comparable > 0 AND (x.unit, x.method) IS NOT DISTINCT FROM (page.unit, page.method))"
)

autoverification_rules = ListSpec(
    name="autoverification-rules",
    table=_TABLE,
    scope=Rows(),
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("testId", "t.test_id", int),
        Column("code", "t.code", str, sort="indexed", kind="text"),
        Column("name", "t.name", str, sort="indexed", kind="text"),
        Column("unit", "t.unit", str | None),
        Column("method", "t.method", str | None),
        Column("testUnit", "t.test_unit", str | None),
        Column("testMethod", "t.test_method", str | None),
        Column("low", "t.low", float),
        Column("high", "t.high", float),
        Column("allowsAbnormal", "t.allows_abnormal", bool, kind="boolean"),
        Column("deltaPercent", "t.delta_percent", float | None),
        Column("deltaDays", "t.delta_days", int | None),
        Column("isOn", "t.is_on", bool, kind="boolean"),
        Column("switchedAt", "t.switched_at", datetime | None),
        Column("version", "t.version", int),
        Column("switchedById", "t.switched_by::text", str | None),
    ),
    filters=(filters.match_ids("testIds", "t.test_id"),),
    joined_values=(
        JoinedValue("switchedBy", 'name_of_user(page."switchedById"::uuid)', str | None),
        JoinedValue("isTried", _IS_TRIED, bool),
    ),
    default_sort="code",
    is_audited=False,
)
