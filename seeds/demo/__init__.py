"""The demo lab: 6 clients, 40 physicians, 500 patients, and two years of requisitions.

One more patient has five years of monthly results (``history``). Some orders have tests of the less
common result types (``rare_types``).

The lab is deterministic: the same ``as_of`` gives the same lab, and the clock is never read.
The two years end at the start of ``as_of``; no event is later. Specimens ordered for that day and
the next are not collected yet. Every client has orders that wait for results since the last
weekday.
"""

from dataclasses import replace
from datetime import date
from operator import itemgetter
from random import Random

from seeds.demo import rare_types
from seeds.demo.backgrounds import build_backgrounds
from seeds.demo.history import build_history
from seeds.demo.orders import Setting, build_requisition
from seeds.demo.people import build_accounts, build_clients, build_patients, build_physicians
from seeds.demo.records import DemoLab
from seeds.demo.test_lists import TEST_CODES, build_favorites, build_test_lists
from seeds.demo.times import (
    generate_collection_times,
    generate_upcoming_times,
    generate_waiting_times,
)
from seeds.demo.words import LAB

PATIENTS = 500
REQUISITIONS = 3_000
UPCOMING_DIVISOR = 60
"""Of this many requisitions, one is for today or tomorrow."""
SEED = 20_260

__all__ = ["PATIENTS", "REQUISITIONS", "SEED", "DemoLab", "build_demo_lab", "build_setting"]


def build_setting(as_of: date, rng: Random, patient_count: int = PATIENTS) -> Setting:
    """Build the clients, physicians, and patients of the generated requisitions."""
    clients = build_clients()
    physicians = build_physicians(rng, clients)
    return Setting(
        as_of=as_of,
        clients={client.code: client for client in clients},
        physicians=physicians,
        physicians_by_npi={physician.npi: physician for physician in physicians},
        physicians_by_client={
            c.code: [p for p in physicians if c.code in p.client_codes] for c in clients
        },
        patients=build_patients(rng, patient_count, clients, physicians, as_of),
    )


def build_demo_lab(
    as_of: date,
    *,
    seed: int = SEED,
    patient_count: int = PATIENTS,
    requisition_count: int = REQUISITIONS,
) -> DemoLab:
    """Build the demo lab, whose two years end at ``as_of``."""
    rng = Random(seed)
    setting = build_setting(as_of, rng, patient_count)
    upcoming_count = requisition_count // UPCOMING_DIVISOR
    waiting_times = generate_waiting_times(rng, as_of, setting.clients)
    random_count = requisition_count - upcoming_count - len(waiting_times)
    times = generate_collection_times(rng, as_of, random_count)
    times += generate_upcoming_times(rng, as_of, upcoming_count)
    plans = [*waiting_times, *((collected_at, None) for collected_at in times)]
    requisitions = [
        build_requisition(rng, setting, number, collected_at, waits_at=client)
        for number, (collected_at, client) in enumerate(sorted(plans, key=itemgetter(0)), start=1)
    ]
    patients = {patient.index: patient for patient in setting.patients}
    requisitions = [
        rare_types.add_tests(requisition, patients[requisition.patient_index])
        for requisition in requisitions
    ]
    requisitions = rare_types.add_tests_to_enter(requisitions, patients)
    history = build_history(Random(seed), setting, requisition_count + 1)
    history = replace(
        history,
        requisitions=rare_types.add_history_tests(history.requisitions, history.patient),
    )
    return DemoLab(
        as_of=as_of,
        lab=LAB,
        clients=tuple(setting.clients.values()),
        physicians=tuple(setting.physicians),
        patients=tuple(setting.patients),
        backgrounds=tuple(build_backgrounds(seed, setting.patients, requisitions, as_of)),
        accounts=tuple(build_accounts(setting.physicians, history.patient)),
        requisitions=tuple(requisitions),
        test_lists=tuple(build_test_lists()),
        test_codes=TEST_CODES,
        favorites=tuple(build_favorites()),
        history=history,
    )
