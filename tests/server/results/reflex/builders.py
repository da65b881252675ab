"""Builds rules that add reflex tests."""

from tests.server.records import Records


class ReflexBuilders(Records):
    """Inserts reflex rules."""

    def add_reflex_rule(
        self, trigger: str, added_test: str, condition: str = "above", **columns: object
    ) -> None:
        """Add an active reflex rule, unless an earlier test of the run did."""
        values = {"is_active": True, "low": 10 if condition == "above" else None, **columns}
        names = ", ".join(values)
        marks = ", %s" * len(values)
        self.run_sql(
            "INSERT INTO reflex_rules"
            f" (code, test_id, added_test_id, condition, source, unit, {names})"
            f" SELECT %s, t.id, a.id, %s, 'Test', t.unit{marks} FROM lab_tests t, lab_tests a"
            " WHERE t.code = %s AND a.code = %s"
            " ON CONFLICT (code) DO UPDATE SET source = excluded.source",
            (f"{trigger}-{added_test}", condition, *values.values(), trigger, added_test),
        )
