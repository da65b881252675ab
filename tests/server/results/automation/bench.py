"""Ranges and rules of tests, for tests of autoverification."""

from tests.server.world import World


def add_range(world: World, code: str, *limits: float | None, gender: str | None = None) -> None:
    """Add a reference range for all ages, unless the lab test has one for this gender."""
    world.run_sql(
        "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, low, high,"
        " critical_low, critical_high, unit)"
        " SELECT t.id, %s::text, 0, 60000, %s, %s, %s, %s, t.unit"
        " FROM lab_tests t WHERE t.code = %s AND NOT EXISTS (SELECT 1 FROM reference_ranges g"
        " WHERE g.test_id = t.id AND g.gender IS NOT DISTINCT FROM %s::text)",
        (gender, *limits, code, gender),
    )


def set_rule(world: World, code: str, **columns: object) -> None:
    """Replace a lab test's rule; by default it is on, from 70 to 120, in version 3.

    It is for the unit and method of the test.
    """
    values = {"low": 70, "high": 120, "is_on": True, "version": 3, **columns}
    world.run_sql(
        "DELETE FROM autoverification_rules WHERE test_id = %s", (world.get_test_id(code),)
    )
    names = ", ".join(values)
    world.run_sql(
        f"INSERT INTO autoverification_rules (test_id, unit, method, changed_at, {names})"
        " SELECT t.id, t.unit, t.method, now()" + ", %s" * len(values) + ""
        " FROM lab_tests t WHERE t.id = %s",
        (*values.values(), world.get_test_id(code)),
    )


def change_test(world: World, code: str, change: str) -> None:
    """Change a lab test, such as its unit, with its ranges."""
    world.run_sql(f"UPDATE lab_tests SET {change} WHERE code = %s", (code,))
    world.run_sql(
        "UPDATE reference_ranges g SET unit = t.unit FROM lab_tests t"
        " WHERE t.id = g.test_id AND t.code = %s",
        (code,),
    )
