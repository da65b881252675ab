"""Patients never read the names of the people who work on their orders."""

from app.contract.enumerations import CopyType, Role, SendStatus
from app.server.access.routing import PortalRoute
from app.server.transmissions.rules import Subject
from tests.server.accounts.builders import Person
from tests.server.paperwork.reading import extract_text
from tests.server.results.clinical.bench import Bench as ClinicalBench
from tests.server.results.family_benches import CASES, Bench
from tests.server.samples import get_sample, list_routes
from tests.server.world import World

LAB, NURSE = "QUENTIN", "ZENOBIA"
NAMES = (LAB, NURSE)
REPORTS = ("results", "log", "details")


def rename_person(world: World, person: Person, name: str) -> None:
    """Give a person a name that occurs nowhere else."""
    world.run_sql(
        "UPDATE users SET first_name = %s, last_name = %s WHERE id = %s",
        (name, name, person.user_id),
    )


async def release_and_correct_all(
    world: World, people: dict[str, Person], patient_id: int
) -> dict[str, int]:
    """Release, correct, withhold, acknowledge, and send results of all families; return ids."""
    codes = ["GLU", "K", *(case.code for case in CASES.values())]
    requisition = await world.save_requisition(people["nurse"], patient_id, *codes)
    headers = people["lab"].headers
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=headers, json={"ids": [requisition["id"]]}
    )
    order_id = receive_answer.json()[0]["orderId"]
    for case in CASES.values():
        bench = Bench(world, case, people, people["nurse"].client, order_id)
        await bench.publish(case.first)
        await bench.publish(case.corrected)
    clinical = ClinicalBench(world, people["lab"], people["nurse"], order_id)
    for answer in (
        await clinical.enter(GLU="512", K="4.0"),
        await clinical.release(),
        await clinical.correct(GLU="90"),
        await clinical.release("GLU"),
        await clinical.post("withhold", "K", kind="withdrawn", reason="SPECIMEN"),
        await world.http.put(
            "/api/v2/orders/acknowledge",
            headers=people["nurse"].headers,
            params={"ids": [order_id], "username": NURSE},
            json={"versions": {}},
        ),
    ):
        assert answer.status_code == 200, answer.text
    for subject in Subject:
        send_as(world, people["nurse"], requisition["id"], subject)
    return {"order_id": order_id, "requisition_id": requisition["id"]}


def send_as(world: World, person: Person, requisition_id: int, subject: Subject) -> None:
    """Store a transmission that this person requested; the test needs no mail server."""
    transmission_id = world.run_sql(
        "INSERT INTO transmissions"
        " (key, kind, subject, destination, status, requested_by, requested_by_name)"
        " VALUES (gen_random_uuid(), %s, %s, 'office@clinic.example', %s, %s, %s) RETURNING id",
        (CopyType.EMAIL, subject, SendStatus.SENT, person.user_id, NURSE),
    )
    world.run_sql(
        "INSERT INTO transmission_requisitions (transmission_id, requisition_id, position)"
        " VALUES (%s, %s, 0) RETURNING position",
        (transmission_id, requisition_id),
    )


async def test_patients_read_no_names_of_staff_anywhere(world: World) -> None:
    client = world.create_client()
    patient_id = world.create_patient(client)
    patient = await world.create_person(Role.PATIENT, patient_ids=[patient_id])
    people = {
        "lab": await world.create_person(Role.LABORATORY),
        "nurse": await world.create_person(Role.CLIENT_BASIC, client_ids=[client]),
    }
    people["other"] = people["lab"]
    rename_person(world, people["lab"], LAB)
    rename_person(world, people["nurse"], NURSE)
    ids = {"patient_id": patient_id}
    ids |= await release_and_correct_all(world, people, patient_id)
    # If nobody saw names in these answers, the search below would prove nothing.
    answers = await read_everything(world, people["nurse"], ids)
    assert any(LAB in text for text in answers.values())
    senders = {path for path, text in answers.items() if '"SENTBY":"ZENOBIA"' in text}
    assert {path.partition("?")[0] for path in senders} == {
        "/api/v2/orders/transmissions",
        "/api/v2/requisitions/transmissions",
    }
    patient_answers = await read_everything(world, patient, ids)
    assert len(patient_answers) > 20
    assert {
        path: name for path, text in patient_answers.items() for name in NAMES if name in text
    } == {}


def build_paths(route: PortalRoute, ids: dict[str, int]) -> list[str]:
    """Build the path with query of a route; empty if it needs other records."""
    query = get_sample(f"GET {route.path}").query
    try:
        return [route.path.format(**ids) + query.format(**ids)]
    except KeyError:
        return []


async def read_everything(world: World, person: Person, ids: dict[str, int]) -> dict[str, str]:
    """Read all that this person may see of these records; return each answer's text by path."""
    paths = [f"/api/v2/reports/order/{name}?ids={ids['order_id']}" for name in REPORTS]
    for method, route in list_routes(world.app):
        is_stream = route.path.endswith("/changes")
        if method == "GET" and route.path.startswith("/api/") and not is_stream:
            paths += build_paths(route, ids)
    texts = {}
    for path in paths:
        answer = await world.http.get(path, headers=person.headers)
        if answer.status_code != 200:
            continue
        is_pdf = answer.headers["content-type"].startswith("application/pdf")
        text = extract_text(answer.content) if is_pdf else answer.text
        texts[path] = text.upper()
    return texts
