"""Builds physicians."""

from tests.server.records import Records


class PhysicianBuilders(Records):
    """Inserts physicians."""

    def create_physician(self, *clients: int) -> int:
        """Create a physician of these clients, and return the id."""
        n = self.claim_number()
        physician_id = self.run_sql(
            "INSERT INTO physicians (npi, first_name, last_name) VALUES (%s, %s, %s) RETURNING id",
            (f"2{n:09d}", "DANA", f"DOCTOR{n}"),
        )
        for client_id in clients:
            self.run_sql(
                "INSERT INTO client_physicians (client_id, physician_id) VALUES (%s, %s)",
                (client_id, physician_id),
            )
        return int(physician_id)
