"""Names are told once, for those who look for letters in everybody's."""

import asyncio
import threading

import psycopg

from tests.server.world import Owner, Person, World


def told(world: World, *names: str) -> int:
    """How often these names are told."""
    found = world.sql("SELECT count(*) FROM patient_names WHERE name = ANY(%s)", (list(names),))
    assert isinstance(found, int)
    return found


class TestNames:
    async def test_of_a_patient_are_told_once(self, world: World, nurse: Person) -> None:
        for _ in range(2):
            world.patient(nurse.client, last_name="TOLDONCE", first_name="TOLDFIRST")
        assert told(world, "TOLDONCE", "TOLDFIRST") == 2

    async def test_that_are_changed_are_told_too(self, world: World, nurse: Person) -> None:
        patient = world.patient(nurse.client, last_name="BEFOREHER", first_name="WEDDING")
        world.sql("UPDATE patients SET last_name = 'AFTERIT' WHERE id = %s", (patient,))
        assert told(world, "BEFOREHER", "WEDDING", "AFTERIT") == 3

    async def test_of_a_requisition_are_told_though_no_patient_has_them_any_more(
        self, world: World, nurse: Person
    ) -> None:
        saved = await world.requisition(nurse, world.patient(nurse.client))
        world.sql(
            "UPDATE requisitions SET patient_first_name = 'ONLYHERE' WHERE id = %s", (saved["id"],)
        )
        assert told(world, "ONLYHERE") == 1

    async def test_that_two_desks_write_at_once_are_told_once(
        self, world: World, nurse: Person
    ) -> None:
        """The second waits for the first, whatever the order of first and last name, and neither
        is refused."""
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
            await world.somebody_waits()
            first.commit()
            await asyncio.to_thread(second.join)
        assert told(world, "ATONCEONE", "ATONCETWO") == 2
        codes = "SELECT count(*) FROM patients WHERE code IN ('PNAMES1', 'PNAMES2')"
        assert world.sql(codes) == 2

    async def test_are_for_those_who_see_everyone(self, world: World, nurse: Person) -> None:
        allowed = world.rows(
            "SELECT grantee, privilege_type FROM information_schema.role_table_grants"
            " WHERE table_name = 'patient_names' AND grantee LIKE 'as\\_%%'"
        )
        assert set(allowed) == {("as_staff", "SELECT"), ("as_worker", "SELECT")}
