"""Builds tests and panels of the catalog."""

from tests.server.records import Records


class CatalogBuilders(Records):
    """Finds and inserts tests."""

    def get_test_id(self, code: str) -> int:
        """Return the id of a test in the catalog."""
        return int(self.run_sql("SELECT id FROM lab_tests WHERE code = %s", (code,)))

    def add_lab_test(self, code: str, **columns: object) -> None:
        """Add a numeric test to the catalog, unless an earlier test of the run did."""
        values = {
            "name": f"TEST {code}",
            "result_type": 1,
            "unit": None,
            "container": "Gold Top",
            "specimen": "BLOOD",
            **columns,
        }
        names = ", ".join(values)
        self.run_sql(
            f"INSERT INTO lab_tests (code, search_text, kind, {names})"
            " VALUES (%s, %s, 'clinical'" + ", %s" * len(values) + ")"
            " ON CONFLICT (code) DO UPDATE SET search_text = excluded.search_text",
            (code, code, *values.values()),
        )

    def add_panel(self, code: str, *members: str) -> None:
        """Add a panel of these tests in this order; an earlier test may have added the same."""
        self.add_lab_test(code, is_panel=True, result_type=4096)
        self.run_sql(
            "INSERT INTO panel_members (panel_id, test_id, position)"
            " SELECT p.id, t.id, m.position FROM lab_tests p,"
            " unnest(%s::text[]) WITH ORDINALITY m (code, position) JOIN lab_tests t USING (code)"
            " WHERE p.code = %s ON CONFLICT DO NOTHING",
            (list(members), code),
        )
        added_members = self.fetch_rows(
            "SELECT t.code FROM panel_members m JOIN lab_tests p ON p.id = m.panel_id"
            " JOIN lab_tests t ON t.id = m.test_id WHERE p.code = %s ORDER BY m.position",
            (code,),
        )
        codes = [row[0] for row in added_members]
        assert codes == list(members), f"{code} is another panel elsewhere"

    def add_private_test(self, client_id: int) -> str:
        """Add a private test of the client, and return its code."""
        code = f"PRIV{client_id}X{self.claim_number()}"
        self.run_sql(
            "INSERT INTO lab_tests (code, name, search_text, kind, result_type, client_id)"
            " VALUES (%s, %s, %s, 'clinical', 1, %s)",
            (code, f"PRIVATE {code}", f"{code} PRIVATE", client_id),
        )
        return code

    def put_on_client_list(self, client_id: int, *codes: str) -> None:
        """Give the client its own test list, with these tests."""
        for code in codes:
            self.run_sql(
                "INSERT INTO client_tests (client_id, test_id) VALUES (%s, %s)",
                (client_id, self.get_test_id(code)),
            )
