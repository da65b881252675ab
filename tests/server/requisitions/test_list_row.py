"""Fields of a row in the requisition search (O 3, 'List row')."""

from tests.server.world import World


async def test_row_has_the_fields_of_the_specification(world: World) -> None:
    client = world.create_client(with_unit=True)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    patient = world.create_patient(client, last_name="OKONKWO", first_name="AISHA")
    unit, room = world.fetch_rows(
        "SELECT u.id, r.id FROM units u JOIN rooms r ON r.unit_id = u.id WHERE u.client_id = %s",
        (client,),
    )[0]
    world.run_sql(
        "UPDATE patients SET unit_id = %s, room_id = %s, bed = 'B' WHERE id = %s RETURNING id",
        (unit, room, patient),
    )
    requisition = await world.save_requisition(
        nurse, patient, "GLU", "K", collectionDate="2026-03-04T07:30:00"
    )
    answer = await world.http.get("/api/v2/requisitions/remote-operations", headers=nurse.headers)
    [row] = answer.json()["data"]
    name = world.run_sql("SELECT name FROM clients WHERE id = %s", (client,))
    tests = [
        world.run_sql("SELECT name FROM lab_tests WHERE code = %s", (c,)) for c in ("GLU", "K")
    ]
    birth_date = world.run_sql("SELECT birth_date FROM patients WHERE id = %s", (patient,))
    expected = {
        "id": requisition["id"],
        "code": requisition["code"],
        "collectionDate": "2026-03-04T07:30:00",
        "patientLastName": "OKONKWO",
        "patientFirstName": "AISHA",
        "patientBirthDate": birth_date.isoformat(),
        "clientName": name,
        "unit": "EAST",
        "room": "101",
        "bed": "B",
        "tests": tests,
        "hasSignature": False,
        "status": 1,
        "version": requisition["version"],
    }
    assert {key: row[key] for key in expected} == expected
