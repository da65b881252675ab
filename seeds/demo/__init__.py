"""The demo lab: 6 clients, 40 physicians, 500 patients and 3,000 requisitions of two years.

Deterministic: the same day gives the same lab. It looks at no clock; ``as_of`` is the day on which
the two years end, and nothing in it happens after the beginning of that day; what is ordered for
that day and the next waits to be drawn.
"""

from datetime import date
from random import Random

from seeds.demo.backgrounds import backgrounds
from seeds.demo.orders import Setting, collection_times, coming_times, requisition
from seeds.demo.people import accounts, clients, patients, physicians
from seeds.demo.records import DemoLab
from seeds.demo.test_lists import favorites, test_lists
from seeds.demo.words import LAB

PATIENTS = 500
REQUISITIONS = 3_000
COMING_SHARE = 60
"""The share of requisitions for today or tomorrow: one of this many."""
SEED = 20_260

__all__ = ["PATIENTS", "REQUISITIONS", "SEED", "DemoLab", "demo_lab", "demo_setting"]


def demo_setting(as_of: date, rng: Random, patient_count: int = PATIENTS) -> Setting:
    """The clients, physicians, and patients of generated requisitions."""
    of = clients()
    doctors = physicians(rng, of)
    return Setting(
        as_of=as_of,
        clients={client.code: client for client in of},
        physicians=doctors,
        by_npi={doctor.npi: doctor for doctor in doctors},
        working={c.code: [d for d in doctors if c.code in d.client_codes] for c in of},
        patients=patients(rng, patient_count, of, doctors, as_of),
    )


def demo_lab(
    as_of: date,
    *,
    seed: int = SEED,
    patient_count: int = PATIENTS,
    requisition_count: int = REQUISITIONS,
) -> DemoLab:
    """Build the demo lab, whose two years end at ``as_of``."""
    rng = Random(seed)
    setting = demo_setting(as_of, rng, patient_count)
    coming = requisition_count // COMING_SHARE
    times = collection_times(rng, as_of, requisition_count - coming)
    times += coming_times(rng, as_of, coming)
    requisitions = [
        requisition(rng, setting, number, collected)
        for number, collected in enumerate(times, start=1)
    ]
    return DemoLab(
        as_of=as_of,
        lab=LAB,
        clients=tuple(setting.clients.values()),
        physicians=tuple(setting.physicians),
        patients=tuple(setting.patients),
        backgrounds=tuple(backgrounds(seed, setting.patients, requisitions, as_of)),
        accounts=tuple(accounts(setting.physicians, setting.patients, requisitions)),
        requisitions=tuple(requisitions),
        test_lists=tuple(test_lists()),
        favorites=tuple(favorites()),
    )
