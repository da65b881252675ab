"""Builds clients with their units and rooms."""

from tests.server.records import Records


class ClientBuilders(Records):
    """Inserts clients."""

    def create_client(self, *, with_unit: bool = False) -> int:
        """Create a client, optionally with a unit 'EAST' and a room '101', and return its id."""
        n = self.claim_number()
        client_id = self.run_sql(
            "INSERT INTO clients (code, name, default_bill_to) VALUES (%s, %s, 1) RETURNING id",
            (f"C{n}", f"CLIENT {n}"),
        )
        if with_unit:
            unit = self.run_sql(
                "INSERT INTO units (client_id, name) VALUES (%s, 'EAST') RETURNING id", (client_id,)
            )
            self.run_sql(
                "INSERT INTO rooms (client_id, unit_id, name) VALUES (%s, %s, '101')",
                (client_id, unit),
            )
        return int(client_id)
