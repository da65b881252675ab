"""Every field of O 3 about patients is written and read under its name."""

from typing import Any

from app.contract.enumerations import Role
from tests.server.patients.desk import VALID, mint_ssn
from tests.server.world import World

DETAILS = {
    "middleName": "Jo",
    "medicalRecordId": "mr-7",
    "bed": "b2",
    "phone": "3125550101",
    "mobile": "312-555-0102",
    "email": "Ann@Lee.test",
    "sameAsClientAddress": False,
    "ethnicity": 1,
    "sexualOrientationId": "20430005",
    "genderIdentityId": "446141000124107",
    "race": "ASIAN",
}


async def test_a_patient_has_all_written_and_derived_fields(world: World) -> None:
    """Every field of the payload, and the fields that only a read has."""
    client = world.create_client(with_unit=True)
    physician_id = world.create_physician(client)
    unit = world.run_sql("SELECT id FROM units WHERE client_id = %s", (client,))
    room = world.run_sql("SELECT id FROM rooms WHERE client_id = %s", (client,))
    nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
    number = mint_ssn(world)
    ids = {"clientId": client, "unitId": unit, "roomId": room, "primaryPhysicianId": physician_id}
    answer = await world.http.post(
        "/api/v2/patients",
        headers=nurse.headers,
        json={**VALID, **DETAILS, **ids, "socialSecurityNumber": number},
    )
    assert answer.status_code == 201, answer.text
    patient = answer.json()
    expected: dict[str, Any] = {
        "firstName": "ANN",
        "lastName": "LEE",
        "middleName": "JO",
        "birthDate": "1980-05-06",
        "gender": "FEMALE",
        "medicalRecordId": "MR-7",
        "bed": "B2",
        "address": "1 MAIN ST",
        "zipCodeName": "60601",
        "zipCodePlus4": "1234",
        "sameAsClientAddress": False,
        "phone": "312-555-0101",
        "mobile": "312-555-0102",
        "email": "Ann@Lee.test",
        **{name: DETAILS[name] for name in ("ethnicity", "sexualOrientationId", "race")},
        "genderIdentityId": DETAILS["genderIdentityId"],
        **ids,
        "socialSecurityNumber": f"{number[:3]}-{number[3:5]}-{number[5:]}",
    }
    assert {name: patient[name] for name in expected} == expected
    assert patient["code"].startswith("P")
    assert (patient["client"]["id"], patient["client"]["webAccess"]) == (client, True)
    assert patient["client"]["name"].startswith("CLIENT ")
    assert patient["room"] == {"id": room, "name": "101", "unitId": unit}
    assert patient["unit"] == {"id": unit, "name": "EAST"}
    zip_code = patient["zipCode"]
    assert (zip_code["code"], zip_code["city"], zip_code["state"]) == ("60601", "CHICAGO", "IL")
    assert set(patient["primaryPhysician"]) == {"id", "firstName", "lastName", "npi"}
    for name in ("medications", "diagnoses", "responsibleParties", "insuranceInformation"):
        assert patient[name] == []


async def test_an_insurance_row_has_all_fields(world: World) -> None:
    """O 3, 'Insurance row'."""
    client = world.create_client()
    patient = world.create_patient(client)
    world.add_patient_lists(patient)
    nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
    answer = await world.http.get(f"/api/v2/patients/{patient}/billing-info", headers=nurse.headers)
    (row,) = answer.json()
    assert set(row) >= {
        "id",
        "order",
        "billType",
        "billTypeId",
        "payer",
        "payerId",
        "insuranceId",
        "groupNumber",
        "relationship",
        "differentThanPatient",
        "zipCode",
        "zipCodeId",
        "zipCodePlus4",
        "address",
        "birthDate",
        "firstName",
        "middleName",
        "lastName",
        "gender",
        "phone",
    }


async def test_clients_units_and_rooms_have_all_fields(world: World) -> None:
    """O 3, 'Client' and 'Unit and room'."""
    client = world.create_client(with_unit=True)
    world.run_sql(
        "UPDATE clients SET address = '500 LAKE ST', zip_code_id ="
        " (SELECT id FROM zip_codes WHERE code = '60435') WHERE id = %s",
        (client,),
    )
    nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])

    async def fetch_single_row(path: str) -> dict[str, Any]:
        answer = await world.http.get(f"/api/v2/clients/{path}", headers=nurse.headers)
        rows: list[dict[str, Any]] = answer.json()["data"]
        (row,) = rows
        return row

    row = await fetch_single_row("remote-operations")
    assert (row["id"], row["unitsCount"], row["webAccess"]) == (client, 1, True)
    assert (row["address"], row["defaultBillTo"]) == ("500 LAKE ST", "Client")
    assert row["requiresPhysician"] is False
    assert set(row["zipCode"]) == {"id", "code", "city", "state"}
    unit = await fetch_single_row(f"{client}/units/remote-operations")
    assert (set(unit), unit["name"]) == ({"id", "name"}, "EAST")
    for path in (f"{client}/rooms", f"units/{unit['id']}/rooms"):
        room = await fetch_single_row(f"{path}/remote-operations")
        assert (room["name"], room["unitId"]) == ("101", unit["id"])
