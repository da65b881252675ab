"""The table of distinct names, which serves text searches across all clients."""

import asyncio
import threading

import psycopg

from tests.server.accounts.builders import Person
from tests.server.records import Owner
from tests.server.world import World


def count_names(world: World, *names: str) -> int:
    """Count the rows of these names."""
    count = world.run_sql("SELECT count(*) FROM patient_names WHERE name = ANY(%s)", (list(names),))
    assert isinstance(count, int)
    return count


class TestNames:
    """Rows of names."""

    async def test_each_name_of_patients_is_stored_once(self, world: World, nurse: Person) -> None:
        for _ in range(2):
            world.create_patient(nurse.client, last_name="STOREDONCE", first_name="STOREDFIRST")
        assert count_names(world, "STOREDONCE", "STOREDFIRST") == 2

    async def test_changed_names_are_added(self, world: World, nurse: Person) -> None:
        patient = world.create_patient(nurse.client, last_name="BEFOREHER", first_name="WEDDING")
        world.run_sql("UPDATE patients SET last_name = 'AFTERIT' WHERE id = %s", (patient,))
        assert count_names(world, "BEFOREHER", "WEDDING", "AFTERIT") == 3

    async def test_names_of_requisitions_are_added(self, world: World, nurse: Person) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        world.run_sql(
            "UPDATE requisitions SET patient_first_name = 'ONLYHERE' WHERE id = %s",
            (requisition["id"],),
        )
        assert count_names(world, "ONLYHERE") == 1

    async def test_concurrent_writes_store_a_name_once(self, world: World, nurse: Person) -> None:
        """The second transaction waits for the first, whatever the order of their names."""
        with psycopg.connect(world.owner_url) as first, Owner(world.owner_url) as other:
            insert = (
                "INSERT INTO patients (code, client_id, last_name, first_name, birth_date, gender)"
                " VALUES (%s, %s, %s, %s, '1990-01-01', 'MALE')"
            )
            first.execute(insert, ("PNAMES1", nurse.client, "ATONCEONE", "ATONCETWO"))
            second = threading.Thread(
                target=other.execute,
                args=(insert, ("PNAMES2", nurse.client, "ATONCETWO", "ATONCEONE")),
            )
            second.start()
            await world.wait_for_lock()
            first.commit()
            await asyncio.to_thread(second.join)
        assert count_names(world, "ATONCEONE", "ATONCETWO") == 2
        codes = "SELECT count(*) FROM patients WHERE code IN ('PNAMES1', 'PNAMES2')"
        assert world.run_sql(codes) == 2

    async def test_only_staff_and_worker_may_read_the_names(
        self, world: World, nurse: Person
    ) -> None:
        grants = world.fetch_rows(
            "SELECT grantee, privilege_type FROM information_schema.role_table_grants"
            " WHERE table_name = 'patient_names' AND grantee LIKE 'as\\_%%'"
        )
        assert set(grants) == {("as_staff", "SELECT"), ("as_worker", "SELECT")}
