"""The ids of demo records that have been inserted."""

from dataclasses import dataclass, field
from uuid import UUID


@dataclass
class LoadedIds:
    """Ids by natural key; each loader adds those of its records."""

    zips: dict[str, int]
    tests: dict[str, int]
    diagnoses: dict[str, int]
    clients: dict[str, int] = field(default_factory=dict)
    units: dict[tuple[str, str], int] = field(default_factory=dict)
    rooms: dict[tuple[str, str], int] = field(default_factory=dict)
    physicians: dict[str, int] = field(default_factory=dict)
    patients: dict[int, int] = field(default_factory=dict)
    users: dict[str, UUID] = field(default_factory=dict)
