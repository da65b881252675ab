"""Private tests of a client in the database: who finds them, and who reads their names."""

import psycopg
import pytest

from tests.server.world import World


def _read_test(
    app_url: str, role: str, scope_id: int, statement: str, *values: object
) -> list[tuple]:
    """Run a statement as a database role with one id in its scope, and return the rows."""
    with psycopg.connect(app_url) as connection:
        connection.execute(
            "SELECT set_config('role', %s, true), set_config('app.ids', %s, true)",
            (role, f"{{{scope_id}}}"),
        )
        return connection.execute(statement, values).fetchall()


@pytest.fixture
def private_test(world: World) -> tuple[int, int, str]:
    """A client with a private test: the client's id, the test's id, and its code."""
    client = world.create_client()
    code = f"PRIVATE{client}"
    test_id = world.run_sql(
        "INSERT INTO lab_tests (code, name, search_text, kind, result_type, client_id)"
        " VALUES (%s, %s, %s, 'clinical', 1, %s) RETURNING id",
        (code, code, code, client),
    )
    world.run_sql(
        "INSERT INTO test_codes (code, test_id, client_id) VALUES (%s, %s, %s)",
        (f"OWN{code}", test_id, client),
    )
    return client, test_id, code


_SEARCH = "SELECT id FROM lab_tests WHERE search_text LIKE %s"
_CODES = "SELECT test_id FROM test_codes WHERE code = %s"


async def test_searches_find_a_private_test_for_its_client_only(
    world: World, app_url: str, private_test
) -> None:
    client, test_id, code = private_test
    other = world.create_client()
    own_physician, other_physician = world.create_physician(client), world.create_physician(other)
    for role, scope_id, expected_rows in (
        ("as_client", client, [(test_id,)]),
        ("as_client", other, []),
        ("as_physician", own_physician, [(test_id,)]),
        ("as_physician", other_physician, []),
        ("as_patient", world.create_patient(client), [(test_id,)]),
        ("as_patient", world.create_patient(other), []),
    ):
        case = (role, scope_id)
        assert _read_test(app_url, *case, _SEARCH, f"%{code}%") == expected_rows, case
        assert _read_test(app_url, *case, _CODES, f"OWN{code}") == expected_rows, case


async def test_a_record_that_has_moved_still_shows_the_name_of_the_test(
    world: World, app_url: str, private_test
) -> None:
    client, test_id, code = private_test
    other = world.create_client()
    physician = world.create_physician(other)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    requisition = await world.save_requisition(nurse, world.create_patient(client), code)
    # The portal rejects this move today, but records of earlier moves exist.
    world.run_sql(
        "UPDATE requisitions SET client_id = %s, patient_id = %s, physician_id = %s WHERE id = %s",
        (other, world.create_patient(other, physician=physician), physician, requisition["id"]),
    )
    for role, scope_id in (("as_client", other), ("as_physician", physician)):
        assert _read_test(
            app_url, role, scope_id, "SELECT code FROM lab_tests WHERE id = %s", test_id
        ) == [(code,)], role
    reader = await world.create_person("Client Basic", client_ids=[other])
    answer = await world.http.get(
        f"/api/v2/requisitions/{requisition['id']}", headers=reader.headers
    )
    assert [row["test"]["code"] for row in answer.json()["tests"]] == [code]


async def test_a_physician_who_left_the_client_still_reads_its_name(
    world: World, app_url: str, private_test
) -> None:
    client, test_id, code = private_test
    physician = world.create_physician(client)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    await world.save_requisition(nurse, world.create_patient(client), code, physicianId=physician)
    world.run_sql("DELETE FROM client_physicians WHERE physician_id = %s", (physician,))
    statement = "SELECT id FROM lab_tests WHERE id = %s"
    assert _read_test(app_url, "as_physician", physician, statement, test_id) == [(test_id,)]
