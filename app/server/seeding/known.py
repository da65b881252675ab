"""What of the demo lab has been written so far."""

from dataclasses import dataclass, field
from uuid import UUID


@dataclass
class Known:
    """Ids of what has been written, by natural key."""

    zips: dict[str, int]
    tests: dict[str, int]
    diagnoses: dict[str, int]
    clients: dict[str, int] = field(default_factory=dict)
    units: dict[tuple[str, str], int] = field(default_factory=dict)
    rooms: dict[tuple[str, str], int] = field(default_factory=dict)
    physicians: dict[str, int] = field(default_factory=dict)
    patients: dict[int, int] = field(default_factory=dict)
    users: dict[str, UUID] = field(default_factory=dict)
